package runner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
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
	proof.Slow(t)
	proof.Alone(t)
	dir := filepath.Join(t.TempDir(), "run")
	small := runnertest.Small()
	small.Figures = nil // which is all of them
	sum := proof.Must(runner.Start(context.Background(), dir, small, runner.Options{Workers: 1}))(t)
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
	proof.Is(t, sum.Fingerprint, smallFingerprint, "the fingerprint")
	if sum.Generations != 8 || len(sum.Final) == 0 || sum.Final[0].Against != "random" ||
		sum.Final[0].Games != 20 {
		t.Errorf("summary %+v", sum)
	}
	r := proof.Must(runner.Open(scope, dir))(t)
	measured := proof.Must(r.Measurements())(t)
	proof.Is(t, len(measured), 2*4, "measurements of generations 0, 3, 6 and the last, against two")

	other := filepath.Join(t.TempDir(), "run")
	ctx, stop := context.WithCancel(context.Background())
	o := runner.Options{Workers: 3, Progress: func(r evolve.Progress) {
		if r.Line.Generation == 4 {
			stop()
		}
	}}
	if _, err := runner.Start(ctx, other, small, o); !errors.Is(err, evolve.ErrStopped) {
		t.Fatalf("a stopped run says %v", err)
	}
	again := proof.Must(resume(context.Background(), other, runner.Options{Workers: 2}))(t)
	proof.Is(t, again.Fingerprint, sum.Fingerprint, "stopped and resumed: fingerprint")
	runnertest.Same(t, dir, other, "generations.jsonl", "measures.jsonl", "lineage.csv",
		"champion.species", "figures/growth.csv", "figures/growth.svg")
}

// TestResumeMendsWhatIsBehindTheRun cuts a measurement in half and deletes figures: resuming makes
// them again.
func TestResumeMendsWhatIsBehindTheRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Breed(dir, "evolve.generations=4")
	path := filepath.Join(dir, "measures.jsonl")
	whole := proof.Must(os.ReadFile(path))(t)
	proof.OK(t, os.WriteFile(path, whole[:len(whole)-30], 0o666))
	// Reading changes nothing.
	r := proof.Must(runner.Open(scope, dir))(t)
	if _, err := r.Measurements(); !errors.Is(err, rundir.ErrChanged) {
		t.Errorf("measurements of a file with a torn line: %v", err)
	}
	proof.Is(t, string(proof.Must(os.ReadFile(path))(t)), string(whole[:len(whole)-30]),
		"the measurements that were read")
	proof.OK(t, os.RemoveAll(filepath.Join(dir, "figures")))
	proof.Must(resume(context.Background(), dir, runner.Options{}))(t)
	proof.Is(t, string(proof.Must(os.ReadFile(path))(t)), string(whole), "the measurements")
	proof.Must(os.Stat(filepath.Join(dir, "figures", "growth.png")))(t)
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
	proof.Must(resume(t.Context(), dir, runner.Options{}))(t)
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
	r := proof.Must(runner.Open(scope, dir))(t)
	_, err := runner.Curves([]runner.Group{{Runs: []*runner.Run{r}}}, figure.Look{})
	for _, want := range []string{dir, "its log is missing (generations.jsonl)",
		"mend the run"} {
		proof.Says(t, err, want)
	}
	if f, ok := errors.AsType[*rundir.Problem](err); !ok || f.Dir != dir || f.Remedy != rundir.Mend {
		t.Errorf("%+v", f)
	}
}

func TestRunErrors(t *testing.T) {
	dir := t.TempDir()
	proof.Fails(resume(context.Background(), dir, runner.Options{}))(t, "is not a run directory")
	run := filepath.Join(dir, "run")
	runnertest.Breed(run, "evolve.generations=1", "measure.final=0", "measure.against=[]")
	proof.Fails(runner.Start(context.Background(), run, runnertest.Small(),
		runner.Options{}))(t, "already holds a run; choose another directory, or resume it")
	file := filepath.Join(dir, "file")
	proof.OK(t, os.WriteFile(file, nil, 0o666))
	proof.Fails(runner.Start(context.Background(), filepath.Join(file, "run"), runnertest.Small(),
		runner.Options{}))(t, "cannot make the run's directory")
	manifest := filepath.Join(run, "manifest.json")
	proof.OK(t, os.WriteFile(manifest, []byte("{"), 0o666))
	proof.Fails(runner.Open(scope, run))(t, "manifest.json was changed since it was written")
}

// TestWrongStudyLeavesNothing: a study that its game refuses makes no directory.
func TestWrongStudyLeavesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	s := proof.Must(study.Parse(scope, "s.toml", []byte(`game = "santafe"`)))(t)
	proof.Fails(runner.Start(context.Background(), dir,
		s, runner.Options{}))(t, "is for one player")
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
