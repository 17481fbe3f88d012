package stat

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"
	"gonum.org/v1/gonum/stat/distuv"
)

// Order returns the indices of values by rising value, equal ones in their own order.
func Order(x []float64) []int {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	return order
}

// ranks returns the rank of each value from 1, ties sharing the mean of their ranks, and the sum of
// t^3-t over groups of t tied values. Values that differ only by rounding are tied, such as means
// of the same numbers in another order.
func ranks(x []float64) (ranks []float64, ties float64) {
	order := Order(x)
	ranks = make([]float64, len(x))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && narrow(x[order[i]], x[order[j]]) {
			j++
		}
		for _, k := range order[i:j] {
			ranks[k] = float64(i+j+1) / 2
		}
		t := float64(j - i)
		ties += float64(t*t*t) - t
		i = j
	}
	return ranks, ties
}

// RankTest is the outcome of a rank test.
type RankTest struct {
	Statistic float64 // U of the first sample
	P         float64 // two-sided
	// from the exact distribution; else from the normal approximation with continuity correction
	Exact bool
}

// exactLimit is the sample size below which rank tests are exact, as in R.
const exactLimit = 50

// MannWhitney compares two independent samples (Mann and Whitney, 1947). The statistic counts the
// pairs in which x exceeds y, ties as half. The test is exact, with ties, if both samples are
// smaller than 50, else normal with corrections for ties and continuity.
func MannWhitney(x, y []float64) RankTest {
	m, n := len(x), len(y)
	if m == 0 || n == 0 {
		return RankTest{Statistic: math.NaN(), P: math.NaN()}
	}
	u, ranks, ties := rankSum(x, y)
	if m < exactLimit && n < exactLimit {
		if ties == 0 {
			return RankTest{u, twoSided(mannWhitneyCounts(m, n), int(u)), true}
		}
		counts := rankSumCounts(ranks, m)
		return RankTest{u, twoSided(counts, int(2*u)+m*(m+1)), true}
	}
	return RankTest{u, mannWhitneyNormal(u, m, n, ties), false}
}

// rankSum returns the statistic of MannWhitney, and the ranks and ties of all values.
func rankSum(x, y []float64) (u float64, all []float64, ties float64) {
	all, ties = ranks(slices.Concat(x, y))
	u = -float64(len(x)*(len(x)+1)) / 2
	for _, r := range all[:len(x)] {
		u += r
	}
	return u, all, ties
}

// mannWhitneyNormal returns the p-value of the normal approximation.
func mannWhitneyNormal(u float64, m, n int, ties float64) float64 {
	total := float64(m + n)
	variance := float64(m*n) / 12 * (total + 1 - ties/(total*(total-1)))
	return normalP(u-float64(m*n)/2, variance)
}

// mannWhitneyCounts returns, for each u, the number of orders of m and n values with that
// statistic: the coefficients of the Gaussian binomial.
func mannWhitneyCounts(m, n int) []float64 {
	counts := make([]float64, m*n+1)
	counts[0] = 1
	for i := 1; i <= m; i++ {
		for u := len(counts) - 1; u >= n+i; u-- { // times 1 - q^(n+i)
			counts[u] -= counts[u-n-i]
		}
		for u := i; u < len(counts); u++ { // over 1 - q^i
			counts[u] += counts[u-i]
		}
	}
	return counts
}

// rankSumCounts returns, for each doubled sum of ranks, how many choices of m values have it: the
// shift algorithm of Streitberg and Röhmel (1986), which allows ties.
func rankSumCounts(ranks []float64, m int) []float64 {
	total := 0
	for _, r := range ranks {
		total += int(2 * r)
	}
	counts := make([][]float64, m+1) // by number of chosen values
	for k := range counts {
		counts[k] = make([]float64, total+1)
	}
	counts[0][0] = 1
	sum := 0
	for i, r := range ranks {
		doubled := int(2 * r)
		sum += doubled
		for k := min(m, i+1); k > 0; k-- {
			for s := sum; s >= doubled; s-- {
				counts[k][s] += counts[k-1][s-doubled]
			}
		}
	}
	return counts[m]
}

// twoSided returns twice the smaller tail of a distribution given by counts.
func twoSided(counts []float64, at int) float64 {
	low, high, total := 0.0, 0.0, 0.0
	for i, c := range counts {
		if i <= at {
			low += c
		}
		if i >= at {
			high += c
		}
		total += c
	}
	return math.Min(1, 2*math.Min(low, high)/total)
}

// normalP returns the two-sided normal p-value of a deviation, half a step nearer to zero for
// continuity.
func normalP(deviation, variance float64) float64 {
	if variance <= 0 {
		return 1
	}
	return 2 * normalTail(math.Max(0, math.Abs(deviation)-0.5)/math.Sqrt(variance))
}

// A12 returns Vargha and Delaney's (2000) probability that a value of x exceeds one of y, ties
// counted as half: 0.5 is not an effect; 0.56, 0.64 and 0.71 are what they call small, medium and
// large.
func A12(x, y []float64) float64 {
	u, _, _ := rankSum(x, y)
	return u / float64(len(x)*len(y))
}

// CliffDelta returns Cliff's (1993) dominance: the share of pairs in which x exceeds y less the
// share in which y exceeds x, -1..1.
func CliffDelta(x, y []float64) float64 { return float64(2*A12(x, y)) - 1 }

// KruskalWallis compares two independent samples or more (Kruskal and Wallis, 1952): the statistic
// H, corrected for ties, against the chi-square distribution.
func KruskalWallis(samples ...[]float64) RankTest {
	ranks, ties := ranks(slices.Concat(samples...))
	n, h := float64(len(ranks)), 0.0
	for _, s := range samples {
		sum := 0.0
		for _, r := range ranks[:len(s)] {
			sum += r
		}
		ranks = ranks[len(s):]
		h += sum * sum / float64(len(s))
	}
	h = (float64(12/(n*(n+1))*h) - float64(3*(n+1))) / (1 - ties/(float64(n*n*n)-n))
	if math.IsNaN(h) {
		// all values are equal, or a sample is empty
		return RankTest{Statistic: math.NaN(), P: math.NaN()}
	}
	chi := distuv.ChiSquared{K: float64(len(samples) - 1)}
	return RankTest{Statistic: h, P: chi.Survival(h)}
}

// LeastP returns the smallest two-sided p-value that MannWhitney can give for two samples of these
// sizes: that of samples which do not overlap.
func LeastP(m, n int) float64 {
	return math.Min(1, 2/combin.GeneralizedBinomial(float64(m+n), float64(m)))
}

// Spearman returns the correlation of the ranks of two samples of equal length (Spearman, 1904),
// -1..1; tied values have the mean of their ranks. It is NaN if a sample does not vary.
func Spearman(x, y []float64) float64 {
	rx, _ := ranks(x)
	ry, _ := ranks(y)
	return stat.Correlation(rx, ry, nil)
}
