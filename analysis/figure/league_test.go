package figure

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

var antNames = []string{"HyperANT", "BrilliANT", "EvolANT", "SuperANT", "SmartANT", "GreedyANT",
	"random"}

// plantedLeague plays a round robin of players that are each a step weaker than the one before.
func plantedLeague(players, boards int) []rating.Pairing {
	var list []rating.Pairing
	for i := range players {
		for j := range i {
			r := engine.NewRandom(uint64(engine.Seed(4).Num(uint64(i)).Num(uint64(j))))
			p := rating.Pairing{A: j, B: i}
			game := func() rating.Outcome {
				if u := r.Float(); u < 1/(1+math.Exp(0.3*float64(j-i))) {
					return rating.Win
				} else if u > 0.95 {
					return rating.Tie
				}
				return rating.Loss
			}
			for range boards {
				p.Add(game(), game())
			}
			list = append(list, p)
		}
	}
	return list
}

func scores(t *testing.T, players, boards int) [][]float64 {
	t.Helper()
	return proof.Must(rating.Scores(players, plantedLeague(players, boards)))(t)
}

func many(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("champion-%d", 50*i)
	}
	return names
}

func TestLeagueFigures(t *testing.T) {
	proof.Slow(t)
	pairings := plantedLeague(7, 100)
	league := proof.Must(rating.Rate(7, pairings, 0.95, 200, 1))(t)
	checkFigure(t, Ratings(antNames, league))
	checkFigure(t, RoundRobin(antNames, scores(t, 7, 100)))
	big := RoundRobin(many(30), scores(t, 30, 30))
	big.Name += "-30"
	checkFigure(t, big)
	curl := proof.Must(monitor.CurlSignificance(7, pairings, 200, 1))(t)
	checkFigure(t, Curl(curl))
	discs := proof.Must(monitor.Embed(rating.Payoffs(scores(t, 7, 100)), 1))(t)
	checkFigure(t, Disc(antNames, discs[0]))
}

func TestComparisonFigures(t *testing.T) {
	checkFigure(t,
		CriticalDifference([]string{"k = 2", "k = 5", "round robin", "k-random", "fixed panel",
			"hall of fame"},
			[]float64{2.1, 1.6, 3.9, 4.1, 4.8, 4.5}, stat.NemenyiCD(6, 14, 0.05)))
	r := engine.NewRandom(3)
	var taus []float64
	for tau := 0.0; tau <= 1; tau += 0.02 {
		taus = append(taus, tau)
	}
	var profiles [][]stat.ProfilePoint
	for m := range 3 {
		runs := make([][]float64, 3)
		for task := range runs {
			for range 10 {
				runs[task] = append(runs[task], 0.3+0.1*float64(m)+0.4*(r.Float()-0.5)+0.05*float64(task))
			}
		}
		profiles = append(profiles, stat.Profile(runs, taus, 0.95, 200, 1))
	}
	checkFigure(t, Profiles([]string{"tournaments of two", "tournaments of five", "pairs"},
		profiles, "Win share", 100, &Look{}))
}

// Nothing to draw is not a reason to fail.
func TestEmptyFigures(t *testing.T) {
	proof.Slow(t)
	dynamics := proof.Must(Dynamics(nil, nil, "nobody", &Look{}))(t)
	for _, f := range []*Figure{
		dynamics, Ratings(nil, nil), RoundRobin(nil, nil), CriticalDifference(nil, nil, 1),
		Profiles(nil, nil, "Score", 100, &Look{}),
		Profiles([]string{"a"}, [][]stat.ProfilePoint{nil}, "Score", 100,
			&Look{}),
		Lines("lines", "A caption.", "x", "y", nil, nil, OfTrials(1), math.NaN()),
		Lines("lines", "A caption.", "x", "y", []string{"a"}, [][]monitor.Point{nil}, OfTrials(40), 0.5),
		Staircase(nil, 10),
		Curl(&monitor.CurlTest{}), Ancestry("ciao", "A caption.", &monitor.CIAO{}),
		Disc(nil, monitor.Disc{}), FieldOfView(make([]float64, 9), 3),
		Primitives(antGrammar(), nil), Phylogeny(&analysis.Phylogeny{}, nil, false),
		Genome("genome", antGrammar(), nil, ""),
		RoundRobin([]string{"a", "b"}, [][]float64{{math.NaN(), 1}, {0, math.NaN()}}),
		Ratings([]string{"a"}, []rating.Standing{{}}),
	} {
		for _, format := range AllFormats() {
			encode(t, f, format)
		}
	}
}

