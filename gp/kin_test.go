package gp_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// kinSpec has two slots, and two senses that each tells of in its own operators.
func kinSpec() gp.Spec {
	return gp.Spec{
		Slots: []gp.Slot{
			{Name: "straight", Type: gp.Float, Family: "move"},
			{Name: "diagonal", Type: gp.Float, Family: "move", Heading: -1},
		},
		Operators: append(gp.SharedNumbers(), append(gp.Vector("s", 4), gp.FlagSensor("f", 0))...),
		Kin:       [][]string{{"s0", "s1"}, {"s3", "s2"}},
		Scalars:   4, Flags: 1,
	}
}

// What is grown or varied has the operators of its slot, and no parent is written to.
func TestKin(t *testing.T) {
	g := gp.MustGrammar(kinSpec())
	v := gp.PaperVariation
	own := [][]string{{"s0", "s3"}, {"s1", "s2"}}
	used := map[string]bool{}
	check := func(ge gp.Genome) {
		for slot, tree := range ge {
			for _, n := range tree {
				name := g.Operators[n.Op].Name
				if used[name] = true; name[0] == 's' && len(name) == 2 && !slices.Contains(own[slot], name) {
					t.Fatalf("%s stands in slot %d of %s", name, slot, g.Print(ge))
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		a, b := g.Ramped(r, 2, 5), g.Ramped(r, 2, 5)
		before := g.Print(a) + g.Print(b)
		children := []gp.Genome{a, b, g.Mutate(r, a, &v)}
		c, d := g.Cross(r, a, b, &v)
		children = append(children, c, d)
		for step := range gp.SmallSteps {
			children = append(children, g.Step(r, step, a, &v))
		}
		for _, child := range children {
			check(child)
		}
		if g.Print(a)+g.Print(b) != before {
			t.Fatal("a variation wrote to its parents")
		}
	}
	for _, name := range []string{"s0", "s1", "s2", "s3"} {
		if !used[name] {
			t.Errorf("%s stands nowhere", name)
		}
	}
}

// Kin that do not fit the slots or each other are refused.
func TestKinRefused(t *testing.T) {
	for _, c := range []struct {
		kin  []string
		want string
	}{
		{[]string{"s0"}, "for 2 slots each"}, {[]string{"s0", "s9"}, "not operators of one signature"},
		{[]string{"s0", "f"}, "not operators of one signature"},
	} {
		spec := kinSpec()
		spec.Kin = [][]string{c.kin}
		proof.Fails(gp.NewGrammar(spec))(t, c.want)
	}
}
