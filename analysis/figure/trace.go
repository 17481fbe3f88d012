package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"iter"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
)

// trace is a line of a plot over its band.
type trace struct {
	label  string // in the legend; "" for none
	style  groupStyle
	step   bool // a value holds until the next
	points []tracePoint
}

// tracePoint is a point of a trace; low and high are NaN where there is no band.
type tracePoint struct{ x, y, low, high float64 }

// tracePanel is a plot of traces.
type tracePanel struct {
	title, xLabel, yLabel string
	logX                  bool      // logarithmic; values are 1 or more
	freeX                 bool      // not a count: it has fractions, and no tick at the last value
	counts                bool      // the vertical axis counts, from zero
	reference             float64   // a thin line there; NaN for none
	none                  string    // text of a plot in which all points are gaps
	ends                  []float64 // of the vertical axis; nil for those of the data
	traces                []trace
}

// Numbers of traces in one plot.
const (
	mostTraces = 5 // with more, each has its own plot
	wrapped    = 4 // columns of such plots at most, where there is one panel
)

// Widths that plots need so that their text has room.
const (
	leastPanel = 5.5 * vg.Centimeter
	leastSmall = 3.5 * vg.Centimeter // of small multiples
)

// layTraces lays panels out: side by side with the legend below, up to three a row, four as a
// square; or, with more than mostTraces traces, as small multiples: a row for each trace and a
// column for each panel, with all other traces in grey behind it. It returns the grid's own size,
// or one of the wanted width, in which fewer panels may be side by side.
func layTraces(panels []tracePanel, look *Look, wanted vg.Length) (g *grid, width, height vg.Length,
	err error) {
	var keys []key
	for _, p := range panels {
		for _, t := range p.traces {
			i := slices.IndexFunc(keys, func(k key) bool { return k.label == t.label })
			if i < 0 {
				i = len(keys)
				keys = append(keys, key{label: t.label, style: t.style, line: true})
			}
			keys[i].band = keys[i].band || t.banded()
		}
	}
	if len(keys) > mostTraces {
		return layMultiples(panels, keys, look, wanted)
	}
	g = &grid{shareX: true, shareY: true}
	columns := min(len(panels), 3)
	if len(panels) == 4 {
		columns = 2
	}
	if wanted > 0 {
		columns = max(1, min(columns, int(wanted/leastPanel)))
	}
	for i, p := range panels {
		g.shareX = g.shareX && p.xLabel == panels[0].xLabel
		g.shareY = g.shareY && p.yLabel == panels[0].yLabel && p.ends == nil
		g.put(columns, &panel{p.title, p.plot(p.traces, nil, 5)}, i)
	}
	g.legend = slices.DeleteFunc(keys, func(k key) bool { return k.label == "" || look.NoLegend })
	width, height = pageWidth, 5*vg.Centimeter
	if columns == 1 {
		width, height = ColumnWidth, 6*vg.Centimeter
	} else if columns == 2 {
		height = 6 * vg.Centimeter
	}
	if columns == 1 && len(g.rows) > 1 {
		height = 4.6 * vg.Centimeter
	}
	if width = widthOf(width, g.legend); wanted > 0 {
		width = wanted
		var labels []string
		for _, k := range g.legend {
			labels = append(labels, k.label)
		}
		room := width - keyWidth(key{})
		for i, label := range within(labels, textStyle(textSize, ink), room) {
			g.legend[i].label = label
		}
	}
	return g, width, vg.Length(vg.Length(len(g.rows))*height) + legendHeight(g.legend, width), nil
}

// layout returns a function that draws panels in any width.
func (l *Look) layout(name, caption string, data *analysis.Table,
	panels []tracePanel) func(vg.Length) (*Figure, error) {
	return func(wanted vg.Length) (*Figure, error) {
		g, width, height, err := layTraces(panels, l, wanted)
		if err != nil {
			return nil, err
		}
		return &Figure{Name: name, Caption: caption, Width: width, Height: height, Draw: g.draw,
			Data: data}, nil
	}
}

