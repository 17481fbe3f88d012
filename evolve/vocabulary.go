package evolve

import (
	"errors"
	"fmt"

	"clade/gp"
	"clade/gp/suggest"
)

// grammar returns the game's grammar with the weights of the settings. The error is a Fault.
func (s *Setup) grammar() (*gp.Grammar, error) {
	if len(s.Config.Weights) == 0 {
		return s.Game.Grammar(), nil
	}
	g, err := s.Game.Grammar().Weighed(s.Config.Weights)
	if err != nil {
		key := "weights"
		if f := (*suggest.Fault)(nil); errors.As(err, &f) {
			key += "." + f.Key
		}
		return nil, &Fault{key, fmt.Sprintf("weights: %v", err)}
	}
	return g, nil
}

// CheckWeights returns a Fault for wrong weights of operators, else nil.
func (s *Setup) CheckWeights() error {
	_, err := s.grammar()
	return err
}

// checkDepths finds depth limits that no tree of a grammar fits in, or that allow a tree to exhaust
// memory.
func (s *Setup) checkDepths(g *gp.Grammar, f *faults) {
	game, v := s.Game.Info().Name, &s.Config.Variation
	for _, slot := range g.Slots {
		if d := g.TypeDepth(slot.Type); d > v.MaxDepth {
			f.add("variation.max-depth",
				"is %d, and the smallest tree for slot %q of %s has depth %d", v.MaxDepth,
				slot.Name, game, d)
		}
	}
	most := g.DeepestGrowth()
	for _, depth := range []struct {
		key string
		v   int
	}{{"founders.max-depth", s.Config.Founders.MaxDepth}, {"variation.grow-depth", v.GrowDepth}} {
		if depth.v > most {
			f.add(depth.key, "is %d, and a tree of %s that grows so deep can fill the memory; the "+
				"most is %d", depth.v, game, most)
		}
	}
}
