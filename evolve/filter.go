package evolve

import (
	"math/rand/v2"

	"clade/engine"
)

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