// layMultiples gives each key a row of plots, or one plot if there is one panel.
func layMultiples(panels []tracePanel, keys []key, look *Look, wanted vg.Length) (g *grid, width,
	height vg.Length, err error) {
	width = cmp.Or(wanted, pageWidth)
	if n := vg.Length(len(panels)); n > 1 && wanted > 0 && wanted < n*leastSmall {
		return nil, 0, 0, fmt.Errorf("%d groups in %d panels need a width of %.0f mm; draw fewer "+
			"panels, or fewer groups", len(keys), len(panels), float64(n*leastSmall/vg.Millimeter))
	}
	g = &grid{shareX: true, shareY: len(panels) == 1, multiples: true}
	columns := len(panels)
	if columns == 1 {
		longest := textStyle(textSize, ink).Width(panels[0].xLabel)
		for _, k := range keys {
			longest = max(longest, textStyle(textSize, ink).Width(k.label))
		}
		columns = max(1, min(wrapped, len(keys), int(width/(longest+30))))
	}
	for _, p := range panels {
		g.shareX = g.shareX && p.xLabel == panels[0].xLabel
		head := p.yLabel
		if slices.ContainsFunc(panels, func(o tracePanel) bool {
			return o.yLabel == head && o.title != p.title
		}) {
			head = p.title + ": " + head
		}
		g.heads = append(g.heads, head)
	}
	for i, k := range keys {
		for j, p := range panels {
			own := func(t trace) bool { return t.label == k.label }
			front := slices.DeleteFunc(slices.Clone(p.traces),
				func(t trace) bool { return !own(t) })
			for n := range front {
				front[n].style = styleOf(0)
			}
			it := &panel{"", p.plot(front, slices.DeleteFunc(slices.Clone(p.traces), own), 3)}
			it.Y.Label.Text = "" // is above the column
			if j == 0 {
				it.title = k.label
			}
			g.put(columns, it, i*len(panels)+j)
		}
	}
	rowHeight := 2.4 * vg.Centimeter
	if len(g.rows) > 12 {
		rowHeight = 1.9 * vg.Centimeter
	}
	g.legend = []key{{label: "named above the plot", style: styleOf(0), line: true,
		band: slices.ContainsFunc(keys, func(k key) bool { return k.band })},
		{label: "all others", style: groupStyle{colour: behindColour}, line: true}}
	if look.NoLegend {
		g.legend = nil
	}
	return g, width, vg.Length(vg.Length(len(g.rows))*rowHeight) + 2.2*vg.Centimeter, nil
}

// put places panel i in rows of so many columns, with gaps at the end of the last row.
func (g *grid) put(columns int, p *panel, i int) {
	if i%columns == 0 {
		row := make([]*panel, columns)
		for j := range row {
			row[j] = &panel{}
		}
		g.rows = append(g.rows, row)
	}
	g.rows[i/columns][i%columns] = p
}

// behindColour is the colour of the other traces in small multiples.
var behindColour = color.NRGBA{0xb8, 0xb8, 0xb8, 0xff}

// plot draws traces in front of others, with about so many numbers at each axis.
func (p tracePanel) plot(front, behind []trace, ticks int) *plot.Plot {
	plt := newPlot()
	plt.X.Label.Text, plt.Y.Label.Text = cmp.Or(p.xLabel, "Generation"), p.yLabel
	gridLines(plt)
	paint := plotted{xMin: math.Inf(1), xMax: math.Inf(-1), yMin: math.Inf(1), yMax: math.Inf(-1)}
	for _, t := range slices.Concat(front, behind) {
		for _, q := range t.points {
			paint.xMin, paint.xMax = math.Min(paint.xMin, q.x), math.Max(paint.xMax, q.x)
			for _, v := range []float64{q.y, q.low, q.high} {
				if !math.IsNaN(v) {
					paint.yMin, paint.yMax = math.Min(paint.yMin, v), math.Max(paint.yMax, v)
				}
			}
		}
	}
	if !math.IsNaN(p.reference) {
		paint.yMin, paint.yMax = math.Min(paint.yMin, p.reference), math.Max(paint.yMax, p.reference)
	}
	paint.paint = func(c draw.Canvas, x, y func(float64) vg.Length) {
		if !math.IsNaN(p.reference) {
			c.StrokeLine2(draw.LineStyle{Color: muted, Width: thinWidth, Dashes: dashes[1]},
				c.Min.X,
				y(p.reference), c.Max.X, y(p.reference))
		}
		if len(front) > 0 && math.IsInf(paint.yMin, 1) {
			c.FillText(aligned(textStyle(textSize, ink), -0.5, -0.5), c.Center(), p.none)
		}
		for _, t := range behind {
			t.stroke(c, draw.LineStyle{Color: behindColour, Width: thinWidth}, x, y)
		}
		paintBands(c, front, x, y)
		for _, t := range front {
			t.stroke(c, t.style.line(), x, y)
			for part := range stretches(t.points, func(q tracePoint) float64 { return q.y }) {
				if len(part) > 1 {
					continue
				}
				q := part[0] // a single point makes no line
				if p.ends != nil && (q.y < p.ends[0] || q.y > p.ends[1]) {
					continue
				}
				c.DrawGlyph(t.style.glyph(2.2), vg.Point{X: x(q.x), Y: y(q.y)})
				if !math.IsNaN(q.low) {
					c.StrokeLine2(draw.LineStyle{Color: t.style.colour, Width: lineWidth}, x(q.x),
						max(c.Min.Y, y(q.low)), x(q.x), min(c.Max.Y, y(q.high)))
				}
			}
		}
	}
	plt.Add(paint)
	last := plt.X.Max
	first := plt.X.Min
	widen(&plt.X)
	if p.logX {
		plt.X.Min = first // a logarithm has no zero
	}
	widen(&plt.Y)
	plt.Y.Tick.Marker = niceTicks{about: ticks, whole: p.counts}
	if p.counts {
		plt.Y.Min = 0
	}
	if math.IsInf(paint.yMin, 1) {
		plt.Y.Tick.Marker = plot.ConstantTicks{} // without data there are no numbers
	}
	switch {
	case p.logX:
		plt.X.Scale, plt.X.Tick.Marker = plot.LogScale{}, logTicks{}
	case p.freeX:
		plt.X.Tick.Marker = niceTicks{about: ticks}
	default:
		numberTo(&plt.X, last, ticks)
	}
	if !p.logX {
		keepClear(&plt.X, 0, 0.015)
	}
	keepClear(&plt.Y, 0.04, 0.04)
	if p.ends != nil {
		plt.Y.Min, plt.Y.Max = p.ends[0], p.ends[1]
	}
	return plt
}

