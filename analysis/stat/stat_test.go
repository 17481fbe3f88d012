package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17
// (1998), table I, method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct{ k, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		ci := Wilson(c.k, c.n, 0.95)
		proof.Near(t, fmt.Sprintf("low of %v/%v", c.k, c.n), ci.Low, c.low, 5e-5)
		proof.Near(t, fmt.Sprintf("high of %v/%v", c.k, c.n), ci.High, c.high, 5e-5)
	}
	for n := 1.0; n < 100; n++ { // the ends are no nearer than rounding
		if all, none := Wilson(n, n, 0.95), Wilson(0, n, 0.95); all.High != 1 || none.Low != 0 ||
			!all.Contains(1) || all.Contains(0) || !none.Contains(0) {
			t.Errorf("of %v all won gives %v, none %v", n, all, none)
		}
	}
	if ci := Wilson(0, 0, 0.95); !math.IsNaN(ci.Estimate) || ci.Low != 0 || ci.High != 1 {
		t.Errorf("no trial gives %v", ci)
	}
}

func TestFixed(t *testing.T) {
	for v, want := range map[float64]string{-0.04: "0.0", -0.06: "-0.1", 12.34: "12.3", 0: "0.0"} {
		proof.Is(t, Fixed(1, v), want, "%v", v)
	}
}

// Any table of Student's t.
func TestTQuantile(t *testing.T) {
	for _, c := range []struct{ p, freedom, want float64 }{{0.975, 1, 12.7062}, {0.975, 4, 2.7764},
		{0.975, 30, 2.0423}, {0.95, 10, 1.8125}, {0.025, 4, -2.7764}, {0.6, 10, 0.2602}, {0.5, 7, 0}} {
		proof.Near(t, fmt.Sprintf("t(%v, %v)", c.p, c.freedom), TQuantile(c.p, c.freedom), c.want, 5e-5)
	}
}

// Student's sleep data (Biometrika 6, 1908; R's help of t.test): the mean difference 1.58 has the
// 95 % interval 0.70 to 2.46.
func TestMeanT(t *testing.T) {
	ci := MeanT([]float64{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4}, 0.95)
	proof.Near(t, "mean", ci.Estimate, 1.58, 1e-9)
	proof.Near(t, "low", ci.Low, 0.7001142, 1e-6)
	proof.Near(t, "high", ci.High, 2.4598858, 1e-6)
	if ci := MeanT([]float64{3}, 0.95); ci.Estimate != 3 || !math.IsNaN(ci.Low) {
		t.Errorf("one value gives %v", ci)
	}
	proof.Near(t, "low of two", MeanT([]float64{1, 3}, 0.95).Low, 2-12.7062, 5e-5) // t(0.975, 1)
}

// Statistical Reference Datasets of NIST, "NumAcc4": 1,001 values with the mean 10000000.2 and the
// standard deviation 0.1, which is lost where squares of values are added.
func TestMeanSD(t *testing.T) {
	x := append([]float64{10000000.2}, slices.Repeat([]float64{10000000.1, 10000000.3}, 500)...)
	mean, sd := MeanSD(x)
	proof.Near(t, "mean", mean, 10000000.2, 1e-7)
	proof.Near(t, "standard deviation", sd, 0.1, 1e-7)
}

func TestMannWhitney(t *testing.T) {
	for _, c := range []struct {
		name  string
		x, y  []float64
		want  RankTest
		slack float64
	}{
		// Example of scipy.stats.mannwhitneyu: ages at diagnosis of type II diabetes.
		{"diabetes", []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12},
			RankTest{17, 0.1111111, true}, 1e-6},
		// Hollander and Wolfe (1973), p. 69, as in R's help of wilcox.test: permeability of the
		// human chorioamnion; one-sided p = 0.1272.
		{"permeability", []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46},
			[]float64{1.15, 0.88, 0.90, 0.74, 1.21}, RankTest{35, 2 * 0.1272061, true}, 1e-6},
	} {
		got := MannWhitney(c.x, c.y)
		if got.Statistic != c.want.Statistic || got.Exact != c.want.Exact {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
		proof.Near(t, c.name, got.P, c.want.P, c.slack)
		if back := MannWhitney(c.y, c.x); !(math.Abs(back.P-got.P) <= 1e-12) ||
			back.Statistic+got.Statistic != float64(len(c.x)*len(c.y)) {
			t.Errorf("%s: exchanged samples give %+v", c.name, back)
		}
	}
	// R's help of wilcox.test: exact where both have less than 50 values; equal values have p = 1
	for _, n := range [][3]int{{49, 1, 1}, {1, 49, 1}, {50, 1, 0}, {1, 50, 0}, {50, 50, 0}} {
		got := MannWhitney(make([]float64, n[0]), make([]float64, n[1]))
		proof.Is(t, got, RankTest{float64(n[0]*n[1]) / 2, 1, n[2] == 1}, "%d against %d", n[0], n[1])
	}
	if none := MannWhitney(nil, []float64{1}); !math.IsNaN(none.Statistic) || !math.IsNaN(none.P) {
		t.Errorf("nothing against a value gives %+v", none)
	}
}

