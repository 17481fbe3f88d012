package figure

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
)

const (
	ancestorTimes = 200  // at which the curve of common ancestors is computed
	maxTaxa       = 5000 // of a figure
)

// Phylogeny draws descent along first parents, time to the right: lines that lead to somebody alive
// at the end in colour, the others grey, the most recent common ancestor of the survivors marked;
// below it, how far back that ancestor lies at each time, unless there never is one on record, as
// with islands that hardly exchange anybody.
//
// Of more than 5,000 taxa it draws only ancestors of those alive at the end, or of some of them,
// and says so; the ages are those of the whole record.
func Phylogeny(p *analysis.Phylogeny) *Figure {
	whole, caption := p,
		"Descent along first parents, time to the right, and how far back the most "+
			"recent common ancestor lies at each time."
	p, alive := whole.Prune(maxTaxa)
	if drawn := len(p.Taxa); drawn < len(whole.Taxa) {
		caption += fmt.Sprintf(
			" Drawn are the ancestors of %d of those alive at the end: %d of %d "+
				"individuals.", alive, drawn, len(whole.Taxa))
	}
	l := newLineage(p)
	tree := newPlot()
	tree.HideY()
	tree.Y.Padding = 12 // or half of the first number under the axis is cut off
	tree.Add(plotted{xMin: l.start, xMax: l.end, yMin: 0, yMax: math.Max(1, float64(l.leaves-1)),
		paint: l.paint})
	tree.X.Label.Text = "Generation"

	data := analysis.NewTable("kind", "id", "parent", "time", "end", "y", "survives", "age")
	var curve plotter.XYs
	for i, t := range p.Taxa {
		parent := ""
		if len(t.Parents) > 0 {
			parent = strconv.Itoa(p.Taxa[t.Parents[0]].ID)
		}
		data.Add("taxon", t.ID, parent, t.Origin, math.Min(t.Destruction, l.end), l.y[i],
			l.survives[i], math.NaN())
	}
	for _, a := range whole.AncestorAges(ancestorTimes) {
		data.Add("ancestor", "", "", a.Time, math.NaN(), math.NaN(), "", a.Age)
		if !math.IsNaN(a.Age) {
			curve = append(curve, plotter.XY{X: a.Time, Y: a.Age})
		}
	}
	g := &grid{legend: []key{{label: "survives", style: styleOf(0), line: true},
		{label: "extinct", style: groupStyle{Color: muted}, line: true}}}
	f := &Figure{Name: "phylogeny",
		Caption: caption, Width: pageWidth,
		Height: 8 * vg.Centimeter, Draw: g.draw, Data: data}
	if l.whole() {
		counted(&tree.X)
	}
	if len(curve) == 0 {
		g.rows = [][]*panel{{{"", tree}}}
		return f
	}
	ages := newPlot()
	gridLines(ages)
	addLine(ages, curve, styleOf(0))
	ages.X.Tick.Marker = tree.X.Tick.Marker
	ages.X.Label.Text, ages.Y.Label.Text = "Generation", "Generations back"
	widen(&ages.X)
	widen(&ages.Y)
	ages.Y.Min = 0
	g.rows, g.shareX,
		f.Height = [][]*panel{{{"Descent", tree}},
		{{"Time to the most recent common ancestor", ages}}}, true, 13*vg.Centimeter
	if l.mrca >= 0 {
		g.legend = append(g.legend, key{label: "most recent common ancestor",
			style: ancestorStyle(), marker: true})
	}
	return f
}

// ancestorStyle marks the common ancestor.
func ancestorStyle() groupStyle { return groupStyle{Color: okabeIto[1], Shape: draw.CircleGlyph{}} }

// lineage is a phylogeny laid out: time across, one row for each line that ends.
type lineage struct {
	*analysis.Phylogeny
	start, end float64
	y          []float64 // by taxon
	survives   []bool    // by taxon: it or a descendant by first parents is alive at the end
	mrca       int       // -1 where there is none
	leaves     int
}

func newLineage(p *analysis.Phylogeny) *lineage {
	n := len(p.Taxa)
	l := &lineage{Phylogeny: p, y: make([]float64, n), survives: make([]bool, n), mrca: -1, end: 1}
	if n == 0 {
		return l
	}
	l.start, l.end = p.Taxa[0].Origin, p.End()
	if i, err := p.CommonAncestor(l.end); err == nil {
		l.mrca = i
	}
	children := make([][]int, n)
	for i := n - 1; i >= 0; i-- { // children stand behind their parents
		t := &p.Taxa[i]
		l.survives[i] = l.survives[i] || p.Alive(i, l.end, l.end)
		if len(t.Parents) > 0 {
			first := t.Parents[0]
			l.survives[first] = l.survives[first] || l.survives[i]
			children[first] = append(children[first], i)
		}
	}
	l.place(children)
	return l
}

// place gives each line that ends a row, in order of depth first descent, and each parent the
// middle of its children. It keeps its own stack: descent is as deep as the run is long.
func (l *lineage) place(children [][]int) {
	var stack []int
	for i := len(l.Taxa) - 1; i >= 0; i-- {
		if len(l.Taxa[i].Parents) == 0 {
			stack = append(stack, i)
		}
	}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if len(children[i]) == 0 {
			l.y[i] = float64(l.leaves)
			l.leaves++
		}
		stack = append(stack, children[i]...)
	}
	for i := len(l.Taxa) - 1; i >= 0; i-- {
		if c := children[i]; len(c) > 0 {
			low, high := math.Inf(1), math.Inf(-1)
			for _, k := range c {
				low, high = math.Min(low, l.y[k]), math.Max(high, l.y[k])
			}
			l.y[i] = (low + high) / 2
		}
	}
}

// whole tells whether all times are whole, as generations are.
func (l *lineage) whole() bool {
	return !slices.ContainsFunc(l.Taxa,
		func(t analysis.Taxon) bool { return t.Origin != math.Floor(t.Origin) })
}

func (l *lineage) paint(c draw.Canvas, x, y func(float64) vg.Length) {
	width := thinWidth
	if l.leaves > 200 {
		width = gridWidth
	}
	grey := muted
	grey.A = 0x70
	for _, alive := range []bool{false, true} { // survivors over the extinct
		style := draw.LineStyle{Color: grey, Width: width}
		if alive {
			style = draw.LineStyle{Color: okabeIto[0], Width: width * 1.4}
		}
		var lines vg.Path // one for all, or the file of a long run is huge
		for i, t := range l.Taxa {
			if l.survives[i] != alive {
				continue
			}
			at := y(l.y[i])
			if len(t.Parents) > 0 {
				up := t.Parents[0]
				lines.Move(vg.Point{X: x(l.Taxa[up].Origin), Y: y(l.y[up])})
				if l.y[up] != l.y[i] {
					lines.Line(vg.Point{X: x(l.Taxa[up].Origin), Y: at})
				}
				lines.Line(vg.Point{X: x(t.Origin), Y: at})
			}
			if l.Alive(i, l.end, l.end) {
				lines.Move(vg.Point{X: x(t.Origin), Y: at})
				lines.Line(vg.Point{X: x(l.end), Y: at})
			}
		}
		c.SetLineStyle(style)
		c.Stroke(lines)
	}
	if l.mrca >= 0 {
		c.DrawGlyph(ancestorStyle().glyph(2.8),
			vg.Point{X: x(l.Taxa[l.mrca].Origin), Y: y(l.y[l.mrca])})
	}
}
