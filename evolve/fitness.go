package evolve

import (
	"cmp"
	"math"
	"slices"

	"clade/engine"
)

// ByFitness gives every individual a fitness by games, and makes the fittest of Config.Tournament
// random individuals a parent.
const ByFitness = "fitness"

// byFitness is the selection scheme ByFitness.
type byFitness struct{}

func (byFitness) name() string { return ByFitness }

func (byFitness) matches(c *Config) int {
	opponents := map[string]int{randomOpponents: c.Fitness.Count, allOpponents: c.Population - 1}
	return c.Population * cmp.Or(opponents[c.Fitness.Opponents], 1) * c.Boards
}

func (byFitness) check(c *Config, f *faults) {
	checkReplacement(c, f)
	f.among("fitness.measure", c.Fitness.Measure, measureWins, measureScore)
	f.among("fitness.opponents", c.Fitness.Opponents, randomOpponents, allOpponents, panel, nobody)
	if c.Fitness.Opponents == allOpponents && c.Population > 10_000 {
		// because of the size of its table
		f.add("population", "must be at most 10000 for a round robin, not %d", c.Population)
	}
	if c.Fitness.Opponents == randomOpponents {
		f.within("fitness.count", c.Fitness.Count, 1, c.Population-1)
	}
}

func (s byFitness) renew(is *island) error {
	if err := is.rate(); err != nil {
		return err
	}
	copy(is.selected, is.fitness)
	return replacement{chooseFittest, (*island).rateNewborns}.renew(is)
}

// draw holds n tournaments by fitness: the first drawn among equals wins. The loser is the least
// fit.
func (byFitness) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	if is.fitness == nil {
		if err := is.rate(); err != nil {
			return nil, err
		}
	}
	choices := make([]choice, n)
	err := is.each(n, func(w *worker, i int) error {
		random := engine.NewRandom(uint64(seed.Num(uint64(i)).Name("draw")))
		members := is.contestants(w, is.Config.Tournament, &random)
		c := choice{members[0], members[0]}
		for _, m := range members[1:] {
			if is.order(m, c.winner) < 0 {
				c.winner = m
			}
			if is.order(m, c.loser) >= 0 {
				c.loser = m
			}
		}
		choices[i] = c
		return nil
	})
	return choices, err
}

// solitary tells whether individuals play alone, with the score as their fitness.
func (c *Config) solitary() bool {
	return c.Selection == ByFitness && c.Fitness.Opponents == nobody
}

// order compares two indices, the fitter first.
func (is *island) order(x, y int) int {
	return is.fitter(is.population[x], is.population[y], is.fitness[x], is.fitness[y])
}

// chooseFittest returns n elites: the fittest.
func chooseFittest(is *island, n int) ([]int, error) {
	order := shuffled(len(is.population), is.stream("elites", 0))
	slices.SortStableFunc(order, is.order)
	return order[:n], nil
}

// rate computes the fitness of every individual: the mean of its matches.
func (is *island) rate() error {
	var err error
	if is.Config.Fitness.Opponents == allOpponents {
		var numbers []uint64
		if numbers, err = is.evaluate(1, len(is.population), finite, is.roundRobin); err == nil {
			is.fitness = floats(numbers)
		}
		return err
	}
	is.fitness, err = is.worths(len(is.population), func(i int) (int, engine.Seed) {
		return i, is.stream("fitness", i)
	})
	return err
}

// rateNewborns computes the fitness of new children with steady-state replacement.
func (is *island) rateNewborns(places []int, number int) error {
	fresh, err := is.worths(len(places), func(i int) (int, engine.Seed) {
		return places[i], is.stream("newborn", number).Num(uint64(i))
	})
	for i, f := range fresh {
		is.fitness[places[i]] = f
	}
	return err
}

// worths returns the fitness of n individuals, each with its index and its random stream.
func (is *island) worths(n int, which func(i int) (int, engine.Seed)) ([]float64, error) {
	numbers, err := is.played(is.population, n, 1, finite,
		func(w *worker, i int, outcome []uint64) error {
			index, seed := which(i)
			outcome[0] = math.Float64bits(is.worth(w, index, seed))
			return nil
		})
	return floats(numbers), err
}

