package enginetest

import (
	"fmt"
	"testing"

	"clade/engine"
	"clade/gp"
)

// BenchmarkGather plays matches of twelve games among bred foragers of about 100 and 300 nodes with
// each executor: what a game gains by engine.Lockstep without kernels of its own. The metric is of
// the processor's time.
func BenchmarkGather(b *testing.B) {
	a := Gather().(engine.Accelerated)
	v := gp.PaperVariation
	v.MaxDepth = 12
	parents := Bred(Gather(), 60)
	for _, nodes := range []int{100, 300} {
		genomes := Sized(Gather().Grammar(), parents, 20, nodes, &v)
		for _, name := range a.Executors() {
			g, err := a.Using(name)
			if err != nil {
				b.Fatal(err)
			}
			players, err := bindAll(g, genomes)
			if err != nil {
				b.Fatal(err)
			}
			b.Run(fmt.Sprintf("nodes=%d/%s", nodes, name), func(b *testing.B) {
				jobs, results := make([]engine.Job, 12), make([]engine.Result, 12)
				began, n := ProcessorTime(), 0
				for b.Loop() {
					p, q := players[n%20], players[(7*n+1)%20]
					for i := range jobs {
						jobs[i] = engine.Job{Players: [2]engine.Player{p, q}, Seed: uint64(n + i/2)}
						p, q = q, p
					}
					g.(engine.Batcher).PlayBatch(jobs, results)
					n++
				}
				b.ReportMetric(float64(12*n)/(ProcessorTime()-began).Seconds(), "games/cpu-s")
			})
		}
	}
}
