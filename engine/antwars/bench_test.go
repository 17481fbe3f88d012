package antwars

import (
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/gp"
)

func mustPlayer(tb testing.TB, name string) engine.Player {
	tb.Helper()
	for _, e := range New().(engine.Roster).Players() {
		if e.Name == name {
			p, err := e.New("")
			if err != nil {
				tb.Fatal(err)
			}
			return p
		}
	}
	tb.Fatalf("no player %q", name)
	return nil
}

// BenchmarkGame plays whole games on one core.
func BenchmarkGame(b *testing.B) {
	g := New()
	play := func(name string, players []engine.Player) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			seed := uint64(0)
			for b.Loop() {
				g.Play(players, seed, nil)
				seed++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
		})
	}
	brilliant := mustPlayer(b, "brilliant")
	play("random", []engine.Player{random{}, random{}})
	play("brilliant", []engine.Player{brilliant, brilliant})
}

// grown returns genomes of about the size that long runs reach, made by crossing parts of BrilliANT with random ones.
func grown(tb testing.TB, n int) []gp.Genome {
	tb.Helper()
	g := New()
	s, err := gp.ParseSpecies(brilliantText, func(string, int) (*gp.Grammar, error) { return g.Grammar(), nil })
	if err != nil {
		tb.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	v := gp.PaperVariation
	population := make([]gp.Genome, 64)
	for i := range population {
		population[i] = s.Genome
		if i%4 == 0 {
			population[i] = g.Grammar().Ramped(r, 2, 6)
		}
	}
	var out []gp.Genome
	for len(out) < n {
		i, j := r.IntN(64), r.IntN(64)
		population[i], population[j] = g.Grammar().Cross(r, population[i], population[j], &v)
		if size := population[i].Size(); size >= 140 && size <= 260 {
			out = append(out, population[i])
		}
	}
	return out
}

func BenchmarkGameGrown(b *testing.B) {
	g := New()
	genomes := grown(b, 100)
	players := make([]engine.Player, len(genomes))
	for i, ge := range genomes {
		players[i], _ = g.Bind(ge)
	}
	seed := uint64(0)
	for b.Loop() {
		g.Play([]engine.Player{players[seed%100], players[seed*7%100]}, seed, nil)
		seed++
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "games/s")
}

func BenchmarkBind(b *testing.B) {
	g := New()
	genomes := grown(b, 100)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if _, err := g.Bind(genomes[i%100]); err != nil {
			b.Fatal(err)
		}
		i++
	}
}
