package sweep_test

import (
	"os"
	"path/filepath"
	"testing"

	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

const merged = two + `
[sweep.merge.evolve]
generations = 3
[sweep.merge.evolve.founders]
species = ["sweep:@all"]
share = 1.0
`

// TestMerge breeds a run from the champions of a sweep, once, and refuses one of other champions.
func TestMerge(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	s, g := runnertest.Grid(t, merged)
	merge := func() (*runner.Summary, error) {
		return sweep.Merge(t.Context(), g, dir, runner.Options{})
	}
	proof.Fails(merge())(t, "holds no runs")
	proof.Must(sweep.Create(dir, s))(t)
	proof.OK(t, carryOut(t.Context(), g, dir))
	first := proof.Must(merge())(t)
	path := filepath.Join(dir, runner.MergeFolder)
	r := proof.Must(runner.Open(scope, path))(t)
	// five champions of each of two runs
	founders := r.Study.Evolve.Founders.Species
	if len(founders) != 10 || r.Study.Evolve.Generations != 3 ||
		founders[9] != "run:"+max(g.Cells[0].Directory(dir), g.Cells[1].Directory(dir))+"@4" {
		t.Errorf("it descends from %v for %d generations", founders, r.Study.Evolve.Generations)
	}
	g.Merge.Name += "-again" // which decides nothing
	proof.Is(t, proof.Must(merge())(t).Fingerprint, first.Fingerprint,
		"the fingerprint of the second time")
	proof.OK(t, os.Rename(g.Cells[0].Directory(dir), filepath.Join(t.TempDir(), "away")))
	proof.Fails(merge())(t, "other runs")
	_, err := sweep.Open(scope, dir)
	if err != nil {
		t.Errorf("the study cannot be read again: %v", err)
	}
	for text, want := range map[string]string{
		"[sweep.merge.evolve]\ngenerations = 0\n":                    "generations must be in",
		"[sweep.merge.evolve]\ngeneration = 1\n":                     "did you mean",
		"[sweep.merge.evolve.founders]\nspecies = []\nshare = 0.5\n": "names none",
	} {
		s, err := study.Parse(scope, "tiny.toml", []byte(runnertest.Tiny+text))
		if err == nil {
			_, err = s.Grid()
		}
		proof.Says(t, err, "sweep.merge", want)
	}
}