// The looks of two small figures, to be changed on purpose only.
func TestGolden(t *testing.T) {
	g := antGrammar()
	r := engine.NewRandom(4)
	program := Program{"straight", grow(g, gp.Float, 4, &r), []int{1}}
	for _, f := range []*Figure{Staircase([]int{0, 10, 40}, 100),
		Genome("genome", g, []Program{program}, "never changed a decision")} {
		proof.Golden(t, filepath.Join("testdata", f.Name+".svg"), string(encode(t, f, SVG)))
	}
}

func TestCliques(t *testing.T) {
	ranks := []float64{1, 1.5, 2.4, 4, 4.2}
	proof.Is(t, fmt.Sprint(cliques(ranks, []int{0, 1, 2, 3, 4}, 1)), "[[0 1] [1 2] [3 4]]",
		"cliques")
}

func TestMonitorFigures(t *testing.T) {
	proof.Slow(t)
	var generations []int
	for g := 0; g <= 1000; g += 20 {
		generations = append(generations, g)
	}
	play := func(a, b int) (float64, error) {
		return 0.5 + 0.4*math.Tanh(float64(a-b)/400) + 0.08*math.Sin(float64(a-b)/60), nil
	}
	ciao := proof.Must(monitor.Ancestors(generations, play))(t)
	checkFigure(t, Ancestry("ciao", "A caption.", ciao))
	lag := proof.Must(ciao.Lag(40))(t)
	checkFigure(t, Lines("lag", "A caption.", "Lag (generations)", "Points of the individual",
		[]string{"lag"},
		[][]monitor.Point{lag}, OfTrials(40), 0.5))
	checkFigure(t, Lines("forgetting", "A caption.", "Generation", "Forgetting",
		[]string{"run 1", "run 2"},
		[][]monitor.Point{ciao.Forgetting(), ciao.ByAge()}, OfTrials(40), math.NaN()))
	checkFigure(t, Staircase([]int{0, 20, 40, 120, 300, 310, 700}, 1000))
	windows := proof.Must(monitor.Intransitivity(generations[:20], plantedLeague(20, 40), 8, 0.95,
		50, 1))(t)
	checkFigure(t, Intransitivity(windows))
	if f := Intransitivity(nil); f.Name != "intransitivity" {
		t.Error(f.Name)
	} else {
		encode(t, f, SVG)
	}
}

// texts returns what is written in a figure.
func texts(t *testing.T, f *Figure) []string {
	t.Helper()
	var list []string
	for _, w := range written(t, f) {
		list = append(list, w.text)
	}
	return list
}

// There is no generation 0.5, however short the run.
func TestWholeGenerations(t *testing.T) {
	runs := []analysis.Run{
		{Series: []analysis.Series{{Measure: analysis.TreeSize, Generation: []int{0, 1, 2},
			Value: []float64{0, 20, 30}}}}}
	growth := proof.Must(Growth(runs, &Look{}))(t)
	even := func(a, b int) (float64, error) { return 0.5, nil }
	ciao := proof.Must(monitor.Ancestors([]int{0, 1, 2}, even))(t)
	for _, f := range []*Figure{growth, Ancestry("ciao", "A caption.", ciao),
		Staircase([]int{0, 1, 2}, 2),
		Lines("lines", "A caption.", "x", "y", []string{"a"},
			[][]monitor.Point{{{At: 0, Value: 0, Count: 1}, {At: 2, Value: 10, Count: 1}}}, bandless,
			math.NaN())} {
		for _, text := range texts(t, f) {
			if strings.Contains(text, ".") {
				t.Errorf("%s has a tick at %s", f.Name, text)
			}
		}
	}
}

