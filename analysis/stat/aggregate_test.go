package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func TestIQM(t *testing.T) {
	for _, c := range []struct {
		x            []float64
		want, median float64
	}{
		// Wikipedia, "Interquartile mean", its first example
		{[]float64{5, 8, 4, 38, 8, 6, 9, 7, 7, 3, 1, 6}, 6.5, 6.5},
		{[]float64{3}, 3, 3},
		{[]float64{100, 1, 2}, 103.0 / 3, 2},
		{[]float64{100, 1, 2, 5}, 3.5, 3.5},
	} {
		proof.Near(t, fmt.Sprint("IQM of ", c.x), iqm(c.x), c.want, 1e-12)
		proof.Near(t, fmt.Sprint("median of ", c.x), Median(c.x), c.median, 1e-12)
	}
	if none, never := Median(nil), Median([]float64{math.Inf(1), 2}); !math.IsNaN(none) ||
		!math.IsInf(never, 1) {
		t.Errorf("the median of nothing is %v, of 2 and infinity %v", none, never)
	}
}

func TestAggregates(t *testing.T) {
	x := [][]float64{{1, 2, 3, 4}, {5, 6, 7, 8}}
	y := [][]float64{{0, 2, 2, 3}, {5, 5, 6, 9}}
	p := ImprovementProbability(x, y, 0.95, 500, 1)
	// pairs counted by hand
	proof.Near(t, "probability of improvement", p.Estimate, (10.5/16+9.5/16)/2, 1e-12)
	proof.Is(t, ImprovementProbability(x, y, 0.95, 500, 1), p, "the probability by the same seed")
	one := [][]float64{{3}, {6}}
	if i := IQMOverRuns(one, 100, 0.95, 50, 1); i.Estimate != 4.5 || !math.IsNaN(i.Low) ||
		!math.IsNaN(i.High) {
		t.Errorf("one run gives %v, as if runs could not differ", i)
	}
	for _, i := range []Interval{ImprovementProbability(x, one, 0.95, 50, 1),
		ImprovementProbability(one, x, 0.95, 50, 1)} {
		if math.IsNaN(i.Estimate) || !math.IsNaN(i.Low) || !math.IsNaN(i.High) {
			t.Errorf("one run against several gives %v", i)
		}
	}
	profile := Profile(x, []float64{0, 2, 8}, 0.95, 200, 1)
	for i, want := range []float64{1, 0.75, 0} {
		proof.Near(t, "profile", profile[i].Share.Estimate, want, 1e-12)
	}
}

// TestBootstrapOfFewRuns lists all resamples of two runs and of three, which are equally likely. The
// ends of intervals of 90 % are the values behind the outer twentieths of the list.
func TestBootstrapOfFewRuns(t *testing.T) {
	all := func(scores [][]float64) (list [][][]float64) {
		runs := len(scores[0])
		for code := range int(math.Pow(float64(runs), float64(runs))) {
			sample := make([][]float64, len(scores))
			for ; len(sample[0]) < runs; code /= runs {
				for task, of := range scores {
					sample[task] = append(sample[task], of[code%runs])
				}
			}
			list = append(list, sample)
		}
		return list
	}
	two, three := [][]float64{{0.5, 0.3}}, [][]float64{{0.6, 0.1, 0.4}}
	twice, thrice := [][]float64{{0.3, 0.5}, {0.1, 0.7}}, [][]float64{{0.6, 0.1, 0.4}, {0.2, 0, 0.9}}
	for _, c := range [][2][][]float64{{two, three}, {three, two}, {twice, thrice}, {thrice, twice}} {
		var means, better, above []float64
		for _, x := range all(c[0]) {
			means = append(means, iqm(slices.Concat(x...)))
			over, values := 0.0, slices.Concat(x...)
			for _, v := range values {
				if v > 0.45 {
					over++
				}
			}
			above = append(above, over/float64(len(values)))
			for _, y := range all(c[1]) {
				sum := 0.0
				for task := range x {
					sum += A12(x[task], y[task])
				}
				better = append(better, sum/float64(len(x)))
			}
		}
		for name, of := range map[string]struct {
			all []float64
			got Interval
		}{
			"mean":        {means, IQMOverRuns(c[0], 9, 0.9, 2000, 1)},
			"improvement": {better, ImprovementProbability(c[0], c[1], 0.9, 2000, 1)},
			"profile":     {above, Profile(c[0], []float64{0.45}, 0.9, 2000, 1)[0].Share},
		} {
			slices.Sort(of.all)
			out := len(of.all) / 20
			proof.Near(t, name+", low", of.got.Low, of.all[out], 1e-9)
			proof.Near(t, name+", high", of.got.High, of.all[len(of.all)-1-out], 1e-9)
		}
	}
}

// The effective number of trials and Wilson's interval of them computed apart, with scipy 1.10's
// t.ppf and statsmodels 0.13's proportion_confint.
func TestWilsonClusters(t *testing.T) {
	for _, c := range []struct {
		share, trials float64
		clusters      int
		low, high     float64
	}{
		{0, 12, 3, 0, 0.5502297244962084},
		{0, 6, 3, 0, 0.6420543231998814},
		{1, 320, 8, 0.9829546432867597, 1},
		{1, 2000, 5, 0.9961651053303751, 1},
		{0.5, 8, 2, 0.017111042812753163, 0.9828889571872468},
		{0.25, 8, 2, 0.00437068106730526, 0.9619928088794683},
		{1, 3, 3, 0.43850296824495444, 1}, // one trial a cluster: Wilson's own
	} {
		shares := slices.Repeat([]float64{c.share}, c.clusters)
		ci := MeanShare(shares, c.trials, 0.95)
		proof.Near(t, fmt.Sprint("low of ", c), ci.Low, c.low, 1e-9)
		proof.Near(t, fmt.Sprint("high of ", c), ci.High, c.high, 1e-9)
		proof.Near(t, fmt.Sprint("share of ", c), ci.Estimate, c.share, 0)
	}
}

