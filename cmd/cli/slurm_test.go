package cli

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"clade/engine/games/all"
	"clade/evolve"
	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// asProgram is the environment variable that makes this test binary be clade, for tests that need a
// program to submit, to kill or to start on another node.
const asProgram = "CLADE_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		Main(all.Games()...)
	}
	// Matches of tests keep what was played apart from a person's. What go has built serves both.
	mine, err := os.UserCacheDir()
	if err == nil && os.Getenv("GOCACHE") == "" {
		err = os.Setenv("GOCACHE", filepath.Join(mine, "go-build"))
	}
	cache, made := os.MkdirTemp("", "clade-cache-")
	if err = errors.Join(err, made); err == nil {
		err = os.Setenv("XDG_CACHE_HOME", cache)
	}
	if err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(cache)
	os.Exit(status)
}

// sweepStudy writes a sweep of four runs that take some seconds each, and returns its path, its
// grid, and the fingerprints of undisturbed runs.
func sweepStudy(t *testing.T, generations int) (string, *study.Grid, map[string]string) {
	t.Helper()
	text := runnertest.Study(generations,
		"[sweep]\nseeds = [1, 2]\n[sweep.settings]\nevolve.boards = [1, 2]\n")
	path := filepath.Join(t.TempDir(), "s.toml")
	proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
	g := proof.Must(runnertest.Parse(t, text).Grid())(t)
	return path, g, runnertest.Prints(t, g)
}

// daemon starts a program that is ended with the test.
func daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	var out bytes.Buffer
	c := exec.Command(name, args...)
	c.Stdout, c.Stderr = &out, &out
	proof.OK(t, c.Start())
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		ended := make(chan struct{})
		go func() { _ = c.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(3 * time.Second):
			_ = c.Process.Kill()
			<-ended
		}
		if t.Failed() {
			t.Logf("%s:\n%s", name, out.Bytes()[max(0, out.Len()-3000):])
		}
	})
}

