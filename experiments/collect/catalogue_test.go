package collect_test

import (
	"os"
	"path/filepath"
	"testing"

	"clade/experiments/collect"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// The run of a stranger's game: a program with that game bred it, and one without lists it. Its
// files are whole, so it is not damaged, as one is whose manifest was changed.
func TestUnknownGame(t *testing.T) {
	dir := t.TempDir()
	run := filepath.Join(dir, "run")
	runnertest.Breed(run, "evolve.generations=2", "evolve.population=10")
	look := func() *collect.Row {
		c := proof.Must(collect.NewCatalogue(player.Scope{Trust: player.Files}, []string{dir}))(t)
		return proof.Must(c.Look(t.Context()))(t).Runs[0]
	}
	proof.Is(t, look().State, "unreadable", "the state")
	proof.Holds(t, look().Note, `unknown game "antwars"`)
	proof.OK(t, os.WriteFile(filepath.Join(run, "manifest.json"), []byte("{}"), 0o666))
	proof.Is(t, look().State, "damaged", "the state")
}

// Runs with stages, whose plan is here, are listed under the plan's seeds, not under those that
// their last stages were given.
func TestSeedsOfStagedRuns(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	for _, seed := range []string{"1", "2"} {
		plan := proof.Must(study.Parse(runnertest.Scope(), "plan.toml", []byte(`game = "antwars"
measure = { final = 0, against = [] }
evolve = { games = 24, population = 6, selection = "pairs", boards = 1, hall = 1 }
[[stage]]
[[stage]]
founders = "population"`), "seed="+seed))(t)
		proof.Must(sweep.Stages(t.Context(), plan, filepath.Join(dir, seed),
			runner.Options{Workers: 1}))(t)
	}
	c := proof.Must(collect.NewCatalogue(runnertest.Scope(), []string{dir}))(t)
	for _, r := range proof.Must(c.Look(t.Context()))(t).Runs {
		if name := filepath.Base(r.Run); name == "1" || name == "2" {
			proof.Is(t, r.Seed, name, "the seed of %s", r.Run)
		}
	}
}
