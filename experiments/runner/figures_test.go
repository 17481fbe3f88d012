package runner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/analysis/figure"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// TestCurvesOverGames: curves of settings whose generations cost unlike many games are drawn over
// games, all others over generations.
func TestCurvesOverGames(t *testing.T) {
	proof.Long(t)
	var groups []runner.Group
	for _, population := range []string{"30", "60"} {
		dir := filepath.Join(t.TempDir(), "run")
		s := runnertest.Small("evolve.population=" + population)
		proof.Must(runner.Start(t.Context(), dir, s, runner.Options{}))(t)
		r := proof.Must(runner.Open(scope, dir))(t)
		groups = append(groups, runner.Group{Name: population, Runs: []*runner.Run{r}})
	}
	for _, c := range []struct {
		groups []runner.Group
		label  string
		column bool
	}{
		{groups, "Games of selection", true},
		{groups[:1], "Generation", false},
	} {
		dir := t.TempDir()
		proof.Must(runner.Plot(c.groups, figure.Look{}, dir, figure.SVG))(t)
		svg := proof.Must(os.ReadFile(filepath.Join(dir, "growth.svg")))(t)
		proof.Holds(t, string(svg), `aria-label="`+c.label+`"`)
		data := proof.Must(os.ReadFile(filepath.Join(dir, "growth.csv")))(t)
		if head, _, _ := strings.Cut(string(data), "\n"); strings.Contains(head, ",games") != c.column {
			t.Errorf("%d groups: columns %s", len(c.groups), head)
		}
	}
}
