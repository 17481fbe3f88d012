package amoebas

import (
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// rounds is how many a benchmark plays: of those that only show that it runs, a few.
func rounds(all int) int {
	if proof.Quick() {
		return min(all, 40)
	}
	return all
}

// BenchmarkSteps plays hand-written species in the world of the original until it is full. The
// metric is steps, one amoeba's decision each, a second.
func BenchmarkSteps(b *testing.B) {
	for _, c := range []struct {
		name    string
		size    int
		rounds  int
		players []string
	}{
		{"slightlybrainy-200", 200, 1000, []string{"sb", "sb"}},
		{"slightlybrainy-32", 32, 200, []string{"sb", "sb"}},
		{"theroots-200", 200, 400, []string{"theroots", "theroots"}},
		{"caesar-200", 200, 400, []string{"caesar", "caesar"}},
		{"untitled-200", 200, 400, []string{"untitled", "untitled"}},
		{"stock-200", 200, 300, []string{"md(0.3)", "nasty(0.3,weakest)", "sb",
			"msb(10,70,most-energy,0.3,1)"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := DefaultSettings()
			s.WorldSize, s.Rounds = c.size, rounds(c.rounds)
			g := proof.Must(newGame(s))(b)
			var players []engine.Player
			for _, n := range c.players {
				players = append(players, stock(b, n))
			}
			steps := 0
			g.Play(players, 1, engine.OnDecide(func(int, uint64) { steps++ })) // also warms the pool
			b.ReportAllocs()
			b.ResetTimer()
			rate := enginetest.Rate(b)
			for range b.N {
				g.Play(players, 1, nil)
			}
			rate(float64(steps)*float64(b.N), "steps")
		})
	}
}

// settler is a species as evolution might make it, written by hand; every tree carries a grown tree
// that changes nothing, up to the size of BrilliANT's.
func settler(b testing.TB, g *game, depth int) gp.Genome {
	b.Helper()
	genome := proof.Must(g.grammar.Parse(`
		(sub (mul (constint 5) ownFuel) (mul energy (fuel (rect 0 0 1 1))))
		(sub (fuel (rect 0 -1 1 1)) (mul (const 0.1) (friends (rect 0 -2 5 3))))
		(sub (mul (const 0.5) (fuel (rect -1 -1 1 1))) (mul (const 0.1) (friends (rect -2 -2 3 3))))
		(add (constint 3) (sub (hostileEnergy (rect 0 -1 1 1)) (weakest (rect 0 -1 1 1))))
		(add (constint 2) (hostileEnergy (rect -1 -1 1 1)))
		(if (isSmaller (const 0.6) energy) (add (constint 3) (fuel (rect 0 -2 3 3))) (const -1))
		(if (isSmaller (const 0.6) energy) (sub (constint 3) (friends (rect -1 -1 3 3))) (const -1))`))(b)
	r := rand.New(rand.NewPCG(5, 6))
	op := func(name string) gp.Node { n, _ := g.grammar.Lookup(name); return gp.Leaf(n) }
	tiny, _ := g.grammar.Lookup("const")
	for i, t := range genome {
		grown := g.grammar.Full(r, gp.Float, depth)
		t = append(gp.Tree{op("add")}, t...)
		genome[i] = append(append(t, op("mul"), gp.ConstNode(tiny, 0.0001)), grown...)
	}
	return genome
}

// BenchmarkEvolved plays bred species until the world is full, with every executor: grown ones
// whose trees are mostly ballast, against themselves, and the two that were kept.
func BenchmarkEvolved(b *testing.B) {
	for _, c := range []struct {
		name         string
		size, rounds int
		depth        int // 0: the kept ones
	}{{"small-200", 200, 300, 2}, {"grown-200", 200, 300, 5}, {"kept-200", 200, 300, 0},
		{"grown-32", 32, 200, 5}, {"kept-32", 32, 200, 0}} {
		for _, level := range kernels.Available() {
			b.Run(c.name+"/"+level.String(), func(b *testing.B) {
				s := DefaultSettings()
				s.WorldSize, s.Rounds = c.size, rounds(c.rounds)
				g := proof.Must(newGameAt(s, level))(b)
				var genomes []gp.Genome
				if c.depth == 0 {
					genomes = []gp.Genome{enginetest.Kept(b, g, "duel32-seed1"),
						enginetest.Kept(b, g, "mixed-seed31")}
				} else {
					genomes = []gp.Genome{settler(b, g, c.depth), settler(b, g, c.depth)}
				}
				players := enginetest.Bound(b, g, genomes...)
				steps := 0
				end := g.Play(players, 1, engine.OnDecide(func(int, uint64) { steps++ }))
				b.ReportAllocs()
				b.ResetTimer()
				rate := enginetest.Rate(b)
				for range b.N {
					g.Play(players, 1, nil)
				}
				rate(float64(steps)*float64(b.N), "steps")
				b.ReportMetric(float64(genomes[0].Size()+genomes[1].Size())/2, "nodes")
				b.ReportMetric(float64(end.Marks[0][markPopulation]+end.Marks[1][markPopulation]), "amoebas")
			})
		}
	}
}
