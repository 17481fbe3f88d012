package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/analysis/figure"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

// The fingerprint of the small study under the present rules of Ant Wars. A change of speed must
// leave it as it is; what changes it changes every published run, and must mean to.
const smallFingerprint = "0917d66d9774c68e4901383e9c0cf9590f2050beb60f410f898602183d23e01d"

// TestRunLeavesEverything carries a study out and looks for all that a run promises; then again
// with other workers, then stopped and resumed: the fingerprint stays.
func TestRunLeavesEverything(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	sum, err := runner.Start(context.Background(), dir, runnertest.Small(), runner.Options{Workers: 1})
	proof.OK(t, err)
	for _, name := range []string{
		"manifest.json", "generations.jsonl", "lineage.csv", "done.json", "summary.json",
		"champion.species", "champions/0000007.species",
		"figures/dynamics-greedy.pdf", "figures/dynamics-random.csv", "figures/growth.svg",
		"figures/diversity.png",
	} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if sum.Fingerprint != smallFingerprint {
		t.Errorf("the fingerprint is %s", sum.Fingerprint)
	}
	if sum.Generations != 8 || len(sum.Final) == 0 || sum.Final[0].Against != "random" ||
		sum.Final[0].Games != 20 {
		t.Errorf("summary %+v", sum)
	}
	r, err := runner.Open(scope, dir)
	proof.OK(t, err)
	measured, err := r.Measurements()
	if err != nil || len(measured) != 2*4 { // generations 0, 3, 6 and the last, against two
		t.Errorf("%d measurements, %v", len(measured), err)
	}

	other := filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(context.Background())
	o := runner.Options{Workers: 3, Progress: func(r evolve.Progress) {
		if r.Line.Generation == 4 {
			stop()
		}
	}}
	if _, err := runner.Start(ctx, other, runnertest.Small(), o); !errors.Is(err, evolve.ErrStopped) {
		t.Fatalf("a stopped run says %v", err)
	}
	again, err := resume(context.Background(), other, runner.Options{Workers: 2})
	proof.OK(t, err)
	if again.Fingerprint != sum.Fingerprint {
		t.Errorf("stopped and resumed: fingerprint %s, want %s", again.Fingerprint, sum.Fingerprint)
	}
	runnertest.Same(t, dir, other, "generations.jsonl", "measures.jsonl", "lineage.csv",
		"champion.species", "figures/growth.csv", "figures/growth.svg")
}

// TestResumeMendsWhatIsBehindTheRun cuts a measurement in half and deletes figures: resuming makes
// them again.
func TestResumeMendsWhatIsBehindTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=4")
	path := filepath.Join(dir, "measures.jsonl")
	whole, err := os.ReadFile(path)
	proof.OK(t, err)
	proof.OK(t, os.WriteFile(path, whole[:len(whole)-30], 0o666))
	// Reading changes nothing.
	r, err := runner.Open(scope, dir)
	proof.OK(t, err)
	if _, err := r.Measurements(); !errors.Is(err, rundir.ErrChanged) {
		t.Errorf("measurements of a file with a torn line: %v", err)
	}
	if torn, err := os.ReadFile(path); err != nil || string(torn) != string(whole[:len(whole)-30]) {
		t.Errorf("reading the measurements has changed them to\n%s", torn)
	}
	proof.OK(t, os.RemoveAll(filepath.Join(dir, "figures")))
	if _, err := resume(context.Background(), dir, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	if mended, err := os.ReadFile(path); err != nil || string(mended) != string(whole) {
		t.Errorf("the measurements are\n%s\nwant\n%s", mended, whole)
	}
	if _, err := os.Stat(filepath.Join(dir, "figures", "growth.png")); err != nil {
		t.Error(err)
	}
}

// TestKillLeavesNothing resumes a run whose process was killed while it wrote files with random
// names.
func TestKillLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=2")
	var left []string
	for _, name := range []string{".summary.json7146317042105273105",
		"figures/.growth.csv6146317042105273105"} {
		left = append(left, filepath.Join(dir, name))
		proof.OK(t, os.WriteFile(left[len(left)-1], []byte("half"), 0o666))
	}
	if _, err := resume(t.Context(), dir, runner.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range left {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// TestMissingLog takes the log from a run that has ended: what reads it says what is missing, and
// how to make it again.
func TestMissingLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=2")
	proof.OK(t, os.Remove(filepath.Join(dir, rundir.LogFile)))
	r, err := runner.Open(scope, dir)
	proof.OK(t, err)
	_, err = runner.Curves([]runner.Group{{Runs: []*runner.Run{r}}}, figure.Look{})
	for _, want := range []string{dir, "its log is missing (generations.jsonl)",
		"clade verify --mend"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in the error: %v", want, err)
		}
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := resume(context.Background(), dir, runner.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is not a run directory") {
		t.Errorf("resuming nothing: %v", err)
	}
	run := filepath.Join(dir, "run")
	runnertest.Breed(run, "evolve.generations=1", "measure.final=0", "measure.against=[]")
	if _, err := runner.Start(context.Background(), run, runnertest.Small(),
		runner.Options{}); err == nil ||
		!strings.Contains(err.Error(), "already holds a run; go on with `clade resume") {
		t.Errorf("starting over a run: %v", err)
	}
	file := filepath.Join(dir, "file")
	proof.OK(t, os.WriteFile(file, nil, 0o666))
	if _, err := runner.Start(context.Background(), filepath.Join(file, "run"), runnertest.Small(),
		runner.Options{}); err == nil ||
		!strings.Contains(err.Error(), "cannot make the run's directory") {
		t.Errorf("a run below a file: %v", err)
	}
	manifest := filepath.Join(run, "manifest.json")
	proof.OK(t, os.WriteFile(manifest, []byte("{"), 0o666))
	if _, err := runner.Open(scope, run); err == nil ||
		!strings.Contains(err.Error(), "manifest.json was changed since it was written") {
		t.Errorf("a damaged manifest: %v", err)
	}
}

// TestWrongStudyLeavesNothing: a study that its game refuses makes no directory.
func TestWrongStudyLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s, err := study.Parse(scope, "s.toml", []byte(`game = "santafe"`))
	proof.OK(t, err)
	if _, err := runner.Start(context.Background(), dir,
		s, runner.Options{}); err == nil ||
		!strings.Contains(err.Error(), "is for one player") {
		t.Error(err)
	}
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s was made", dir)
	}
}

// resume goes on with the run of a directory.
func resume(ctx context.Context, dir string, o runner.Options) (*runner.Summary, error) {
	r, err := runner.Open(scope, dir)
	if err != nil {
		return nil, err
	}
	return r.Resume(ctx, o)
}
