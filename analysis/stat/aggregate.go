package stat

import (
	"fmt"
	"math"
	"slices"

	"clade/engine"
)

// iqm returns the interquartile mean: the mean of what is left when the lowest and the highest
// quarter, rounded down to whole values, are dropped (Agarwal et al., 2021, "Deep reinforcement
// learning at the edge of the statistical precipice").
func iqm(x []float64) float64 { return middle(slices.Sorted(slices.Values(x))) }

// middle is the interquartile mean of what is sorted.
func middle(sorted []float64) float64 {
	cut := len(sorted) / 4
	mean, _ := MeanSD(sorted[cut : len(sorted)-cut])
	return mean
}

// Median returns the median of a sample; NaN of none. Of two in the middle, of which one is
// infinite, it is infinite.
func Median(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// drawRuns draws runs with replacement into a sample, each with its scores of all tasks: run i is
// the same of every task. To draw anew within each task, as Agarwal et al. (2021) do for agents
// that are trained on every task by themselves, would take the tasks of a run for independent, and
// the intervals would be too narrow where a run that is good at one task is good at others: in the
// simulations of TestCoverageOverRuns those of 95 % then covered 72 to 77 % of the time. Another
// number of runs for some task is a bug of the caller's.
func drawRuns(sample, scores [][]float64, r *engine.Random) [][]float64 {
	for i := range scores[0] {
		run := r.Below(len(scores[0]))
		for task := range scores {
			sample[task][i] = scores[task][run]
		}
	}
	return sample
}

// room returns where samples of scores are drawn into, one after the other, all tasks in a row: of
// many runs they were most of the memory.
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

// IQMOverRuns returns the interquartile mean over all runs of all tasks, scores[task][run], shares
// of trials (Agarwal et al., 2021), with a percentile bootstrap interval over runs, NaN to NaN for
// one run. Where the runs drawn have all the same mean, the interval is WilsonClusters over the
// trials that the mean is of; trials is the number of all.
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

// ImprovementProbability returns how likely a run of x beats a run of y on a random task, ties as
// half, with a percentile bootstrap interval over runs, NaN to NaN where x or y has but one: the
// mean over tasks of A12 (Agarwal et al., 2021). X and y hold the same tasks in the same order;
// another number of tasks is a bug of the caller's.
//
// Where the runs drawn have all the same mean, as where every run of x beats every one of y, the
// interval is Wilson's with the runs of the smaller group as trials: the variance of A12 is at most
// that of a share of so many (Birnbaum and Klose, 1957, "Bounds for the variance of the
// Mann-Whitney statistic").
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
// al., 2021), NaN to NaN for one run. Where the runs drawn have all the same share, the interval is
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
