package evolve

import (
	"math"

	"clade/engine"
)

// evaluate gives everybody a fitness: the mean of its matches.
func (is *island) evaluate() error {
	var numbers []uint64
	var err error
	if is.Config.Fitness.Opponents == All {
		numbers, err = is.played(len(is.people), is.roundRobin)
	} else {
		numbers, err = is.bout(len(is.people), 1, func(w *worker, i int, outcome []uint64) error {
			outcome[0] = math.Float64bits(is.worth(w, i, is.stream("fitness", i)))
			return nil
		})
	}
	if err != nil {
		return err
	}
	is.fitness, err = is.worths(numbers)
	return err
}

// evaluatePlaces gives new children of a steady state their fitness.
func (is *island) evaluatePlaces(places []int, number int) error {
	numbers, err := is.bout(len(places), 1, func(w *worker, i int, outcome []uint64) error {
		outcome[0] = math.Float64bits(is.worth(w, places[i],
			is.stream("newborn", number).Num(uint64(i))))
		return nil
	})
	if err != nil {
		return err
	}
	fresh, err := is.worths(numbers)
	if err != nil {
		return err
	}
	for i, p := range places {
		is.fitness[p] = fresh[i]
	}
	return nil
}

// worth plays an individual against its opponents and the hall, or alone, and returns its fitness.
func (is *island) worth(w *worker, place int, seed engine.Seed) float64 {
	if is.Config.solitary() {
		return is.alone(w, is.people[place], seed)
	}
	sum, matches := 0.0, 0
	meet := func(other engine.Player) {
		own, _ := is.points(w, is.people[place].Player, other, seed.Num(uint64(matches)))
		sum += own
		matches++
	}
	switch is.Config.Fitness.Opponents {
	case All:
		for j, other := range is.people {
			if j != place {
				meet(other.Player)
			}
		}
	case Panel:
		for _, p := range is.Panel {
			meet(p)
		}
	default:
		random := engine.NewRandom(uint64(seed.Name("draw")))
		for range is.Config.Fitness.Count {
			j := random.Below(len(is.people) - 1) // anybody else
			if j >= place {
				j++
			}
			meet(is.people[j].Player)
		}
	}
	for _, h := range is.hall {
		meet(h)
	}
	return sum / float64(matches)
}

// alone returns the mean score of an individual's own games, one on each board of a match. Without
// chance one game tells all, and the score is remembered, also by copies. A remembered game counts
// as played, because a resumed run remembers none and must write the same log.
func (is *island) alone(w *worker, in *Individual, seed engine.Seed) float64 {
	if !is.chance {
		w.games++
		if !in.judged {
			w.seat[0] = in.Player
			in.score, in.judged = is.Game.Play(w.seat[:], uint64(seed), nil).Scores[0], true
		}
		return in.score
	}
	w.seat[0] = in.Player
	sum := 0.0
	for board := range is.Config.Boards {
		sum += is.Game.Play(w.seat[:], uint64(seed.Num(uint64(board))), nil).Scores[0]
	}
	w.games += int64(is.Config.Boards)
	return sum / float64(is.Config.Boards)
}

// roundRobin plays each pair once. Every match writes two cells of a table that are its own, and
// the sums are taken in the order of the table.
func (is *island) roundRobin(fitness []uint64) error {
	n, width := len(is.people), len(is.people)+len(is.hall)
	table := make([]float64, n*width)
	err := is.pool.run(is.ctx, n, func(w *worker, i int) error {
		me := is.people[i].Player
		for j := i + 1; j < n; j++ {
			table[i*width+j], table[j*width+i] = is.points(w, me, is.people[j].Player,
				is.stream("fitness", i).Num(uint64(j)))
		}
		for h, champion := range is.hall {
			table[i*width+n+h], _ = is.points(w, me, champion, is.stream("hall", i).Num(uint64(h)))
		}
		return nil
	})
	for i := range fitness {
		sum := 0.0
		for _, p := range table[i*width : (i+1)*width] {
			sum += p
		}
		fitness[i] = math.Float64bits(sum / float64(width-1))
	}
	return err
}

// points plays a whole match and returns what each side has of it a game: its score, or its wins
// with ties as halves.
func (is *island) points(w *worker, a, b engine.Player, seed engine.Seed) (first, second float64) {
	o := is.play(w, engine.Match{Boards: is.Config.Boards, Whole: true}, a, b, seed)
	p := o.Scores
	if is.Config.Fitness.Measure == Wins {
		tied := float64(o.Games-o.Wins[0]-o.Wins[1]) / 2
		p = [2]float64{float64(o.Wins[0]) + tied, float64(o.Wins[1]) + tied}
	}
	return p[0] / float64(o.Games), p[1] / float64(o.Games)
}
