package amoebas

import (
	"testing"

	"clade/engine"
)

// BenchmarkSteps plays hand-written species in the world of the original until it is full. The metric is steps, one amoeba's decision each, a second.
func BenchmarkSteps(b *testing.B) {
	for _, c := range []struct {
		name    string
		size    int
		rounds  int
		players []string
	}{
		{"slightlybrainy-200", 200, 400, []string{"sb", "sb"}},
		{"slightlybrainy-32", 32, 200, []string{"sb", "sb"}},
		{"theroots-200", 200, 400, []string{"theroots", "theroots"}},
		{"caesar-200", 200, 400, []string{"caesar", "caesar"}},
		{"untitled-200", 200, 400, []string{"untitled", "untitled"}},
		{"stock-200", 200, 300, []string{"md(0.3)", "nasty(0.3,weakest)", "sb", "msb(10,70,most-energy,0.3,1)"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := DefaultSettings()
			s.WorldSize, s.Rounds = c.size, c.rounds
			g, err := newGame(s)
			if err != nil {
				b.Fatal(err)
			}
			var players []engine.Player
			for _, n := range c.players {
				players = append(players, stock(b, n))
			}
			var steps counter
			g.Play(players, 1, &steps) // also warms the pool
			b.ReportAllocs()
			b.ResetTimer()
			for range b.N {
				g.Play(players, 1, nil)
			}
			b.ReportMetric(float64(steps)*float64(b.N)/b.Elapsed().Seconds(), "steps/s")
		})
	}
}

// counter counts decisions.
type counter int

func (c *counter) Decide(int, uint64) { *c++ }
func (c *counter) Step(engine.Scene)  {}