// TestTiesOfSums has by hand: scores whose parts are added in another order are tied, though they
// differ in the last bit, and so are values that are never reached.
func TestTiesOfSums(t *testing.T) {
	add := func(parts ...float64) (sum float64) {
		for _, p := range parts {
			sum += p
		}
		return sum
	}
	one, other := add(0.1, 0.2, 0.3), add(0.3, 0.2, 0.1)
	if one == other {
		t.Fatal("no bit differs")
	}
	never := math.Inf(1)
	for _, unit := range []float64{1, 1e9, 1e-9} {
		proof.Is(t, MannWhitney([]float64{one * unit, 0.7 * unit, never},
			[]float64{other * unit, 0.5 * unit, never}).Statistic, 6, "U")
	}
	proof.Is(t, MannWhitney([]float64{never}, []float64{-never}).Statistic, 1, "U of infinities")
	f, err := Friedman([][]float64{{one, other}, {1, 1}})
	if proof.OK(t, err); f.MeanRanks[0] != 1.5 {
		t.Errorf("mean ranks %v of methods that are alike", f.MeanRanks)
	}
}

// TestMannWhitneyNormal takes p-values of R 4.2: of the help of wilcox.test, ozone in New York in
// May and August, and of values most of which are tied.
func TestMannWhitneyNormal(t *testing.T) {
	may := []float64{41, 36, 12, 18, 28, 23, 19, 8, 7, 16, 11, 14, 18, 14, 34, 6, 30, 11, 1, 11, 4,
		32, 23, 45, 115, 37}
	august := []float64{39, 9, 16, 78, 35, 66, 122, 89, 110, 44, 28, 65, 22, 59, 23, 31, 44, 21, 9,
		45, 168, 73, 76, 118, 84, 85}
	for _, c := range []struct {
		x, y            []float64
		u, p, tolerance float64
	}{
		{may, august, 127.5, 0.0001208, 5e-8},
		{[]float64{1, 1, 2, 2, 2, 3}, []float64{2, 2, 3, 3, 3, 4, 4}, 6.5, 0.03624496292, 1e-10},
		{[]float64{2, 2}, []float64{1, 2, 3}, 3, 1, 0}, // a sum in the middle
	} {
		_, ties := ranks(slices.Concat(c.x, c.y))
		proof.Near(t, "p", mannWhitneyNormal(c.u, len(c.x), len(c.y), ties), c.p, c.tolerance)
	}
}

