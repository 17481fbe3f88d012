package evolve

import (
	"math/rand/v2"

	"clade/engine"
	"clade/gp"
)

// breed makes a child for each place. Couple i are the parents 2i and 2i+1, and their children take
// the places 2i and 2i+1; of an odd number of places the last couple's second child is dropped.
// Couples are numbered from first within the generation: the number is their random stream.
//
// The kind of variation is drawn for each couple, so that the chances are shares of the offspring,
// as in ECJ's breeding pipelines; with small steps or a filter it is drawn for each child.
func (is *island) breed(parents []*Individual, places []int, first int) error {
	children := make([]*Individual, len(parents))
	filter := is.Config.Filter.Games > 0
	if filter {
		if err := is.bindOnce(parents); err != nil {
			return err
		}
	}
	err := is.each(len(parents)/2, func(w *worker, i int) error {
		id := is.childID(is.generation+1, is.index, 2*(first+i))
		r, x, y := w.seeded(is.stream("vary", first+i)), parents[2*i], parents[2*i+1]
		both := 2*i+1 < len(places)
		if !filter {
			children[2*i], children[2*i+1] = is.couple(r, id, x, y, both)
			return nil
		}
		var err error
		if children[2*i], err = is.unlike(w, r, id, x, y); err == nil && both {
			children[2*i+1], err = is.unlike(w, r, id+1, y, x)
		}
		return err
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

// couple returns the children of two parents; the second one only if both is true.
func (b *breeder) couple(r *rand.Rand, id uint64, x, y *Individual, both bool) (c, d *Individual) {
	v := &b.Config.Variation
	if v.SmallSteps() {
		if c = b.stepped(r, id, x, y); both {
			d = b.stepped(r, id+1, y, x)
		}
		return c, d
	}
	chance := r.Float64()
	if chance < v.Crossover {
		p, q := b.grammar.Cross(r, x.Genome, y.Genome, v)
		if c = b.child(id, p, crossed, x, y); both {
			d = b.child(id+1, q, crossed, y, x)
		}
		return c, d
	}
	alone := func(id uint64, parent *Individual) *Individual {
		switch {
		case chance < v.Crossover+v.Mutation:
			return b.child(id, b.grammar.Mutate(r, parent.Genome, v), mutated, parent)
		case chance < v.Crossover+v.Mutation+v.Constants:
			return b.child(id, b.grammar.MutateConstants(r, parent.Genome, v), adjusted, parent)
		default:
			return b.child(id, parent.Genome, copied, parent)
		}
	}
	if c = alone(id, x); both {
		d = alone(id+1, y)
	}
	return c, d
}

// stepped returns a child by a kind of variation drawn for it alone; the second parent is for
// crossover.
func (b *breeder) stepped(r *rand.Rand, id uint64, x, y *Individual) *Individual {
	v := &b.Config.Variation
	chance := r.Float64()
	drawn := func(p float64) bool {
		chance -= p
		return chance < 0
	}
	switch {
	case drawn(v.Crossover):
		c, _ := b.grammar.Cross(r, x.Genome, y.Genome, v)
		return b.child(id, c, crossed, x, y)
	case drawn(v.Mutation):
		return b.child(id, b.grammar.Mutate(r, x.Genome, v), mutated, x)
	case drawn(v.Constants):
		return b.child(id, b.grammar.MutateConstants(r, x.Genome, v), adjusted, x)
	}
	for step := range gp.SmallSteps {
		if drawn(v.Chance(step)) {
			return b.child(id, b.grammar.Step(r, step, x.Genome, v), perturbed+origin(step), x)
		}
	}
	return b.child(id, x.Genome, copied, x)
}

// Filter replaces a child that makes the same decisions as its first parent, since its games would
// tell nothing new. Child and parent each play the same few games against the parent, in
// alternating seats, and their fingerprints are compared. These games have no other effect and are
// not counted. Exact copies, for which the chances of variation leave a share, are kept. With a
// filter the kind of variation is drawn for each child and not for each couple.
type Filter struct {
	// Games is 0 to 100; 0 (default) means no filter.
	Games int `toml:"games,omitempty" json:",omitempty"`
	// Tries is how often a child is bred again at most; after that it is kept. 1 to 1,000, and 0
	// without a filter.
	Tries int `toml:"tries,omitempty" json:",omitempty"`
}

func (c Filter) check(f *faults) {
	if !f.within("filter.games", c.Games, 0, 100) {
		return
	}
	if c.Games > 0 {
		f.within("filter.tries", c.Tries, 1, 1000)
	} else if c.Tries != 0 {
		f.add("filter.tries", "must be 0 where filter.games is 0, not %d", c.Tries)
	}
}

// bindOnce binds individuals, which may be listed more than once.
func (b *breeder) bindOnce(individuals []*Individual) error {
	seen := make(map[*Individual]bool, len(individuals))
	once := make([]*Individual, 0, len(individuals))
	for _, in := range individuals {
		if !seen[in] {
			seen[in] = true
			once = append(once, in)
		}
	}
	return b.bindAll(once)
}

// unlike returns a child of x that does not make the same decisions as x, or the last one after all
// tries. x must be bound.
func (b *breeder) unlike(w *worker, r *rand.Rand, id uint64, x, y *Individual) (*Individual,
	error) {
	var before uint64
	for try := 0; ; try++ {
		c, _ := b.couple(r, id, x, y, false)
		if c.origin == copied || try == b.Config.Filter.Tries {
			return c, nil
		}
		if sameTrees(c.Genome, x.Genome) {
			continue
		}
		if c.Player == nil {
			var err error
			if c.Player, err = b.bind(c.Genome); err != nil {
				return nil, err
			}
		}
		if before == 0 {
			before = b.decisions(w, x.Player, x.Player)
		}
		if b.decisions(w, c.Player, x.Player) != before {
			return c, nil
		}
	}
}

// decisions returns a fingerprint of a player's games, in which others takes all other seats.
func (b *breeder) decisions(w *worker, player, others engine.Player) (print uint64) {
	info := b.Game.Info()
	seats := min(max(2, info.MinSeats), info.MaxSeats)
	for g := range b.Config.Filter.Games {
		w.players = w.players[:0]
		for range seats {
			w.players = append(w.players, others)
		}
		w.players[g%seats] = player
		seed := b.root.Name("filter").Num(uint64(g / seats))
		print = engine.Hash(print, b.Game.Play(w.players, uint64(seed), nil).Fingerprint)
	}
	return print
}
