//go:build !light

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner/runnertest"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// jobs is the folder of what others carry sweeps out with.
const jobs = "../../experiments/cluster/jobs"

// prepared returns the folder of a sweep's study and the fingerprints of its runs, bred here. The
// test is skipped where a tool is missing.
func prepared(t *testing.T, tool string) (dir string, holds func(out string)) {
	t.Helper()
	clustertest.Ask(t)
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("no %s; on Debian: apt-get install %s", tool, tool)
	}
	dir = t.TempDir()
	text := runnertest.Study(20, "[sweep]\nseeds = [1, 2, 3]\n")
	proof.OK(t, os.WriteFile(filepath.Join(dir, "s.toml"), []byte(text), 0o666))
	grid := proof.Must(runnertest.Parse(t, text).Grid())(t)
	want := runnertest.Prints(t, grid)
	return dir, func(out string) { runnertest.Compare(t, grid, out, want) }
}

// TestSnakemakeSweep lets Debian's Snakemake carry a sweep out by the index contract: what comes
// out is what is bred here.
func TestSnakemakeSweep(t *testing.T) {
	dir, holds := prepared(t, "snakemake")
	file := proof.Must(filepath.Abs(filepath.Join(jobs, "Snakefile")))(t)
	t.Setenv(asProgram, "1")
	c := exec.Command("snakemake", "-s", file, "-j", "2", "--config", "study=s.toml", "out=swept",
		"tasks=2", "clade="+proof.Must(os.Executable())(t))
	c.Dir = dir
	proof.Ran(t, c)
	holds(filepath.Join(dir, "swept"))
}

// condorConfig is an HTCondor of one machine that belongs to who starts it. It looks for work and
// for machines more often than it does by default.
const condorConfig = `LOCAL_DIR = %[1]s
RELEASE_DIR = /usr
LIBEXEC = /usr/libexec/condor
LIB = /usr/lib/condor
MAIL = /bin/true
STARTD_DETECT_GPUS =
CONDOR_HOST = 127.0.0.1
NETWORK_INTERFACE = 127.0.0.1
COLLECTOR_HOST = 127.0.0.1:%[2]d
USE_SHARED_PORT = False
DAEMON_LIST = MASTER, COLLECTOR, NEGOTIATOR, SCHEDD, STARTD
SEC_DEFAULT_AUTHENTICATION_METHODS = FS
ALLOW_READ = *
ALLOW_WRITE = *
ALLOW_DAEMON = *
ALLOW_NEGOTIATOR = *
ALLOW_ADMINISTRATOR = *
LOG = %[1]s/log
SPOOL = %[1]s/spool
EXECUTE = %[1]s/execute
LOCK = %[1]s/lock
RUN = %[1]s/run
START = True
PREEMPT = False
SUSPEND = False
KILL = False
NUM_CPUS = 2
MEMORY = 8000
NEGOTIATOR_INTERVAL = 2
NEGOTIATOR_CYCLE_DELAY = 1
NEGOTIATOR_MIN_INTERVAL = 1
SCHEDD_INTERVAL = 2
UPDATE_INTERVAL = 2
`

