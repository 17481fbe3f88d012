package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
)

const (
	ancestorTimes = 200  // at which the curve of common ancestors is computed
	maxTaxa       = 5000 // drawn in a figure
	extantTaxa    = 1000 // drawn in one of extant taxa only
)

// Phylogeny draws descent along first parents, time to the right: lines that lead to survivors in
// colour, the others grey, with the survivors' most recent common ancestor marked. Below it are the
// ages of the common ancestor at each time, unless the record never has one, as with islands that
// hardly exchange individuals.
//
// Taxa whose ids are in champions are marked. Of more than 5,000 taxa only champions and survivors,
// or some of them, are drawn with their ancestors, and the caption says so. With extant that is so
// for any record, up to 1,000 taxa. The ages are those of the whole record. A record without times
// is drawn by depth and has no ages.
func Phylogeny(p *analysis.Phylogeny, champions []int, extant bool) *Figure {
	whole, caption := p,
		"Descent along first parents, time to the right, and how far back the most "+
			"recent common ancestor lies at each time."
	if p.Untimed != "" {
		caption = "Descent along first parents by depth, the most steps that lead back to a " +
			"founder, since the record has no times: " + p.Untimed + "."
	}
	most := maxTaxa
	if extant {
		most = extantTaxa
	}
	if extant || len(p.Taxa) > most {
		var alive int
		if p, alive = whole.Prune(most, champions); len(p.Taxa) < len(whole.Taxa) {
			caption += fmt.Sprintf(" Drawn are %d of those alive at the end and champions on "+
				"record, with their ancestors: %d of %d individuals.", alive, len(p.Taxa),
				len(whole.Taxa))
		}
	}
	l := lineage{analysis.LayOut(p), champions}
	tree := newPlot()
	tree.HideY()
	tree.Y.Padding = 12 // else half of the axis' first number is cut off
	tree.Add(plotted{xMin: l.Start - l.stem(), xMax: l.End, yMin: -0.5,
		yMax:  math.Max(1, float64(l.Leaves)-0.5),
		paint: l.paint})
	tree.X.Label.Text = "Generation"
	if p.Untimed != "" {
		tree.X.Label.Text = "Depth (steps from a founder; the record has no times)"
	}
	data, ages := l.data(whole)
	g := &grid{legend: []key{{label: "survives", style: styleOf(0), line: true},
		{label: "extinct", style: groupStyle{colour: extinctColour}, line: true}}}
	f := Figure{Name: "phylogeny", Caption: caption, Width: pageWidth, Height: 8 * vg.Centimeter,
		Draw: g.draw, Data: data}
	if l.whole() {
		numberTo(&tree.X, l.End, 5)
	}
	if slices.ContainsFunc(p.Taxa, l.champion) {
		g.legend = append(g.legend, key{label: "champion", style: championStyle(), marker: true})
	}
	if l.MRCA >= 0 {
		g.legend = append(g.legend, key{label: "most recent common ancestor",
			style: ancestorStyle(), marker: true})
	}
	if len(ages.points) == 0 {
		g.rows = [][]*panel{{{"", tree}}}
		return stretched(f)
	}
	below := tracePanel{yLabel: "Generations back", reference: math.NaN(), counts: l.whole(),
		freeX: !l.whole(), traces: []trace{ages}}.plot([]trace{ages}, nil, 5)
	below.Y.Min = 0
	g.rows, g.shareX,
		f.Height = [][]*panel{{{"Descent", tree}},
		{{"Time to the most recent common ancestor", below}}}, true, 13*vg.Centimeter
	return stretched(f)
}

