package evolve

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"clade/gp"
)

// descended returns how many of an island's founders descend from species.
func (c *Config) descended() int {
	if c.Founders.Share == 0 {
		return len(c.Founders.Species)
	}
	return int(math.Round(c.Founders.Share * float64(c.Population)))
}

// countFounders returns an error unless there is a genome for each species that the settings name.
func (s *Setup) countFounders() error {
	if n := len(s.Config.Founders.Species); len(s.Founders) != n {
		return fmt.Errorf("founders.species names %d, and there are the genomes of %d",
			n, len(s.Founders))
	}
	return nil
}

// checkFounders returns an error for a genome of Setup.Founders that cannot be bred.
func (s *Setup) checkFounders() error {
	grown, err := s.grammar()
	if err != nil {
		return err
	}
	names := s.Config.Founders.Species
	if len(s.Founders) > 0 {
		if err := s.countFounders(); err != nil {
			return err
		}
	}
	g, v := s.Game.Grammar(), &s.Config.Variation
	for i, ge := range s.Founders {
		if err := g.Check(ge); err != nil {
			return fmt.Errorf("founders.species: %s: %w", names[i], err)
		}
		if name := grown.Uses(ge); name != "" {
			return fmt.Errorf("founders.species: %s uses %s, which weights switches off", names[i], name)
		}
		for _, t := range ge {
			if d := g.Depth(t); d > v.MaxDepth {
				return fmt.Errorf("founders.species: %s has depth %d; raise "+
					"variation.max-depth, which is %d", names[i], d, v.MaxDepth)
			}
		}
	}
	return nil
}

// found makes the founders of an island. In the first generation those that descend from species
// come first; founders of later generations, with age layers, all grow.
func (b *breeder) found(generation, index int) ([]*Individual, error) {
	population := make([]*Individual, b.Config.Population)
	descended, id := b.Config.descended(), b.childID
	if generation > 0 {
		descended, id = 0, b.immigrantID
	}
	sensors := b.sensors()
	err := b.each(len(population), func(w *worker, i int) error {
		var err error
		if i < descended {
			population[i] = b.descendant(w, index, i, descended)
			return nil
		}
		if k := i - descended; k < len(sensors) {
			f := &b.Config.Founders
			population[i] = b.newIndividual(id(generation, index, i), b.grammar.Single(
				w.seeded(b.seed("found", generation, index, i)), sensors[k], f.MinDepth, f.MaxDepth))
			return nil
		}
		population[i], err = b.founder(w.seeded(b.seed("found", generation, index, i)),
			id(generation, index, i))
		return err
	})
	if err == nil && b.Config.Founders.Retries > 0 {
		err = b.regrow(generation, index, descended, population)
	}
	return population, err
}

// sensors lists the sensors for Founders.Sensors, none if that is not set.
func (b *breeder) sensors() []gp.Op {
	if !b.Config.Founders.Sensors {
		return nil
	}
	return b.grammar.Sensors(b.grammar.Slots[0].Type)
}

// descendant returns founder number index of the n that descend from species: a copy or a child of
// a species. It has no parents in the lineage.
func (b *breeder) descendant(w *worker, island, index, n int) *Individual {
	id, turn := b.childID(0, island, index), island*n+index
	species := func(turn int) *Individual {
		return b.newIndividual(id, b.Founders[turn%len(b.Founders)])
	}
	in := species(turn)
	r := w.seeded(b.seed("descend", 0, island, index))
	if turn >= len(b.Founders) && r.Float64() < b.Config.Founders.Mutants {
		in, _ = b.couple(r, id, in, species(r.IntN(len(b.Founders))), false)
		in.origin, in.parents = founded, [2]*Individual{}
	}
	return in
}

// founder grows an individual.
func (b *breeder) founder(r *rand.Rand, id uint64) (*Individual, error) {
	ge := b.grammar.Ramped(r, b.Config.Founders.MinDepth, b.Config.Founders.MaxDepth)
	if n, most := ge.Size(), b.grammar.MaxNodes(); n > most {
		return nil, fmt.Errorf("a founder has %d nodes, and %s can be played with %d at "+
			"most; lower founders.max-depth, which is %d", n, b.Game.Info().Name, most,
			b.Config.Founders.MaxDepth)
	}
	return b.newIndividual(id, ge), nil
}

// regrow replaces grown founders that equal an earlier one, in order. Founders before number grown
// descend from species and stay.
func (b *breeder) regrow(generation, index, grown int, population []*Individual) error {
	w := newWorker()
	first := map[uint64][]*Individual{}
	known := func(in *Individual) bool {
		return slices.ContainsFunc(first[in.genotype], func(other *Individual) bool {
			return slices.EqualFunc(in.Genome, other.Genome, slices.Equal[gp.Tree])
		})
	}
	for i, in := range population {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		r := w.seeded(b.seed("regrow", generation, index, i))
		for retry := 0; i >= grown && retry < b.Config.Founders.Retries && known(in); retry++ {
			var err error
			if in, err = b.founder(r, in.ID); err != nil {
				return err
			}
		}
		population[i] = in
		first[in.genotype] = append(first[in.genotype], in)
	}
	return nil
}
