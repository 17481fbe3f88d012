package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/kernels"
)

// nativeGrammar is the test vocabulary without what no machine code is made of.
func nativeGrammar(wrap bool) *gp.Grammar {
	s := testSpec(wrap)
	s.Operators = slices.DeleteFunc(s.Operators, func(op gp.Operator) bool {
		return op.Form == gp.Sum || op.Form == gp.Least || op.Form == gp.Greatest
	})
	return gp.MustGrammar(s)
}

// checkNative compares machine code with EvalLane bit for bit.
func checkNative(t *testing.T, r *rand.Rand, g *gp.Grammar, c *gp.Compiler, ge gp.Genome) {
	t.Helper()
	code, err := c.Compile(ge)
	if err != nil {
		t.Fatal(err)
	}
	levels := kernels.Available()
	code.Assemble(levels[len(levels)-1])
	var asks []gp.Ask
	var slots, turns []int
	for range r.IntN(9) {
		slot, turn := r.IntN(len(ge)), r.IntN(7)-3
		asks, slots, turns = append(asks, g.Ask(slot, turn)), append(slots, slot),
			append(turns, turn)
	}
	f, values := g.NewFrame(), make([]float32, len(asks))
	code.Load(f)
	for s := range situations {
		fillFrame(r, g, f, s)
		turned := r.IntN(7)
		code.EvalAsks(asks, s, turned, f, values)
		for i, got := range values {
			if want := code.EvalLane(slots[i], s, turned+turns[i], f); !same(got, want) {
				t.Fatalf("slot %d, situation %d, turn %d: %v, interpreted %v\n%s", slots[i], s,
					turned+turns[i], got, want, g.PrintTree(ge[slots[i]]))
			}
		}
	}
}

func TestNativeAgrees(t *testing.T) {
	for _, wrap := range []bool{true, false} {
		g := nativeGrammar(wrap)
		c := gp.NewCompiler(g, situations...)
		r := rand.New(rand.NewPCG(7, 8))
		for i := range 2000 {
			ge := g.Ramped(r, 1, 8)
			if i%2 == 0 {
				ge = evolved(r, g, 60)
			}
			checkNative(t, r, g, c, ge)
		}
	}
}