// Student's interval of three shares from scipy 1.10: t.interval(0.95, 2, 0.5833, 0.2887/sqrt(3))
// is -0.13 to 1.30, which no share can be. Where nothing varies and no trials are known, and for
// one value, there is no interval.
func TestNoIntervalWithoutSpread(t *testing.T) {
	ci := MeanShare([]float64{0.75, 0.25, 0.75}, 12, 0.95)
	if ci.Low != 0 || ci.High != 1 {
		t.Errorf("a share lies in %v..%v", ci.Low, ci.High)
	}
	for name, ci := range map[string]Interval{
		"equal values":       MeanT([]float64{0.1, 0.1, 0.1}, 0.95), // whose sum is rounded
		"one value":          MeanT([]float64{3}, 0.95),
		"no value":           MeanT(nil, 0.95),
		"one share":          MeanShare([]float64{1}, 40, 0.95),
		"shares of nothing":  MeanShare([]float64{1, 1}, 0, 0.95),
		"half a trial a run": WilsonClusters(1, 4, 8, 0.95),
		"a profile of a run": Profile([][]float64{{0.5}}, []float64{0.2}, 0.95, 9, 1)[0].Share,
		"one cluster":        WilsonClusters(0.5, 100, 1, 0.95),
	} {
		if !math.IsNaN(ci.Low) || !math.IsNaN(ci.High) {
			t.Errorf("%s: %v", name, ci)
		}
	}
	text := proof.Must(json.Marshal(MeanT([]float64{2, 2}, 0.95)))(t)
	proof.Is(t, string(text), `{"estimate":2,"low":null,"high":null}`, "as JSON")
}

// What a bootstrap over runs comes to where it has nothing to vary: Wilson's intervals from
// statsmodels 0.13's proportion_confint, for the runs of the smaller group or the effective trials
// of TestWilsonClusters.
func TestBootstrapWithoutSpread(t *testing.T) {
	same := func(v float64, tasks, runs int) [][]float64 {
		return slices.Repeat([][]float64{slices.Repeat([]float64{v}, runs)}, tasks)
	}
	better := ImprovementProbability([][]float64{{0.9, 0.8, 0.7, 0.9, 0.6, 0.8, 0.9, 0.7}},
		[][]float64{{0.1, 0.2, 0.5, 0.4, 0.1, 0.2, 0.3, 0.1, 0.2}}, 0.95, 50, 1)
	proof.Near(t, "always better", better.Estimate, 1, 0)
	proof.Near(t, "low of always better", better.Low, 0.6755924351161198, 1e-9)
	proof.Near(t, "high of always better", better.High, 1, 1e-9)
	worse := ImprovementProbability(same(0, 3, 4), same(1, 3, 9), 0.95, 50, 1)
	proof.Near(t, "high of always worse", worse.High, 0.4898908364545974, 1e-9)
	// of 13 values of 8 runs, 104, an interquartile mean leaves out 52
	iqm := IQMOverRuns(same(1, 13, 8), 640, 0.95, 50, 1)
	proof.Near(t, "low of all won", iqm.Low, 0.9829546432867597, 1e-9)
	profile := Profile(same(1, 13, 8), []float64{0.5}, 0.95, 50, 1)[0].Share
	proof.Near(t, "low of a profile", profile.Low, 0.9501114859042907, 1e-9)
}

// The bootstrap intervals over runs cover the truth about as often as they say: 120 simulations of
// 4 tasks with 12 runs, where a run's scores have nothing to do with each other, and where a run
// that is good at one task is good at all, as a champion is that meets several opponents.
func TestCoverageOverRuns(t *testing.T) {
	proof.Slow(t)
	const simulations, tasks, runs, resamples = 120, 4, 12, 100
	for _, common := range []float64{0, 0.8} {
		covered := map[string]int{}
		for s := range simulations {
			seed := engine.Seed(9).Num(uint64(s))
			r := engine.NewRandom(uint64(seed))
			draw := func() [][]float64 { // symmetric about a half
				scores := make([][]float64, tasks)
				for range runs {
					quality := r.Float()
					for task := range scores {
						scores[task] = append(scores[task], float64(common*quality)+float64((1-common)*r.Float()))
					}
				}
				return scores
			}
			x, y := draw(), draw()
			for name, i := range map[string]Interval{
				"interquartile mean":         IQMOverRuns(x, 4800, 0.95, resamples, seed),
				"probability of improvement": ImprovementProbability(x, y, 0.95, resamples, seed),
				"profile": Profile(x, []float64{0.5}, 0.95, resamples,
					seed)[0].Share,
			} {
				if i.Contains(0.5) {
					covered[name]++
				}
			}
		}
		for name, n := range covered {
			if share := float64(n) / simulations; share < 0.85 || share > 0.99 {
				t.Errorf("common part %v: the interval of the %s covered %v", common, name, share)
			}
		}
	}
}
