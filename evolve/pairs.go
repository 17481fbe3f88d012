package evolve

import "clade/engine"

// ByPairs shuffles the population and plays one match a pair: winners stay, and children of random
// winners take the losers' places. With more than two seats it plays one free-for-all a group.
const ByPairs = "pairs"

// pairs is the selection scheme ByPairs.
type pairs struct{}

func (pairs) name() string { return ByPairs }

func (pairs) check(c *Config, f *faults) {
	if c.Replacement == Steady {
		f.add("replacement", "must be %q with the selection %q, which has its own: winners stay",
			Generational, ByPairs)
	}
	if c.Hall > 0 {
		f.add("hall", "must be 0 with the selection %q, where individuals meet in pairs only",
			ByPairs)
	}
	if c.Once && c.Seats > 2 {
		f.add("once", "must be false without pairs, that is with the selection %q and %d seats",
			c.Selection, c.Seats)
	}
	if c.Elites > 0 {
		f.add("elites", "must be 0 where winners stay anyway, with the selection %q", ByPairs)
	}
}

// draw lets the winners of matches of two emigrate.
func (pairs) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	return is.tournaments(n, 2, seed)
}

// renew plays the pairs or groups. The better half of a group stays, and so do individuals that
// find no group.
func (pairs) renew(is *island) error {
	k, order := is.Config.Seats, shuffled(len(is.population), is.stream("pair", 0))
	groups := len(order) / k
	ranked, err := is.played(is.population, groups, k, below(len(is.population)),
		func(w *worker, i int, outcome []uint64) error {
			group := make([]*Individual, k)
			for j, p := range order[i*k : (i+1)*k] {
				group[j] = is.population[p]
			}
			ranks, err := is.rank(w, group, is.stream("match", i))
			for j, r := range ranks {
				outcome[j] = uint64(order[i*k+r])
			}
			return err
		})
	if err != nil {
		return err
	}
	var winners, losers []int
	for i, v := range ranked {
		if i%k < k-k/2 {
			winners = append(winners, int(v))
			is.selected[v]++
		} else {
			losers = append(losers, int(v))
		}
	}
	random := engine.NewRandom(uint64(is.stream("select", 0)))
	parents := make([]*Individual, len(losers)+len(losers)%2)
	for i := range parents {
		parents[i] = is.population[winners[random.Below(len(winners))]]
	}
	return is.breed(parents, losers, 0)
}
