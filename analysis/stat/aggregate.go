package stat

import (
	"fmt"
	"math"
	"slices"

	"clade/engine"
)

// iqm returns the interquartile mean: the mean without the lowest and the highest quarter, each
// rounded down to whole values (Agarwal et al., 2021, "Deep reinforcement learning at the edge of
// the statistical precipice").
func iqm(x []float64) float64 { return middle(slices.Sorted(slices.Values(x))) }

// middle returns the interquartile mean of a sorted sample.
func middle(sorted []float64) float64 {
	cut := len(sorted) / 4
	mean, _ := MeanSD(sorted[cut : len(sorted)-cut])
	return mean
}

// Median returns the median of a sample, NaN if it is empty, infinite if one of the two middle
// values is.
func Median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// drawRuns draws runs with replacement into a sample, each with its scores on all tasks: score i of
// every task is of the same run. Agarwal et al. (2021) draw separately for each task, because their
// agents are trained for one task each. Here the scores of a run are not independent, and intervals
// would be too narrow if a run that is good at one task is good at others: in the simulations of
// TestCoverageOverRuns those of 95 % would cover 72 to 77 %. All tasks must have the same number of
// runs.
func drawRuns(sample, scores [][]float64, r *engine.Random) [][]float64 {
	for i := range scores[0] {
		run := r.Below(len(scores[0]))
		for task := range scores {
			sample[task][i] = scores[task][run]
		}
	}
	return sample
}

// room returns a sample for drawRuns, which is reused by all resamples because with many runs
// samples took most of the memory. Its tasks are one slice.
func room(scores [][]float64) (sample [][]float64, all []float64) {
	all = slices.Concat(scores...)
	for _, runs := range scores {
		n := len(sample) * len(runs)
		sample = append(sample, all[n:n+len(runs)])
	}
	return sample, all
}

// unknown is the interval of an estimate whose error is not known, such as that from one run.
func unknown(estimate float64) Interval { return Interval{estimate, math.NaN(), math.NaN()} }

// IQMOverRuns returns the interquartile mean of scores[task][run], shares of trials (Agarwal et
// al., 2021), with a percentile bootstrap interval over runs, NaN to NaN for one run. If all
// resamples have the same mean, the interval is WilsonClusters over the trials in the mean. Trials
// is the number of all trials.
func IQMOverRuns(scores [][]float64, trials, confidence float64, resamples int,
	seed engine.Seed) Interval {
	runs, all := len(scores[0]), slices.Concat(scores...)
	if runs < 2 {
		return unknown(iqm(all))
	}
	sample, drawn := room(scores)
	ci := bootstrap(iqm(all), confidence, resamples, seed, func(r *engine.Random) float64 {
		drawRuns(sample, scores, r)
		slices.Sort(drawn)
		return middle(drawn)
	})
	if narrow(ci.Low, ci.High) {
		kept := 1 - 2*float64(len(all)/4)/float64(len(all))
		return WilsonClusters(ci.Estimate, kept*trials, runs, confidence)
	}
	return ci
}

// ImprovementProbability returns the probability that a run of x beats a run of y on a random task,
// ties as half: the mean over tasks of A12 (Agarwal et al., 2021). The percentile bootstrap
// interval is over runs, NaN to NaN if x or y has only one. X and y must hold the same tasks in the
// same order.
//
// If all resamples have the same mean, as when every run of x beats every run of y, the interval is
// Wilson's with the runs of the smaller group as trials: the variance of A12 is at most that of a
// share of so many (Birnbaum and Klose, 1957, "Bounds for the variance of the Mann-Whitney
// statistic").
func ImprovementProbability(x, y [][]float64, confidence float64, resamples int,
	seed engine.Seed) Interval {
	if len(x) != len(y) {
		panic(fmt.Sprintf("stat: %d tasks against %d", len(x), len(y)))
	}
	mean := func(x, y [][]float64) float64 {
		sum := 0.0
		for i := range x {
			sum += A12(x[i], y[i])
		}
		return sum / float64(len(x))
	}
	fewer := min(len(x[0]), len(y[0]))
	if fewer < 2 {
		return unknown(mean(x, y))
	}
	ofX, _ := room(x)
	ofY, _ := room(y)
	ci := bootstrap(mean(x, y), confidence, resamples, seed, func(r *engine.Random) float64 {
		return mean(drawRuns(ofX, x, r), drawRuns(ofY, y, r))
	})
	if narrow(ci.Low, ci.High) {
		return Wilson(ci.Estimate*float64(fewer), float64(fewer), confidence)
	}
	return ci
}

func bootstrap(estimate, confidence float64, resamples int, seed engine.Seed,
	draw func(*engine.Random) float64) Interval {
	values := make([]float64, resamples)
	for i := range values {
		r := engine.NewRandom(uint64(seed.Name("bootstrap").Num(uint64(i))))
		values[i] = draw(&r)
	}
	slices.Sort(values)
	low, high := Percentile(values, confidence)
	return Interval{estimate, low, high}
}

// ProfilePoint is one point of a performance profile: the share of runs whose score exceeds tau.
type ProfilePoint struct {
	Tau   float64
	Share Interval
}

// Profile returns the performance profile of scores[task][run] at each tau, the mean over tasks of
// the share of runs above it, with pointwise percentile bootstrap intervals over runs (Agarwal et
// al., 2021), NaN to NaN for one run. If all resamples have the same share, the interval is
// WilsonClusters over runs and tasks.
func Profile(scores [][]float64, taus []float64, confidence float64, resamples int,
	seed engine.Seed) []ProfilePoint {
	share := func(scores [][]float64, tau float64) float64 {
		sum := 0.0
		for _, runs := range scores {
			above := 0
			for _, s := range runs {
				if s > tau {
					above++
				}
			}
			sum += float64(above) / float64(len(runs))
		}
		return sum / float64(len(scores))
	}
	values := make([][]float64, len(taus))
	sample, _ := room(scores)
	for i := range resamples {
		r := engine.NewRandom(uint64(seed.Name("profile").Num(uint64(i))))
		drawRuns(sample, scores, &r)
		for t, tau := range taus {
			values[t] = append(values[t], share(sample, tau))
		}
	}
	points := make([]ProfilePoint, len(taus))
	for t, tau := range taus {
		slices.Sort(values[t])
		low, high := Percentile(values[t], confidence)
		ci := Interval{share(scores, tau), low, high}
		if runs := len(scores[0]); narrow(low, high) {
			ci = WilsonClusters(ci.Estimate, float64(runs*len(scores)), runs, confidence)
		}
		points[t] = ProfilePoint{tau, ci}
	}
	return points
}
