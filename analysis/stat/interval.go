package stat

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mathext"
)

// Interval is an estimate with its interval. An end is NaN if the error of the estimate is not
// known.
type Interval struct {
	Estimate  float64
	Low, High float64
}

// MarshalJSON writes unknown numbers as null.
func (i Interval) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Estimate *float64 `json:"estimate"`
		Low      *float64 `json:"low"`
		High     *float64 `json:"high"`
	}{Known(i.Estimate), Known(i.Low), Known(i.High)})
}

// Known returns a pointer to x for JSON, nil for NaN, which JSON writes as null.
func Known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// Within returns the interval cut to the range from low to high.
func (i Interval) Within(low, high float64) Interval {
	return Interval{i.Estimate, math.Max(i.Low, low), math.Min(i.High, high)} // NaN stays NaN
}

// Contains tells whether x lies in the interval, ends included.
func (i Interval) Contains(x float64) bool { return x >= i.Low && x <= i.High }

// Fixed formats v with so many decimals, and never as -0.0.
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
	if successes == 0 { // the formula gives these ends up to rounding
		ci.Low = 0
	}
	if successes == trials {
		ci.High = 1
	}
	return ci
}

// MeanSD returns the mean of a sample and its standard deviation with n-1 in the denominator; NaN
// if the sample is too small.
func MeanSD(x []float64) (mean, sd float64) {
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	mean = sum / float64(len(x))
	squares := 0.0
	for _, v := range x {
		squares += float64((v - mean) * (v - mean))
	}
	return mean, math.Sqrt(squares / float64(len(x)-1)) // 0/0 for one value
}

// MeanT returns the mean of a sample with Student's t interval. The ends are NaN with fewer than
// two values, and if all are equal: a sample without variance does not show how large the error of
// its mean is.
func MeanT(x []float64, confidence float64) Interval {
	mean, sd := MeanSD(x)
	if Alike(x) {
		return unknown(mean)
	}
	half := TQuantile((1+confidence)/2, float64(len(x)-1)) * sd / math.Sqrt(float64(len(x)))
	return Interval{mean, mean - half, mean + half}
}

// MeanShare returns the mean of shares, each of its own trials, such as the games of a run, with
// Student's t interval over the shares, cut to 0..1. Trials is the number of all trials, 0 if not
// known. If all shares are equal the interval is WilsonClusters. The ends are NaN with fewer than
// two shares, or if the trials are needed and not known.
func MeanShare(x []float64, trials, confidence float64) Interval {
	if len(x) > 1 && Alike(x) {
		return WilsonClusters(x[0], trials, len(x), confidence)
	}
	return MeanT(x, confidence).Within(0, 1)
}

// Alike reports whether values are equal up to rounding. A single one is.
func Alike(x []float64) bool { return len(x) < 2 || narrow(slices.Min(x), slices.Max(x)) }

// narrow reports whether two numbers are equal up to rounding.
func narrow(low, high float64) bool {
	return low == high || !math.IsInf(high-low, 0) &&
		high-low <= 1e-12*math.Max(math.Abs(low), math.Abs(high))
}

// WilsonClusters returns Wilson's interval of a share of trials that came in clusters, such as the
// games of several runs, where all clusters have the same share. Then their variance is not known,
// and few clusters are little evidence, so fewer trials count:
// trials*(t(trials-1)/t(clusters-1))^2, where t is Student's factor. That is the effective number
// of Korn and Graubard (1998, "Confidence intervals for proportions with small expected number of
// positive counts") with a design effect of 1. The ends are NaN for fewer than two clusters or less
// than a trial in each.
func WilsonClusters(share, trials float64, clusters int, confidence float64) Interval {
	if clusters < 2 || trials < float64(clusters) {
		return unknown(share)
	}
	p := (1 + confidence) / 2
	factor := TQuantile(p, trials-1) / TQuantile(p, float64(clusters-1))
	effective := trials * factor * factor
	ci := Wilson(share*effective, effective, confidence)
	ci.Estimate = share
	return ci
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
