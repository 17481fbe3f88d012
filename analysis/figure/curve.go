package figure

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
)

// CurvePanel is one panel of a figure by generation.
type CurvePanel struct {
	Title  string
	XLabel string // "" means "Generation"
	LogX   bool   // a logarithmic axis; what it counts is 1 or more
	YLabel string
	Scale  float64 // values are multiplied by it: 100 for percent; 0 means 1
	// Layers are the measures drawn in this panel, each with its curves. With several, the layer's
	// name stands in the legend beside the group's.
	Layers []CurveLayer
}

// CurveLayer is one measure in a panel.
type CurveLayer struct {
	Name   string // in the legend; "" where a panel has one layer
	Curves []analysis.Curve
}

// Curves draws panels side by side over generations, up to three a row, four as a square: mean
// lines with their bands, the legend below. A group has the same style in all panels; further
// layers of a panel take styles of their own. Panels with the same label share their axis. There is
// one panel at least, and where any has curves, those without are left out: not every game has
// deaths.
func Curves(name, caption string, panels ...CurvePanel) *Figure {
	if full := slices.DeleteFunc(slices.Clone(panels), CurvePanel.empty); len(full) > 0 {
		panels = full
	}
	g := &grid{shareX: true, shareY: true}
	for _, p := range panels {
		g.shareX = g.shareX && p.XLabel == panels[0].XLabel
		g.shareY = g.shareY && p.YLabel == panels[0].YLabel
	}
	columns := min(len(panels), 3)
	if len(panels) == 4 {
		columns = 2
	}
	var all [][]analysis.Curve
	var keys keyring
	keys.collect(panels)
	for i, p := range panels {
		if i%columns == 0 {
			g.rows = append(g.rows, nil)
		}
		last := len(g.rows) - 1
		g.rows[last] = append(g.rows[last], curvePanel(p, &keys))
		for _, l := range p.Layers {
			all = append(all, l.Curves)
		}
	}
	for len(g.rows[len(g.rows)-1]) < columns {
		g.rows[len(g.rows)-1] = append(g.rows[len(g.rows)-1], &panel{})
	}
	g.legend = slices.DeleteFunc(keys.keys, func(k key) bool { return k.label == "" })
	width, height := pageWidth, 5*vg.Centimeter
	if columns == 1 {
		width, height = columnWidth, 6*vg.Centimeter
	} else if columns == 2 {
		height = 6 * vg.Centimeter
	}
	width = widthOf(width, g.legend)
	height = vg.Length(len(g.rows))*height + legendHeight(g.legend, width)
	return &Figure{Name: name, Caption: caption, Width: width, Height: height, Draw: g.draw,
		Data: analysis.CurveTable(all...)}
}

// empty tells whether no layer has a curve.
func (p CurvePanel) empty() bool {
	return !slices.ContainsFunc(p.Layers, func(l CurveLayer) bool { return len(l.Curves) > 0 })
}

// keyring gives each pair of layer and group its style, and collects the legend. With several
// groups a colour is a group and the dashes tell the layers apart; with one, each layer has a
// colour.
type keyring struct {
	groups, layers []string
	keys           []key
}

func (r *keyring) style(layer, group string, band bool) groupStyle {
	label := group
	if layer != "" {
		label = layer
		if len(r.groups) > 1 {
			label += ", " + group
		}
	}
	if i := slices.IndexFunc(r.keys, func(k key) bool { return k.label == label }); i >= 0 {
		r.keys[i].band = r.keys[i].band || band
		return r.keys[i].style
	}
	g, l := slices.Index(r.groups, group), slices.Index(r.layers, layer)
	k := key{label: label, style: styleOf(g + l), line: true, band: band}
	if len(r.groups) > 1 {
		k.style = styleOf(g)
		k.style.Dash = dashes[(g+l*max(1, len(dashes)/len(r.layers)))%len(dashes)]
	}
	r.keys = append(r.keys, k)
	return k.style
}

// collect notes the groups and layers of all panels in the order of their appearance.
func (r *keyring) collect(panels []CurvePanel) {
	for _, p := range panels {
		for _, l := range p.Layers {
			if !slices.Contains(r.layers, l.Name) {
				r.layers = append(r.layers, l.Name)
			}
			for _, c := range l.Curves {
				if !slices.Contains(r.groups, c.Group) {
					r.groups = append(r.groups, c.Group)
				}
			}
		}
	}
}

