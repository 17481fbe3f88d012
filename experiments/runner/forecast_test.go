package runner_test

import (
	"math"
	"path/filepath"
	"testing"

	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestForesee takes a study that is then bred: of a run whose generations are alike, the games are
// told to a tenth, and what it cost is what its log says.
func TestForesee(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	s := proof.Must(study.Parse(runnertest.Scope(), "s.toml", []byte(`game = "antwars"
[measure]
final = 4
[evolve]
population = 20
generations = 6
boards = 2
[evolve.champion]
games = 16
candidates = 8
every = 5
`)))(t)
	f := proof.Must(runner.Foresee(t.Context(), s, 1))(t)
	dir := filepath.Join(t.TempDir(), "run")
	proof.Must(runner.Start(t.Context(), dir, s, runner.Options{Workers: 1}))(t)
	r := proof.Must(runner.Open(runnertest.Scope(), dir))(t)
	cost := proof.Must(r.Cost())(t)
	sum := proof.Must(r.Ended())(t)
	proof.Is(t, sum.Games, cost.Games, "the games that the run says")
	for _, c := range []struct {
		name      string
		told, was float64
	}{{"games", f.Games, float64(cost.Games)}, {"race games", f.RaceGames, float64(cost.RaceGames)},
		{"measured", f.Measured, float64(4 * len(sum.Final))}} {
		if !(math.Abs(c.told-c.was) <= c.was/10) {
			t.Errorf("%s: told %v, were %v", c.name, c.told, c.was)
		}
	}
	if f.Seconds <= 0 || f.Bytes <= 0 || cost.Seconds <= 0 {
		t.Errorf("%+v, %+v", f, cost)
	}
}
