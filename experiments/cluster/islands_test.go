package cluster

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// islandStudy returns a study of three islands.
func islandStudy(t testing.TB, generations int) *study.Study {
	return runnertest.Parse(t, runnertest.Study(generations, ""), "evolve.islands=3",
		"evolve.migration.every=7", "evolve.migration.migrants=3", "evolve.probes.games=2",
		"evolve.champion.every=5")
}

// workAt lets workers of this process work until the function that it returns is called.
func workAt(t testing.TB, a broker.Access, many int, out *clustertest.Log) (home func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	for range many {
		group.Go(func() {
			if err := workThere(ctx, a, 1, out); err != nil && ctx.Err() == nil {
				t.Error(err)
			}
		})
	}
	return func() { cancel(); group.Wait() }
}

// sameRun holds a run's directory to the bytes of another.
func sameRun(t *testing.T, want, have string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(want, "c*", "*")) // champions, checkpoints
	proof.OK(t, err)
	files = append(files, filepath.Join(want, rundir.LogFile),
		filepath.Join(want, rundir.LineageFile), filepath.Join(want, rundir.DoneFile))
	for _, f := range files {
		rel := proof.Must(filepath.Rel(want, f))(t)
		a := proof.Must(os.ReadFile(f))(t)
		b := proof.Must(os.ReadFile(filepath.Join(have, rel)))(t)
		proof.Is(t, string(b), string(a), "%s", rel)
	}
}

