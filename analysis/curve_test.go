package analysis

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func near(a, b, tolerance float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tolerance
}

func oneSeries(run, group string, m Measure, first int, trials int, values ...float64) Run {
	s := Series{Measure: m, Value: values}
	for i := range values {
		s.Generation = append(s.Generation, first+i)
		if trials > 0 {
			s.Trials = append(s.Trials, trials)
		}
	}
	return Run{Name: run, Group: group, Series: []Series{s}}
}

func TestPool(t *testing.T) {
	runs := []Run{
		oneSeries("1", "b", Score, 0, 0, 1, 5, 7),
		oneSeries("2", "a", Score, 0, 0, 4),
		oneSeries("3", "b", Score, 0, 0, 3, 5, math.NaN()),
		oneSeries("4", "c", Wins, 0, 100, 0.5),
	}
	runs[0].Games, runs[2].Games = []float64{0, 100, 250}, []float64{0, 300, 500}
	curves := proof.Must(Pool(runs, Score, 0.95))(t)
	nan := math.NaN()
	half := 12.706205 // t quantile with one degree of freedom, times sd sqrt(2) over sqrt(2)
	want := []Curve{
		{"b", Score, []CurvePoint{{0, 2, 2 - half, 2 + half, 2, 0}, {1, 5, nan, nan, 2, 200},
			{2, 7, nan, nan, 1, 250}}},
		{"a", Score, []CurvePoint{{0, 4, nan, nan, 1, 0}}},
	}
	compareCurves(t, curves, want)

	curves = proof.Must(Pool(runs, Wins, 0.95))(t)
	compareCurves(t, curves, []Curve{{"c", Wins, []CurvePoint{{0, 0.5, 0.403832, 0.596168, 1, 0}}}})
}

// Runs that a budget ended in different generations have one last point together, by hand: in the
// mean of these generations, 17, at the games that each had before its own, and no points of those
// alone that were bred for longer. Runs that go on keep their points.
func TestPoolEndsOfBudgets(t *testing.T) {
	games := make([]float64, 30)
	for i := range games {
		games[i] = float64(100 * i * i)
	}
	run := func(value float64, generations ...int) Run {
		s := Series{Measure: Score, Generation: generations}
		for range generations {
			s.Value = append(s.Value, value)
		}
		return Run{Group: "a", Games: games, Ended: true, Series: []Series{s}}
	}
	goesOn := func(r Run) Run {
		r.Ended = false
		return r
	}
	for _, c := range []struct {
		runs        []Run
		generations []int
	}{
		{[]Run{run(1, 0, 10, 16), run(3, 0, 10, 18)}, []int{0, 10, 17}},
		{[]Run{run(1, 0, 10, 14), run(3, 0, 10, 15, 20)}, []int{0, 10, 17}},
		{[]Run{run(1, 0, 10, 14), goesOn(run(3, 0, 10, 15, 20))}, []int{0, 10, 14, 15, 20}},
		{[]Run{run(1, 0, 10), run(3, 0, 10)}, []int{0, 10}},
		{[]Run{run(1, 0, 10), run(3, 0, 12)}, []int{0, 11}},
		{[]Run{run(1, 4), run(3, 6)}, []int{5}},
		{[]Run{run(1, 4), run(3, 4, 6)}, []int{5}},
	} {
		curves := proof.Must(Pool(c.runs, Score, 0.95))(t)
		var got []int
		for _, p := range curves[0].Points {
			got = append(got, p.Generation)
		}
		proof.Are(t, got, c.generations, "points")
		a, b := c.runs[0].Series[0].Generation, c.runs[1].Series[0].Generation
		at, bt := a[len(a)-1], b[len(b)-1]
		if last := curves[0].Points[2%len(got)]; got[len(got)-1] == 17 &&
			(last.Mean != 2 || last.Runs != 2 || last.Games != float64(50*(at*at+bt*bt))) {
			t.Errorf("the last point is %+v", last)
		}
		if runs := c.runs[0].Series[0].Generation; slices.Contains(runs, 17) {
			t.Errorf("the run itself has generations %v now", runs)
		}
	}
}