// The names of a great league stand below each other, not over each other.
func TestRoundRobinLabels(t *testing.T) {
	for _, n := range []int{2, 8, 9, 40, 100} {
		score := make([][]float64, n)
		for i := range score {
			score[i] = make([]float64, n)
		}
		last := math.Inf(-1)
		for _, w := range written(t, RoundRobin(many(n), score)) {
			if !strings.HasPrefix(w.text, "champion-") {
				continue
			}
			y := float64(w.at.Y)
			if math.Abs(y-last) < float64(tickSize) {
				t.Fatalf("%d players: names at %v and %v", n, last, y)
			}
			last = y
		}
		if math.IsInf(last, -1) {
			t.Errorf("%d players: no name found", n)
		}
	}
}

// In a column the names of a critical-difference diagram that are too long break, and are whole: by
// hand, in the middle.
func TestBrokenNames(t *testing.T) {
	names := []string{"parsimony false, tournament 2", "parsimony true, tournament 2",
		"parsimony, k 3"}
	f := proof.Must(CriticalDifference(names, []float64{1.2, 2, 2.8}, 1.35).Fit("column"))(t)
	inside(t, f)
	var all []string
	for _, w := range written(t, f) {
		all = append(all, w.text)
	}
	for _, want := range []string{"1.20  parsimony false,", "tournament 2", "2.00  parsimony true,",
		"parsimony, k 3  2.80"} {
		if !slices.Contains(all, want) {
			t.Errorf("%q lacks %q", all, want)
		}
	}
}

// Names of any length are in the picture, and leave room for it. Titles are shortened instead,
// because their panels stand side by side.
func TestLongNames(t *testing.T) {
	for _, length := range []int{1, 20, 40, 90, 200} {
		names := make([]string, 3)
		for i := range names {
			names[i] = strings.Repeat("x", length) + fmt.Sprint(i)
		}
		var curves []analysis.Curve
		var profiles [][]stat.ProfilePoint
		lines := make([][]monitor.Point, len(names))
		for _, n := range names {
			curves = append(curves,
				analysis.Curve{Group: n, Points: []analysis.CurvePoint{{Generation: 1, Mean: 1},
					{Generation: 9, Mean: 2}}})
			profiles = append(profiles, []stat.ProfilePoint{{Tau: 0}, {Tau: 1}})
		}
		panel := CurvePanel{Title: "against " + names[0], Layers: []CurveLayer{{Curves: curves}}}
		for _, f := range []*Figure{
			CriticalDifference(names, []float64{1, 2, 3}, 1.2),
			Ratings(names, make([]rating.Standing, 3)), RoundRobin(names, scores(t, 3, 5)),
			Curves("one", "A caption.", panel), Curves("three", "A caption.", panel, panel, panel),
			Profiles(names, profiles, "x", 100, &Look{}),
			Lines("lines", "A caption.", "x", "y", names, lines,
				bandless, 0),
		} {
			found := 0
			for _, w := range written(t, f) {
				if !strings.ContainsAny(w.text, "012") || !strings.Contains(w.text, "x") {
					continue
				}
				long, left := float64(w.face.Width(w.text)), float64(w.at.X)
				found++
				if left < 0 || left+long > float64(f.Width) {
					t.Errorf("names of %d letters: %s has one from %v to %v of %v", length, f.Name,
						left, left+long, f.Width)
				}
				if room := float64(f.Width); f.Name == "round-robin" &&
					room-long < float64(ColumnWidth)/2 || f.Name == "three" &&
					strings.Contains(w.text, "against") && long > room/3 {
					t.Errorf("names of %d letters: one of %v in %s, which is %v wide", length, long, f.Name, room)
				}
			}
			if found < 3 {
				t.Errorf("names of %d letters: %s has %d names", length, f.Name, found)
			}
		}
	}
}