func floats(numbers []uint64) []float64 {
	f := make([]float64, len(numbers))
	for i, v := range numbers {
		f[i] = math.Float64frombits(v)
	}
	return f
}

// worth plays an individual against its opponents and the hall, or alone, and returns its fitness.
func (is *island) worth(w *worker, index int, seed engine.Seed) float64 {
	if is.Config.solitary() {
		return is.alone(w, is.population[index], seed)
	}
	sum, matches := 0.0, 0
	meet := func(other engine.Player) {
		own, _ := is.points(w, is.population[index].Player, other, seed.Num(uint64(matches)))
		sum += own
		matches++
	}
	switch is.Config.Fitness.Opponents {
	case allOpponents:
		for j, other := range is.population {
			if j != index {
				meet(other.Player)
			}
		}
	case panel:
		for _, p := range is.Panel {
			meet(p)
		}
	default:
		random := engine.NewRandom(uint64(seed.Name("draw")))
		for range is.Config.Fitness.Count {
			j := random.Below(len(is.population) - 1) // all but itself
			if j >= index {
				j++
			}
			meet(is.population[j].Player)
		}
	}
	for _, h := range is.hall {
		meet(h)
	}
	return sum / float64(matches)
}

// alone returns the mean score of games that an individual plays alone, one on each board of a
// match. Without chance one game is enough, and its score is remembered, also by copies. A
// remembered game counts as played, because a resumed run has to play it again and must write the
// same log.
func (is *island) alone(w *worker, in *Individual, seed engine.Seed) float64 {
	w.seat[0] = in.Player
	if !is.chance {
		w.tally.Games++
		if !in.judged {
			in.score, in.judged = is.Game.Play(w.seat[:], uint64(seed), nil).Scores[0], true
		}
		return in.score
	}
	sum := 0.0
	for board := range is.Config.Boards {
		sum += is.Game.Play(w.seat[:], uint64(seed.Num(uint64(board))), nil).Scores[0]
	}
	w.tally.Games += int64(is.Config.Boards)
	return sum / float64(is.Config.Boards)
}

// roundRobin plays each pair once. Every match writes its own two cells of a table, which is summed
// in a fixed order.
func (is *island) roundRobin(_ int, fitness []uint64) (Tally, error) {
	if err := is.bindAll(is.population); err != nil {
		return Tally{}, err
	}
	n, width := len(is.population), len(is.population)+len(is.hall)
	table := make([]float64, n*width)
	tallies := make([]Tally, n)
	err := is.each(n, func(w *worker, i int) error {
		me := is.population[i].Player
		for j := i + 1; j < n; j++ {
			table[i*width+j], table[j*width+i] = is.points(w, me, is.population[j].Player,
				is.stream("fitness", i).Num(uint64(j)))
		}
		for h, champion := range is.hall {
			table[i*width+n+h], _ = is.points(w, me, champion, is.stream("hall", i).Num(uint64(h)))
		}
		tallies[i] = w.tally
		return nil
	})
	var played Tally
	for i := range fitness {
		sum := 0.0
		for _, p := range table[i*width : (i+1)*width] {
			sum += p
		}
		fitness[i] = math.Float64bits(sum / float64(width-1))
		played.add(tallies[i])
	}
	return played, err
}

// points plays a whole match and returns each side's mean of a game: its score, or its wins with
// ties as halves.
func (is *island) points(w *worker, a, b engine.Player, seed engine.Seed) (first, second float64) {
	o := is.play(w, engine.Match{Boards: is.Config.Boards, Whole: true}, a, b, seed)
	p := o.Scores
	if is.Config.Fitness.Measure == measureWins {
		tied := float64(o.Games-o.Wins[0]-o.Wins[1]) / 2
		p = [2]float64{float64(o.Wins[0]) + tied, float64(o.Wins[1]) + tied}
	}
	return p[0] / float64(o.Games), p[1] / float64(o.Games)
}