// TestMannWhitneyTied takes p-values that scipy found by counting every order of tied samples: see
// testdata/mannwhitney.py.
func TestMannWhitneyTied(t *testing.T) {
	text := proof.Must(os.ReadFile("testdata/mannwhitney.json"))(t)
	var recorded struct {
		Cases []struct {
			X, Y []float64
			U, P float64
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil || len(recorded.Cases) < 10 {
		t.Fatalf("%d cases, %v", len(recorded.Cases), err)
	}
	for _, c := range recorded.Cases {
		got := MannWhitney(c.X, c.Y)
		if got.Statistic != c.U || !got.Exact || !(math.Abs(got.P-c.P) <= 1e-12) {
			t.Errorf("%v against %v: %+v, scipy has U = %v, p = %v", c.X, c.Y, got, c.U, c.P)
		}
		proof.Near(t, "p of exchanged samples", MannWhitney(c.Y, c.X).P, got.P, 1e-12)
	}
}

// By scipy.stats.spearmanr.
func TestSpearman(t *testing.T) {
	proof.Near(t, "the correlation of ranks", Spearman([]float64{3, 1, 4, 1, 5, 9, 2, 6},
		[]float64{2, 7, 1, 8, 2, 8, 1, 8}), 0.19885368120992467, 1e-15)
}

// Hollander and Wolfe (1973), p. 140, as in R's help of friedman.test: three ways of rounding first
// base; chi-square 11.143, p = 0.003805.
func TestFriedman(t *testing.T) {
	rounding := [][]float64{
		{5.40, 5.50, 5.55}, {5.85, 5.70, 5.75}, {5.20, 5.60, 5.50}, {5.55, 5.50, 5.40},
		{5.90, 5.85, 5.70}, {5.45, 5.55, 5.60},
		{5.40, 5.40, 5.35}, {5.45, 5.50, 5.35}, {5.25, 5.15, 5.00}, {5.85, 5.80, 5.70},
		{5.25, 5.20, 5.10}, {5.65, 5.55, 5.45},
		{5.60, 5.35, 5.45}, {5.05, 5.00, 4.95}, {5.50, 5.50, 5.40}, {5.45, 5.55, 5.50},
		{5.55, 5.55, 5.35}, {5.45, 5.50, 5.55},
		{5.50, 5.45, 5.25}, {5.65, 5.60, 5.40}, {5.70, 5.65, 5.55}, {6.30, 6.30, 6.25},
	}
	f := proof.Must(Friedman(rounding))(t)
	proof.Near(t, "chi-square", f.ChiSquare, 11.143, 5e-4)
	proof.Near(t, "p", f.P, 0.003805, 5e-7)
	// by hand from chi-square, and pf(F, 2, 42, lower = FALSE) in R
	proof.Near(t, "F", f.F, 7.121739130, 1e-8)
	proof.Near(t, "p of F", f.FP, 0.002171298388, 1e-11)

	for cases := 2; cases < 20; cases++ { // their reciprocals round one way or the other
		for methods := 3; methods < 9; methods++ {
			tied := slices.Repeat([][]float64{make([]float64, methods)}, cases)
			if f, err := Friedman(tied); err != nil ||
				f.ChiSquare != 0 || f.P != 1 || f.F != 0 || f.FP != 1 {
				t.Errorf("%d methods tied in %d cases give %+v, %v", methods, cases, f, err)
			}
			for i := 2; i < methods; i++ { // the first two are tied, the rest is the same in all cases
				tied[0][i] = float64(i)
			}
			f := proof.Must(Friedman(tied))(t)
			proof.Near(t, "chi-square of agreement", f.ChiSquare, float64(cases*(methods-1)), 1e-9)
			proof.Near(t, "p of F of agreement", f.FP, 0, 1e-9)
		}
	}
	for _, bad := range [][][]float64{nil, {{1, 2}}, {{1}, {2}}, {{1, 2}, {1}}} {
		proof.Fails(Friedman(bad))(t, "case")
	}
}

// Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7 (2006), table 6:
// AUC of four variants of C4.5 on 14 sets; mean ranks 3.143, 2.000, 2.893, 1.964, chi-square 9.28,
// F 3.69 and CD 1.25. His chi-square leaves out the correction for ties, so his F is the lower.
func TestDemsar(t *testing.T) {
	auc := [][]float64{
		{0.763, 0.768, 0.771, 0.798}, {0.599, 0.591, 0.590, 0.569}, {0.954, 0.971, 0.968, 0.967},
		{0.628, 0.661, 0.654, 0.657},
		{0.882, 0.888, 0.886, 0.898}, {0.936, 0.931, 0.916, 0.931}, {0.661, 0.668, 0.609, 0.685},
		{0.583, 0.583, 0.563, 0.625},
		{0.775, 0.838, 0.866, 0.875}, {1.000, 1.000, 1.000, 1.000}, {0.940, 0.962, 0.965, 0.962},
		{0.619, 0.666, 0.614, 0.669},
		{0.972, 0.981, 0.9751, 0.975}, {0.957, 0.978, 0.946, 0.970},
	}
	f := proof.Must(Friedman(auc))(t)
	for i, want := range []float64{3.143, 2.000, 2.893, 1.964} {
		proof.Near(t, fmt.Sprintf("mean rank %d", i), f.MeanRanks[i], want, 5e-4)
	}
	if f.ChiSquare < 9.28 || f.F < 3.69 {
		t.Errorf("chi-square %v and F %v are below those without correction for ties", f.ChiSquare, f.F)
	}
	proof.Near(t, "CD", NemenyiCD(4, 14, 0.05), 1.25, 5e-3)
	proof.Near(t, "p at the CD", NemenyiP(NemenyiCD(4, 14, 0.05), 4, 14), 0.05, 1e-9)
	for _, d := range []float64{0, 0.01, 0.3, 1, -1} { // of two methods it is that of a sign test's z
		proof.Near(t, "p of two", NemenyiP(d, 2, 14), math.Erfc(math.Abs(d)*math.Sqrt(7)), 1e-9)
	}
}

// Demšar (2006), table 5 (a): critical values q of the two-tailed Nemenyi test.
func TestNemenyiQuantiles(t *testing.T) {
	proof.Slow(t)
	for i, want := range []float64{1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164} {
		k := i + 2
		proof.Near(t, fmt.Sprintf("q of %d at 0.05", k),
			NemenyiCD(k, 6, 0.05)*6/math.Sqrt(float64(k*(k+1))), want, 1.1e-3)
	}
	for i, want := range []float64{1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920} {
		k := i + 2
		proof.Near(t, fmt.Sprintf("q of %d at 0.10", k),
			NemenyiCD(k, 6, 0.10)*6/math.Sqrt(float64(k*(k+1))), want, 1.1e-3)
	}
}

// Wikipedia, "Holm–Bonferroni method", its example of four hypotheses.
func TestHolm(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		proof.Near(t, fmt.Sprint("adjusted ", i), got[i], want, 1e-12)
	}
	proof.Is(t, [2]float64(Holm([]float64{0.7, 0.6})), [2]float64{1, 1}, "probabilities")
}

// The pairs of the diabetes example counted by hand: of 20, the males are older in 17.
func TestEffects(t *testing.T) {
	x, y := []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12}
	proof.Near(t, "A12", A12(x, y), 17.0/20, 1e-12)
	proof.Near(t, "Cliff's delta", CliffDelta(x, y), 0.7, 1e-12)
	proof.Near(t, "A12 of ties", A12([]float64{1, 2}, []float64{1, 2}), 0.5, 1e-12)
}