// keepClear extends an axis so that data keep clear of the frame, by shares of its length below and
// above. An axis that starts at zero or above never extends below zero.
func keepClear(a *plot.Axis, below, above float64) {
	length := a.Max - a.Min
	if a.Min < 0 {
		a.Min -= float64(below * length)
	} else {
		a.Min = math.Max(0, a.Min-float64(below*length))
	}
	a.Max += float64(above * length)
}

// widen gives an axis of length zero some length, and lets one that starts near zero start at zero.
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

// banded reports whether any point has a band.
func (t trace) banded() bool {
	return slices.ContainsFunc(t.points, func(q tracePoint) bool { return !math.IsNaN(q.low) })
}

// stroke draws the line, with gaps where there is no value.
func (t trace) stroke(c draw.Canvas, style draw.LineStyle, x, y func(float64) vg.Length) {
	for part := range stretches(t.points, func(q tracePoint) float64 { return q.y }) {
		var line []vg.Point
		for i, q := range part {
			if t.step && i > 0 {
				line = append(line, vg.Point{X: x(q.x), Y: line[len(line)-1].Y})
			}
			line = append(line, vg.Point{X: x(q.x), Y: y(q.y)})
		}
		for _, piece := range c.ClipLinesXY(line) {
			strokeLong(c, style, piece)
		}
	}
}

// stretches yields the longest runs of points in which a value is a number.
func stretches(points []tracePoint, of func(tracePoint) float64) iter.Seq[[]tracePoint] {
	return func(yield func([]tracePoint) bool) {
		for start := 0; start < len(points); {
			end := start
			for end < len(points) && !math.IsNaN(of(points[end])) {
				end++
			}
			if end > start && !yield(points[start:end]) {
				return
			}
			start = end + 1
		}
	}
}

// paintBands fills the bands of traces, fainter the more there are, and draws their edges, so that
// none hides another.
func paintBands(c draw.Canvas, traces []trace, x, y func(float64) vg.Length) {
	banded := slices.DeleteFunc(slices.Clone(traces), func(t trace) bool { return !t.banded() })
	for _, t := range banded {
		fill, edge := t.style.band(), t.style.colour
		edge.A = 0x90
		if n := len(banded); n > 1 {
			fill.A = uint8(0x60 / (n + 1))
		}
		for part := range stretches(t.points, func(q tracePoint) float64 { return q.low }) {
			if len(part) < 2 {
				continue
			}
			var top, bottom []vg.Point
			for _, q := range part {
				top = append(top, vg.Point{X: x(q.x), Y: y(q.high)})
				bottom = append(bottom, vg.Point{X: x(q.x), Y: y(q.low)})
			}
			outline := slices.Clone(top)
			for _, p := range slices.Backward(bottom) {
				outline = append(outline, p)
			}
			c.FillPolygon(fill, c.ClipPolygonXY(outline))
			if len(banded) == 1 {
				continue
			}
			for _, side := range [][]vg.Point{top, bottom} {
				for _, piece := range c.ClipLinesXY(side) {
					strokeLong(c, draw.LineStyle{Color: edge, Width: gridWidth, Dashes: t.style.dash}, piece)
				}
			}
		}
	}
}

// strokePiece is the number of points that are stroked at a time.
const strokePiece = 100

// strokeLong strokes a line piece by piece, and continues its dashes. The time of the rasteriser of
// PNG files grows with the square of a line's crossings of a pixel row, and was half of the time to
// draw 500 runs.
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
