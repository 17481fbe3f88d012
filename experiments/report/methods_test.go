package report_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// TestMethods breeds a small sweep, and holds that its methods tell what the files of its runs say.
func TestMethods(t *testing.T) {
	proof.Long(t)
	scope := runnertest.Scope()
	s := proof.Must(study.Parse(scope, "grid.toml", []byte(`game = "antwars"
[measure]
final = 4
[evolve]
population = 6
generations = 2
boards = 1
[evolve.champion]
games = 8
candidates = 2
[sweep]
seeds = [1, 2, 5, 6]
[sweep.settings]
evolve.tournament = [3, 2, 4]
`)))(t)
	dir := t.TempDir()
	grid, err := sweep.Create(dir, s)
	if err == nil {
		err = sweep.Run(t.Context(), grid, dir, sweep.Options{Workers: 2, Cells: grid.Cells})
	}
	proof.OK(t, err)
	dirs := proof.Must(report.FindRuns([]string{dir}))(t)
	groups := proof.Must(report.OpenGroups(scope, dirs, nil))(t)
	m := proof.Must(report.DescribeMethods(groups, report.CompareOptions{Control: true,
		Against: []string{"greedy"}}))(t)
	sum := proof.Must(groups[1].Runs[2].Ended())(t)
	for _, form := range report.MethodForms() {
		text := m.Text(form)
		for _, want := range []string{"Ant Wars", "version ", "clade ", "evolve.population = 6",
			"default 2250", "seeds 1 to 2, 5 to 6", "games of selection",
			" s of processor time for breeding", "in 4 games against each of greedy,", "2000 resamples",
			"exact", "Holm", sum.Fingerprint, "@software{clade,"} {
			proof.Holds(t, text, want)
		}
		if strings.Contains(text, "main effects") || strings.Contains(text, "Nemenyi") {
			t.Errorf("tests that were not made are told of:\n%s", text)
		}
	}
	// What compare computes of these runs, by hand: one opponent bears no Friedman's test, sizes of
	// trees rest on no games, games until a level have a median; and it refuses what there is not.
	for _, c := range []struct{ measure, against, want, not string }{
		{"points", "greedy", "Wilson's", "Friedman"},
		{"tree_size", "", "interquartile", "Korn"},
		{"games:tree_size=1", "", "medians over all runs", "interquartile"},
		{"tre_size", "", `did you mean "tree_size"?`, "score"},
		{"points", "greeedy", `did you mean "greedy"?`, "score"},
	} {
		o := report.CompareOptions{Against: strings.Fields(c.against)}
		o.Measure = proof.Must(report.ParseMeasure(c.measure))(t)
		text := ""
		if m, err := report.DescribeMethods(groups, o); err != nil {
			text = err.Error()
		} else {
			text = m.Text("text")
		}
		if !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s against %q: want %q, not %q:\n%s", c.measure, c.against, c.want, c.not, text)
		}
	}
	alone := groups[0]
	alone.Runs = alone.Runs[:1]
	if m, err := report.DescribeMethods([]runner.Group{alone}, report.CompareOptions{}); err != nil ||
		strings.Contains(m.Text("text"), "All 1 runs") {
		t.Errorf("one run is summed up: %v", err)
	}
	latex := m.Text("latex")
	if opens := strings.Count(latex, "``"); opens == 0 ||
		opens != strings.Count(m.Text("markdown"), `"`)/2 {
		t.Errorf("not all quotation marks open:\n%s", latex)
	}
	for _, cite := range regexp.MustCompile(`cite\{([a-z0-9]+)\}`).FindAllStringSubmatch(latex, -1) {
		if !regexp.MustCompile(`(?m)^% @[a-z]+\{` + cite[1] + `,$`).MatchString(latex) {
			t.Errorf("%s is cited without a reference", cite[1])
		}
	}
}

// TestOtherSettings: champions of two runs that are bred here are measured in shorter games, too.
// What differs and the methods tell those measurements apart from the ones in the runs' own games.
func TestOtherSettings(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := filepath.Join(t.TempDir(), "run")
	runnertest.Replicates(dir, "", 2, "measure.final=10", "measure.settings=[{moves=9}]",
		"evolve.champion.archive=0.7", "evolve.champion.candidates=64")
	dirs := proof.Must(report.FindRuns([]string{dir}))(t)
	groups := proof.Must(report.OpenGroups(runnertest.Scope(), dirs, nil))(t)
	methods := proof.Must(report.DescribeMethods(groups, report.CompareOptions{}))(t).Text("text")
	methods = strings.Join(strings.Fields(methods), " ")
	proof.Holds(t, methods, "by a race of at most 64 individuals, those that selection chose most "+
		"often, against individuals of the population or, in 70 % of the rounds, champions of "+
		"earlier generations")
	c := proof.Must(report.Compare(t.Context(), groups, report.CompareOptions{}))(t)
	own := len(proof.Must(groups[0].Runs[0].Ended())(t).Final) / 2
	proof.Holds(t, fmt.Sprint(c.Tables()),
		fmt.Sprintf("against %d built-in players at several settings", own))
	differ := map[string]string{}
	for _, c := range proof.Must(report.Diff(runnertest.Scope(), dirs[0], dirs[1]))(t) {
		differ[c.Name] = c.A
	}
	a, b := proof.Must(groups[0].Runs[0].Ended())(t), proof.Must(groups[0].Runs[1].Ended())(t)
	for i := range a.Final {
		f := &a.Final[i]
		proof.Holds(t, methods, f.Opponent()+",")
		if said := differ["wins against "+f.Opponent()]; f.Wins != b.Final[i].Wins &&
			!strings.HasPrefix(said, fmt.Sprintf("%.1f %%", 100*f.Share)) {
			t.Errorf("%d wins against %s are told as %q", f.Wins, f.Opponent(), said)
		}
	}
}