// The values that fastchess' tests (app/tests/sprt_test.cpp) expect, taken there from fishtest's
// record of finished tests and given to two digits.
func TestSPRT(t *testing.T) {
	for _, c := range []struct {
		pairs      Pentanomial
		elo0, elo1 float64
		want       float64
	}{
		{Pentanomial{223, 9863, 20279 + 1000, 10037, 246}, 0.5, 2.5, -3.07},
		{Pentanomial{871, 26175, 55003 + 980, 26678, 821}, 0, 2, -4.98},
	} {
		test := SPRT{Elo0: c.elo0, Elo1: c.elo1, Alpha: 0.05, Beta: 0.05}
		proof.Near(t, fmt.Sprintf("LLR of %v", c.pairs), test.LLR(c.pairs), c.want,
			0.011*math.Abs(c.want))
	}
	// Outcomes never seen; computed apart, with the secular equation solved by Brent's method in
	// scipy 1.10.
	test := SPRT{Elo1: 20, Alpha: 0.05, Beta: 0.05}
	proof.Near(t, "LLR without extremes", test.LLR(Pentanomial{0, 10, 50, 20, 0}),
		1.687294816426374, 1e-9)
	test.Elo1 = 50
	proof.Near(t, "LLR of a few", test.LLR(Pentanomial{0, 0, 3, 5, 2}), 1.3355523926542738, 1e-9)
	test.Elo0, test.Elo1 = -300, 200
	proof.Near(t, "LLR of all lost", test.LLR(Pentanomial{40}), -50.49778773983111, 1e-9)
}

