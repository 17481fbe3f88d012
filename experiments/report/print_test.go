package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clade/analysis/figure"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/gp/proof"
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
			proof.OK(t, os.WriteFile(filepath.Join(run, rundir.LogFile), []byte(log+"\n"), 0o666))
		}
	}
	c := proof.Must(Compare(t.Context(), groupsIn(t, dir), CompareOptions{}))(t)
	said := strings.Join(c.Notes(), "\n")
	proof.Holds(t, said,
		"equal games of selection: tournament 4 (1021 a run, 2 % more) had more than tournament 2 "+
			"(1000).",
		"equal games of the champion's races: tournament 4 (52 a run, 4 % more)")
	if strings.Contains(said, "tournament 3") {
		t.Errorf("one percent is told of: %s", said)
	}
	if c.Friedman != nil {
		t.Error("opponents stand for runs that there are not")
	}
	for _, form := range figure.TableForms() {
		var b bytes.Buffer
		for _, table := range c.Tables() {
			proof.OK(t, table.Write(&b, form))
		}
		proof.Holds(t, b.String(), "1021", "exact")
	}
}

// TestAgreement takes groups that all opponents rank alike, by hand: chi-square is n(k-1) = 4, and
// Iman and Davenport's F is infinite, of which no p can be told.
func TestAgreement(t *testing.T) {
	dir := t.TempDir()
	for i, k := range []string{"2", "3", "4"} {
		for n := range 6 {
			plantRun(t, filepath.Join(dir, k+"-"+strconv.Itoa(n)), []int{60 - 20*i + n, 50 - 20*i + n},
				"seed="+strconv.Itoa(n), "evolve.tournament="+k)
		}
	}
	c := proof.Must(Compare(t.Context(), groupsIn(t, dir), CompareOptions{}))(t)
	said := strings.Join(c.Notes(), "\n")
	proof.Holds(t, said, "chi-square 4.00, p = 0.1353 (approximate)", "too few for Friedman's")
	if strings.Contains(said, "Inf") || strings.Contains(said, "0.0001") {
		t.Errorf("of the smallest p, 1/6, there is said: %s", said)
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
			plantRun(t, filepath.Join(dir, strings.Join(cell, " ")+seed), []int{50}, append(cell, seed)...)
		}
	}
	c := proof.Must(Compare(t.Context(), groupsIn(t, dir), CompareOptions{}))(t)
	if len(c.Effects) != 1 || c.Effects[0].Key != "evolve.tournament" ||
		strings.Join(c.confounded, " ") != "evolve.boards evolve.population" {
		t.Errorf("effects %+v, confounded %v", c.Effects, c.confounded)
	}
}

// TestMeasures takes logs and measurements that are planted, and values by hand: the area under
// wins of 0.2, 0.4 and 0.8 after 100, 200 and 400 games is (100*0.3+200*0.6)/300 = 0.5, and a half
// is first reached after 400.
func TestMeasures(t *testing.T) {
	dir := t.TempDir()
	for n, group := range []string{"2", "3"} {
		for _, seed := range []string{"1", "2", "3"} {
			run := filepath.Join(dir, group+seed)
			plantRun(t, run, []int{50}, "seed="+seed, "evolve.tournament="+group)
			var log, measured strings.Builder
			for g := range 4 {
				fmt.Fprintf(&log, `{"generation":%d,"games":100,"size":{"mean":%d}}`+"\n", g, 10*(g+n))
			}
			for g, wins := range map[int]int{0: 20, 1: 40, 3: 80} {
				if group == "3" && seed == "1" {
					wins = 10 // never a half
				}
				fmt.Fprintf(&measured, `{"generation":%d,"against":"greedy","games":100,"wins":%d,`+
					`"share":%g}`+"\n", g, wins, float64(wins)/100)
			}
			lines := strings.SplitAfter(measured.String(), "\n")
			slices.Sort(lines)
			for name, text := range map[string]string{rundir.LogFile: log.String(),
				runner.MeasureFile: strings.Join(lines, "")} {
				proof.OK(t, os.WriteFile(filepath.Join(run, name), []byte(text), 0o666))
			}
		}
	}
	for text, want := range map[string]struct {
		first, last float64 // runs
		cell        string  // of the table of groups
	}{
		"tree_size": {30, 40, "40.00 [not known]"}, "area:wins": {0.5, 0.5, "50.00"},
		"games:wins=0.5": {400, 400, "400"}, "games:wins=0.9": {math.Inf(1), math.Inf(1), "never"},
		"wins": {0.8, 0.8, "80.00 ["}, "area:tree_size": {15, 25, "25.00"},
	} {
		m := proof.Must(ParseMeasure(text))(t)
		proof.Is(t, m.String(), text, "what is read")
		c := proof.Must(Compare(t.Context(), groupsIn(t, dir), CompareOptions{Measure: m}))(t)
		if !(c.runs[0][0] == want.first || math.Abs(c.runs[0][0]-want.first) < 1e-9) ||
			!(c.runs[1][2] == want.last || math.Abs(c.runs[1][2]-want.last) < 1e-9) {
			t.Errorf("%s: %v, want %g and %g", text, c.runs, want.first, want.last)
		}
		if rows := fmt.Sprint(c.Tables()[0].Rows); !strings.Contains(rows, want.cell) {
			t.Errorf("%s: the table %s lacks %s", text, rows, want.cell)
		}
		scores, err := json.Marshal(c.Scores())
		if err != nil || len(c.Figures()) == 0 {
			t.Errorf("%s: %v, or no figures", text, err)
		}
		if text == "games:wins=0.5" {
			proof.Holds(t, string(scores), `"runs":3,"reached":2,"median":400`)
			if got := c.Tables()[0].Rows[1]; got[2] != "2" || got[3] != "400" {
				t.Errorf("two of three reached it: %q", got)
			}
		}
	}
	m, _ := ParseMeasure("wns")
	proof.Fails(Compare(t.Context(), groupsIn(t, dir), CompareOptions{Measure: m}))(t,
		`did you mean "wins"?`)
	for _, bad := range []string{"games:wins", "games:wins=x", "mean:wins", "area:", "games:=0.5"} {
		proof.Fails(ParseMeasure(bad))(t, "must be")
	}
}

