package life

import (
	"testing"

	"clade/engine"
	"clade/gp/kernels"
)

func mustGame(t testing.TB, o Options) *Game {
	t.Helper()
	g, err := New().(*Game).With(&o)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

// TestSameGameOnEveryKernel plays some games on all kernels. The numbers change only with Version.
func TestSameGameOnEveryKernel(t *testing.T) {
	o := Default()
	o.Height, o.Width, o.Generations = 300, 1100, 60
	for _, c := range []struct {
		first, second string
		fingerprint   uint64
		scores        [2]float64
	}{
		{"interrupting", "patterns", 0x73d253a11b824096, [2]float64{2774, 1210}},
		{"saboteur", "guard", 0x62dcb4fbf6a62fa7, [2]float64{3049, 1452}},
		{"evolved", "grower", 0x3e14e28b36033afd, [2]float64{1338, 3628}},
	} {
		for _, k := range kernels.Available() {
			g := mustGame(t, o)
			g.level = k
			var players []engine.Player
			for _, name := range []string{c.first, c.second} {
				if name == "evolved" {
					players = append(players, bind(t, g, "(own (rect 0 0 5 5))", "(sub (const 1) (changed (rect 0 0 7 7)))", "(const -1)", "(enemyBirths (rect 0 0 2 2))"))
				} else {
					players = append(players, player(t, g, name))
				}
			}
			r := g.Play(players, 7, nil)
			if got := [2]float64{r.Scores[0], r.Scores[1]}; r.Fingerprint != c.fingerprint || got != c.scores {
				t.Errorf("%s against %s, %s: fingerprint %#x and scores %v, want %#x and %v", c.first, c.second, k, r.Fingerprint, got, c.fingerprint, c.scores)
			}
		}
	}
}