// Wald's bounds at 5 % are the 2.94 that fishtest prints.
func TestSPRTDecides(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 5, Alpha: 0.05, Beta: 0.05}
	proof.OK(t, test.Check())
	lower, upper := test.bounds()
	proof.Near(t, "lower", lower, -2.944, 5e-4)
	proof.Near(t, "upper", upper, 2.944, 5e-4)
	for _, c := range []struct {
		llr  float64
		want verdict
	}{{-3, H0}, {lower, H0}, {-2, GoOn}, {2.9, GoOn}, {upper, H1}, {2.95, H1}} {
		proof.Is(t, test.Decide(c.llr), c.want, "the decision at %v", c.llr)
	}
	proof.Is(t, test.LLR(Pentanomial{}), 0, "the ratio without games")
	for _, bad := range []SPRT{{Elo0: 1, Elo1: 1, Alpha: 0.05, Beta: 0.05},
		{Elo1: 1, Alpha: 0.5, Beta: 0.05}, {Elo1: 1, Alpha: 0.05}, {Elo1: 1, Beta: 0.05},
		{Elo1: 1, Alpha: 0.05, Beta: 0.5}} {
		if bad.Check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// The error rates are what they should be: under an advantage of exactly elo0, H1 is taken in at
// most alpha of the tests, but for chance.
func TestSPRTErrors(t *testing.T) {
	test := SPRT{Elo0: 0, Elo1: 60, Alpha: 0.05, Beta: 0.05}
	const tests = 400
	wrong := 0
	for i := range tests {
		r := engine.NewRandom(uint64(engine.Seed(3).Num(uint64(i))))
		var pairs Pentanomial
		for {
			for range 8 {
				pairs[r.Below(2)+r.Below(2)+r.Below(2)+r.Below(2)]++
			}
			if v := test.Decide(test.LLR(pairs)); v != GoOn {
				if v == H1 {
					wrong++
				}
				break
			}
		}
	}
	if ci := Wilson(float64(wrong), tests, 0.99); ci.Low > test.Alpha {
		t.Errorf("%d of %d tests wrong", wrong, tests)
	}
}

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
	text, err := json.Marshal(MeanT([]float64{2, 2}, 0.95))
	if want := `{"estimate":2,"low":null,"high":null}`; err != nil || string(text) != want {
		t.Errorf("as JSON %s (%v), want %s", text, err, want)
	}
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

func TestQuantile(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	// quantile(1:4, p) in R
	for _, c := range []struct{ p, want float64 }{{0, 1}, {0.5, 2.5}, {0.25, 1.75}, {0.9, 3.7}, {1, 4}} {
		proof.Near(t, "quantile", quantile(x, c.p), c.want, 1e-12)
	}
}

// Davison and Hinkley, "Bootstrap methods and their application" (1997), section 5.3: of 999 values
// the 25th and the 975th.
func TestPercentile(t *testing.T) {
	values := make([]float64, 999)
	for i := range values {
		values[i] = float64(i + 1)
	}
	low, high := Percentile(values, 0.95)
	proof.Near(t, "low", low, 25, 1e-9)
	proof.Near(t, "high", high, 975, 1e-9)
	if low, high := Percentile([]float64{2}, 0.95); low != 2 || high != 2 {
		t.Errorf("one value gives %v, %v", low, high)
	}
}

func ExampleWilson() {
	ci := Wilson(52, 100, 0.95)
	fmt.Printf("%.2f, 95 %% interval %.3f to %.3f\n", ci.Estimate, ci.Low, ci.High)
	// Output: 0.52, 95 % interval 0.423 to 0.615
}

func ExampleSPRT() {
	test := SPRT{Elo0: 0, Elo1: 20, Alpha: 0.05, Beta: 0.05}
	llr := test.LLR(Pentanomial{40, 180, 400, 260, 80})
	fmt.Printf("%.2f, stronger: %v\n", llr, test.Decide(llr) == H1)
	// Output: 12.71, stronger: true
}

// TestKruskalWallis takes values of R 4's kruskal.test.
func TestKruskalWallis(t *testing.T) {
	k := KruskalWallis([]float64{2.9, 3.0, 2.5, 2.6, 3.2}, []float64{3.8, 2.7, 4.0, 2.4},
		[]float64{2.8, 3.4, 3.7, 2.2, 2.0}) // Hollander and Wolfe (1973), 116: the example of R
	proof.Near(t, "H", k.Statistic, 0.77142857, 1e-6)
	proof.Near(t, "p", k.P, 0.6799648, 1e-6)
	if p := KruskalWallis([]float64{1, 1}, []float64{1}).P; !math.IsNaN(p) {
		t.Errorf("equal values: p = %v", p)
	}
}

// TestLeastP compares with the p-value of samples that do not overlap.
func TestLeastP(t *testing.T) {
	for n := 1; n < 8; n++ {
		var x, y []float64
		for i := range n {
			x, y = append(x, float64(i)), append(y, float64(100+i))
		}
		y = append(y, 200)
		proof.Near(t, "p", LeastP(n, n+1), MannWhitney(x, y).P, 1e-12)
		proof.Near(t, "p", LeastP(n+1, n), MannWhitney(y, x).P, 1e-12)
	}
}
