package evolve

import (
	"math"
	"math/rand/v2"
	"slices"
)

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
