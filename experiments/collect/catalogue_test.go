package collect_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"clade/experiments/collect"
	"clade/experiments/player"
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

// A sweep of runs with stages, whose plan is here, lists the plan's seeds, not those that the last
// stages were given, and its table counts the games of all stages.
func TestStagedSweep(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	plan := proof.Must(study.Parse(runnertest.Scope(), "plan.toml", []byte(`game = "antwars"
measure = { final = 0, against = [] }
evolve = { games = 24, population = 6, selection = "pairs", boards = 1, hall = 1 }
sweep = { seeds = [1, 2] }
[[stage]]
[[stage]]
founders = "population"`)))(t)
	grid := proof.Must(sweep.Create(dir, plan))(t)
	proof.OK(t, sweep.Run(t.Context(), grid, dir, sweep.Options{}))
	c := proof.Must(collect.NewCatalogue(runnertest.Scope(), []string{dir}))(t)
	seeds := map[string]bool{}
	for _, r := range proof.Must(c.Look(t.Context()))(t).Runs {
		seeds[r.Seed] = true
	}
	if !seeds["1"] || !seeds["2"] {
		t.Errorf("the seeds are %v", seeds)
	}
	proof.Must(collect.Write(runnertest.Scope(), dir, dir, nil))(t)
	rows := proof.Must(csv.NewReader(proof.Must(os.Open(filepath.Join(dir, collect.CSVFile)))(t)).
		ReadAll())(t)
	cost := proof.Must(sweep.CostOf(filepath.Join(dir, rows[len(rows)-1][2])))(t)
	proof.Is(t, rows[len(rows)-1][slices.Index(rows[0], "selection_games")], fmt.Sprint(cost.Games),
		"the games of selection at the end")
}
