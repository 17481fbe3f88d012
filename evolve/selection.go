package evolve

import (
	"slices"

	"clade/engine"
)

// draw plays or holds n tournaments in the present population.
func (is *island) draw(n int, seed engine.Seed) ([]choice, error) {
	choices := make([]choice, n)
	if is.fitness != nil {
		err := is.pool.run(is.ctx, n, func(w *worker, i int) error {
			choices[i] = is.fittest(w, seed.Num(uint64(i)))
			return nil
		})
		return choices, err
	}
	numbers, err := is.bout(n, 2, func(w *worker, i int, outcome []uint64) error {
		c := is.tournament(w, seed.Num(uint64(i)))
		outcome[0], outcome[1] = uint64(c.winner), uint64(c.loser)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range choices {
		c := &choices[i]
		if c.winner, err = is.place(numbers[2*i]); err != nil {
			return nil, err
		}
		if c.loser, err = is.place(numbers[2*i+1]); err != nil {
			return nil, err
		}
	}
	return choices, nil
}

// size returns the number of individuals in a tournament.
func (is *island) size() int {
	if is.Config.Selection == ByPairs {
		return 2 // only emigrants are drawn so
	}
	return is.Config.Tournament
}

// contestants draws different individuals, as places: with putting back, an individual could meet
// itself, which would only be a wasted match.
func (is *island) contestants(w *worker, random *engine.Random) []int {
	w.members = w.members[:0]
	for k := is.size(); len(w.members) < k; {
		if i := random.Below(len(is.people)); !slices.Contains(w.members, i) {
			w.members = append(w.members, i)
		}
	}
	return w.members
}

// tournament plays a single elimination among random individuals. The loser of the choice is the
// first individual that was beaten.
//
// Champions of the hall join it, each negative entrant -1-i is champion i. They are opponents only:
// if one of them wins, the parent is the last individual that it or another one has beaten. Of two
// individuals or more one is always beaten.
func (is *island) tournament(w *worker, seed engine.Seed) choice {
	random := engine.NewRandom(uint64(seed.Name("draw")))
	entrants := is.contestants(w, &random)
	if len(is.hall) > 0 {
		for i := range is.hall {
			entrants = append(entrants, -1-i)
		}
		shuffle(entrants, seed.Name("shuffle"))
		w.members = entrants
	}
	c := choice{-1, -1}
	engine.Bracket(entrants, func(x, y, index int) int {
		winner, loser := x, y
		if !is.meets(w, x, y, seed.Name("match").Num(uint64(index))) {
			winner, loser = y, x
		}
		if loser >= 0 && c.loser < 0 {
			c.loser = loser
		}
		if winner >= 0 {
			c.winner = winner
		} else if loser >= 0 {
			c.winner = loser
		}
		return winner
	})
	return c
}

// meets plays a match between two entrants of a tournament and tells whether the first wins.
func (is *island) meets(w *worker, x, y int, seed engine.Seed) bool {
	if x >= 0 && y >= 0 {
		return is.beats(w, is.people[x], is.people[y], seed)
	}
	return is.play(w, engine.Match{Boards: is.Config.Boards}, is.entrant(x), is.entrant(y),
		seed).Winner == 0
}

func (is *island) entrant(x int) engine.Player {
	if x < 0 {
		return is.hall[-1-x]
	}
	return is.people[x].Player
}

// fittest holds a tournament by fitness: the first drawn among equals wins. The loser is the least
// fit.
func (is *island) fittest(w *worker, seed engine.Seed) choice {
	random := engine.NewRandom(uint64(seed.Name("draw")))
	members := is.contestants(w, &random)
	c := choice{members[0], members[0]}
	for _, m := range members[1:] {
		if is.order(m, c.winner) < 0 {
			c.winner = m
		}
		if is.order(m, c.loser) >= 0 {
			c.loser = m
		}
	}
	return c
}

// order compares two places by fitness, the fitter first.
func (is *island) order(x, y int) int {
	return is.fitter(is.people[x], is.people[y], is.fitness[x], is.fitness[y])
}

// elites moves those who live on to the first places and returns their number. With fitness they
// are the fittest; without, the population is shuffled and dealt into as many groups, and they are
// the winners of a single elimination in each.
func (is *island) elites() (int, error) {
	e := is.Config.Elites
	if e == 0 {
		return 0, nil
	}
	order := is.shuffled("elites")
	chosen := order[:e]
	if is.fitness != nil {
		slices.SortStableFunc(order, is.order)
	} else {
		groups := make([][]int, e)
		for i, p := range order {
			groups[i%e] = append(groups[i%e], p)
		}
		var err error
		if chosen, err = is.knockout(groups); err != nil {
			return 0, err
		}
	}
	is.moveToFront(chosen)
	return e, nil
}

// moveToFront changes places so that the chosen ones stand first, in their order. All that is kept
// by place goes along.
func (is *island) moveToFront(chosen []int) {
	front := make([]bool, len(is.people))
	for _, c := range chosen {
		front[c] = true
	}
	order := append(make([]int, 0, len(is.people)), chosen...)
	for i := range is.people {
		if !front[i] {
			order = append(order, i)
		}
	}
	is.people, is.began = permuted(is.people, order), permuted(is.began, order)
	is.favour, is.fitness = permuted(is.favour, order), permuted(is.fitness, order)
}

// permuted returns a copy in which place i holds what place order[i] held; nil for nil.
func permuted[T any](s []T, order []int) []T {
	if s == nil {
		return nil
	}
	p := make([]T, len(s))
	for i, o := range order {
		p[i] = s[o]
	}
	return p
}

// heat is the greatest number of individuals in one piece of a long single elimination, so that
// workers share it.
const heat = 32

// knockout plays a single elimination in each group, heat by heat, and returns the winners.
func (is *island) knockout(groups [][]int) ([]int, error) {
	for round := 0; ; round++ {
		type piece struct {
			group   int
			members []int
		}
		var pieces []piece
		done := true
		for g, members := range groups {
			done = done && len(members) == 1
			for part := range slices.Chunk(members, heat) {
				pieces = append(pieces, piece{g, part})
			}
		}
		if done {
			break
		}
		won, err := is.bout(len(pieces), 1, func(w *worker, i int, outcome []uint64) error {
			seed := is.stream("knockout", round).Num(uint64(i))
			outcome[0] = uint64(engine.Bracket(pieces[i].members, func(x, y, index int) int {
				if is.beats(w, is.people[x], is.people[y], seed.Num(uint64(index))) {
					return x
				}
				return y
			}))
			return nil
		})
		if err != nil {
			return nil, err
		}
		groups = make([][]int, len(groups))
		for i, p := range pieces {
			winner, err := is.place(won[i])
			if err != nil {
				return nil, err
			}
			groups[p.group] = append(groups[p.group], winner)
		}
	}
	winners := make([]int, len(groups))
	for i, g := range groups {
		winners[i] = g[0]
	}
	return winners, nil
}
