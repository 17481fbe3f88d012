package compare

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/evolve/rundir"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/table"
)

// TestUnequalGames takes logs of runs that are planted: groups whose runs had more games than
// others are named, from two percent on.
func TestUnequalGames(t *testing.T) {
	dir := t.TempDir()
	for k, log := range map[string]string{"2": `{"games":1000,"race_games":50}`,
		"3": `{"games":1019,"race_games":50}`, "4": `{"games":1021,"race_games":52}`} {
		for _, seed := range []string{"1", "2"} {
			run := filepath.Join(dir, k+seed)
			plantRun(t, run, []int{50, 60}, "seed="+seed, "evolve.tournament="+k)
			if err := os.WriteFile(filepath.Join(run, rundir.LogFile), []byte(log+"\n"),
				0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	c, err := Compare(t.Context(), groupsIn(t, dir), CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(c.Notes(), "\n")
	for _, want := range []string{
		"equal games of selection: k 4 (1021 a run, 2 % more) had more than k 2 (1000).",
		"equal games of the champion's races: k 4 (52 a run, 4 % more)"} {
		if !strings.Contains(said, want) {
			t.Errorf("%s\nlacks %s", said, want)
		}
	}
	if strings.Contains(said, "k 3") {
		t.Errorf("one percent is told of: %s", said)
	}
	if c.Friedman != nil {
		t.Error("opponents stand for runs that there are not")
	}
	for _, form := range table.Forms() {
		var b bytes.Buffer
		for _, table := range c.Tables() {
			if err := table.Write(&b, form); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(b.String(), "1021") || !strings.Contains(b.String(), "exact") {
			t.Errorf("%s is\n%s", form, b.String())
		}
	}
}

// TestConfounded takes groups in which two settings change together: neither has a main effect, and
// a third that is crossed with them has one.
func TestConfounded(t *testing.T) {
	dir := t.TempDir()
	for _, cell := range [][]string{
		{"evolve.population=4", "evolve.boards=1", "evolve.tournament=2"},
		{"evolve.population=8", "evolve.boards=2", "evolve.tournament=2"},
		{"evolve.population=4", "evolve.boards=1", "evolve.tournament=3"},
		{"evolve.population=8", "evolve.boards=2", "evolve.tournament=3"},
	} {
		for _, seed := range []string{"seed=1", "seed=2"} {
			plantRun(t, filepath.Join(dir, strings.Join(cell, " ")+seed), []int{50},
				append(cell, seed)...)
		}
	}
	c, err := Compare(t.Context(), groupsIn(t, dir), CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Effects) != 1 || c.Effects[0].Key != "evolve.tournament" ||
		strings.Join(c.Confounded, " ") != "evolve.boards evolve.population" {
		t.Errorf("effects %+v, confounded %v", c.Effects, c.Confounded)
	}
}

// TestUnfinishedSweep takes a sweep of which one run is done, one is not and one has not begun, and
// beside them a run that the sweep no longer lists.
func TestUnfinishedSweep(t *testing.T) {
	s, err := study.Parse(scope, "grid.toml", []byte(`game = "antwars"
[evolve]
population = 4
tournament = 2
generations = 1
[sweep]
replicates = 3
`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	grid, err := sweep.Create(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	set := []string{"evolve.population=4", "evolve.tournament=2", "evolve.generations=1"}
	plantRun(t, grid.Cells[0].Directory(dir), []int{50}, append(set, "seed=1")...)
	plantManifest(t, grid.Cells[1].Directory(dir), grid.Cells[1].Study)
	plantRun(t, filepath.Join(dir, "stale"), []int{99}, append(set, "seed=9")...)
	c, err := Compare(t.Context(), groupsIn(t, dir), CompareOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Groups) != 1 || len(c.Groups[0].Runs) != 1 || len(c.Missing.Unfinished) != 1 ||
		c.Missing.NotBegun != 1 {
		t.Errorf("groups %+v, missing %+v", c.Groups, c.Missing)
	}
	if said := c.Missing.Sentence(); !strings.Contains(said, "1 not ended") ||
		!strings.Contains(said, "1 of the sweep not begun") {
		t.Error(said)
	}
	groups, err := OpenGroups(scope, []string{filepath.Join(dir, "stale")})
	if err != nil || len(groups) != 1 {
		t.Errorf("a run that no sweep lists, by its name: %v, %v", groups, err)
	}
}
