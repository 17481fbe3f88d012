package runner

import (
	"math"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/engine/games/antwars"
	"clade/experiments/player"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestForeseeReduced takes a study in every scheme of selection, foretold from few individuals as
// if its generations took long, that is then bred.
func TestForeseeReduced(t *testing.T) {
	proof.Long(t)
	scope := player.Scope{Games: []engine.Game{antwars.New()}}
	for _, scheme := range []string{`selection = "tournament"
elites = 10`, `selection = "pairs"`, `selection = "race"
elites = 8
race.games = [8, 16]`, `selection = "fitness"
fitness.count = 9`, `selection = "fitness"
fitness.opponents = "all"`} {
		s := proof.Must(study.Parse(scope, "s.toml", []byte(`game = "antwars"
[measure]
final = 0
[evolve]
population = 24
generations = 4
boards = 3
champion = { games = 16, candidates = 8 }
`+scheme)))(t)
		small := reduced(s)
		f := proof.Must(foresee(t.Context(), s, &small, 1, sampleTime))(t)
		dir := filepath.Join(t.TempDir(), "run")
		proof.Must(Start(t.Context(), dir, s, Options{Workers: 1}))(t)
		cost := proof.Must((&Run{Dir: dir}).Cost())(t)
		if !(math.Abs(f.Games-float64(cost.Games)) <= float64(cost.Games)/4) {
			t.Errorf("%s: told %v games, were %d", scheme, f.Games, cost.Games)
		}
	}
}
