package cluster

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// asWorker is the environment variable that makes this test binary be a worker of the server it
// names.
const asWorker = "CLADE_TEST_WORKER"

// quick is the silence after which tests give a run to another worker.
const quick = 3 * time.Second

func TestMain(m *testing.M) {
	if where := os.Getenv(asWorker); where != "" {
		access, err := broker.ReadAccess(where)
		if err == nil {
			err = workThere(context.Background(), access, 1, os.Stderr)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	clustertest.NoLeaks(m)
}

// workThere lets a worker work at a server.
func workThere(ctx context.Context, a broker.Access, workers int, out io.Writer) error {
	log := slog.New(slog.NewTextHandler(out, nil))
	b, err := broker.Join(ctx, a, "test", log)
	if err != nil {
		return err
	}
	defer b.Close()
	scratch, err := os.MkdirTemp("", "worker")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	return Worker{Broker: b, Scope: runnertest.Scope(), Scratch: scratch, Workers: workers,
		Silence: quick, Log: log}.Work(ctx)
}

// openAt connects a coordinator.
func openAt(t testing.TB, a broker.Access) *broker.Broker {
	t.Helper()
	b, err := broker.Open(context.Background(), a, "test", quick, slog.New(slog.DiscardHandler))
	proof.OK(t, err)
	t.Cleanup(b.Close)
	return b
}

// openSweep prepares a sweep, and breeds the fingerprints of its runs undisturbed.
func openSweep(t *testing.T, generations, runs int) (string, *study.Grid, map[string]string) {
	t.Helper()
	s := runnertest.Parse(t,
		runnertest.Study(generations, fmt.Sprintf("[sweep]\nreplicates = %d\n", runs)))
	dir := t.TempDir()
	g := proof.Must(sweep.Create(dir, s))(t)
	return dir, g, runnertest.Prints(t, g)
}

// startWorker starts a worker process, perhaps by way of another command.
func startWorker(t *testing.T, where string, by ...string) (*exec.Cmd, *clustertest.Log) {
	t.Helper()
	line := append(by, os.Args[0])
	c := exec.Command(line[0], line[1:]...)
	t.Setenv("TMPDIR", t.TempDir()) // what a worker that is killed leaves goes with the test
	c.Env = append(os.Environ(), asWorker+"="+where)
	out := &clustertest.Log{}
	c.Stdout, c.Stderr = out, out
	proof.OK(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
		if t.Failed() {
			t.Logf("a worker's log:\n%s", out.String())
		}
	})
	return c, out
}

// bredSome waits until the latest worker, or one of this process, has bred a generation of a run.
func bredSome(t *testing.T) {
	t.Helper()
	clustertest.Eventually(t, "a generation is bred", func() bool {
		logs, err := filepath.Glob(filepath.Join(os.TempDir(), "worker*", "*", "*", rundir.LogFile))
		proof.OK(t, err)
		return slices.ContainsFunc(logs, func(name string) bool {
			info, err := os.Stat(name)
			return err == nil && info.Size() > 0
		})
	})
}

// coordinate carries a sweep out in the background.
func coordinate(t *testing.T, a broker.Access, dir string, g *study.Grid) <-chan error {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*clustertest.Patience)
	b := openAt(t, a)
	ended := make(chan error, 1)
	go func() {
		ended <- Coordinator{Broker: b, Dir: dir, Grid: g, Audit: 0.02,
			Log: slog.New(slog.DiscardHandler)}.Coordinate(ctx)
	}()
	t.Cleanup(cancel)
	return ended
}

func serve(t testing.TB, dir, listen string) *broker.Server {
	t.Helper()
	s := proof.Must(broker.Serve(dir, listen))(t)
	t.Cleanup(s.Shutdown)
	return s
}

// Three workers, of which two are killed while they are on a run: all runs end as if nothing had
// been. Then the sweep is started again, server and all, and finds nothing to do.
func TestKilledWorkers(t *testing.T) {
	clustertest.Ask(t)
	dir, g, want := openSweep(t, 1000, 2)
	s := serve(t, dir, "127.0.0.1:0")
	file := filepath.Join(dir, broker.AccessFile)
	proof.Is(t, proof.Must(os.Stat(file))(t).Mode().Perm(), 0o600, "the mode of the file")
	ended := coordinate(t, s.Inside, dir, g)
	for range 2 {
		worker, out := startWorker(t, file)
		bredSome(t)
		_ = worker.Process.Kill()
		_ = worker.Wait()
		if out.Contains("msg=done") {
			t.Error("the worker was killed too late")
		}
	}
	startWorker(t, file)
	proof.OK(t, <-ended)
	runnertest.Compare(t, g, dir, want)
	s.Shutdown()
	again := serve(t, dir, "127.0.0.1:0")
	proof.Is(t, again.Access, s.Access, "the access of the server that came back")
	proof.OK(t, <-coordinate(t, again.Inside, dir, g))
}