// slurmConfig is a cluster of two nodes on one machine. A job that is requeued waits as long as a
// credential lasts, two minutes where cred_expire does not say otherwise; but with five seconds a
// busy machine finds credentials expired. The time-outs are long for the sake of such machines,
// too: by default Slurm gives up a connection after 2 s, a task that does not start after 10 s, and
// a node whose task cannot be killed after 60 s.
const slurmConfig = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge.socket,cred_expire=20
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool-%%n
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd-%%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
MaxArraySize=3
KillWait=120
TCPTimeout=30
MessageTimeout=60
BatchStartTimeout=120
UnkillableStepTimeout=300
SlurmdTimeout=600
OverTimeLimit=0
ReturnToService=2
SchedulerParameters=sched_interval=2,batch_sched_delay=0
NodeName=n1 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[4]d CPUs=1 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=%[1]s NodeAddr=127.0.0.1 Port=%[5]d CPUs=1 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts a Slurm of its own: munge, a controller and two nodes.
func startSlurm(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("Slurm is started as root on Linux only")
	}
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("Slurm is not installed (%s); on Debian: apt-get install munge slurmctld "+
				"slurmd slurm-client", name)
		}
	}
	dir := proof.Must(os.MkdirTemp("", "slurm"))(t)
	t.Cleanup(func() { os.RemoveAll(dir) })
	host := proof.Must(os.Hostname())(t)
	host, _, _ = strings.Cut(host, ".")
	key := make([]byte, 128)
	_, _ = rand.Read(key)
	proof.OK(t, os.WriteFile(filepath.Join(dir, "key"), key, 0o600))
	config := filepath.Join(dir, "slurm.conf")
	proof.OK(t, os.WriteFile(config, fmt.Appendf(nil, slurmConfig, host, dir, clustertest.FreePort(t),
		clustertest.FreePort(t), clustertest.FreePort(t)), 0o666))
	for _, sub := range []string{"state", "spool-n1", "spool-n2"} {
		proof.OK(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	t.Setenv("SLURM_CONF", config)
	daemon(t, "munged", "--foreground", "--force", "--key-file="+filepath.Join(dir, "key"),
		"--socket="+filepath.Join(dir, "munge.socket"),
		"--pid-file="+filepath.Join(dir, "munged.pid"),
		"--log-file="+filepath.Join(dir, "munged.log"),
		"--seed-file="+filepath.Join(dir, "munged.seed"))
	clustertest.Eventually(t, "munge listens",
		func() bool { _, err := os.Stat(filepath.Join(dir, "munge.socket")); return err == nil })
	daemon(t, "slurmctld", "-D", "-f", config)
	daemon(t, "slurmd", "-D", "-f", config, "-N", "n1")
	daemon(t, "slurmd", "-D", "-f", config, "-N", "n2")
	clustertest.Eventually(t, "both nodes are idle", func() bool {
		out, _ := exec.Command("sinfo", "--noheader", "--format=%D %T").Output()
		return strings.TrimSpace(string(out)) == "2 idle"
	})
}

// TestSlurm submits a sweep as an array job, more runs than the array may have tasks, sends one
// task back into the queue while it works and lets one believe that its time limit is near: both
// are seen to start again, and all ends as if nothing had been. Slurm is what this system installs,
// and what the folder is called are signs that shells, and Slurm, would change.
func TestSlurm(t *testing.T) {
	clustertest.Ask(t)
	startSlurm(t)
	path, g, want := sweepStudy(t, 1500)
	dir := filepath.Join(t.TempDir(), `kim's "50%j%%" $HOME (1) #1 [a]`, "sweep")
	t.Setenv(asProgram, "1")
	site := filepath.Join(t.TempDir(), "site.toml")
	proof.OK(t, os.WriteFile(site, []byte(`container = ["env", "INSIDE=it's 1"]`), 0o666))
	out := proof.Must(clade("sweep", path, "--out", dir, "--slurm", "--memory", "100M", "--time", "10",
		"--site", site))(t)
	proof.Holds(t, out, "4 runs in 3 tasks")
	proof.Fails(clade("sweep", path, "--out", dir, "--slurm"))(t, "is in the queue")
	job := strings.Fields(out)[2]
	job = strings.TrimSuffix(job, ":")
	// as if sbatch had told no number
	proof.OK(t, os.Remove(filepath.Join(dir, "slurm", "001.json")))
	proof.Fails(clade("sweep", path, "--out", dir, "--slurm"))(t,
		"job "+job+" of this sweep is in the queue")
	begun := func(task int) func() bool {
		return func() bool {
			p, err := sweep.ReadProgress(g, dir)
			return err == nil && p.Cells[task].Generation >= 20
		}
	}
	disturb := func(task int, command ...string) {
		clustertest.Eventually(t, fmt.Sprintf("task %d is at work", task), begun(task))
		proof.Ran(t, exec.Command(command[0], command[1:]...))
	}
	disturb(0, "scontrol", "requeue", job+"_0")
	disturb(1, "scancel", "--batch", "--signal=USR1", job+"_1")
	proof.Holds(t, proof.Must(clade("status", dir))(t), "node or reason")
	clustertest.Eventually(t, "the job is over", func() bool {
		out, err := exec.Command("squeue", "--noheader").Output()
		return err == nil && len(bytes.TrimSpace(out)) == 0
	})
	// Four runs in three tasks: the first has the first and the last.
	for task, runs := range [][]int{{0, 3}, {1}, {2}} {
		log := proof.Must(os.ReadFile(filepath.Join(dir, "slurm", fmt.Sprintf("001-%d.log", task))))(t)
		for i, c := range g.Cells {
			proof.Is(t, strings.Contains(string(log), "run="+c.Key), slices.Contains(runs, i),
				"task %d says of run %d", task, i)
		}
		if !strings.Contains(string(log), " on n1, ") && !strings.Contains(string(log), " on n2, ") ||
			strings.Contains(string(log), "No such process") ||
			strings.Contains(string(log), "of=4") {
			t.Errorf("task %d does not say its node and its runs alone:\n%s", task, log)
		}
	}
	for task := range 2 {
		log, err := os.ReadFile(filepath.Join(dir, "slurm", fmt.Sprintf("001-%d.log", task)))
		if err != nil || !strings.Contains(string(log), "restart 1") ||
			!strings.Contains(string(log), evolve.ErrStopped.Error()) {
			t.Errorf("task %d was not started again (%v):\n%s", task, err, log)
		}
	}
	runnertest.Compare(t, g, dir, want)
	proof.Holds(t, proof.Must(clade("sweep", path, "--out", dir, "--slurm"))(t), "nothing is missing")
	proof.Holds(t, proof.Must(clade("collect", dir))(t), "of 4 runs, 0 runs missing")
}
