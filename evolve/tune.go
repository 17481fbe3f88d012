package evolve

import (
	"math"
	"math/rand/v2"
	"slices"

	"clade/engine"
)

// The float constants of the last champion can be tuned: Config.Champion.Tune games are played,
// three quarters of them by the samples of a CMA-ES against champions of earlier generations and
// species that the run descends from. All samples of an iteration meet the same opponents on the
// same boards. The mean of the search at its end, which is not a single lucky sample, then plays
// the other quarter against the champion, which it has not met before. It replaces the champion if
// it leads by more than two standard errors, as an equal player does in one of forty matches. A
// champion without float constants stays as it is.

const (
	tuneSamples = 16  // an iteration
	tuneRounds  = 8   // of an iteration, each a match on raceBoards boards
	tuneStep    = 0.1 // the first standard deviation: that of gp's perturbation
)

// checkTune finds settings under which champions cannot be tuned.
func (c *Config) checkTune(f *faults) {
	if c.Champion.Tune == 0 || !f.within("champion.tune", c.Champion.Tune, 10_000, 10_000_000) {
		return
	}
	if a := c.Champion.Against; a == nobody || a == fittest {
		f.add("champion.tune", "must be 0 where champion.against is %q, not %d", a, c.Champion.Tune)
	}
	if c.Seats > 2 {
		f.add("champion.tune", "must be 0 where seats is %d, since it plays matches of two", c.Seats)
	}
	if c.horizon() == 1 && len(c.Founders.Species) == 0 {
		f.add("champion.tune", "needs champions of earlier generations; raise generations")
	}
}

// tune returns the champion, tuned if that makes it better, and the games that were played.
func (b *breeder) tune(c *champion, past []*Individual) (*champion, int64, error) {
	rounds := b.Config.Champion.Tune / (2 * raceBoards)
	iterations := (rounds - rounds/4) / (tuneSamples * tuneRounds)
	constants := b.grammar.Constants(c.Genome)
	if len(constants) == 0 {
		return c, 0, nil
	}
	search := newCMA(constants, tuneStep, tuneSamples)
	for i := range iterations {
		if err := b.iterate(search, c, past, i); err != nil {
			return nil, 0, err
		}
	}
	tuned := b.reset(c.Individual, search.mean)
	if err := b.bindAll([]*Individual{tuned, c.Individual}); err != nil {
		return nil, 0, err
	}
	left := rounds - iterations*tuneSamples*tuneRounds
	matches, err := b.matches(left, func(i int) (first, second engine.Player, s engine.Seed) {
		return tuned.Player, c.Player, b.seed("confirm", c.generation, c.island, i)
	})
	var r record
	for i := range matches {
		r.add(&matches[i])
	}
	// if both win with the same chance, the variance of the lead over n games without ties is n
	if lead := r.Wins - r.Losses; lead > 0 && lead*lead > 4*(r.Wins+r.Losses) {
		c = &champion{tuned, c.generation, c.island, r, true}
	}
	return c, int64(rounds * 2 * raceBoards), err
}

// iterate plays the samples of an iteration, and the search learns from their points.
func (b *breeder) iterate(search *cma, c *champion, past []*Individual, iteration int) error {
	draw := newWorker().seeded(b.seed("samples", c.generation, c.island, iteration))
	players := make([]*Individual, tuneSamples)
	for i := range players {
		players[i] = b.reset(c.Individual, search.sample(draw))
	}
	opponents := make([]*Individual, tuneRounds)
	random := engine.NewRandom(uint64(b.seed("tuning opponent", c.generation, c.island, iteration)))
	for i := range opponents {
		opponents[i] = past[random.Below(len(past))]
	}
	if err := b.bindOnce(slices.Concat(players, opponents)); err != nil {
		return err
	}
	matches, err := b.matches(len(players)*tuneRounds,
		func(i int) (first, second engine.Player, s engine.Seed) {
			round := i % tuneRounds
			return players[i/tuneRounds].Player, opponents[round].Player,
				b.seed("tune", c.generation, iteration, round)
		})
	if err != nil {
		return err
	}
	sums := make([]record, len(players))
	order := make([]int, len(players))
	for i := range sums {
		order[i] = i
		for j := range tuneRounds {
			sums[i].add(&matches[i*tuneRounds+j])
		}
	}
	slices.SortStableFunc(order, func(x, y int) int { return sums[x].better(&sums[y]) })
	best := make([][]float64, len(search.weights))
	for i := range best {
		best[i] = b.grammar.Constants(players[order[i]].Genome)
	}
	search.learn(best)
	return nil
}

// reset returns an individual with other constants. It keeps its id, since it is only in the
// archive.
func (b *breeder) reset(in *Individual, constants []float64) *Individual {
	c := b.newIndividual(in.ID, b.grammar.WithConstants(in.Genome, constants))
	c.origin = in.origin
	return c
}

