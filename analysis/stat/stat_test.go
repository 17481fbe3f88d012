package stat

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

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
	proof.OK(t, err)
	proof.Is(t, f.MeanRanks[0], 1.5, "mean ranks %v of methods that are alike", f.MeanRanks)
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
			if proof.Near(t, "p of F of agreement", f.FP, 0, 1e-9); !math.IsInf(f.F, 1) {
				t.Errorf("%d cases that agree on %d methods give F = %v", cases, methods, f.F)
			}
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