// Student's t quantile for two runs is 12.706205 in any table. A band ends where the measure does.
func TestPoolBounds(t *testing.T) {
	for _, c := range []struct {
		bounds    engine.Bounds
		low, high float64
	}{{engine.Bounds{Most: 1}, 0, 1}, {engine.Counts(), 0, 0.5 + 12.706205*0.4},
		{engine.Bounds{}, 0.5 - 12.706205*0.4, 0.5 + 12.706205*0.4}} {
		runs := []Run{oneSeries("1", "", Score, 0, 0, 0.1), oneSeries("2", "", Score, 0, 0, 0.9)}
		for i := range runs {
			runs[i].Series[0].Bounds = c.bounds
		}
		curves := proof.Must(Pool(runs, Score, 0.95))(t)
		compareCurves(t, curves, []Curve{{"", Score, []CurvePoint{{0, 0.5, c.low, c.high, 2, 0}}}})
	}
}

// Three runs that won none of 4 games each, and two that won all of 100: the bands computed apart,
// with scipy 1.10's t.ppf and statsmodels 0.13's proportion_confint, as in stat's test of
// WilsonClusters.
func TestPoolOfEqualShares(t *testing.T) {
	runs := []Run{oneSeries("1", "none", Wins, 0, 4, 0), oneSeries("2", "none", Wins, 0, 4, 0),
		oneSeries("3", "none", Wins, 0, 4, 0),
		oneSeries("4", "all", Wins, 0, 100, 1), oneSeries("5", "all", Wins, 0, 100, 1),
		oneSeries("6", "mixed", Wins, 0, 100, 1), oneSeries("7", "mixed", Wins, 0, 0, 1)}
	curves := proof.Must(Pool(runs, Wins, 0.95))(t)
	compareCurves(t, curves, []Curve{
		{"none", Wins, []CurvePoint{{0, 0, 0, 0.5502297, 3, 0}}},
		{"all", Wins, []CurvePoint{{0, 1, 0.5563439, 1, 2, 0}}},
		{"mixed", Wins, []CurvePoint{{0, 1, math.NaN(), math.NaN(), 2, 0}}}})
}

func compareCurves(t *testing.T, got, want []Curve) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d curves, want %d", len(got), len(want))
	}
	for i, c := range got {
		if c.Group != want[i].Group || c.Measure != want[i].Measure ||
			len(c.Points) != len(want[i].Points) {
			t.Errorf("curve %d is %v, want %v", i, c, want[i])
			continue
		}
		for j, p := range c.Points {
			w := want[i].Points[j]
			if p.Generation != w.Generation || p.Runs != w.Runs || p.Games != w.Games ||
				!near(p.Mean, w.Mean, 1e-5) || !near(p.Low, w.Low, 1e-5) || !near(p.High, w.High, 1e-5) {
				t.Errorf("curve %d point %d is %v, want %v", i, j, p, w)
			}
		}
	}
}

func TestPoolRefuses(t *testing.T) {
	falling := oneSeries("7", "", Score, 0, 0, 1, 2)
	falling.Series[0].Generation[1] = 0
	uneven := oneSeries("8", "", Score, 0, 0, 1, 2)
	uneven.Series[0].Value = uneven.Series[0].Value[:1]
	for _, c := range []struct {
		run  Run
		want string
	}{{falling, `run "7", measure "score": generation 0 follows 0`},
		{uneven, `2 generations, 1 values`}} {
		proof.Fails(Pool([]Run{c.run}, Score, 0.95))(t, c.want)
	}
}

func TestTable(t *testing.T) {
	table := NewTable("name", "n", "x", "ok")
	table.Add(`a, "b"`, 3, 0.1, true)
	table.Add("c", -1, math.NaN(), false)
	var b bytes.Buffer
	proof.OK(t, table.WriteCSV(&b))
	proof.Is(t, b.String(), "name,n,x,ok\n\"a, \"\"b\"\"\",3,0.1,true\nc,-1,,false\n", "the table")
}

func ExamplePool() {
	runs := []Run{
		{Name: "seed 1", Group: "k=5",
			Series: []Series{{Measure: Score, Generation: []int{0, 1}, Value: []float64{3, 5}}}},
		{Name: "seed 2", Group: "k=5",
			Series: []Series{{Measure: Score, Generation: []int{0, 1}, Value: []float64{4, 6}}}},
	}
	curves, err := Pool(runs, Score, 0.95)
	if err != nil {
		panic(err)
	}
	for _, p := range curves[0].Points {
		fmt.Printf("generation %d: %.1f, %d runs\n", p.Generation, p.Mean, p.Runs)
	}
	// Output:
	// generation 0: 3.5, 2 runs
	// generation 1: 5.5, 2 runs
}
