package stat

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// FriedmanTest is the outcome of a comparison of several methods on the same cases.
type FriedmanTest struct {
	MeanRanks []float64 // by method; rank 1 is the greatest value
	ChiSquare float64   // with correction for ties
	P         float64   // from chi-square with k-1 degrees of freedom
	F         float64   // Iman and Davenport's (1980) less conservative form; +Inf if cases rank alike
	FP        float64   // its p-value, with k-1 and (k-1)(n-1) degrees of freedom
}

// Friedman ranks k methods within each of n cases (Friedman, 1937): values[case][method], more is
// better. It needs at least two methods and two cases, all of equal length.
func Friedman(values [][]float64) (FriedmanTest, error) {
	if len(values) < 2 || len(values[0]) < 2 {
		return FriedmanTest{},
			fmt.Errorf("stat: Friedman's test needs at least two cases and two methods")
	}
	n, k := float64(len(values)), float64(len(values[0]))
	t := FriedmanTest{MeanRanks: make([]float64, len(values[0]))}
	allTies := 0.0
	for i, row := range values {
		if len(row) != len(values[0]) {
			return FriedmanTest{}, fmt.Errorf("stat: case %d has %d values, the first has %d", i,
				len(row), len(values[0]))
		}
		ranks, ties := ranks(row)
		allTies += ties
		for j, r := range ranks {
			// sums of halves are exact, so that equal methods have equal ranks to the last bit
			t.MeanRanks[j] += k + 1 - r
		}
	}
	squares := 0.0
	for j := range t.MeanRanks {
		t.MeanRanks[j] /= n
		d := t.MeanRanks[j] - (k+1)/2
		squares += float64(d * d)
	}
	t.ChiSquare = 12 * n * squares / (float64(k*(k+1)) - allTies/(n*(k-1)))
	most := float64(n * (k - 1)) // all cases rank alike
	t.F = (n - 1) * t.ChiSquare / (most - t.ChiSquare)
	if squares == 0 { // all methods alike; if all is tied the formula is 0/0
		t.ChiSquare, t.F = 0, 0
	} else if most-t.ChiSquare < 1e-9*most { // rounding may miss it on either side
		t.F = math.Inf(1)
	}
	t.P = mathext.GammaIncRegComp((k-1)/2, t.ChiSquare/2)
	t.FP = fTail(t.F, k-1, (k-1)*(n-1))
	return t, nil
}

// fTail returns the probability that an F variable exceeds f.
func fTail(f, d1, d2 float64) float64 {
	if math.IsInf(f, 1) {
		return 0
	}
	return mathext.RegIncBeta(d2/2, d1/2, d2/(d2+float64(d1*f)))
}

// rangeCDF returns the probability that the range of k standard normal values is at most q: the
// studentised range with infinite degrees of freedom. Simpson's rule on 2,000 steps is good to
// about 1e-12.
func rangeCDF(q float64, k int) float64 {
	if q <= 0 {
		return 0
	}
	const low, high, steps = -8.0, 8.0, 2000
	h := (high - low) / steps
	f := func(z float64) float64 { // density of the greatest value z
		density := math.Exp(-z*z/2) / math.Sqrt(2*math.Pi)
		return float64(k) * density * math.Pow(normalTail(-z)-normalTail(q-z), float64(k-1))
	}
	sum := f(low) + f(high)
	for i := 1; i < steps; i++ {
		w := 2.0
		if i%2 == 1 {
			w = 4
		}
		sum += float64(w * f(low+float64(float64(i)*h)))
	}
	return math.Min(1, sum*h/3)
}

// NemenyiCD returns the critical difference of mean ranks between k methods on n cases (Nemenyi,
// 1963; Demšar, 2006): methods whose mean ranks are at least that far apart differ at the level
// alpha, jointly over all pairs.
func NemenyiCD(k, n int, alpha float64) float64 {
	low, high := 0.0, 20.0
	for range 60 {
		if mid := (low + high) / 2; rangeCDF(mid, k) < 1-alpha {
			low = mid
		} else {
			high = mid
		}
	}
	return low / math.Sqrt2 * math.Sqrt(float64(k*(k+1))/float64(6*n))
}

// NemenyiP returns the joint p-value of a difference of mean ranks between two of k methods on n
// cases.
func NemenyiP(difference float64, k, n int) float64 {
	return 1 - rangeCDF(math.Abs(difference)*math.Sqrt2/math.Sqrt(float64(k*(k+1))/float64(6*n)), k)
}

// Holm returns p-values adjusted for their number (Holm, 1979), in the order given.
func Holm(p []float64) []float64 {
	adjusted := make([]float64, len(p))
	greatest := 0.0
	for i, at := range Order(p) {
		greatest = math.Max(greatest, math.Min(1, float64(len(p)-i)*p[at]))
		adjusted[at] = greatest
	}
	return adjusted
}