// matches plays n matches as long as a racing round, and returns the first players' records.
func (b *breeder) matches(n int, pair func(i int) (first, second engine.Player,
	s engine.Seed)) ([]record, error) {
	records := make([]record, n)
	err := b.each(n, func(w *worker, i int) error {
		first, second, seed := pair(i)
		o := b.play(w, engine.Match{Boards: raceBoards, Whole: true}, first, second, seed)
		records[i] = recordOf(&o)
		return nil
	})
	return records, err
}

// cma is the separable CMA-ES (Ros and Hansen, A simple modification in CMA-ES achieving linear
// time and space complexity, 2008), which adapts the variance of each number and no covariance: it
// learns in the few iterations that noisy games allow. Gonum's CmaEsChol (v0.17.0) cannot be used,
// since it draws its samples without the step size that it adapts. Weights are linear and the step
// size changes by a polynomial, since machines may differ in the last bit of a logarithm or a
// power.
type cma struct {
	mean, variance []float64
	step           float64
	// evolution paths, of the step size and of the variances
	stepPath, path []float64
	weights        []float64 // of the better half of the samples, the best first

	worth             float64 // the paper's mu-eff: effective number of samples in the mean
	stepRate, damp    float64 // of the step size
	pathRate          float64
	rankOne, rankMany float64 // the paper's c1 and c-mu
	length            float64 // expected, of a standard normal vector
}

// newCMA returns a search that begins at a mean.
func newCMA(mean []float64, step float64, samples int) *cma {
	n := float64(len(mean))
	c := &cma{mean: slices.Clone(mean), step: step,
		variance: slices.Repeat([]float64{1}, len(mean)),
		stepPath: make([]float64, len(mean)), path: make([]float64, len(mean)),
		weights: make([]float64, samples/2)}
	sum, squares := 0.0, 0.0
	for i := range c.weights {
		c.weights[i] = float64(len(c.weights)-i) - 0.5
		sum += c.weights[i]
	}
	for i := range c.weights {
		c.weights[i] /= sum
		squares += float64(c.weights[i] * c.weights[i])
	}
	m := 1 / squares
	c.worth = m
	c.stepRate = (m + 2) / (n + m + 5)
	c.damp = 1 + c.stepRate + 2*max(0, math.Sqrt((m-1)/(n+1))-1)
	c.pathRate = (4 + m/n) / (n + 4 + 2*m/n)
	faster := (n + 2) / 3 // learning is faster than with covariances
	c.rankOne = min(1, faster*2/(float64((n+1.3)*(n+1.3))+m))
	c.rankMany = min(1-c.rankOne, faster*2*(m-2+1/m)/(float64((n+2)*(n+2))+m))
	c.length = math.Sqrt(n) * (1 - 1/(4*n) + 1/(21*n*n))
	return c
}

// sample draws a point.
func (c *cma) sample(r *rand.Rand) []float64 {
	point := make([]float64, len(c.mean))
	for j := range point {
		point[j] = c.mean[j] + float64(c.step*math.Sqrt(c.variance[j])*r.NormFloat64())
	}
	return point
}

// Bounds of the step size, which drifts where selection has no gradient, and of variances, which
// shrink at the end of a range.
const leastStep, greatestStep, leastVariance = 0.001, 1, 1e-6

// learn ends an iteration. The points are the better samples, the best first; they may have been
// trimmed to a range.
func (c *cma) learn(points [][]float64) {
	squared := 0.0
	for j := range c.mean {
		sd, z, zz := math.Sqrt(c.variance[j]), 0.0, 0.0
		for i, w := range c.weights {
			v := (points[i][j] - c.mean[j]) / (c.step * sd) // in standard deviations
			z += float64(w * v)
			zz += float64(w * v * v)
		}
		c.mean[j] += float64(c.step * sd * z)
		follow := func(path *float64, rate, step float64) {
			*path = float64((1-rate)**path) + float64(math.Sqrt(rate*(2-rate)*c.worth)*step)
		}
		follow(&c.stepPath[j], c.stepRate, z)
		follow(&c.path[j], c.pathRate, sd*z)
		squared += float64(c.stepPath[j] * c.stepPath[j])
		c.variance[j] = max(leastVariance, float64((1-c.rankOne-c.rankMany)*c.variance[j])+
			float64(c.rankOne*c.path[j]*c.path[j])+float64(c.rankMany*c.variance[j]*zz))
	}
	x := c.stepRate / c.damp * (math.Sqrt(squared)/c.length - 1)
	c.step = min(greatestStep, max(leastStep, c.step*(1+x+float64(x*x)/2)))
}
