package report

import (
	"strings"
	"testing"

	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// groupsIn opens the runs of a folder in groups.
func groupsIn(t *testing.T, dir string) []runner.Group {
	t.Helper()
	return proof.Must(OpenGroups(scope, proof.Must(FindRuns([]string{dir}))(t), nil))(t)
}

// swept makes the directory of a sweep.
func swept(t *testing.T, text string) (dir string, grid *study.Grid) {
	t.Helper()
	s := proof.Must(study.Parse(scope, "grid.toml", []byte(text)))(t)
	dir = t.TempDir()
	grid = proof.Must(sweep.Create(dir, s))(t)
	return dir, grid
}

// Cells that the study names are groups of these names.
func TestNamedCells(t *testing.T) {
	dir, grid := swept(t, `game = "antwars"
[evolve]
population = 4
tournament = 2
generations = 1
[sweep]
replicates = 2
[[sweep.cells]]
name = "as it is"
[[sweep.cells]]
name = "half the boards"
evolve.boards = 3
`)
	for i := range grid.Cells {
		plantManifest(t, grid.Cells[i].Directory(dir), grid.Cells[i].Study)
	}
	groups := groupsIn(t, dir)
	if len(groups) != 2 || groups[0].Name != "as it is" || len(groups[0].Runs) != 2 ||
		groups[1].Name != "half the boards" {
		t.Errorf("%+v", groups)
	}
}

// TestSweepCompared breeds a small sweep, and holds that its groups stand in its order with short
// names, that main effects count every run once a setting, and that tests which can tell nothing
// are named.
func TestSweepCompared(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir, grid := swept(t, `game = "antwars"
[measure]
final = 4
[evolve]
generations = 2
boards = 1
[evolve.champion]
games = 8
candidates = 2
[figures]
panels = ["size"]
[sweep]
replicates = 2
[sweep.settings]
evolve.population = [12, 6]
evolve.tournament = [3, 2]
`)
	proof.OK(t, sweep.Run(t.Context(), grid, dir, sweep.Options{Workers: 2, Cells: grid.Cells}))
	if len(proof.Must(Pool(grid, dir))(t)) == 0 {
		t.Error("no figure of the sweep is drawn")
	}
	groups := groupsIn(t, dir)
	c := proof.Must(Compare(t.Context(), groups, CompareOptions{Seed: 1}))(t)
	const want = "population 12, tournament 3; population 12, tournament 2; " +
		"population 6, tournament 3; population 6, tournament 2"
	proof.Is(t, strings.Join(c.Names(), "; "), want, "groups")
	for _, g := range groups {
		proof.Is(t, g.Study, "grid", "the study of %s", g.Name)
	}
	if len(c.Effects) != 2 || c.Effects[0].Key != "evolve.population" {
		t.Fatalf("effects %+v", c.Effects)
	}
	for _, e := range c.Effects {
		if len(e.Levels) != 2 || e.Levels[0].Runs != 4 || e.Levels[1].Runs != 4 {
			t.Errorf("%+v", e)
		}
	}
	proof.Is(t, len(c.MainEffects().Rows), 4, "rows of effects")
	said := c.Powerless() // 2 of 2 and 2 runs: p is 1/3 at least, times six pairs
	if len(said) != 1 || !strings.Contains(said[0], "can give here is 1, with Holm's correction "+
		"for 6 pairs. It needs 5 runs a group.") {
		t.Errorf("%q", said)
	}
}
