package enginetest

import (
	"fmt"
	"testing"

	"clade/engine"
	"clade/engine/system/parallel"
	"clade/gp"
	"clade/gp/proof"
)

// Bench plays twelve games at a time among bred players of about 100 and 300 nodes, in the least
// and in the greatest number of seats, with each executor. It shows what engine.Lockstep gains for
// a game without kernels of its own. Seats rotate, as in breeding. The metric is per second of
// processor time.
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
				g := proof.Must(a.Using(name))(b)
				players := proof.Must(bindAll(g, genomes))(b)
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
					b.ReportMetric(float64(games*n)/(parallel.ProcessorTime()-began).Seconds(), "games/cpu-s")
				})
			}
			if seats == info.MaxSeats {
				break
			}
		}
	}
}

// Rate returns a function that reports the amount of work that a benchmark has done since, for each
// second of processor time, because wall-clock time depends on other work on the machine.
func Rate(b *testing.B) func(count float64, kind string) {
	began := parallel.ProcessorTime()
	return func(count float64, kind string) {
		if used := parallel.ProcessorTime() - began; used > 0 {
			b.ReportMetric(count/used.Seconds(), kind+"/cpu-s")
		}
	}
}

// BenchAlone plays a game for one with bred genomes in turn.
func BenchAlone(b *testing.B, g engine.Game, population []gp.Genome) {
	bound := proof.Must(bindAll(g, population))(b)
	size, i := 0, 0
	for _, ge := range population {
		size += ge.Size()
	}
	b.ReportAllocs()
	rate := Rate(b)
	for b.Loop() {
		g.Play(bound[i%len(bound):][:1], 1, nil)
		i++
	}
	rate(float64(b.N), "games")
	b.ReportMetric(float64(size)/float64(len(population)), "nodes/tree")
}

// BenchBind binds bred genomes in turn.
func BenchBind(b *testing.B, g engine.Game) {
	population, i := Bred(g, 1024), 0
	b.ReportAllocs()
	for b.Loop() {
		if _, err := g.Bind(population[i%len(population)]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
