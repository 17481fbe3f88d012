package evolve

import (
	"context"
	"fmt"
	"testing"

	"clade/engine/enginetest"
	"clade/evolve/rundir"
	"clade/gp/proof"
)

// BenchmarkGeneration measures generations of the paper's size in a game that costs next to
// nothing: what is left is the overhead of a generation, without and with the choice of the
// champion, the probes and the directory.
func BenchmarkGeneration(b *testing.B) {
	for _, bare := range []bool{true, false} {
		b.Run(fmt.Sprintf("bare=%v", bare), func(b *testing.B) {
			c := Default()
			c.Generations = max(b.N, 1)
			if bare {
				c.Champion.Against, c.Probes.Games, c.Lineage, c.Checkpoint = nobody, 0, lineageNone, 1_000_000
			}
			benchmark(b, setup(b, c))
		})
	}
}

func benchmark(b *testing.B, s Setup) {
	r := proof.Must(Create(b.TempDir(), s))(b)
	defer r.Close()
	games := int64(0)
	r.Progress = func(r Progress) { games += r.Line.Games }
	b.ReportAllocs()
	b.ResetTimer()
	rate := enginetest.Rate(b)
	proof.Must(r.Evolve(context.Background()))(b)
	b.ReportMetric(float64(games)/float64(b.N), "games/op")
	rate(float64(games), "games")
}

// BenchmarkCheckpoint measures writing the state of a population of the paper's size after 100
// generations.
func BenchmarkCheckpoint(b *testing.B) {
	c := Default()
	c.Generations, c.Checkpoint = 100, 1000
	r := proof.Must(Create(b.TempDir(), setup(b, c)))(b)
	defer r.Close()
	proof.Must(r.Evolve(context.Background()))(b)
	payload := r.encode(r.state)
	file := proof.Must(rundir.Seal(r.study, payload))(b)
	b.ResetTimer()
	for b.Loop() {
		proof.OK(b, r.save())
	}
	b.ReportMetric(float64(len(file)), "bytes")
	b.ReportMetric(float64(r.state.lineage.known()), "lines")
}
