package evolve

import (
	"cmp"

	"clade/engine"
)

// ByPairs shuffles the population and plays one match in each pair: winners stay, and children of
// random winners take the losers' places. With more than two seats it plays one free-for-all in
// each group.
const ByPairs = "pairs"

// pairs is the selection scheme ByPairs.
type pairs struct{}

func (pairs) name() string { return ByPairs }

func (pairs) matches(c *Config) int { return c.Population * c.Boards }

func (pairs) check(c *Config, f *faults) {
	if c.Replacement == replaceLosers {
		f.add("replacement", "must be %q with the selection %q, which has its own: winners stay",
			replaceAll, ByPairs)
	}
	if most := max(0, c.Population-max(2, c.Seats)); c.Hall > most {
		f.add("hall", "must leave one game with the selection %q, and so be at most %d, not %d",
			ByPairs, most, c.Hall)
	}
	if c.Once && c.Seats > 2 {
		f.add("once", "must be false without pairs, that is with the selection %q and %d seats",
			c.Selection, c.Seats)
	}
	if c.Elites > 0 {
		f.add("elites", "must be 0 where winners stay anyway, with the selection %q", ByPairs)
	}
}

// draw chooses the winners of matches of two or, with more seats, of groups.
func (pairs) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	if is.Game.Info().MinSeats > 2 {
		return is.groups(n, seed)
	}
	if hall := is.hall; len(hall) > 0 { // emigrants are chosen without the hall
		is.hall = nil
		defer func() { is.hall = hall }()
	}
	return is.tournaments(n, 2, seed)
}

// groups plays n free-for-alls among random individuals, and returns the best and the worst of
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

// renew plays the pairs or groups. The better half of a group stays, and so do individuals left
// over. Those that meet the hall come first, and stay if they do well enough against it.
func (pairs) renew(is *island) error {
	k, order := is.Config.Seats, shuffled(len(is.population), is.stream("pair", 0))
	met, rest := order[:len(is.hall)], order[len(is.hall):]
	groups := len(rest) / k
	numbers, err := is.played(is.population, len(met)+groups, k, below(len(is.population)+1),
		func(w *worker, i int, outcome []uint64) error {
			if i < len(met) {
				stays, err := is.faces(w, met[i], i, is.stream("hall match", i))
				if stays {
					outcome[0] = 1
				}
				return err
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

// faces plays an individual against opponents of the hall, from number first on, one for each other
// seat. It tells whether the individual stays, which it does if it wins the match or, with more
// than two seats, if it has at least the mean of its opponents: in games won, then in score, then
// by lot.
func (is *island) faces(w *worker, index, first int, seed engine.Seed) (bool, error) {
	if is.Config.Seats <= 2 {
		return is.meets(w, index, -1-first, seed), nil
	}
	players := []engine.Player{is.population[index].Player}
	for len(players) < is.Config.Seats {
		players = append(players, is.hall[(first+len(players)-1)%len(is.hall)])
	}
	t, err := is.freeForAll(w, players, is.Config.Boards, seed)
	if err != nil {
		return false, err
	}
	wins, score := 0, 0.0 // of the opponents
	for i := range t[1:] {
		wins, score = wins+t[i+1].Wins, score+t[i+1].Score
	}
	others := len(t) - 1
	c := cmp.Or(cmp.Compare(others*t[0].Wins, wins), cmp.Compare(float64(others)*t[0].Score, score))
	if c == 0 {
		random := engine.NewRandom(uint64(seed.Name("lot")))
		c = random.Below(2)
	}
	return c > 0, nil
}