// TestCondorSweep lets Debian's HTCondor, which Debian has from 13 on, carry a sweep out as
// htcondor.sub says, and send one process away while it works: what comes out is what is bred here.
// HTCondor takes no work of root's.
func TestCondorSweep(t *testing.T) {
	dir, _ := prepared(t, "condor_master")
	if os.Geteuid() == 0 {
		t.Skip("HTCondor takes no work of root's; run this test as somebody else")
	}
	proof.OK(t, os.Chmod(dir, 0o755))
	path, g, want := sweepStudy(t, 1500)
	study := proof.Must(os.ReadFile(path))(t)
	proof.OK(t, os.WriteFile(filepath.Join(dir, "s.toml"), study, 0o666))
	config := filepath.Join(dir, "condor_config")
	proof.OK(t, os.WriteFile(config, fmt.Appendf(nil, condorConfig, dir, clustertest.FreePort(t)),
		0o666))
	for _, sub := range []string{"log", "spool", "execute", "lock", "run"} {
		proof.OK(t, os.Mkdir(filepath.Join(dir, sub), 0o755))
	}
	t.Setenv("CONDOR_CONFIG", config)
	daemon(t, "condor_master", "-f")
	condor := func(words ...string) (string, error) {
		c := exec.Command(words[0], words[1:]...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		return string(out), err
	}
	clustertest.Eventually(t, "a machine is there for work", func() bool {
		out, err := condor("condor_status", "-af", "Name")
		return err == nil && strings.TrimSpace(out) != ""
	})

	text := proof.Must(os.ReadFile(filepath.Join(jobs, "htcondor.sub")))(t)
	self := proof.Must(os.Executable())(t)
	filled := strings.NewReplacer("/shared/bin/clade", self, "my/study.toml", "s.toml",
		"--tasks 20", "--tasks 2", "/shared/sweeps", dir, "\nqueue 20", "\nenvironment = \""+
			asProgram+"=1\"\nqueue 2").Replace(string(text))
	proof.OK(t, os.WriteFile(filepath.Join(dir, "my.sub"), []byte(filled), 0o666))
	clustertest.Eventually(t, "the queue takes the sweep", func() bool {
		out, err := condor("condor_submit", "my.sub")
		if err != nil && !strings.Contains(out, "Failed to connect") { // it has just begun
			t.Fatalf("%v\n%s", err, out)
		}
		return err == nil
	})
	sweepDir := filepath.Join(dir, "my")
	clustertest.Eventually(t, "process 0 is at work", func() bool {
		p, err := sweep.ReadProgress(g, sweepDir)
		return err == nil && p.Cells[0].Generation >= 20
	})
	if out, err := condor("condor_vacate_job", "1.0"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := condor("condor_wait", "-wait", fmt.Sprint(clustertest.Patience.Seconds()),
		"clade.1.log"); err != nil {
		t.Errorf("the sweep is not over: %v\n%s", err, out)
	}
	log := proof.Must(os.ReadFile(filepath.Join(dir, "clade.1.log")))(t)
	proof.Holds(t, string(log), "Job was evicted")
	runnertest.Compare(t, g, sweepDir, want)
}

// TestContainerSweep builds the image from nothing by Debian's buildah and carries a sweep out in
// it: what comes out is what is bred here.
func TestContainerSweep(t *testing.T) {
	dir, holds := prepared(t, "buildah")
	if os.Geteuid() != 0 {
		t.Skip("buildah is used as root only")
	}
	recipe := proof.Must(os.ReadFile(filepath.Join(jobs, "Containerfile")))(t)
	context := t.TempDir()
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", context,
		"clade/cmd/clade")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	proof.Ran(t, build)
	proof.OK(t, os.WriteFile(filepath.Join(context, "Containerfile"), recipe, 0o666))
	store := t.TempDir()
	buildah := func(words ...string) string {
		t.Helper()
		c := exec.Command("buildah", append([]string{"--storage-driver", "vfs", "--root",
			filepath.Join(store, "root"), "--runroot", filepath.Join(store, "run")}, words...)...)
		c.Dir = context
		out, err := c.Output()
		if err != nil {
			said := ""
			if exit, ok := err.(*exec.ExitError); ok {
				said = string(exit.Stderr)
			}
			if strings.Contains(said, "operation not permitted") {
				t.Skipf("this system lets nobody make containers: %s", said)
			}
			t.Fatalf("buildah %s: %v\n%s%s", words[0], err, out, said)
		}
		return strings.TrimSpace(string(out))
	}
	buildah("build", "--isolation", "chroot", "-t", "clade", ".")
	container := buildah("from", "clade")
	run := []string{"run", "--isolation", "chroot", "-v", dir + ":/work", container, "--",
		"/bin/clade"}
	if text := buildah(append(run, "version")...); !strings.Contains(text, "clade") {
		t.Errorf("the image's program says %q", text)
	}
	buildah(append(run, "sweep", "s.toml", "--out", "swept")...)
	holds(filepath.Join(dir, "swept"))
}

// Kubernetes' own types, k8s.io/api in a module of its own, read the Job strictly, and refuse it
// with a field that they do not have.
func TestKubernetesJob(t *testing.T) {
	clustertest.Ask(t)
	t.Parallel()
	manifest := proof.Must(os.ReadFile(filepath.Join(jobs, "kubernetes.yaml")))(t)
	read := func(manifest string) (string, error) {
		c := exec.Command("go", "run", ".")
		c.Dir, c.Stdin = filepath.Join(jobs, "schema"), strings.NewReader(manifest)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	if out, err := read(string(manifest)); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	wrong := strings.Replace(string(manifest), "completions:", "completion:", 1)
	if out, err := read(wrong); err == nil || !strings.Contains(out, `unknown field "completion"`) {
		t.Errorf("%v\n%s", err, out)
	}
}