// A worker that steps down hands over what it has bred, and the next goes on from there.
func TestSteppingDown(t *testing.T) {
	clustertest.Ask(t)
	dir, g, want := openSweep(t, 600, 2)
	s := serve(t, dir, "127.0.0.1:0")
	ended := coordinate(t, s.Inside, dir, g)
	out := &clustertest.Log{}
	work := func(ctx context.Context) {
		if err := workThere(ctx, s.Access, 2, out); err != nil {
			t.Error(err)
		}
	}
	t.Setenv("TMPDIR", t.TempDir())
	first, cancel := context.WithCancel(context.Background())
	home := make(chan struct{})
	go func() { work(first); close(home) }()
	bredSome(t)
	cancel()
	<-home
	if !out.Contains("stepped down") {
		t.Errorf("no worker stepped down:\n%s", out.String())
	}
	second, cancel := context.WithCancel(context.Background())
	go work(second)
	proof.OK(t, <-ended)
	cancel()
	if !out.Contains("try=2") ||
		strings.Count(out.String(), "from=0") == strings.Count(out.String(), "took a run") {
		t.Errorf("no worker went on from a checkpoint:\n%s", out.String())
	}
	runnertest.Compare(t, g, dir, want)
}

// Lost, doubled, late and damaged results change nothing.
func TestResultsAgain(t *testing.T) {
	clustertest.Ask(t)
	dir, g, want := openSweep(t, 10, 2)
	s := serve(t, dir, "127.0.0.1:0")
	ctx := context.Background()
	b := openAt(t, s.Inside)
	c := newCoordinator(Coordinator{Broker: b, Dir: dir, Grid: g, Log: slog.New(slog.DiscardHandler)})
	proof.OK(t, c.remember())
	var sum [32]byte
	take := func(key string, content []byte) error {
		if content != nil {
			proof.OK(t, b.Put(ctx, workName(c.sweep, key), "", content))
		}
		_, err := c.take(ctx, "w", &result{Key: key, Sum: sum[:]})
		return err
	}
	for i := range g.Cells {
		cell := &g.Cells[i]
		scratch := t.TempDir()
		proof.Must(sweep.Carry(ctx, cell, scratch, runner.Options{}))(t)
		archive := proof.Must(snapshot(cell.Directory(scratch)))(t)
		torn := archive[:len(archive)/2]
		sum = sha256.Sum256(torn)
		if err := take(cell.Key, torn); err == nil {
			t.Error("a torn archive was taken")
		}
		proof.Says(t, take(cell.Key, archive), "not what was handed over")
		sum = sha256.Sum256(archive)
		for _, content := range [][]byte{archive, archive, nil} {
			proof.OK(t, take(cell.Key, content))
		}
	}
	if err := take("other", []byte("one")); err == nil {
		t.Error("a result of another sweep was taken")
	}
	for key, by := range c.origins {
		if by.Joint() { // nobody would be shut out, should it be untrue
			t.Errorf("run %s, of which nobody says who began it, counts as that of two", key)
		}
	}
	runnertest.Compare(t, g, dir, want)
}

