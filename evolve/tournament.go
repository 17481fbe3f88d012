package evolve

import (
	"slices"

	"clade/engine"
)

// ByTournament makes the winner of a single-elimination tournament among Config.Tournament random
// individuals a parent, as BrilliANT did.
const ByTournament = "tournament"

// tournament is the selection scheme ByTournament.
type tournament struct{}

func (tournament) name() string               { return ByTournament }
func (tournament) check(c *Config, f *faults) { checkReplacement(c, f) }
func (tournament) matches(c *Config) int {
	return (c.Population - c.Elites) * (c.Tournament - 1) * c.Boards
}
func (tournament) renew(is *island) error { return replacement{elites: knockout}.renew(is) }
func (tournament) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	return is.tournaments(n, is.Config.Tournament, seed)
}

// tournaments plays n tournaments among size individuals each.
func (is *island) tournaments(n, size int, seed engine.Seed) ([]choice, error) {
	numbers, err := is.played(is.population, n, 2, below(len(is.population)),
		func(w *worker, i int, outcome []uint64) error {
			c := is.tournament(w, size, seed.Num(uint64(i)))
			outcome[0], outcome[1] = uint64(c.winner), uint64(c.loser)
			return nil
		})
	return choicesOf(numbers), err
}

// choicesOf reads winners and losers in turn.
func choicesOf(numbers []uint64) []choice {
	choices := make([]choice, len(numbers)/2)
	for i := range choices {
		choices[i] = choice{int(numbers[2*i]), int(numbers[2*i+1])}
	}
	return choices
}

// contestants draws different individuals, as indices. With replacement an individual could meet
// itself, a wasted match.
func (is *island) contestants(w *worker, size int, random *engine.Random) []int {
	w.members = w.members[:0]
	for len(w.members) < size {
		if i := random.Below(len(is.population)); !slices.Contains(w.members, i) {
			w.members = append(w.members, i)
		}
	}
	return w.members
}

// tournament plays a single elimination among random individuals. The loser of the choice is the
// first individual that was beaten.
//
// Champions of the hall join it as opponents: entrant -1-i is champion i. If a champion wins, the
// parent is the last individual that lost to a champion. Of two or more individuals one is always
// beaten.
func (is *island) tournament(w *worker, size int, seed engine.Seed) choice {
	random := engine.NewRandom(uint64(seed.Name("draw")))
	entrants := is.contestants(w, size, &random)
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
		return is.beats(w, is.population[x], is.population[y], seed)
	}
	return is.play(w, engine.Match{Boards: is.Config.Boards}, is.entrant(x), is.entrant(y),
		seed).Winner == 0
}

func (is *island) entrant(x int) engine.Player {
	if x < 0 {
		return is.hall[-1-x]
	}
	return is.population[x].Player
}

// shard is the greatest number of individuals in one piece of a long single elimination, which is
// divided so that workers share it.
const shard = 32

// knockout returns n elites: the population is shuffled and dealt into n groups, and an elite is
// the winner of a single elimination in its group, which is played shard by shard.
func knockout(is *island, n int) ([]int, error) {
	groups := make([][]int, n)
	for i, p := range shuffled(len(is.population), is.stream("elites", 0)) {
		groups[i%n] = append(groups[i%n], p)
	}
	for round := 0; ; round++ {
		type piece struct {
			group   int
			members []int
		}
		var pieces []piece
		done := true
		for g, members := range groups {
			done = done && len(members) == 1
			for part := range slices.Chunk(members, shard) {
				pieces = append(pieces, piece{g, part})
			}
		}
		if done {
			return slices.Concat(groups...), nil
		}
		won, err := is.played(is.population, len(pieces), 1, below(len(is.population)),
			func(w *worker, i int, outcome []uint64) error {
				seed := is.stream("knockout", round).Num(uint64(i))
				outcome[0] = uint64(engine.Bracket(pieces[i].members, func(x, y, index int) int {
					if is.beats(w, is.population[x], is.population[y], seed.Num(uint64(index))) {
						return x
					}
					return y
				}))
				return nil
			})
		if err != nil {
			return nil, err
		}
		groups = make([][]int, n)
		for i, p := range pieces {
			groups[p.group] = append(groups[p.group], int(won[i]))
		}
	}
}
