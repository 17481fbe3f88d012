package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// TestSimplify holds that simplified trees are no larger and worth the same in every frame, also
// where that is not a number, infinite, or a zero with a sign.
func TestSimplify(t *testing.T) {
	proof.Slow(t)
	g := testGrammar(false)
	r := rand.New(rand.NewPCG(21, 9))
	before, after, odd := 0, 0, 0
	for range 1500 {
		ge := g.Ramped(r, 4, 10)
		simple := proof.Must(g.Simplify(ge))(t)
		if err := g.Check(simple); err != nil {
			t.Fatalf("%v\n%s", err, g.PrintTree(ge[0]))
		}
		before, after = before+ge.Size(), after+simple.Size()
		if simple.Size() > ge.Size() {
			t.Fatalf("%d nodes become %d", ge.Size(), simple.Size())
		}
		f := g.NewFrame()
		for range 10 {
			fillFrame(r, g, f, 0)
			if r.IntN(2) == 0 { // near the end of the range, so that products leave it
				f.SetScalar(0, float32(r.IntN(3)-1)*3e38)
			}
			for slot := range ge {
				for k := range gp.Lanes {
					want, got := g.Walk(ge[slot], f, k), g.Walk(simple[slot], f, k)
					if want != want || math.IsInf(float64(want), 0) {
						odd++
					}
					if math.Float32bits(want) != math.Float32bits(got) && (want == want || got == got) {
						t.Fatalf("%s\nis worth %v, and simplified\n%s\nis worth %v",
							g.PrintTree(ge[slot]), want, g.PrintTree(simple[slot]), got)
					}
				}
			}
		}
	}
	t.Logf("%d nodes became %d; %d times worth no finite number", before, after, odd)
}