// data returns the data of the figure: the taxa, and the ages of the common ancestors of the whole
// record.
func (l lineage) data(whole *analysis.Phylogeny) (*analysis.Table, trace) {
	ages := trace{style: styleOf(0), step: true}
	time := "time"
	if l.Untimed != "" {
		time = "depth"
	}
	data := analysis.NewTable("kind", "id", "parent", time, "end", "y", "survives", "age")
	for i, t := range l.Taxa {
		parent := ""
		if len(t.Parents) > 0 {
			parent = strconv.Itoa(l.Taxa[t.Parents[0]].ID)
		}
		end := math.Min(t.Destruction, l.End)
		if l.Untimed != "" {
			end = math.NaN()
		}
		data.Add("taxon", t.ID, parent, t.Origin, end, l.Y[i], l.Survives[i], math.NaN())
	}
	if l.Untimed != "" {
		return data, ages
	}
	for _, a := range whole.AncestorAges(ancestorTimes) {
		data.Add("ancestor", "", "", a.Time, math.NaN(), math.NaN(), "", a.Age)
		if !math.IsNaN(a.Age) {
			ages.points = append(ages.points, tracePoint{a.Time, a.Age, math.NaN(), math.NaN()})
		}
	}
	return data, ages
}

// stem returns the length of the line that leads to a founder. Without times a founder that has no
// children would not be seen.
func (l lineage) stem() float64 {
	if l.Untimed == "" {
		return 0
	}
	return 0.5
}

// extinctColour is light, because lines of the extinct are behind the others.
var extinctColour = color.NRGBA{muted.R, muted.G, muted.B, 0x70}

// ancestorStyle marks the common ancestor.
func ancestorStyle() groupStyle { return groupStyle{colour: inks[1], shape: draw.CircleGlyph{}} }

// championStyle marks champions.
func championStyle() groupStyle { return groupStyle{colour: inks[6], shape: draw.RingGlyph{}} }

// lineage is a phylogeny laid out.
type lineage struct {
	*analysis.Descent
	champions []int // ids
}

func (l lineage) champion(t analysis.Taxon) bool { return slices.Contains(l.champions, t.ID) }

// whole tells whether all times are whole, as generations are.
func (l lineage) whole() bool {
	return !slices.ContainsFunc(l.Taxa,
		func(t analysis.Taxon) bool { return t.Origin != math.Floor(t.Origin) })
}

func (l lineage) paint(c draw.Canvas, x, y func(float64) vg.Length) {
	width := thinWidth
	if l.Leaves > 200 {
		width = gridWidth
	}
	for _, alive := range []bool{false, true} { // survivors over the extinct
		style := draw.LineStyle{Color: extinctColour, Width: width}
		if alive {
			style = draw.LineStyle{Color: inks[0], Width: width * 1.4}
		}
		var lines vg.Path // one for all, else the file of a long run is huge
		for i, t := range l.Taxa {
			if l.Survives[i] != alive {
				continue
			}
			at := y(l.Y[i])
			if len(t.Parents) > 0 {
				up := t.Parents[0]
				lines.Move(vg.Point{X: x(l.Taxa[up].Origin), Y: y(l.Y[up])})
				if l.Y[up] != l.Y[i] {
					lines.Line(vg.Point{X: x(l.Taxa[up].Origin), Y: at})
				}
				lines.Line(vg.Point{X: x(t.Origin), Y: at})
			}
			if stem := l.stem(); len(t.Parents) == 0 && stem > 0 {
				lines.Move(vg.Point{X: x(t.Origin - stem), Y: at})
				lines.Line(vg.Point{X: x(t.Origin), Y: at})
			}
			if l.Lives[i] && l.Untimed == "" {
				lines.Move(vg.Point{X: x(t.Origin), Y: at})
				lines.Line(vg.Point{X: x(l.End), Y: at})
			}
		}
		c.SetLineStyle(style)
		c.Stroke(lines)
	}
	for i, t := range l.Taxa {
		if l.champion(t) {
			c.DrawGlyph(championStyle().glyph(2), vg.Point{X: x(t.Origin), Y: y(l.Y[i])})
		}
	}
	if l.MRCA >= 0 {
		c.DrawGlyph(ancestorStyle().glyph(2.8), vg.Point{X: x(l.Taxa[l.MRCA].Origin), Y: y(l.Y[l.MRCA])})
	}
}
