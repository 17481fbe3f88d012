package rating

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"slices"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
)

// Standing is the rating of one player in a league.
type Standing struct {
	Player int
	// natural logarithm; the mean is 0 over the largest set of players who limit each other. An end
	// is infinite if the games set no limit. The estimate is then due to the prior, and useful only
	// for sorting: see Elo
	Strength stat.Interval
	RankLow  int // best rank inside the interval, from 1
	RankHigh int // worst
}

// Rate fits Bradley-Terry and returns the players' standings, strongest first, equal ones by number.
// Strengths and ranks have percentile bootstrap intervals of the given confidence: every resample
// draws as many boards within each pairing. Where a bootstrap cannot know the limits (see limits),
// intervals and ranks are those of Rao's score test, and an end is infinite if the games set none.
// Resamples run on all processors; the result does not depend on how many there are.
func Rate(players int, pairings []Pairing, confidence float64, resamples int,
	seed engine.Seed) ([]Standing, error) {
	if resamples < 1 {
		return nil, errors.New("rating: a bootstrap needs at least one resample")
	}
	whole, err := fitted(players, pairings)
	if err != nil {
		return nil, err
	}
	model := whole.model()
	start := append(slices.Clone(model.Strength), model.Seat, model.Ties)
	points, err := Scores(players, pairings)
	if err != nil {
		return nil, err
	}
	took := make([][]bool, players)
	for i := range took {
		took[i] = make([]bool, players)
		for j, p := range points[i] {
			took[i][j] = p > 0
		}
	}
	l := newLimits(whole.x[:players], took, confidence,
		func() likelihood { return limiter(players, pairings, start) })
	draws := make([][]float64, resamples)
	boards := newBoardSampler(pairings, seed)
	fitters := make([]*fitter, runtime.GOMAXPROCS(0))
	samples := make([][]Pairing, len(fitters))
	err = parallel.Each(context.Background(), resamples, len(fitters), func(worker, i int) error {
		if fitters[worker] == nil {
			fitters[worker], samples[worker] = newFitter(players), slices.Clone(pairings)
		}
		f, sample := fitters[worker], samples[worker]
		boards.draw(i, sample)
		copy(f.x, start)
		f.gather(sample)
		f.run()
		draws[i] = slices.Clone(f.x[:players])
		l.centre(draws[i])
		took, gave := f.points()
		unlimit(draws[i], took, gave)
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := standings(l.strength, draws, confidence)
	return list, l.settle(list)
}

// Spread returns intervals of the given confidence around statistics of a league: Student's, with
// the standard deviations over Rate's resamples, without those that give NaN. Ends are NaN if all
// resamples give the same. The caller cuts intervals to the statistics' ranges.
func Spread(pairings []Pairing, confidence float64, resamples int, seed engine.Seed,
	numbers func([]Pairing) ([]float64, error)) ([]stat.Interval, error) {
	estimates, err := numbers(pairings)
	if err != nil {
		return nil, err
	}
	boards := newBoardSampler(pairings, seed)
	draws := make([][]float64, resamples)
	if err := parallel.Each(context.Background(), resamples, 0, func(_, i int) (err error) {
		sample := slices.Clone(pairings)
		boards.draw(i, sample)
		draws[i], err = numbers(sample)
		return err
	}); err != nil {
		return nil, err
	}
	spread := make([]stat.Interval, len(estimates))
	for k, x := range estimates {
		var drawn []float64
		for _, d := range draws {
			if !math.IsNaN(d[k]) {
				drawn = append(drawn, d[k])
			}
		}
		_, sd := stat.MeanSD(drawn)
		if stat.Alike(drawn) {
			sd = math.NaN()
		}
		half := float64(sd * stat.TQuantile((1+confidence)/2, float64(max(1, len(drawn)-1))))
		spread[k] = stat.Interval{Estimate: x, Low: x - half, High: x + half}
	}
	return spread, nil
}

// boardSampler resamples leagues: as many boards of each pairing, drawn from its own.
type boardSampler struct {
	seed       engine.Seed
	coins      []boardCoins
	factorials []float64
}

func newBoardSampler(pairings []Pairing, seed engine.Seed) *boardSampler {
	s := &boardSampler{seed: seed.Name("boards"), coins: make([]boardCoins, len(pairings))}
	most := 0
	for i := range pairings {
		most = max(most, pairings[i].Count())
		s.coins[i] = newBoardCoins(&pairings[i].Boards)
	}
	s.factorials = logFactorials(most)
	return s
}

// draw fills in the boards of resample i. Several goroutines may call it.
func (s *boardSampler) draw(i int, sample []Pairing) {
	r := engine.NewRandom(uint64(s.seed.Num(uint64(i))))
	for j := range sample {
		s.coins[j].resample(&sample[j].Boards, s.factorials, &r)
	}
}

// boardCoins draws as many boards as a pairing has: the counts are multinomial, drawn kind by kind
// as binomials. The probability of a kind's coin is its share of itself and the kinds after it.
type boardCoins struct {
	boards int
	kinds  [9]coin // the zero coin if there are none of the kind
}

func newBoardCoins(from *[9]int) boardCoins {
	var b boardCoins
	for _, c := range from {
		b.boards += c
	}
	kept := b.boards
	for i, c := range from {
		if c > 0 {
			b.kinds[i] = newCoin(float64(c) / float64(kept))
			kept -= c
		}
	}
	return b
}

func (b *boardCoins) resample(to *[9]int, factorials []float64, r *engine.Random) {
	left := b.boards
	for i := range b.kinds {
		to[i] = b.kinds[i].toss(left, factorials, r)
		left -= to[i]
	}
}

// logFactorials returns the logarithms of 0! to n!.
func logFactorials(n int) []float64 {
	list := make([]float64, n+1)
	for i := range list {
		list[i], _ = math.Lgamma(float64(i) + 1)
	}
	return list
}

// coin shows heads with probability p. Its logarithms are kept, because computing them took half of
// the time of a bootstrap.
type coin struct{ p, logHeads, logTails float64 }

func newCoin(p float64) coin { return coin{p, math.Log(p), math.Log1p(-p)} }

// toss draws the number of heads in n tosses, from the binomial distribution, by walking outward
// from its mode until the probability passed exceeds a uniform number: about as many steps as the
// standard deviation. Factorials holds logarithms up to that of n!. If p is 0 or 1, no random
// number is drawn.
func (c *coin) toss(n int, factorials []float64, r *engine.Random) int {
	p := c.p
	if n == 0 || p <= 0 {
		return 0
	}
	if p >= 1 {
		return n
	}
	mode := min(n, int(float64(n+1)*p))
	up := math.Exp(factorials[n] - factorials[mode] - factorials[n-mode] +
		float64(float64(mode)*c.logHeads) + float64(float64(n-mode)*c.logTails))
	odds := p / (1 - p)
	u := r.Float() - up
	if u < 0 {
		return mode
	}
	down := up
	for i, j := mode, mode; i < n || j > 0; {
		if i < n {
			up = float64(up * (odds * float64(n-i) / float64(i+1)))
			i++
			if u -= up; u < 0 {
				return i
			}
		}
		if j > 0 {
			down = float64(down * (float64(j) / (odds * float64(n-j+1))))
			j--
			if u -= down; u < 0 {
				return j
			}
		}
	}
	return mode // rounding left a little probability
}

// standings sorts players and takes intervals from bootstrap draws of their strengths. An end
// between infinite draws is NaN.
func standings(strength []float64, draws [][]float64, confidence float64) []Standing {
	n := len(strength)
	ranks := make([][]float64, n)
	values := make([][]float64, n)
	for _, d := range draws {
		sorted := slices.Sorted(slices.Values(d))
		for i, s := range d {
			values[i] = append(values[i], s)
			at, _ := slices.BinarySearchFunc(sorted, s, func(a, b float64) int { // first greater
				if a <= b {
					return -1
				}
				return 1
			})
			ranks[i] = append(ranks[i], float64(n-at+1))
		}
	}
	list := make([]Standing, n)
	for i := range list {
		slices.Sort(values[i])
		slices.Sort(ranks[i])
		low, high := stat.Percentile(values[i], confidence)
		first, last := stat.Percentile(ranks[i], confidence)
		if math.IsInf(low, 0) {
			low = math.NaN()
		}
		if math.IsInf(high, 0) {
			high = math.NaN()
		}
		list[i] = Standing{i, stat.Interval{Estimate: strength[i], Low: low, High: high},
			int(math.Floor(first)), int(math.Ceil(last))}
	}
	slices.SortStableFunc(list, func(a, b Standing) int {
		return cmp.Compare(b.Strength.Estimate, a.Strength.Estimate)
	})
	return list
}
