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
	if c.Hall > max(0, c.Population-2) {
		f.add("hall", "must leave a pair with the selection %q, and so be at most %d, not %d",
			ByPairs, max(0, c.Population-2), c.Hall)
	} else if c.Hall > 0 && c.Seats > 2 {
		f.add("hall", "must be 0 with more than two seats, not %d", c.Hall)
	}
	if c.Once && c.Seats > 2 {
		f.add("once", "must be false without pairs, that is with the selection %q and %d seats",
			c.Selection, c.Seats)
	}
	if c.Elites > 0 {
		f.add("elites", "must be 0 where winners stay anyway, with the selection %q", ByPairs)
	}
}

// draw lets the winners of matches of two emigrate; in a game for more, those of its groups.
func (pairs) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	if is.Game.Info().MinSeats > 2 {
		return is.groups(n, seed)
	}
	if hall := is.hall; len(hall) > 0 { // emigrants are chosen among themselves
		is.hall = nil
		defer func() { is.hall = hall }()
	}
	return is.tournaments(n, 2, seed)
}

// groups plays n free-for-alls among random individuals, and chooses the best and the worst of
// each.
func (is *island) groups(n int, seed engine.Seed) ([]choice, error) {
	numbers, err := is.played(is.population, n, 2, below(len(is.population)),
		func(w *worker, i int, outcome []uint64) error {
			seed := seed.Num(uint64(i))
			random := engine.NewRandom(uint64(seed.Name("draw")))
			members := is.contestants(w, is.Config.Seats, &random)
			group := make([]*Individual, len(members))
			for j, m := range members {
				group[j] = is.population[m]
			}
			ranks, err := is.rank(w, group, seed.Name("match"))
			if err == nil {
				outcome[0] = uint64(members[ranks[0]])
				outcome[1] = uint64(members[ranks[len(ranks)-1]])
			}
			return err
		})
	return choicesOf(numbers), err
}

// renew plays the pairs or groups. The better half of a group stays, and so do individuals that
// find no group. First come those who meet somebody of the hall, to stay or go by that.
func (pairs) renew(is *island) error {
	k, order := is.Config.Seats, shuffled(len(is.population), is.stream("pair", 0))
	met, rest := order[:len(is.hall)], order[len(is.hall):]
	groups := len(rest) / k
	numbers, err := is.played(is.population, len(met)+groups, k, below(len(is.population)+1),
		func(w *worker, i int, outcome []uint64) error {
			if i < len(met) {
				if is.meets(w, met[i], -1-i, is.stream("hall match", i)) {
					outcome[0] = 1
				}
				return nil
			}
			i -= len(met)
			group := make([]*Individual, k)
			for j, p := range rest[i*k : (i+1)*k] {
				group[j] = is.population[p]
			}
			ranks, err := is.rank(w, group, is.stream("match", i))
			for j, r := range ranks {
				outcome[j] = uint64(rest[i*k+r])
			}
			return err
		})
	if err != nil {
		return err
	}
	var winners, losers []int
	add := func(index int, won bool) {
		if won {
			winners = append(winners, index)
			is.selected[index]++
		} else {
			losers = append(losers, index)
		}
	}
	for i, index := range met {
		add(index, numbers[i*k] == 1)
	}
	for i, v := range numbers[len(met)*k:] {
		add(int(v), i%k < k-k/2)
	}
	random := engine.NewRandom(uint64(is.stream("select", 0)))
	parents := make([]*Individual, len(losers)+len(losers)%2)
	for i := range parents {
		parents[i] = is.population[winners[random.Below(len(winners))]]
	}
	return is.breed(parents, losers, 0)
}
