package evolve

import (
	"context"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// A filtered child decides otherwise than its parent, where without a filter many do not; it is the
// same child each time.
func TestFilteredChildrenDecideOtherwise(t *testing.T) {
	c := small()
	c.Variation.Crossover, c.Variation.Mutation, c.Variation.Constants = 0.2, 0.2, 0.6
	c.Filter = Filter{Games: 2, Tries: 200}
	s := setup(t, c)
	b := s.breeder(context.Background())
	w, draw := newWorker(), newWorker()
	tested, alike := 0, 0
	for i := range 100 {
		r := draw.seeded(engine.Seed(i + 1))
		x := b.newIndividual(1, b.grammar.Ramped(r, 4, 5))
		y := b.newIndividual(2, b.grammar.Ramped(r, 4, 5))
		proof.OK(t, b.bindOnce([]*Individual{x, y, x}))
		decides := func(in *Individual) uint64 {
			return b.decisions(w, proof.Must(b.player(in))(t), x.Player)
		}
		if plain, _ := b.couple(r, 3, x, y, false); decides(plain) == decides(x) {
			alike++
		}
		var twice [2]*Individual
		for j := range twice {
			twice[j] = proof.Must(b.unlike(w, draw.seeded(engine.Seed(i+1)), 3, x, y))(t)
		}
		if twice[0].genotype != twice[1].genotype {
			t.Fatal("the same draws made another child")
		}
		if decides(twice[0]) != decides(x) {
			tested++
		}
	}
	if alike < 10 || tested < 90 {
		t.Errorf("%d of 100 unfiltered children decide as their parents, %d filtered ones otherwise",
			alike, tested)
	}
}

func TestFilterIsChecked(t *testing.T) {
	for _, f := range []Filter{{Games: -1}, {Games: 101, Tries: 1}, {Games: 1}, {Tries: 1}} {
		c := small()
		c.Filter = f
		if c.Check() == nil {
			t.Errorf("%+v passes", f)
		}
	}
}
