package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// TestWeighed holds that an operator that is switched off stands in no tree that is grown or
// varied, in any way, that a weight is a share of what grows, and that the genomes fit the first
// grammar.
func TestWeighed(t *testing.T) {
	g := testGrammar(false)
	off := map[string]int{"isEqual": 0, "constint": 0, "sub": 0, "if": 100}
	w := proof.Must(g.Weighed(off))(t)
	proof.Is(t, g.Signature(), w.Signature(), "the signature with weights")
	v := gp.Variation{Crossover: 0.1, Mutation: 0.3, Constants: 0.1, MaxDepth: 9, GrowDepth: 5,
		Slots: 2, Inner: 0.9, Perturbation: 0.1, Hoist: 0.1, Insertion: 0.1, PairedInsertion: 0.1,
		Transfer: 0.1}
	r := rand.New(rand.NewPCG(7, 7))
	ifs, nodes := [2]int{}, [2]int{}
	for n := range 300 {
		a := w.Ramped(r, 2, 6)
		b := w.Mutate(r, a, &v)
		c, d := w.Cross(r, a, b, &v)
		all := []gp.Genome{a, b, c, d}
		for range 20 {
			for s := range gp.SmallSteps {
				a = w.Step(r, s, a, &v)
				all = append(all, a)
			}
		}
		for _, ge := range all {
			proof.OK(t, g.Check(ge))
			if name := w.Uses(ge); name != "" {
				t.Fatalf("genome %d uses %s, which is switched off", n, name)
			}
		}
		for i, ge := range []gp.Genome{all[0], g.Ramped(r, 2, 6)} {
			for _, tree := range ge {
				for _, node := range tree {
					nodes[i]++
					if g.Operators[node.Op].Name == "if" {
						ifs[i]++
					}
				}
			}
		}
	}
	if share := func(i int) float64 { return float64(ifs[i]) / float64(nodes[i]) }; share(0) <
		2*share(1) {
		t.Errorf("weight 100 makes %v of the nodes conditionals, weight 1 %v", share(0), share(1))
	}
	if again, err := g.Weighed(nil); err != nil {
		t.Fatal(err)
	} else if x, y := grown(again), grown(g); !slices.EqualFunc(x, y, slices.Equal[gp.Tree]) {
		t.Error("without weights other trees grow")
	}
}

func grown(g *gp.Grammar) gp.Genome { return g.Ramped(rand.New(rand.NewPCG(1, 2)), 2, 6) }

func TestWeighedErrors(t *testing.T) {
	g := testGrammar(false)
	for _, c := range []struct {
		weights map[string]int
		want    string
	}{
		{map[string]int{"isequal": 1}, `did you mean "isEqual"`},
		{map[string]int{"if": -1}, "if must be in 0..100, not -1"},
		{map[string]int{"if": 101}, "if must be in 0..100, not 101"},
		{map[string]int{"rect": 0}, "of type Area, of which no finite tree exists"},
	} {
		proof.Fails(g.Weighed(c.weights))(t, c.want)
	}
}