// TestCaptionsOfSeveralOpponents: from a comparison by games:wins=0.3 against two players. An A12
// of 0.50 stood beside a 0.69 that the caption called the same thing, and runs that had reached the
// level against one of the players had not reached it.
func TestCaptionsOfSeveralOpponents(t *testing.T) {
	for text, want := range map[string]string{
		"games:wins=0.3": "until wins is 0.3 or more, in the mean over 2 players: runs that reached it " +
			"against each of them, and",
		"score": "a greater value than one of the second against a random one of 2 players, with",
	} {
		for cases, named := range map[int]bool{1: false, 2: true} {
			c := &Comparison{Cases: []string{"a", "b"}[:cases], trials: [][]float64{{}}}
			c.Options.Measure = proof.Must(ParseMeasure(text))(t)
			said := c.pairTable().Caption + c.groupTable().Caption
			if strings.Contains(said, want) != named {
				t.Errorf("%s of %d players: %s", text, cases, said)
			}
		}
	}
}

// TestColoursOfASweep: where a part of a sweep is drawn, groups have the places, and with them the
// colours, that they have among all of its groups, which the study here lists.
func TestColoursOfASweep(t *testing.T) {
	dir, grid := swept(t, `game = "antwars"
[evolve]
population = 4
tournament = 2
[figures]
width = "column"
[[sweep.cells]]
name = "one"
evolve.boards = 1
[[sweep.cells]]
name = "two"
evolve.boards = 2
[[sweep.cells]]
name = "three"
evolve.boards = 3
`)
	for _, i := range []int{0, 2} {
		plantManifest(t, grid.Cells[i].Directory(dir), grid.Cells[i].Study)
	}
	look := runner.LookOf(groupsIn(t, dir))
	if strings.Join(look.Groups, ",") != "one,,three" || look.Width != "column" {
		t.Errorf("%+v", look)
	}
	other := filepath.Join(t.TempDir(), "other")
	plantRun(t, other, []int{50})
	groups := proof.Must(OpenGroups(scope, []string{grid.Cells[2].Directory(dir), other}, nil))(t)
	proof.Is(t, strings.Join(runner.LookOf(groups).Groups, ","), "three,planted",
		"groups beside another study")
}

// TestUnfinishedSweep takes a sweep of which one run is done, one is not and one has not begun, and
// beside them a run that the sweep no longer lists.
func TestUnfinishedSweep(t *testing.T) {
	dir, grid := swept(t, `game = "antwars"
[evolve]
population = 4
tournament = 2
generations = 1
[sweep]
replicates = 3
`)
	set := []string{"evolve.population=4", "evolve.tournament=2", "evolve.generations=1"}
	plantRun(t, grid.Cells[0].Directory(dir), []int{50}, append(set, "seed=1")...)
	plantManifest(t, grid.Cells[1].Directory(dir), grid.Cells[1].Study)
	plantRun(t, filepath.Join(dir, "stale"), []int{99}, append(set, "seed=9")...)
	c := proof.Must(Compare(t.Context(), groupsIn(t, dir), CompareOptions{}))(t)
	if len(c.Groups) != 1 || len(c.Groups[0].Runs) != 1 || len(c.Missing.Unfinished) != 1 ||
		c.Missing.NotBegun != 1 {
		t.Errorf("groups %+v, missing %+v", c.Groups, c.Missing)
	}
	if said := c.Missing.Sentence(); !strings.Contains(said, "1 not ended") ||
		!strings.Contains(said, "1 of the sweep not begun") {
		t.Error(said)
	}
	groups := proof.Must(OpenGroups(scope, []string{filepath.Join(dir, "stale")}, nil))(t)
	proof.Is(t, len(groups), 1, "groups of a run that no sweep lists, by its name")
}
