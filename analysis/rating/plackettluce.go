package rating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"clade/engine"
	"clade/engine/parallel"
)

// Finish is the end of one game with any number of players.
type Finish struct {
	Board   int       // games on one board share its number
	Players []int     // who played; nobody twice
	Scores  []float64 // of each, more is better; equal ones share a place
}

// RatePlackettLuce is Rate for games of any number of players. The model is Plackett's (1975) and
// Luce's (1959): places are filled from the first on, each by one of the players still left with
// probability proportional to exp(strength). Where places are shared, the logarithm of the
// probability is averaged over their orders in the way of Efron (1977), so that a tie of two counts
// as half a win for each. The prior is as in FitBradleyTerry. Boards are drawn anew with all their
// games.
func RatePlackettLuce(players int, games []Finish, confidence float64, resamples int,
	seed engine.Seed) ([]Standing, error) {
	if resamples < 1 {
		return nil, errors.New("rating: a bootstrap needs at least one resample")
	}
	prepared, err := prepare(players, games)
	if err != nil {
		return nil, err
	}
	boards := []int{}
	for _, g := range games {
		boards = append(boards, g.Board)
	}
	slices.Sort(boards)
	boards = slices.Compact(boards)
	once := slices.Repeat([]float64{1}, len(games))
	strength := fitPlackettLuce(players, prepared, once, make([]float64, players))
	draws := make([][]float64, resamples)
	err = parallel.Each(context.Background(), resamples, 0, func(_, i int) error {
		r := engine.NewRandom(uint64(seed.Name("boards").Num(uint64(i))))
		times := make([]float64, len(boards))
		for range boards {
			times[r.Below(len(boards))]++
		}
		weights := make([]float64, len(games))
		for j, g := range games {
			at, _ := slices.BinarySearch(boards, g.Board)
			weights[j] = times[at]
		}
		draws[i] = fitPlackettLuce(players, prepared, weights, slices.Clone(strength))
		return nil
	})
	if err != nil {
		return nil, err
	}
	return standings(strength, draws, confidence), nil
}

// places is a game as the players in order of their places; a group ends where its bound says.
type places struct {
	players []int
	ends    []int
}

func prepare(players int, games []Finish) ([]places, error) {
	if players < 2 {
		return nil, errors.New("rating: a league needs two players")
	}
	list := make([]places, len(games))
	for i, g := range games {
		if len(g.Players) != len(g.Scores) {
			return nil, fmt.Errorf("rating: game %d has %d players and %d scores", i,
				len(g.Players), len(g.Scores))
		}
		order := make([]int, len(g.Players))
		for j, p := range g.Players {
			if p < 0 || p >= players || slices.Contains(g.Players[:j], p) {
				return nil, fmt.Errorf("rating: game %d has player %d twice, or out of 0..%d", i,
					p, players-1)
			}
			if math.IsNaN(g.Scores[j]) {
				return nil, fmt.Errorf("rating: game %d: the score of player %d is not a number",
					i, p)
			}
			order[j] = j
		}
		slices.SortStableFunc(order,
			func(a, b int) int { return cmp.Compare(g.Scores[b], g.Scores[a]) })
		for j, at := range order {
			if j > 0 && g.Scores[at] != g.Scores[order[j-1]] {
				list[i].ends = append(list[i].ends, j)
			}
			list[i].players = append(list[i].players, g.Players[at])
		}
		list[i].ends = append(list[i].ends, len(order))
	}
	return list, nil
}

// fitPlackettLuce returns strengths, natural logarithms of mean 0, by player. It climbs by Newton's
// method from x, which it overwrites.
func fitPlackettLuce(players int, games []places, weights, x []float64) []float64 {
	gradient, hessian, step := mat.NewVecDense(players, nil), mat.NewSymDense(players, nil),
		mat.NewVecDense(players, nil)
	try := make([]float64, players)
	var chol mat.Cholesky
	value := plackettLuce(games, weights, x, gradient, hessian)
	for range 100 {
		if !chol.Factorize(hessian) {
			panic("rating: the information matrix is not positive")
		}
		if err := chol.SolveVecTo(step, gradient); err != nil {
			if _, badly := err.(mat.Condition); !badly {
				panic("rating: " + err.Error())
			}
		}
		moved, scale := 0.0, 1.0
		for range 30 {
			for i := range x {
				try[i] = x[i] + float64(scale*step.AtVec(i))
			}
			if next := plackettLuce(games, weights, try, nil, nil); next >= value {
				for i := range x {
					moved = math.Max(moved, math.Abs(try[i]-x[i]))
				}
				copy(x, try)
				break
			}
			scale /= 2
		}
		if moved < 1e-7 {
			break
		}
		value = plackettLuce(games, weights, x, gradient, hessian)
	}
	mean := 0.0
	for _, s := range x {
		mean += s / float64(players)
	}
	for i := range x {
		x[i] -= mean
	}
	return x
}

// plackettLuce returns the logarithm of the posterior density, and its gradient and negative
// Hessian where they are wanted.
func plackettLuce(games []places, weights, x []float64, gradient *mat.VecDense,
	hessian *mat.SymDense) float64 {
	value := 0.0
	if hessian != nil {
		hessian.Zero()
	}
	for i, v := range x {
		value -= float64(v*v) / (2 * priorSD * priorSD)
		if gradient != nil {
			gradient.SetVec(i, -v/(priorSD*priorSD))
			hessian.SetSym(i, i, 1/(priorSD*priorSD))
		}
	}
	weight := make([]float64, len(x)) // of the players in a draw
	for i, v := range x {
		weight[i] = math.Exp(v)
	}
	share := make([]float64, 0, engine.MaxSeats)
	for i, g := range games {
		start := 0
		for _, end := range g.ends {
			if weights[i] > 0 {
				value += float64(weights[i] * fillPlaces(g.players[start:], end-start, weights[i],
					x, weight, share, gradient, hessian))
			}
			start = end
		}
	}
	return value
}

// fillPlaces returns the mean logarithm of the probability that the first players of rest, a group
// that shares its places, are the next ones taken, and adds its derivatives, the game counted a
// number of times. At stage l of a group of d each member has left with probability l/d. The very
// last player is not a choice.
func fillPlaces(rest []int, group int, times float64, x, weight, share []float64,
	gradient *mat.VecDense, hessian *mat.SymDense) float64 {
	value := 0.0
	for l := range min(group, len(rest)-1) {
		total := 0.0
		share = share[:0]
		for j, p := range rest {
			w := weight[p]
			if j < group {
				w *= 1 - float64(l)/float64(group)
				value += x[p] / float64(group)
			}
			share = append(share, w)
			total += w
		}
		value -= math.Log(total)
		if gradient == nil {
			continue
		}
		for j, p := range rest {
			a := share[j] / total
			slope := -a
			if j < group {
				slope += 1 / float64(group)
			}
			gradient.SetVec(p, gradient.AtVec(p)+float64(times*slope))
			hessian.SetSym(p, p, hessian.At(p, p)+float64(times*a))
			for k := j; k < len(rest); k++ {
				b := float64(times * float64(a*share[k]/total))
				hessian.SetSym(p, rest[k], hessian.At(p, rest[k])-b)
			}
		}
	}
	return value
}
