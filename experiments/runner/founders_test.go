package runner_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestFoundersAreWhatTheyAre: a run's fingerprint says what its founders are, not where they were
// found.
func TestFoundersAreWhatTheyAre(t *testing.T) {
	proof.Long(t)
	first := filepath.Join(t.TempDir(), "first")
	runnertest.Breed(first)
	elsewhere := filepath.Join(t.TempDir(), "other.species")
	content, err := os.ReadFile(filepath.Join(first, runner.ChampionFile))
	if err == nil {
		err = os.WriteFile(elsewhere, content, 0o666)
	}
	proof.OK(t, err)
	prints := map[string]bool{}
	for _, name := range []string{"run:" + first, elsewhere, "run:" + first + "@1"} {
		dir, s := filepath.Join(t.TempDir(), "run"), runnertest.Small()
		s.Evolve.Founders.Species = []string{name}
		sum := proof.Must(runner.Start(t.Context(), dir, s, runner.Options{}))(t)
		prints[sum.Fingerprint] = true
		whole(t, dir)
	}
	proof.Is(t, len(prints), 2, "fingerprints of two founders")
}

// TestFoundersByName: a run of a version whose hash had the names of founders goes on, and is
// whole.
func TestFoundersByName(t *testing.T) {
	proof.Long(t)
	first, dir := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "run")
	s := runnertest.Small()
	proof.Must(runner.Start(t.Context(), first, s, runner.Options{}))(t)
	s.Evolve.Founders.Species = []string{"run:" + first}
	proof.Must(runner.Start(t.Context(), dir, s, runner.Options{}))(t)
	m := proof.Must(runner.ReadManifest(dir))(t)
	m.Founders = nil
	old := filepath.Join(t.TempDir(), "old")
	proof.OK(t, os.CopyFS(filepath.Join(old, "founders"), os.DirFS(filepath.Join(dir, "founders"))))
	content, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(filepath.Join(old, rundir.ManifestFile), content, 0o666)
	}
	proof.OK(t, err)
	setup := proof.Must(runner.Setup(s))(t)
	species := proof.Must(s.Scope().Species(setup.Game, "run:"+first))(t)
	setup.Founders = append(setup.Founders, species.Genome)
	ctx, stop := context.WithCancel(t.Context())
	setup.Progress = func(evolve.Progress) { stop() }
	e := proof.Must(evolve.Create(old, setup))(t)
	if _, err := e.Evolve(ctx); err == nil {
		t.Fatal("it was to be stopped")
	}
	proof.OK(t, e.Close())
	proof.Must(resume(t.Context(), old, runner.Options{}))(t)
	whole(t, old)
	runnertest.Same(t, dir, old, rundir.LogFile, rundir.LineageFile, runner.ChampionFile)
}

// whole holds a run to its checksums and its fingerprint.
func whole(t *testing.T, dir string) {
	t.Helper()
	v := proof.Must(runner.Verify(scope, dir))(t)
	proof.Is(t, len(v.Faults)+len(v.Unchecked), 0, "faults of %+v", v)
}
