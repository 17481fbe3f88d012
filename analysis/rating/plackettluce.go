package rating

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"clade/engine"
	"clade/engine/system/parallel"
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
	f := newLuce(players, prepared, once, priorSD*priorSD)
	f.fit()
	strength := f.x
	l := newLimits(strength, placedBefore(players, games), confidence, func() likelihood {
		f := newLuce(players, prepared, perBoard(games), weak)
		f.estimated = strength
		return f
	})
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
		f := newLuce(players, prepared, weights, priorSD*priorSD)
		copy(f.x, strength)
		f.fit()
		draws[i] = f.x
		l.centre(f.x)
		took, gave := f.counts()
		unlimit(draws[i], took, gave)
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := standings(strength, draws, confidence)
	return list, l.settle(list)
}

// perBoard weighs games so that all games of a board count one.
func perBoard(games []Finish) []float64 {
	of := map[int]float64{}
	for _, g := range games {
		of[g.Board]++
	}
	weights := make([]float64, len(games))
	for i, g := range games {
		weights[i] = 1 / of[g.Board]
	}
	return weights
}

// placedBefore tells whether the row was ever placed before the column, or beside it.
func placedBefore(players int, games []Finish) [][]bool {
	took := make([][]bool, players)
	for i := range took {
		took[i] = make([]bool, players)
	}
	for _, g := range games {
		for i, a := range g.Players {
			for j, b := range g.Players {
				took[a][b] = took[a][b] || i != j && g.Scores[i] >= g.Scores[j]
			}
		}
	}
	return took
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
				return nil, fmt.Errorf("rating: game %d has player %d twice, or out of 0..%d", i, p, players-1)
			}
			if math.IsNaN(g.Scores[j]) {
				return nil, fmt.Errorf("rating: game %d: the score of player %d is not a number", i, p)
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

// luce fits strengths, natural logarithms, to weighted games.
type luce struct {
	games    []places
	weights  []float64
	x        []float64
	gradient *mat.VecDense
	hessian  *mat.SymDense // negative
	information

	variance  float64   // of the prior
	contrast  []float64 // coefficients of strengths; their sum is held by a spring; nil for none
	value     float64
	estimated []float64 // to which start resets x
}

func newLuce(players int, games []places, weights []float64, variance float64) *luce {
	return &luce{games: games, weights: weights, variance: variance, x: make([]float64, players),
		gradient: mat.NewVecDense(players, nil), hessian: mat.NewSymDense(players, nil),
		information: information{step: mat.NewVecDense(players, nil)}}
}

// fit climbs by Newton's method from x.
func (f *luce) fit() {
	try := make([]float64, len(f.x))
	value := f.derive(f.x, true)
	for range 100 {
		f.factorize(f.hessian)
		f.solve(f.gradient)
		moved, scale := 0.0, 1.0
		for range 30 {
			for i := range f.x {
				try[i] = f.x[i] + float64(scale*f.step.AtVec(i))
			}
			if next := f.derive(try, false); next >= value {
				for i := range f.x {
					moved = math.Max(moved, math.Abs(try[i]-f.x[i]))
				}
				copy(f.x, try)
				break
			}
			scale /= 2
		}
		if moved < 1e-7 {
			break
		}
		value = f.derive(f.x, true)
	}
}

func (f *luce) start() { copy(f.x, f.estimated) }

func (f *luce) hold(contrast []float64, value float64) (at, slope, variance float64) {
	f.contrast, f.value = contrast, value
	f.fit()
	f.contrast = nil
	f.derive(f.x, true)
	along := mat.NewVecDense(len(contrast), contrast)
	f.factorize(f.hessian)
	f.solve(along)
	at = floats.Dot(contrast, f.x)
	return at, stiffness * (at - value), mat.Dot(along, f.step)
}

// counts returns, for each player in games of positive weight, how many players it was placed
// before, and how many before it. Players that share its place count in both.
func (f *luce) counts() (took, gave []float64) {
	took, gave = make([]float64, len(f.x)), make([]float64, len(f.x))
	for i, g := range f.games {
		start := 0
		for _, end := range g.ends {
			for _, p := range g.players[start:end] {
				took[p] += float64(f.weights[i] * float64(len(g.players)-start-1))
				gave[p] += float64(f.weights[i] * float64(end-1))
			}
			start = end
		}
	}
	return took, gave
}

// derive returns the logarithm of the posterior density at x, and computes its gradient and
// negative Hessian if they are wanted.
func (f *luce) derive(x []float64, wanted bool) float64 {
	value := 0.0
	var gradient *mat.VecDense
	var hessian *mat.SymDense
	if wanted {
		gradient, hessian = f.gradient, f.hessian
		hessian.Zero()
	}
	for i, v := range x {
		value -= float64(v*v) / (2 * f.variance)
		if wanted {
			gradient.SetVec(i, -v/f.variance)
			hessian.SetSym(i, i, 1/f.variance)
		}
	}
	if f.contrast != nil {
		value -= f.pull(x, wanted)
	}
	weight := make([]float64, len(x)) // of the players in a draw
	for i, v := range x {
		weight[i] = math.Exp(v)
	}
	share := make([]float64, 0, engine.MaxSeats)
	for i, g := range f.games {
		start := 0
		for _, end := range g.ends {
			if w := f.weights[i]; w > 0 {
				value += float64(w * fillPlaces(g.players[start:], end-start, w, x, weight, share,
					gradient, hessian))
			}
			start = end
		}
	}
	return value
}

// pull returns the energy of the spring that holds the contrast, and adds its derivatives if they
// are wanted.
func (f *luce) pull(x []float64, wanted bool) float64 {
	off := floats.Dot(f.contrast, x) - f.value
	for i, a := range f.contrast {
		if !wanted {
			break
		}
		f.gradient.SetVec(i, f.gradient.AtVec(i)-float64(stiffness*off*a))
		for j := i; j < len(x); j++ {
			f.hessian.SetSym(i, j, f.hessian.At(i, j)+float64(stiffness*a*f.contrast[j]))
		}
	}
	return stiffness * off * off / 2
}

// fillPlaces returns the mean log-probability, over all orders of the group, that the first players
// of rest, a group that shares its places, are the next ones chosen. It adds the derivatives, times
// the weight of the game. At stage l of a group of d each member has been chosen before with
// probability l/d. The very last player is not a choice.
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
