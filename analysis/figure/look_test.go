package figure

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"clade/analysis"
	"clade/gp/proof"
)

// The numbers of an axis of games stand where their values are, in whatever unit: by proportion
// from the first to the last, whose places are read from the drawing.
func TestGamesAxis(t *testing.T) {
	for last, label := range map[float64]string{984: "Games of selection",
		55_000:    "Games of selection (thousands)",
		900_000:   "Games of selection (thousands)",
		4_750_000: "Games of selection (millions)"} {
		f := Curves("games", "A caption.", CurvePanel{YLabel: "y", Layers: []CurveLayer{{
			Curves: []analysis.Curve{{Points: []analysis.CurvePoint{
				{Generation: 0, Mean: 7}, {Generation: 40, Mean: 7, Games: last}}}}}}})
		var at, value []float64
		foot := vg.Length(math.Inf(1))
		for _, w := range written(t, f) {
			v, err := strconv.ParseFloat(strings.ReplaceAll(w.text, ",", ""), 64)
			if err != nil || w.at.Y > foot+1 {
				continue // the vertical axis has its numbers above
			}
			if w.at.Y < foot-1 {
				at, value, foot = nil, nil, w.at.Y
			}
			at = append(at, float64(w.at.X+w.face.Width(w.text)/2))
			value = append(value, v)
		}
		if len(at) < 3 || !slices.Contains(texts(t, f), label) {
			t.Fatalf("%g games: the axis has the numbers %v; the texts are %q", last, value, texts(t, f))
		}
		n := len(at) - 1
		for i := range at {
			want := value[0] + (value[n]-value[0])*(at[i]-at[0])/(at[n]-at[0])
			if !(math.Abs(value[i]-want) <= 0.01*value[n]) {
				t.Errorf("%g games: %g stands where %g is", last, value[i], want)
			}
		}
	}
}

// What a paper asks for is drawn: the panels, in order, as wide as it says, with its labels; a
// group keeps its colour with any others drawn before or beside it.
func TestLook(t *testing.T) {
	runs := plantedRuns([]string{"a", "b"}, 2, 20)
	look := Look{Panels: []string{"score", "wins"}, Width: "column", Order: []string{"b"},
		Labels: map[string]string{"a": "Alpha", "score": "Food"},
		Range:  map[string][]float64{"wins": {0, 100}}, Groups: []string{"none", "a", "b"}}
	f := proof.Must(Dynamics(runs, deaths, "HyperANT", &look))(t)
	checkFigure(t, f)
	all := texts(t, f)
	place := func(text string) int { return slices.Index(all, text) }
	if place("Food") < 0 || place("Food") > place("Wins against HyperANT") || place("Alpha") < 0 ||
		place("b") > place("Alpha") || place("100") < 0 || f.Width != ColumnWidth ||
		slices.ContainsFunc(all, func(s string) bool { return strings.HasPrefix(s, "Early") }) {
		t.Errorf("of %v, width %v, caption %q:\n%q", look, f.Width, f.Caption, all)
	}
	if !strings.HasPrefix(f.Caption, "Food, Wins against HyperANT, by generation: ") {
		t.Errorf("the caption is %q", f.Caption)
	}
	keys := keyring{look: &look, groups: []string{"b"}}
	proof.Is(t, keys.key("", "b").style.colour, styleOf(2).colour, "alone, the colour of group 2")
	if f, err := Growth(runs, &look); f != nil || err != nil {
		t.Errorf("without a panel of its own Growth draws %v, %v", f, err)
	}
	look.NoLegend, look.Panels = true, []string{"early-deaths+sacrifices"}
	f = proof.Must(Dynamics(runs, deaths, "HyperANT", &look))(t)
	if all = texts(t, f); slices.Contains(all, "Alpha") || !slices.Contains(all,
		"Early deaths + sacrifices") {
		t.Errorf("of %v: %q", look, all)
	}
	at := func(measure string, row int) float64 {
		f := proof.Must(Dynamics(runs, deaths, "HyperANT", &Look{Panels: []string{measure}}))(t)
		return proof.Must(strconv.ParseFloat(f.Data.Rows[row][3], 64))(t)
	}
	if sum, want := at("early-deaths+sacrifices", 5), at("early-deaths", 5)+
		at("sacrifices", 5); !(math.Abs(sum-want) <= 1e-6) {
		t.Errorf("the sum of marks is %g, want %g", sum, want)
	}
	proof.Fails(Dynamics(plantedRuns([]string{"a", "b", "c", "d", "e", "f"}, 1, 5), deaths, "him",
		&Look{Width: "40"}))(t, "140 mm")
}

// What no game's runs have is refused by the name of its key.
func TestLookFaults(t *testing.T) {
	for want, look := range map[string]Look{
		`panels: unknown panel "win", did you mean "wins"?`:   {Panels: []string{"win"}},
		`panels: unknown panel "score"; known:`:               {Panels: []string{"sacrifices+score"}},
		`width must be "column", "page" or millimetres in 40`: {Width: "39"},
		"range: wins needs two numbers, the lesser first, not [1": {
			Range: map[string][]float64{"wins": {1}}},
	} {
		proof.Says(t, look.Check(deaths), want)
	}
}

// By hand: a label that is too long for its axis breaks at the blank nearest to its middle.
func TestHalved(t *testing.T) {
	s := textStyle(textSize, ink)
	for text, want := range map[string]string{"Score a game": "Score a game",
		"Early deaths + sacrifices a game (%)": "Early deaths +\nsacrifices a game (%)",
		"Incomprehensibilities of somebody":    "Incomprehensibilities\nof somebody",
		"Incomprehensibilitiesofsomebody":      "Incomprehensibilitiesofsomebody"} {
		proof.Is(t, halved(text, s, 80), want, "halved")
	}
}

// Texts of an editable SVG are texts, and what else it holds is that of the outlined one.
func TestEditable(t *testing.T) {
	f := proof.Must(Growth(plantedRuns([]string{"a & b"}, 2, 10), &Look{}))(t)
	svg := string(encode(t, f, EditableSVG))
	proof.Holds(t, svg, ">Nodes a genome</text>", ">a &amp; b</text>", "<desc>"+f.Caption,
		"font-family:'Liberation Sans',Arial")
	proof.Is(t, strings.Count(string(encode(t, f, SVG)), "<path d="),
		strings.Count(svg, "<path d="), "lines of the other form")
}
