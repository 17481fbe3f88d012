package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// climber finds by Newton's method where the posterior density of a model, which is concave, is
// greatest. Its memory is reused from one bootstrap sample to the next.
type climber struct {
	// likelihood adds the logarithm of the games' likelihood at x to a value, and its derivatives to
	// gradient and hessian
	likelihood func(value float64) float64
	strengths  int       // players; the other parameters come after their strengths
	x          []float64 // parameters
	from       []float64 // x before the current step
	gradient   []float64
	hessian    []float64 // negative; upper triangle, row by row
	chol       mat.Cholesky
	step       *mat.VecDense
	variance   float64   // of the prior of strengths
	contrast   []float64 // coefficients of strengths; their sum is held by a spring; nil for none
	value      float64
	estimated  []float64 // parameters, to which start resets x
}

func newClimber(strengths, n int, likelihood func(float64) float64) *climber {
	return &climber{likelihood: likelihood, strengths: strengths, x: make([]float64, n),
		from: make([]float64, n), gradient: make([]float64, n), hessian: make([]float64, n*n),
		step: mat.NewVecDense(n, nil), variance: priorSD * priorSD}
}

func (c *climber) start() { copy(c.x, c.estimated) }

// hold maximises with a contrast of strengths held close to a value. It returns the contrast, the
// slope of the log-likelihood along it, and its variance by the information.
func (c *climber) hold(contrast []float64, value float64) (at, slope, variance float64) {
	c.contrast, c.value = contrast, value
	c.run()
	c.contrast = nil
	c.derive()
	along := mat.NewVecDense(len(c.x), nil)
	for i, a := range contrast {
		at += float64(a * c.x[i])
		along.SetVec(i, a)
	}
	c.solve(along)
	return at, stiffness * (at - value), mat.Dot(along, c.step)
}

// settled is the step below which run ends: the next step would be smaller than its square.
const settled = 1e-4

// run climbs from x. A step that led down is halved until it leads up.
func (c *climber) run() {
	value := c.derive()
	for range 100 {
		c.solve(mat.NewVecDense(len(c.x), c.gradient))
		copy(c.from, c.x)
		longest := 0.0
		for i := range c.x {
			d := c.step.AtVec(i)
			c.x[i] += d
			longest = math.Max(longest, math.Abs(d))
		}
		if longest < settled {
			return
		}
		next := c.derive()
		for scale := 0.5; next < value && scale > 1e-9; scale /= 2 {
			for i := range c.x {
				c.x[i] = c.from[i] + float64(scale*c.step.AtVec(i))
			}
			next = c.derive()
		}
		value = next
	}
}

// solve sets step to the inverse of the information matrix, the negative Hessian, times a vector.
func (c *climber) solve(b *mat.VecDense) {
	if !c.chol.Factorize(mat.NewSymDense(len(c.x), c.hessian)) {
		panic("rating: the information matrix is not positive")
	}
	if err := c.chol.SolveVecTo(c.step, b); err != nil {
		if _, badly := err.(mat.Condition); !badly {
			panic("rating: " + err.Error())
		}
	}
}

// derive computes gradient and negative Hessian at x and returns the logarithm of the posterior
// density, up to a constant.
func (c *climber) derive() float64 {
	n := len(c.x)
	clear(c.hessian)
	value := 0.0
	for i, v := range c.x {
		variance := priorSD * priorSD
		if i < c.strengths {
			variance = c.variance
		}
		c.gradient[i] = -v / variance
		c.hessian[i*n+i] = 1 / variance
		value -= float64(v*v) / (2 * variance)
	}
	if c.contrast != nil {
		value -= c.pull()
	}
	return c.likelihood(value)
}

// pull adds the spring that holds the contrast, and returns its energy.
func (c *climber) pull() float64 {
	off := -c.value
	for i, a := range c.contrast {
		off += float64(a * c.x[i])
	}
	for i, a := range c.contrast {
		c.gradient[i] -= float64(stiffness * off * a)
		for j, b := range c.contrast[i:] {
			c.hessian[i*len(c.x)+i+j] += float64(stiffness * a * b)
		}
	}
	return stiffness * off * off / 2
}
