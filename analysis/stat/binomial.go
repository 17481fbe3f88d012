package stat

import "math"

// logBinomial returns the logarithm of the probability of k successes in n trials of probability p.
func logBinomial(k, n int, p float64) float64 {
	if p == 0 || p == 1 {
		if (p == 0) == (k == 0) && (p == 1) == (k == n) {
			return 0
		}
		return math.Inf(-1)
	}
	a, _ := math.Lgamma(float64(n) + 1)
	b, _ := math.Lgamma(float64(k) + 1)
	c, _ := math.Lgamma(float64(n-k) + 1)
	return a - b - c + float64(float64(k)*math.Log(p)) + float64(float64(n-k)*math.Log1p(-p))
}

// Binomial returns the two-sided exact p-value of k successes in n trials under probability p: the
// probability of all outcomes that are no more likely than the observed one.
func Binomial(k, n int, p float64) float64 {
	// relative: outcomes as likely as the observed one belong to the tail in spite of rounding
	const slack = 1e-7
	observed := logBinomial(k, n, p) + slack
	sum := 0.0
	for i := 0; i <= n; i++ {
		if l := logBinomial(i, n, p); l <= observed {
			sum += math.Exp(l)
		}
	}
	return math.Min(1, sum)
}

// Sign returns the two-sided p-value of the sign test on paired differences. Zeros are dropped.
func Sign(differences []float64) float64 {
	up, down := 0, 0
	for _, d := range differences {
		if d > 0 {
			up++
		} else if d < 0 {
			down++
		}
	}
	return Binomial(up, up+down, 0.5)
}