func curvePanel(p CurvePanel, keys *keyring) *panel {
	plt := newPlot()
	plt.X.Label.Text = cmp.Or(p.XLabel, "Generation")
	plt.Y.Label.Text = p.YLabel
	gridLines(plt)
	scale := p.Scale
	if scale == 0 {
		scale = 1
	}
	for _, l := range p.Layers {
		for _, c := range l.Curves {
			banded := slices.ContainsFunc(c.Points,
				func(q analysis.CurvePoint) bool { return !math.IsNaN(q.Low) })
			plt.Add(curvePlotter(c, keys.style(l.Name, c.Group, banded), scale))
		}
	}
	widen(&plt.Y)
	if p.LogX {
		plt.X.Scale, plt.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	} else {
		widen(&plt.X)
		counted(&plt.X)
	}
	return &panel{p.Title, plt}
}

// widen gives an axis without extent one, and lets one that nearly starts at zero start there.
func widen(a *plot.Axis) {
	if math.IsInf(a.Min, 0) || math.IsInf(a.Max, 0) {
		a.Min, a.Max = 0, 1
	}
	if a.Min > 0 && a.Min < 0.25*a.Max {
		a.Min = 0
	}
	if a.Max <= a.Min {
		a.Max = a.Min + 1
	}
}

// curvePlotter draws one mean line over its band.
func curvePlotter(c analysis.Curve, s groupStyle, scale float64) plotted {
	p := plotted{xMin: math.Inf(1), xMax: math.Inf(-1), yMin: math.Inf(1), yMax: math.Inf(-1)}
	for _, q := range c.Points {
		p.xMin, p.xMax = math.Min(p.xMin, float64(q.Generation)),
			math.Max(p.xMax, float64(q.Generation))
		for _, v := range []float64{q.Mean, q.Low, q.High} {
			if !math.IsNaN(v) {
				p.yMin, p.yMax = math.Min(p.yMin, v*scale), math.Max(p.yMax, v*scale)
			}
		}
	}
	p.paint = func(can draw.Canvas, x, y func(float64) vg.Length) {
		paintBands(can, c.Points, s, func(g int) vg.Length { return x(float64(g)) },
			func(v float64) vg.Length { return y(v * scale) })
		line := make([]vg.Point, len(c.Points))
		for i, q := range c.Points {
			line[i] = vg.Point{X: x(float64(q.Generation)), Y: y(q.Mean * scale)}
		}
		if len(line) == 1 { // a single point is drawn as a glyph
			can.DrawGlyph(s.glyph(2.2), line[0])
			if q := c.Points[0]; !math.IsNaN(q.Low) {
				can.StrokeLine2(draw.LineStyle{Color: s.Color, Width: lineWidth}, line[0].X,
					y(q.Low*scale), line[0].X, y(q.High*scale))
			}
		}
		for _, part := range can.ClipLinesXY(line) {
			strokeLong(can, s.line(), part)
		}
	}
	return p
}

// strokePiece is the number of points that are stroked at a time.
const strokePiece = 100

// strokeLong strokes a line piece by piece, dashes running on: the rasteriser of PNG files takes
// time with the square of a line's crossings of a row, which was half of all the time that 500 runs
// took to draw.
func strokeLong(c draw.Canvas, style draw.LineStyle, line []vg.Point) {
	for start := 0; start < len(line)-1; start += strokePiece {
		piece := line[start:min(start+strokePiece+1, len(line))]
		c.StrokeLines(style, piece)
		for i := 1; i < len(piece); i++ {
			style.DashOffs += vg.Length(math.Hypot(float64(piece[i].X-piece[i-1].X),
				float64(piece[i].Y-piece[i-1].Y)))
		}
	}
}

// paintBands fills the band of every unbroken stretch of points that have one.
func paintBands(c draw.Canvas, points []analysis.CurvePoint, s groupStyle, x func(int) vg.Length,
	y func(float64) vg.Length) {
	for start := 0; start < len(points); {
		end := start
		for end < len(points) && !math.IsNaN(points[end].Low) {
			end++
		}
		if end-start > 1 {
			outline := make([]vg.Point, 0, 2*(end-start))
			for _, q := range points[start:end] {
				outline = append(outline, vg.Point{X: x(q.Generation), Y: y(q.High)})
			}
			for i := end - 1; i >= start; i-- {
				outline = append(outline, vg.Point{X: x(points[i].Generation), Y: y(points[i].Low)})
			}
			c.FillPolygon(s.band(), c.ClipPolygonXY(outline))
		}
		start = end + 1
	}
}
