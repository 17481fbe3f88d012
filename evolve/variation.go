package evolve

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"clade/engine"
	"clade/gp"
)

// breed makes a child for each place. Couple i are the parents 2i and 2i+1, and their children take
// the places 2i and 2i+1; of an odd number of places the last couple's second child is dropped.
// Couples are numbered from first within the generation: the number is their random stream.
//
// One act of variation is drawn for each couple, so that the chances are shares of the offspring,
// as in ECJ's breeding pipelines.
func (is *island) breed(parents []*Individual, places []int, first int) error {
	children := make([]*Individual, len(parents))
	err := is.each(len(parents)/2, func(w *worker, i int) error {
		children[2*i], children[2*i+1] = is.couple(w, parents[2*i], parents[2*i+1],
			is.stream("vary", first+i), 2*(first+i), 2*i+1 < len(places))
		return nil
	})
	if err != nil {
		return err
	}
	for i, place := range places {
		is.population[place] = children[i]
		is.offspring = append(is.offspring, children[i])
	}
	return nil
}

// couple returns the children of two parents; the second one only where it is wanted.
func (is *island) couple(w *worker, a, b *Individual, seed engine.Seed, number int, both bool) (c,
	d *Individual) {
	v := &is.Config.Variation
	r := w.seeded(seed)
	id := is.childID(is.generation+1, is.index, number)
	chance := r.Float64()
	if chance < v.Crossover {
		x, y := is.grammar.Cross(r, a.Genome, b.Genome, v)
		if c = is.child(id, x, crossed, a, b); both {
			d = is.child(id+1, y, crossed, b, a)
		}
		return c, d
	}
	alone := func(id uint64, parent *Individual) *Individual {
		switch {
		case chance < v.Crossover+v.Mutation:
			return is.child(id, is.grammar.Mutate(r, parent.Genome, v), mutated, parent)
		case chance < v.Crossover+v.Mutation+v.Constants:
			return is.child(id, is.grammar.MutateConstants(r, parent.Genome, v), adjusted, parent)
		default:
			return is.child(id, parent.Genome, copied, parent)
		}
	}
	if c = alone(id, a); both {
		d = alone(id+1, b)
	}
	return c, d
}

// found grows the first population of an island.
func (b *breeder) found(index int) ([]*Individual, error) {
	population := make([]*Individual, b.Config.Population)
	err := b.each(len(population), func(w *worker, i int) error {
		var err error
		population[i], err = b.founder(w.seeded(b.seed("found", 0, index, i)),
			b.childID(0, index, i))
		return err
	})
	if err == nil && b.Config.Founders.Retries > 0 {
		err = b.regrow(index, population)
	}
	return population, err
}

// founder grows an individual.
func (b *breeder) founder(r *rand.Rand, id uint64) (*Individual, error) {
	ge := b.grammar.Ramped(r, b.Config.Founders.MinDepth, b.Config.Founders.MaxDepth)
	if n, most := ge.Size(), b.grammar.MaxNodes(); n > most {
		return nil, fmt.Errorf("evolve: a founder has %d nodes, and %s can be played with %d at "+
			"most; lower founders.max-depth, which is %d", n, b.Game.Info().Name, most,
			b.Config.Founders.MaxDepth)
	}
	return b.newIndividual(id, ge), nil
}

// regrow replaces founders that equal an earlier one, one after the other.
func (b *breeder) regrow(index int, population []*Individual) error {
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
		r := w.seeded(b.seed("regrow", 0, index, i))
		for retry := 0; retry < b.Config.Founders.Retries && known(in); retry++ {
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