// TestIslands spreads the islands of a run, which is stopped in the middle and goes on with another
// server that knows nothing: the run's directory has the same bytes as that of a run on this
// machine alone.
func TestIslands(t *testing.T) {
	proof.Costly(t)
	t.Parallel()
	first := filepath.Join(t.TempDir(), "first")
	s := islandStudy(t, 5)
	proof.Must(runner.Start(context.Background(), first, s, runner.Options{}))(t)
	s = islandStudy(t, 26)
	s.Evolve.Hall = 2
	s.Evolve.Founders.Species = []string{"run:" + first + "@all"}
	want := filepath.Join(t.TempDir(), "run")
	proof.Must(runner.Start(context.Background(), want, s, runner.Options{}))(t)
	dir := filepath.Join(t.TempDir(), "run")
	carry := func(ctx context.Context, stop func(), at int,
		begin func(context.Context, runner.Options) error) error {
		server := serve(t, t.TempDir(), "127.0.0.1:0")
		defer server.Shutdown()
		out := &clustertest.Log{}
		home := workAt(t, server.Access, 2, out)
		defer home()
		o := runner.Options{Progress: func(r evolve.Progress) {
			if r.Line.Generation == at {
				stop()
			}
		}}
		Spread{Broker: openAt(t, server.Inside), Audit: 0.02, Dir: dir, Study: s,
			Log: slog.New(slog.NewTextHandler(out, nil))}.Into(&o)
		err := begin(ctx, o)
		if !out.Contains("took an epoch") {
			t.Errorf("nothing was spread:\n%s", out)
		}
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	err := carry(ctx, stop, 10, func(ctx context.Context, o runner.Options) error {
		_, err := runner.Start(ctx, dir, s, o)
		return err
	})
	if !errors.Is(err, evolve.ErrStopped) {
		t.Fatal(err)
	}
	err = carry(context.Background(), nil, -1,
		func(ctx context.Context, o runner.Options) error {
			_, err := resume(ctx, dir, o)
			return err
		})
	proof.OK(t, err)
	sameRun(t, want, dir)
}

// Three workers, of which two are killed while they are on an epoch, and the run's own process as
// good as killed: its results stay, its server is lost.
func TestKilledIslands(t *testing.T) {
	clustertest.Ask(t)
	s := islandStudy(t, 200)
	want := filepath.Join(t.TempDir(), "run")
	proof.Must(runner.Start(context.Background(), want, s, runner.Options{}))(t)
	store, dir := t.TempDir(), filepath.Join(t.TempDir(), "run")
	server := serve(t, store, "127.0.0.1:0")
	file := filepath.Join(store, broker.AccessFile)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	options := func() runner.Options {
		o := runner.Options{}
		Spread{Broker: openAt(t, server.Inside), Audit: 0.02, Dir: dir, Study: s,
			Log: slog.New(slog.DiscardHandler)}.Into(&o)
		return o
	}
	go func() {
		_, err := runner.Start(ctx, dir, s, options())
		ended <- err
	}()
	for range 2 {
		worker, out := startWorker(t, file)
		clustertest.Eventually(t, "a worker is on its third epoch",
			func() bool { return strings.Count(out.String(), "took an epoch") > 2 })
		_ = worker.Process.Kill()
		_ = worker.Wait()
	}
	_, out := startWorker(t, file)
	clustertest.Eventually(t, "the third worker goes on",
		func() bool { return strings.Count(out.String(), "took an epoch") > 9 })
	stop()
	if err := <-ended; !errors.Is(err, evolve.ErrStopped) {
		t.Fatal(err)
	}
	server.Shutdown()
	proof.OK(t, os.RemoveAll(filepath.Join(store, "nats")))
	server = serve(t, store, "127.0.0.1:0") // the worker finds it again
	proof.Must(resume(context.Background(), dir, options()))(t)
	sameRun(t, want, dir)
}

// TestLostEpochs holds the run's side to what is damaged, doubled, late or lost.
func TestLostEpochs(t *testing.T) {
	s := islandStudy(t, 10)
	server := serve(t, t.TempDir(), "127.0.0.1:0")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	b := openAt(t, server.Inside)
	setup := proof.Must(runner.Setup(s))(t)
	tested := errors.New("the test is over")
	setup.RemoteIslands = func(ctx context.Context, c *evolve.Coordinator) error {
		here := *c.Setup()
		here.RemoteIslands = nil
		at := &islands{Broker: b, id: "r", study: s, trust: &trust{dir: t.TempDir(),
			since: map[string]int{}},
			log: slog.New(slog.DiscardHandler), coordinator: c,
			offered: map[string]time.Time{}, tries: tries{}}
		at.failed, at.fault = context.WithCancelCause(ctx)
		epoch := c.Epochs()[0]
		if err := at.offerEpoch(ctx, epoch); err != nil {
			return err
		}
		bred, err := epoch.Breed(ctx, &here)
		if err != nil {
			return err
		}
		sealed, err := bred.Seal(&here)
		if err != nil {
			return err
		}
		key := epochKey(epoch.Island, epoch.From, epoch.To)
		for _, c := range []struct {
			content []byte
			ok      bool
		}{{sealed[:len(sealed)/2], false}, {nil, false}, {sealed, true}, {sealed, true},
			{nil, true}} {
			sum := sha256.Sum256(c.content)
			if c.content != nil {
				if err := b.Put(ctx, workName(at.id, key)+".w", "", c.content); err != nil {
					return err
				}
			}
			if _, err := at.take(ctx, ctx, "w", &result{Key: key,
				Sum: sum[:]}); (err == nil) != c.ok {
				t.Errorf("%d bytes: %v", len(c.content), err)
			}
		}
		stop, err := answerResults(b, at.log, "r", func(taking context.Context, worker string,
			r *result) (answer, error) {
			return at.take(ctx, taking, worker, r)
		})
		if err != nil {
			return err
		}
		defer stop()
		_, private, err := ed25519.GenerateKey(nil)
		if err != nil {
			return err
		}
		const begins = `{"key":"1-0-5","host":"h"}`
		const fails = `{"key":"1-0-5","error":"broken","host":"h"}`
		for _, c := range []struct{ content, want string }{
			{`{`, "unexpected end"}, {fmt.Sprintf(`{"key":%q}`, key), `"stored":true`},
			{`{"key":"1-0-6","error":"not wanted","host":"h"}`, `"stored":true`},
			{begins, "{}"}, {fails, "{}"}, {begins, "{}"}, {fails, "{}"}, {begins, "{}"},
			{fails, `"stored":true`},
		} {
			content, want := c.content, c.want
			subject := broker.ResultPrefix + "r"
			if said, err := b.Ask(ctx, subject,
				broker.Sign(private, subject, []byte(content))); err != nil ||
				!strings.Contains(string(said), want) {
				t.Errorf("%s: %s, %v, want %q", content, said, err, want)
			}
			if said, err := b.Ask(ctx, subject, []byte(content)); err != nil ||
				!strings.Contains(string(said), "signature") {
				t.Errorf("%s: %s, %v", content, said, err)
			}
		}
		proof.Says(t, context.Cause(at.failed), "broken")
		return tested
	}
	r := proof.Must(evolve.Create(t.TempDir(), setup))(t)
	defer r.Close()
	if _, err := r.Evolve(ctx); !errors.Is(err, tested) {
		t.Error(err)
	}
}

func TestSpreadCheck(t *testing.T) {
	for _, c := range []struct{ override, want string }{
		{"evolve.islands=2 evolve.selection=race evolve.elites=5", ""},
		{"evolve.islands=2 evolve.hall=3", ""},
		{"evolve.islands=1", "islands must be 2 or more"}} {
		s := runnertest.Parse(t, runnertest.Study(5, ""), strings.Fields(c.override)...)
		if err := (Spread{Study: s}).Check(); (err == nil) != (c.want == "") || err != nil &&
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.override, err)
		}
	}
}

// resume goes on with the run of a directory.
func resume(ctx context.Context, dir string, o runner.Options) (*runner.Summary, error) {
	r, err := runner.Open(runnertest.Scope(), dir)
	if err != nil {
		return nil, err
	}
	return r.Resume(ctx, o)
}

