package evolve

import (
	"math/rand/v2"

	"clade/engine"
)

// Filter breeds a child again that decides as its first parent does, since its games would tell
// nothing new. Both take each seat by turns in the same few games against the parent; a child that
// decides otherwise anywhere has another fingerprint. These games feed nothing else and are not
// counted. Faithful copies, which the shares of variation leave, pass. With a filter a variation is
// drawn for each child and not for each couple. What is unset is left out of what is hashed.
type Filter struct {
	// Games is 0 to 100; 0 (default) means no filter.
	Games int `toml:"games,omitempty" json:",omitempty"`
	// Tries is how often a child is bred again at most, after which it stays; 1 to 1,000, and 0
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

// bindOnce binds individuals some of which may stand more than once.
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

// unlike returns a child of x that does not decide as x does, if one comes in time. The parent must
// be bound.
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

// decisions returns a fingerprint of the games of a player and others that are all the same.
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
