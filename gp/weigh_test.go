package gp_test

import (
	"fmt"
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

// Variation of every kind changes the trees of the named slots alone. The genomes are grown here.
func TestVarying(t *testing.T) {
	spec := testSpec(false)
	for i := range spec.Slots {
		spec.Slots[i].Family = "moves"
	}
	whole := gp.MustGrammar(spec)
	g := proof.Must(whole.Varying([]string{"diagonal"}))(t)
	proof.Is(t, proof.Must(whole.Varying(nil))(t), whole, "the grammar in which all trees vary")
	proof.Fails(whole.Varying([]string{"diagnal"}))(t, `unknown slot "diagnal", did you mean "diag`)
	v := gp.Variation{MaxDepth: 9, GrowDepth: 5, Slots: 3, Exchange: 0.5, Inner: 0.9}
	r := rand.New(rand.NewPCG(7, 8))
	changed := map[string]int{}
	for range 200 {
		a, b := g.Ramped(r, 2, 6), g.Ramped(r, 2, 6)
		c, d := g.Cross(r, a, b, &v)
		children := map[string][2]gp.Genome{"cross": {a, c}, "cross, second": {b, d},
			"mutate": {a, g.Mutate(r, a, &v)}, "constants": {a, g.MutateConstants(r, a, &v)}}
		for s := range gp.SmallSteps {
			children[fmt.Sprint("step ", s)] = [2]gp.Genome{a, g.Step(r, s, a, &v)}
		}
		for kind, of := range children {
			for slot := range of[0] {
				if slices.Equal(of[0][slot], of[1][slot]) {
					continue
				}
				if changed[kind]++; slot != 1 {
					t.Fatalf("%s changed slot %d", kind, slot)
				}
			}
		}
	}
	// of one slot nothing can be transferred
	proof.Is(t, len(changed), 4+int(gp.SmallSteps)-1, "kinds that change trees, %v", changed)
}