// Every point of a disc has its label, and labels do not cover each other, crowded as they may be.
func TestDiscLabels(t *testing.T) {
	proof.Slow(t)
	for _, n := range []int{1, 7, 12, 40} {
		r := engine.NewRandom(uint64(n))
		d := monitor.Disc{Share: 0.5, X: make([]float64, n), Y: make([]float64, n)}
		for i := range n {
			d.X[i], d.Y[i] = 0.3*r.Float(), 0.5*r.Float()
		}
		d.X[0], d.Y[0] = -1, -1
		names := many(n)
		f := Disc(names, d)
		f.Name = fmt.Sprint("disc-", n)
		checkFigure(t, f)
		var boxes []vg.Rectangle
		for _, w := range written(t, f) {
			if slices.Contains(names, w.text) {
				box := textStyle(tickSize, ink).Rectangle(w.text).Add(w.at)
				if i := slices.IndexFunc(boxes, func(b vg.Rectangle) bool {
					return overlap(b, box) > 0.5
				}); i >= 0 {
					t.Errorf("of %d labels, %s covers number %d", n, w.text, i)
				}
				boxes = append(boxes, box)
			}
		}
		proof.Is(t, len(boxes), n, "points with labels")
	}
}

// Thirty groups, whose mean ranks are planted: the numbers of the scale of ranks do not touch each
// other, and its ends have theirs.
func TestManyRanks(t *testing.T) {
	for _, n := range []int{2, 12, 30, 100} {
		ranks := make([]float64, n)
		for i := range ranks {
			ranks[i] = float64(i + 1)
		}
		f := CriticalDifference(many(n), ranks, 7.7)
		look(t, f)
		scale := map[string]vg.Length{}
		end := vg.Length(math.Inf(1))
		for _, w := range written(t, f) { // from rank 1, which is at the right
			if _, err := strconv.Atoi(w.text); err != nil {
				continue
			}
			scale[w.text] = w.at.X
			if w.at.X+w.face.Width(w.text) > end-1 {
				t.Errorf("of %d, rank %s touches the number before it", n, w.text)
			}
			end = w.at.X
		}
		if scale["1"] == 0 || scale[strconv.Itoa(n)] == 0 {
			t.Errorf("of %d, an end has no number: %v", n, scale)
		}
	}
}

// Six curves and more are small multiples: each has its name at a plot, and the legend tells two
// kinds of lines.
func TestMultiples(t *testing.T) {
	proof.Costly(t)
	for _, c := range []struct{ groups, panels int }{{5, 1}, {6, 1}, {18, 1}, {6, 2}, {18, 4}} {
		var curves []analysis.Curve
		for i := range c.groups {
			curve := analysis.Curve{Group: fmt.Sprintf("group %d", i)}
			for g := range 20 {
				v := float64(g*i) / 100
				curve.Points = append(curve.Points, analysis.CurvePoint{Generation: g, Mean: v,
					Low: v - 1, High: v + 1})
			}
			curves = append(curves, curve)
		}
		var panels []CurvePanel
		for i := range c.panels {
			panels = append(panels, CurvePanel{Title: fmt.Sprint("title ", i),
				YLabel: fmt.Sprint("unit ", i), Layers: []CurveLayer{{Curves: curves}}})
		}
		f := Curves(fmt.Sprintf("multiples-%d-%d", c.groups, c.panels), "A caption.", panels...)
		checkFigure(t, f)
		count := map[string]int{}
		for _, text := range texts(t, f) {
			count[text]++
		}
		for i := range c.groups {
			proof.Is(t, count[fmt.Sprint("group ", i)], 1, "%s: how often group %d is named", f.Name, i)
		}
		proof.Is(t, count["all others"] == 1, c.groups > mostTraces, "%s says %v", f.Name, count)
		if count["19"] == 0 {
			t.Errorf("%s does not number the last generation", f.Name)
		}
	}
}

