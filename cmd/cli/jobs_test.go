//go:build !light

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clade/experiments/cluster/clustertest"
	"clade/gp/proof"
)

// jobs is the folder of what others carry sweeps out with.
const jobs = "../../experiments/cluster/jobs"

// whole builds clade as for an image: a static program.
func whole(t *testing.T, file string) {
	t.Helper()
	c := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", file, "clade/cmd/clade")
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// prepared returns the folder of a sweep's study and the fingerprints of its runs, bred here. The
// test is skipped where a tool is missing.
func prepared(t *testing.T, tool string) (dir string, holds func(out string)) {
	t.Helper()
	clustertest.Ask(t)
	if _, err := exec.LookPath(tool); err != nil {
		t.Skipf("no %s; on Debian: apt-get install %s", tool, tool)
	}
	dir = t.TempDir()
	text := clustertest.Study(20, "[sweep]\nseeds = [1, 2, 3]\n")
	proof.OK(t, os.WriteFile(filepath.Join(dir, "s.toml"), []byte(text), 0o666))
	grid, err := clustertest.Parse(t, text).Grid()
	proof.OK(t, err)
	want := clustertest.Prints(t, grid)
	return dir, func(out string) { clustertest.Compare(t, grid, out, want) }
}

// TestSnakemakeSweep lets Debian's Snakemake carry a sweep out by the index contract: what comes
// out is what is bred here.
func TestSnakemakeSweep(t *testing.T) {
	dir, holds := prepared(t, "snakemake")
	file, err := filepath.Abs(filepath.Join(jobs, "Snakefile"))
	proof.OK(t, err)
	program := filepath.Join(dir, "clade")
	whole(t, program)
	c := exec.Command("snakemake", "-s", file, "-j", "2", "--config", "study=s.toml", "out=swept",
		"tasks=2", "clade="+program)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	holds(filepath.Join(dir, "swept"))
}

// TestCondorSweep reads htcondor.sub as condor_submit(1) of HTCondor 23 says, whose commands these
// are, and starts its processes as HTCondor would: what comes out is what is bred here.
func TestCondorSweep(t *testing.T) {
	dir, holds := prepared(t, "go")
	text, err := os.ReadFile(filepath.Join(jobs, "htcondor.sub"))
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields("arguments error executable initialdir job_max_vacate_time log " +
		"on_exit_remove output request_cpus request_memory should_transfer_files universe")
	arguments := ""
	for line := range strings.Lines(string(text)) {
		key, value, assigned := strings.Cut(strings.TrimSpace(line), "=")
		switch key = strings.TrimSpace(key); {
		case strings.HasPrefix(key, "#"), line == "queue 20\n":
		case !assigned || !slices.Contains(known, key):
			t.Fatalf("%q is no command of a submit description", line)
		case key == "arguments":
			arguments = strings.NewReplacer("my/study.toml", "s.toml", "20", "2").Replace(value)
		}
	}
	for process := range 2 {
		program(t, dir, strings.ReplaceAll(arguments, "$(Process)", fmt.Sprint(process)))
	}
	holds(filepath.Join(dir, "my"))
}

// TestContainerSweep builds the image from nothing by Debian's buildah and carries a sweep out in
// it: what comes out is what is bred here.
func TestContainerSweep(t *testing.T) {
	dir, holds := prepared(t, "buildah")
	if os.Geteuid() != 0 {
		t.Skip("buildah is used as root only")
	}
	recipe, err := os.ReadFile(filepath.Join(jobs, "Containerfile"))
	proof.OK(t, err)
	context := t.TempDir()
	whole(t, filepath.Join(context, "clade"))
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
	manifest, err := os.ReadFile(filepath.Join(jobs, "kubernetes.yaml"))
	proof.OK(t, err)
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
