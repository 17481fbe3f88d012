package enginetest

import (
	"fmt"
	"testing"

	"clade/engine"
	"clade/engine/parallel"
	"clade/gp"
)

// Bench plays twelve games at a time among bred players of about 100 and 300 nodes, in the least
// and in the greatest number of seats, with each executor: what a game gains by engine.Lockstep
// without kernels of its own. Seats rotate, as in breeding. The metric is of the processor's time.
func Bench(b *testing.B, g engine.Game) {
	const games, population = 12, 20
	info := g.Info()
	a, ok := g.(engine.Accelerated)
	if !ok {
		b.Fatalf("%s has no method Using, which At of its Lockstep makes two lines", info.Name)
	}
	v := gp.PaperVariation
	v.MaxDepth = 12
	parents := Bred(g, 60)
	least := max(info.MinSeats, min(2, info.MaxSeats))
	for _, nodes := range []int{100, 300} {
		genomes := Sized(g.Grammar(), parents, population, nodes, &v)
		for seats := least; ; seats = info.MaxSeats {
			for _, name := range a.Executors() {
				g, err := a.Using(name)
				if err != nil {
					b.Fatal(err)
				}
				players, err := bindAll(g, genomes)
				if err != nil {
					b.Fatal(err)
				}
				b.Run(fmt.Sprintf("nodes=%d/seats=%d/%s", nodes, seats, name), func(b *testing.B) {
					var r engine.Referee
					group := make([]engine.Player, seats)
					began, n := parallel.ProcessorTime(), 0
					for b.Loop() {
						for seat := range group {
							group[seat] = players[(n*(6*seat+1)+seat)%population]
						}
						r.Games(g, group, engine.Seed(n), 0, games)
						n++
					}
					b.ReportMetric(float64(games*n)/(parallel.ProcessorTime()-began).Seconds(),
						"games/cpu-s")
				})
			}
			if seats == info.MaxSeats {
				break
			}
		}
	}
}