// Five panels leave a gap: it has no letter, and the panel above it has the numbers of its axis.
func TestGap(t *testing.T) {
	panels := make([]CurvePanel, 5)
	for i := range panels {
		panels[i] = CurvePanel{YLabel: fmt.Sprint("y", i),
			Layers: []CurveLayer{
				{Curves: []analysis.Curve{{Points: []analysis.CurvePoint{{Generation: 0, Mean: 1},
					{Generation: 40, Mean: 2}}}}}}}
	}
	count := map[string]int{}
	for _, text := range texts(t, Curves("five", "A caption.", panels...)) {
		count[text]++
	}
	if count["(e)"] != 1 || count["(f)"] != 0 || count["40"] != 3 || count["Generation"] != 3 {
		t.Errorf("written is %v", count)
	}
}

// Panels that share their axis have the same numbers on it, though one ends sooner.
func TestSharedNumbers(t *testing.T) {
	panel := func(last int) CurvePanel {
		return CurvePanel{YLabel: fmt.Sprint("y", last), Layers: []CurveLayer{
			{Curves: []analysis.Curve{{Points: []analysis.CurvePoint{{Generation: 0, Mean: 1},
				{Generation: last, Mean: 2}}}}}}}
	}
	count := map[string]int{}
	for _, text := range texts(t, Curves("two", "A caption.", panel(119), panel(27))) {
		count[text]++
	}
	if count["119"] != 2 || count["27"] != 0 {
		t.Errorf("written is %v", count)
	}
}

// What a legend shows of the extinct is drawn as they are.
func TestExtinctKey(t *testing.T) {
	f := Phylogeny(&analysis.Phylogeny{Taxa: []analysis.Taxon{{ID: 1, Destruction: 2},
		{ID: 2, Parents: []int{0}, Origin: 1, Destruction: 2},
		{ID: 3, Parents: []int{0}, Origin: 1, Destruction: math.Inf(1)}}}, nil, false)
	colours := map[string]bool{}
	for _, c := range regexp.MustCompile(`stroke:(#[0-9A-Fa-f]{6})`).FindAllStringSubmatch(
		string(encode(t, f, SVG)), -1) {
		colours[strings.ToLower(c[1])] = true
	}
	if colours[fmt.Sprintf("#%02x%02x%02x", muted.R, muted.G, muted.B)] {
		t.Errorf("strokes are %v", colours)
	}
}

// A run of three champions has one point of forgetting, and it is seen.
func TestLonePoint(t *testing.T) {
	for _, c := range []struct {
		points []monitor.Point
		want   bool
	}{{nil, false}, {[]monitor.Point{{At: 20, Value: math.NaN()}}, false},
		{[]monitor.Point{{At: 20, Value: 0.3, Count: 1}}, true}} {
		f := Lines("lines", "A caption.", "x", "y", []string{"a"}, [][]monitor.Point{c.points},
			bandless, math.NaN())
		r, g, b := styleOf(0).colour.R, styleOf(0).colour.G, styleOf(0).colour.B
		proof.Is(t, strings.Contains(string(encode(t, f, TeX)),
			fmt.Sprintf(`\color[RGB]{%d,%d,%d}`, r, g, b)), c.want, "%v: drawn", c.points)
	}
}

