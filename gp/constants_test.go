package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"clade/gp/proof"
)

// A genome takes any constants in range as they are, trims others, and keeps all else.
func TestConstantsAreSetAndRead(t *testing.T) {
	g := testGrammar(true)
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		a := drawGenome(t, g, r, "a")
		before, was := g.Print(a), g.Constants(a)
		same := g.WithConstants(a, was)
		if g.Print(same) != before {
			t.Fatal("its own constants make another genome")
		}
		values, want := make([]float64, len(was)), make([]float64, len(was))
		for i := range values {
			values[i] = float64(float32(3 * r.NormFloat64()))
			want[i] = min(1, max(-1, values[i]))
		}
		c := g.WithConstants(a, values)
		proof.OK(t, g.Check(c))
		if have := g.Constants(c); !slices.Equal(have, want) {
			t.Fatalf("%v instead of %v", have, want)
		}
		if g.Print(a) != before || g.Print(g.WithConstants(c, was)) != before {
			t.Fatal("it is another genome then")
		}
	})
}
