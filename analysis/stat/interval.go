package stat

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// Interval is an estimate with its interval.
type Interval struct {
	Estimate  float64
	Low, High float64
}

// Contains tells whether x lies in the interval, ends included.
func (i Interval) Contains(x float64) bool { return x >= i.Low && x <= i.High }

// Fixed writes v with so many decimals, and what rounds to nothing without a sign: never -0.0.
func Fixed(decimals int, v float64) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// Wilson returns the score interval of a proportion (Wilson, 1927; without continuity correction).
// Successes may be fractional, so that a tie can count as half; they lie in 0..trials. Confidence
// lies in (0, 1). Without trials the estimate is NaN and the interval 0..1.
func Wilson(successes, trials, confidence float64) Interval {
	if trials <= 0 {
		return Interval{math.NaN(), 0, 1}
	}
	z := mathext.NormalQuantile((1 + confidence) / 2)
	p, zz := successes/trials, z*z
	scale := 1 + zz/trials
	centre := (p + zz/(2*trials)) / scale
	half := z * math.Sqrt(p*(1-p)/trials+zz/(4*trials*trials)) / scale
	ci := Interval{p, math.Max(0, centre-half), math.Min(1, centre+half)}
	if successes == 0 { // the formula gives these ends but for rounding
		ci.Low = 0
	}
	if successes == trials {
		ci.High = 1
	}
	return ci
}

// MeanSD returns the mean of a sample and its standard deviation with n-1 in the denominator; NaN
// where the sample is too small.
func MeanSD(x []float64) (mean, sd float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	mean = sum / float64(len(x))
	if len(x) == 1 {
		return mean, math.NaN()
	}
	squares := 0.0
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(len(x)-1))
}

// MeanT returns the mean of a sample with Student's t interval. With fewer than two values the ends
// are NaN.
func MeanT(x []float64, confidence float64) Interval {
	mean, sd := MeanSD(x)
	if len(x) < 2 {
		return Interval{mean, math.NaN(), math.NaN()}
	}
	half := TQuantile((1+confidence)/2, float64(len(x)-1)) * sd / math.Sqrt(float64(len(x)))
	return Interval{mean, mean - half, mean + half}
}

// TQuantile returns the p quantile of Student's t distribution. P lies in (0, 1), freedom is
// positive.
func TQuantile(p, freedom float64) float64 {
	if p < 0.5 {
		return -TQuantile(1-p, freedom)
	}
	x := mathext.InvRegIncBeta(freedom/2, 0.5, 2*(1-p))
	return math.Sqrt(freedom * (1 - x) / x)
}

// normalTail returns the probability that a standard normal variable exceeds z.
func normalTail(z float64) float64 { return math.Erfc(z/math.Sqrt2) / 2 }

// quantile returns the p quantile of a sorted sample by linear interpolation between order
// statistics (type 7 of Hyndman and Fan, 1996).
func quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	at := float64(p * float64(len(sorted)-1))
	low := int(math.Floor(at))
	if low+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	rest := at - float64(low)
	return sorted[low] + float64(rest*(sorted[low+1]-sorted[low]))
}

// Percentile returns the ends of the percentile interval of sorted bootstrap values: the order
// statistics at p(n+1), interpolated, and at least the outermost. With a few hundred values the
// usual quantile, at p(n-1)+1, would leave out half a percent more on each side.
func Percentile(sorted []float64, confidence float64) (low, high float64) {
	at := func(p float64) float64 {
		n := float64(len(sorted))
		return quantile(sorted, math.Max(0, math.Min(1, (float64(p*(n+1))-1)/(n-1))))
	}
	if len(sorted) < 2 {
		return quantile(sorted, 0), quantile(sorted, 1)
	}
	return at((1 - confidence) / 2), at((1 + confidence) / 2)
}