// Three servers keep three copies; the one that leads goes down in the middle of the work.
func TestLeaderLost(t *testing.T) {
	clustertest.Ask(t)
	dir, g, want := openSweep(t, 600, 2)
	var routes []*url.URL
	var ports []int
	for range 3 {
		port := clustertest.FreePort(t)
		ports = append(ports, port)
		routes = append(routes, &url.URL{Scheme: "nats", Host: fmt.Sprintf("127.0.0.1:%d", port)})
	}
	var servers []*server.Server
	var urls []string
	for i, port := range ports {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT,
			JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
			Cluster: server.ClusterOpts{Name: "site", Host: "127.0.0.1", Port: port},
			Routes:  routes,
		})
		proof.OK(t, err)
		s.Start()
		t.Cleanup(s.Shutdown)
		servers = append(servers, s)
	}
	for _, s := range servers {
		if !s.ReadyForConnections(10 * time.Second) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	clustertest.Eventually(t, "the servers have a leader", func() bool {
		for _, s := range servers {
			if s.JetStreamIsLeader() {
				return true
			}
		}
		return false
	})
	a := broker.Access{URL: strings.Join(urls, ",")}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var b *broker.Broker
	clustertest.Eventually(t, "JetStream is ready", func() bool {
		var err error
		b, err = broker.Open(ctx, a, "test", quick, slog.New(slog.DiscardHandler))
		return err == nil
	})
	defer b.Close()
	ended := coordinate(t, a, dir, g)
	out := &clustertest.Log{}
	go func() {
		_ = workThere(ctx, a, 1, out)
	}()
	clustertest.Eventually(t, "a run is taken", func() bool { return out.Contains("took a run") })
	conn := proof.Must(nats.Connect(a.URL))(t)
	defer conn.Close()
	js := proof.Must(jetstream.New(conn))(t)
	tasks := proof.Must(js.Stream(ctx, "clade-tasks"))(t)
	info, err := tasks.Info(ctx)
	if err != nil || info.Cluster == nil || info.Config.Replicas != 3 {
		t.Fatalf("%+v, %v", info, err)
	}
	for _, s := range servers {
		if s.Name() == info.Cluster.Leader {
			s.Shutdown()
		}
	}
	if err := <-ended; err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	runnertest.Compare(t, g, dir, want)
	if now, err := tasks.Info(ctx); err != nil || now.Cluster.Leader == info.Cluster.Leader {
		t.Errorf("the leader is still %+v, %v", now, err)
	}
}

// A worker in a network of its own is cut off while it is on a run, another takes the run, and the
// first finds out when the cable is plugged in again.
func TestPartition(t *testing.T) {
	clustertest.Ask(t)
	if _, err := exec.LookPath("ip"); err != nil || os.Geteuid() != 0 {
		t.Skip("network namespaces need root and the command ip (on Debian: apt-get install " +
			"iproute2)")
	}
	ip := func(line string) error {
		out, err := exec.Command("ip", strings.Fields(line)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ip %s: %w: %s", line, err, out)
		}
		return nil
	}
	const space = "clade-test"
	remove := func() { _ = ip("netns del " + space); _ = ip("link del clade0") }
	remove() // what a test that was killed has left
	if err := ip("netns add " + space); err != nil {
		t.Skipf("no network namespaces here: %v", err)
	}
	t.Cleanup(remove)
	for _, line := range []string{
		"link add clade0 type veth peer name clade1 netns " + space,
		"addr add 10.213.7.1/30 dev clade0", "link set clade0 up",
		"-n " + space + " addr add 10.213.7.2/30 dev clade1", "-n " + space + " link set clade1 up",
	} {
		if err := ip(line); err != nil {
			t.Skipf("no virtual network here: %v", err)
		}
	}
	dir, g, want := openSweep(t, 2500, 1)
	s := serve(t, dir, "0.0.0.0:0")
	port := s.Addr().(*net.TCPAddr).Port
	from := func(host string) string {
		a := s.Access
		a.URL = fmt.Sprintf("tls://%s:%d", host, port)
		path := filepath.Join(t.TempDir(), broker.AccessFile)
		content, err := json.Marshal(a)
		if err == nil {
			err = os.WriteFile(path, content, 0o600)
		}
		proof.OK(t, err)
		return path
	}
	nearFile, farFile := from("127.0.0.1"), from("10.213.7.1")
	ended := coordinate(t, s.Inside, dir, g)
	_, first := startWorker(t, farFile, "ip", "netns", "exec", space)
	clustertest.Eventually(t, "the worker is on a run",
		func() bool { return first.Contains("took a run") })
	proof.OK(t, ip("link set clade0 down"))
	_, second := startWorker(t, nearFile)
	clustertest.Eventually(t, "another worker has the run",
		func() bool { return second.Contains("try=2") })
	proof.OK(t, ip("link set clade0 up"))
	proof.OK(t, <-ended)
	// On a fast machine its run may end before its next sign of life, and is as good as the
	// other's.
	clustertest.Eventually(t, "the first worker knows, or has handed in the run", func() bool {
		return first.Contains("another worker has taken the run") || first.Contains("msg=done")
	})
	runnertest.Compare(t, g, dir, want)
}