// A panel whose points are all gaps says so in words, and one of which there is something does not.
func TestPanelOfGaps(t *testing.T) {
	for _, value := range []float64{math.NaN(), 0.5} {
		var layers [2][]CurveLayer
		for i, v := range []float64{0.5, value} {
			layers[i] = []CurveLayer{{Curves: []analysis.Curve{{Points: []analysis.CurvePoint{
				{Generation: 1, Mean: v, Low: v, High: v}}}}}}
		}
		f := Curves("curves", "A caption.", CurvePanel{None: "nothing", Layers: layers[0]},
			CurvePanel{None: "nothing", Layers: layers[1]})
		proof.Is(t, strings.Count(string(encode(t, f, TeX)), "nothing") == 1, math.IsNaN(value),
			"%v: the words stand there once", value)
		f = Curves("curve", "A caption.", CurvePanel{None: "nothing", Layers: layers[1]})
		if numbered := slices.Contains(texts(t, f), "0.50"); numbered == math.IsNaN(value) {
			t.Errorf("%v: its axis has numbers is %v: %q", value, numbered, texts(t, f))
		}
	}
}

// The band of a line is that of the games of its results.
func TestLinesBand(t *testing.T) {
	points := []monitor.Point{{At: 1, Value: 0.5, Count: 2}, {At: 2, Value: 0.25, Count: 1}}
	f := Lines("lines", "A caption.", "x", "y", []string{"a"}, [][]monitor.Point{points},
		OfTrials(50), 0.5)
	for i, q := range points {
		games := float64(50 * q.Count)
		ci := stat.Wilson(q.Value*games, games, 0.95)
		want := []string{fmt.Sprint(ci.Low), fmt.Sprint(ci.High)}
		proof.Are(t, f.Data.Rows[i][3:5], want, "Wilson's interval in row %d", i)
	}
}

// Powers of ten have their thousands set apart, as all numbers have. A short axis has other numbers.
func TestLogTicks(t *testing.T) {
	for _, test := range []struct {
		at   []int
		want []string
	}{
		{[]int{10, 100, 1000, 10_000, 100_000}, []string{"10", "100", "1,000", "10,000", "100,000"}},
		{[]int{150_000, 600_000}, []string{"200,000", "500,000"}},
		{[]int{225_000, 900_000}, []string{"300,000", "500,000", "800,000"}},
		{[]int{3000, 4500}, []string{"3,000", "4,000"}},
	} {
		curve := analysis.Curve{}
		for _, x := range test.at {
			curve.Points = append(curve.Points, analysis.CurvePoint{Generation: x, Mean: 1,
				Low: math.NaN(), High: math.NaN()})
		}
		all := texts(t, Curves("curves", "A caption.", CurvePanel{LogX: true,
			Layers: []CurveLayer{{Curves: []analysis.Curve{curve}}}}))
		for _, want := range test.want {
			if !slices.Contains(all, want) {
				t.Errorf("no %s among %q", want, all)
			}
		}
	}
}

// SVG files are well-formed whatever stands in a name, and TeX escapes it.
func TestOddNames(t *testing.T) {
	f := Ratings([]string{`<&"%_$#\{}~^>`}, []rating.Standing{{RankLow: 1, RankHigh: 1}})
	svg := proof.Must(f.Encode(SVG))(t)
	for d := xml.NewDecoder(strings.NewReader(string(svg))); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	tex := proof.Must(f.Encode(TeX))(t)
	if want := `\%\_\$\#\textbackslash{}\{\}\textasciitilde{}\textasciicircum{}`; !strings.Contains(
		string(tex), want) {
		t.Errorf("TeX lacks %s", want)
	}
}

func ExampleFigure_Save() {
	dir, err := os.MkdirTemp("", "figures")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	f := Staircase([]int{0, 10, 40}, 100)
	paths, err := f.Save(dir, SVG)
	for _, p := range paths {
		fmt.Println(strings.TrimPrefix(p, dir))
	}
	fmt.Println(err)
	// Output:
	// /dominance.svg
	// /dominance.csv
	// <nil>
}

// bandless gives a point no band.
func bandless(q monitor.Point) stat.Interval {
	return stat.Interval{Estimate: q.Value, Low: math.NaN(), High: math.NaN()}
}
