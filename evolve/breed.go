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
// One act of variation is drawn for each couple, so that the chances are shares of the children, as
// in ECJ's breeding pipelines.
func (is *island) breed(parents []*Individual, places []int, first int) error {
	children := make([]*Individual, len(parents))
	err := is.pool.run(is.ctx, len(parents)/2, func(w *worker, i int) error {
		number := 2 * (first + i)
		c, d, err := is.couple(w, parents[2*i], parents[2*i+1], is.stream("vary", first+i), number,
			2*i+1 < len(places))
		children[2*i], children[2*i+1] = c, d
		return err
	})
	if err != nil {
		return err
	}
	for i, place := range places {
		is.people[place] = children[i]
		is.births = append(is.births, children[i])
	}
	return nil
}

// couple returns the children of two parents; the second one only where it is wanted.
func (is *island) couple(w *worker, a, b *Individual, seed engine.Seed, number int, both bool) (c,
	d *Individual, err error) {
	v := &is.Config.Variation
	r := w.seeded(seed)
	id := is.childID(is.generation+1, is.index, number)
	chance := r.Float64()
	if chance < v.Crossover {
		x, y := is.grammar.Cross(r, a.Genome, b.Genome, v)
		if c, err = is.child(id, x, crossed, a, b); err == nil && both {
			d, err = is.child(id+1, y, crossed, b, a)
		}
		return c, d, err
	}
	alone := func(parent *Individual) (gp.Genome, origin) {
		switch {
		case chance < v.Crossover+v.Mutation:
			return is.grammar.Mutate(r, parent.Genome, v), mutated
		case chance < v.Crossover+v.Mutation+v.Constants:
			return is.grammar.MutateConstants(r, parent.Genome, v), adjusted
		default:
			return parent.Genome, copied
		}
	}
	x, how := alone(a)
	if c, err = is.child(id, x, how, a); err == nil && both {
		x, how = alone(b)
		d, err = is.child(id+1, x, how, b)
	}
	return c, d, err
}

// found grows the first population of an island.
func (b *breeder) found(index int) ([]*Individual, error) {
	people := make([]*Individual, b.Config.Population)
	err := b.pool.run(b.ctx, len(people), func(w *worker, i int) error {
		var err error
		people[i], err = b.founder(w.seeded(b.seed("found", 0, index, i)), b.childID(0, index, i))
		return err
	})
	if err == nil && b.Config.Founders.Retries > 0 {
		err = b.regrow(index, people)
	}
	return people, err
}

// founder grows an individual.
func (b *breeder) founder(r *rand.Rand, id uint64) (*Individual, error) {
	ge := b.grammar.Ramped(r, b.Config.Founders.MinDepth, b.Config.Founders.MaxDepth)
	if n, most := ge.Size(), b.grammar.MaxNodes(); n > most {
		return nil, fmt.Errorf("evolve: a founder has %d nodes, and %s can be played with %d at "+
			"most; lower founders.max-depth, which is %d", n, b.Game.Info().Name, most,
			b.Config.Founders.MaxDepth)
	}
	return b.newIndividual(id, ge)
}

// regrow replaces founders that equal an earlier one, one after the other.
func (b *breeder) regrow(index int, people []*Individual) error {
	w := newWorker()
	first := map[uint64][]*Individual{}
	known := func(in *Individual) bool {
		return slices.ContainsFunc(first[in.genotype], func(other *Individual) bool {
			return slices.EqualFunc(in.Genome, other.Genome, slices.Equal[gp.Tree])
		})
	}
	for i, in := range people {
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
		people[i] = in
		first[in.genotype] = append(first[in.genotype], in)
	}
	return nil
}

// emigrants draws those of an island whose copies go to the next one, as parents are drawn; with
// the selection ByPairs, the winner of a match of two.
func (is *island) emigrants() ([]*Individual, error) {
	n := is.Config.Migration.Migrants
	if is.Config.Selection == ByFitness {
		if err := is.evaluate(); err != nil {
			return nil, err
		}
	}
	choices, err := is.choose(n, is.stream("emigrate", 0))
	if err != nil {
		return nil, err
	}
	out := make([]*Individual, n)
	for i, c := range choices {
		out[i] = is.people[c.winner]
	}
	return out, nil
}

// admit lets copies of immigrants take random places.
func (is *island) admit(immigrants []*Individual) {
	places := is.shuffled("immigrate")
	for i, m := range immigrants {
		in := *m
		in.ID, in.line = is.immigrantID(is.generation+1, is.index, i), 0
		in.origin, in.parents = migrated, [2]*Individual{m}
		is.people[places[i]] = &in
		is.births = append(is.births, &in)
	}
	is.fitness = nil // of other people
}

// migrate moves copies round the ring of islands, all at once.
func migrate(islands []*island) error {
	travellers := make([][]*Individual, len(islands))
	for i, is := range islands {
		out, err := is.emigrants()
		if err != nil {
			return err
		}
		travellers[(i+1)%len(islands)] = out
	}
	for i, is := range islands {
		is.admit(travellers[i])
	}
	return nil
}