// Only epochs that are on offer are taken, since only those are compared: not one of another length
// that a liar makes up, nor one from before the run was resumed, though it would fit. And none is
// on offer any more once the run has a fault: seeds 133 and 1478 of the simulation did either.
func TestUnofferedEpochs(t *testing.T) {
	proof.Slow(t)
	s := runnertest.Parse(t, runnertest.Study(12, ""), "evolve.islands=2",
		"evolve.migration.every=6", "evolve.migration.migrants=1")
	o := runner.Options{RemoteIslands: func(ctx context.Context, c *evolve.Coordinator) error {
		node := &simNode{net: newSimNet(0, 0), count: map[string]int{}, name: "run"}
		at := &islands{coordinator: c, audits: map[string]error{}, tries: tries{},
			Broker: node, log: slog.New(slog.DiscardHandler),
			trust: &trust{audit: func() bool { return true }}}
		for _, epoch := range c.Epochs() {
			shorter := *epoch
			shorter.To--
			setup := *c.Setup()
			setup.RemoteIslands = nil
			bred, err := shorter.Breed(ctx, &setup)
			if err != nil {
				return err
			}
			sealed, err := bred.Seal(&setup)
			if err != nil {
				return err
			}
			sum := sha256.Sum256(sealed)
			r := result{Key: epochKey(epoch.Island, epoch.From, shorter.To), Sum: sum[:]}
			if err := node.Put(ctx, workName("", r.Key)+".liar", "", sealed); err != nil {
				return err
			}
			a, err := at.take(ctx, ctx, "liar", &r)
			if err != nil || !a.Stored {
				return fmt.Errorf("epoch %s: %+v, %w", r.Key, a, err)
			}
		}
		at.auditing.Wait()
		for _, epoch := range c.Epochs() {
			if epoch.From > 0 {
				t.Errorf("island %d goes on with generation %d, which nobody has compared",
					epoch.Island, epoch.From)
			}
		}
		// nor is any offered once the run has a fault
		at.failed, at.fault = context.WithCancelCause(ctx)
		at.fault(errTested)
		done := node.net.ops
		if err := at.offerAll(ctx); err != nil || node.net.ops != done {
			t.Errorf("%d operations after a fault, %v", node.net.ops-done, err)
		}
		return errTested
	}}
	_, err := runner.Start(context.Background(), filepath.Join(t.TempDir(), "run"), s, o)
	if !errors.Is(err, errTested) {
		t.Error(err)
	}
}

// TestSwappedEpoch: a liar puts an epoch of its own making in the place of one that is offered, so
// that an honest worker breeds something else. The worker finds out, and is not shut out for it.
func TestSwappedEpoch(t *testing.T) {
	proof.Slow(t)
	s := runnertest.Parse(t, runnertest.Study(12, ""), "evolve.islands=2",
		"evolve.migration.every=6", "evolve.migration.migrants=1")
	net := newSimNet(0, 0)
	node := func(name string) *simNode {
		return &simNode{net: net, count: map[string]int{}, name: name}
	}
	out := &clustertest.Log{}
	log := slog.New(slog.NewTextHandler(out, nil))
	o := runner.Options{RemoteIslands: func(ctx context.Context, c *evolve.Coordinator) error {
		at := &islands{coordinator: c, audits: map[string]error{}, tries: tries{},
			offered: map[string]time.Time{}, Broker: node("run"), id: "r", study: s,
			log: log, trust: &trust{audit: func() bool { return true }, right: map[string]bool{}}}
		stop, err := answerResults(at, log, "r", func(taking context.Context, worker string,
			r *result) (answer, error) {
			return at.take(ctx, taking, worker, r)
		})
		if err != nil {
			return err
		}
		defer stop()
		epoch, other := c.Epochs()[0], *c.Epochs()[1]
		if err := at.offerEpoch(ctx, epoch); err != nil {
			return err
		}
		sealed, err := other.Seal(c.Setup())
		if err != nil {
			return err
		}
		other.Island = epoch.Island
		if renamed, err := other.Seal(c.Setup()); err != nil || bytes.Equal(sealed, renamed) {
			return fmt.Errorf("an epoch of another island is the same; %w", err)
		} else if err := at.Put(ctx, workName(at.id, epochKey(epoch.Island, epoch.From,
			epoch.To)), "", renamed); err != nil {
			return err
		}
		ctx, done := context.WithCancel(ctx)
		defer done()
		worked := make(chan error, 1)
		go func() {
			worked <- Worker{Broker: node("worker"), Scope: runnertest.Scope(),
				Scratch: t.TempDir(), Workers: 1, Log: log}.Work(ctx)
		}()
		clustertest.Eventually(t, "the worker has answered", func() bool {
			return out.Contains(errSwapped.Error()) || out.Contains("differs")
		})
		done()
		if err := <-worked; err != nil {
			t.Error(err)
		}
		if len(at.trust.shut) > 0 {
			t.Errorf("an honest worker was shut out:\n%s", out)
		}
		return errTested
	}}
	if _, err := runner.Start(context.Background(), filepath.Join(t.TempDir(), "run"), s,
		o); !errors.Is(err, errTested) {
		t.Error(err)
	}
}

var errTested = errors.New("this is all that was asked")
