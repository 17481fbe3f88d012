package figure

import (
	"iter"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// panel is one plot of a grid. A nil plot is a gap at the end of the last row.
type panel struct {
	title string
	*plot.Plot
}

// key is one entry of a legend.
type key struct {
	label  string
	style  groupStyle
	line   bool // a stroke in the group's dash
	band   bool // its confidence band behind it
	marker bool
}

// grid lays out panels in rows: data areas aligned, titles on one baseline a row, letters before
// them where there are several panels, axes shared where asked, and one legend below all of them,
// outside.
type grid struct {
	rows           [][]*panel // of one length
	shareX, shareY bool
	legend         []key
	// The plots are small multiples: they have no letters, a title may be as wide as its row, and
	// the labels of their vertical axes are in heads, one above each column.
	multiples bool
	heads     []string
}

// plots yields the panels that are not gaps, row by row.
func (g *grid) plots() iter.Seq[*panel] {
	return func(yield func(*panel) bool) {
		for _, row := range g.rows {
			for _, p := range row {
				if p.Plot != nil && !yield(p) {
					return
				}
			}
		}
	}
}

// draw draws the grid.
func (g *grid) draw(c draw.Canvas) {
	g.share()
	c = draw.Crop(c, 2, -4, 2, -2)
	if len(g.legend) > 0 {
		h := legendHeight(g.legend, c.Max.X-c.Min.X)
		drawLegend(c, g.legend)
		c = draw.Crop(c, 0, 0, h+gap/2, 0)
	}
	head := vg.Length(0)
	if g.titled() {
		head = textSize + gap
	}
	top := c.Max.Y - textSize
	if g.multiples {
		c = draw.Crop(c, 0, 0, 0, -textSize-gap)
	}
	plots := make([][]*plot.Plot, len(g.rows))
	for i, row := range g.rows {
		for _, p := range row {
			plots[i] = append(plots[i], p.Plot)
		}
	}
	tiles := draw.Tiles{Rows: len(g.rows), Cols: len(g.rows[0]), PadX: 2 * gap, PadY: gap + head,
		PadTop: head}
	if g.multiples {
		tiles.PadY = head / 2 // numbers stand under the last row only
	}
	room := (c.Max.Y-c.Min.Y)/vg.Length(len(g.rows)) - head - gap - 2*textSize
	for p := range g.plots() {
		p.Y.Label.Text = halved(p.Y.Label.Text, p.Y.Label.TextStyle, room)
	}
	letter := 'a'
	for i, row := range plot.Align(plots, tiles, c) {
		for j, tile := range row {
			p := g.rows[i][j]
			if p.Plot == nil {
				continue
			}
			p.Plot.Draw(tile)
			area := p.DataCanvas(tile)
			base := vg.Point{X: area.Min.X, Y: area.Max.Y + gap/2 + 1}
			s := textStyle(textSize, ink)
			if i == 0 && j < len(g.heads) {
				room := min(tile.Max.X+gap, c.Max.X) - area.Min.X
				if len(g.heads) == 1 {
					room = c.Max.X - area.Min.X
				}
				tile.FillText(s, vg.Point{X: area.Min.X, Y: top}, shortened(g.heads[j], s, room))
			}
			if len(g.rows)*len(row) > 1 && !g.multiples {
				mark := "(" + string(letter) + ")"
				tile.FillText(s, base, mark)
				base.X += s.Width(mark) + 3
				letter++
			}
			if p.title != "" {
				end := min(tile.Max.X+gap, c.Max.X) // the middle of the space between panels
				if len(g.heads) > 1 {
					end = c.Max.X
				}
				tile.FillText(s, base, shortened(p.title, s, end-base.X))
			}
		}
	}
}

// halved breaks a text that is wider than width into two lines.
func halved(s string, style text.Style, width vg.Length) string {
	half := len(s) / 2
	if style.Width(s) <= width || strings.Contains(s, "\n") {
		return s
	}
	before, after := strings.LastIndexByte(s[:half], ' '), strings.IndexByte(s[half:], ' ')+half
	at := before
	if after >= half && (before < 0 || after-half < half-before) {
		at = after
	}
	if at < 0 {
		return s
	}
	return s[:at] + "\n" + s[at+1:]
}

func (g *grid) titled() bool {
	if len(g.rows)*len(g.rows[0]) > 1 {
		return true
	}
	return g.rows[0][0].title != ""
}

// share gives all panels one horizontal range and those of a row one vertical range, where asked,
// and keeps labels at the outer axes only.
func (g *grid) share() {
	if g.shareX {
		g.shareLast()
	}
	for i, row := range g.rows {
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range row {
			if p.Plot != nil {
				low, high = math.Min(low, p.Y.Min), math.Max(high, p.Y.Max)
			}
		}
		for j, p := range row {
			if p.Plot == nil {
				continue
			}
			if g.shareY {
				p.Y.Min, p.Y.Max = low, high
				if j > 0 {
					p.Y.Label.Text = ""
					p.Y.Tick.Marker = bare{p.Y.Tick.Marker}
				}
			}
			if g.shareX && i+1 < len(g.rows) && g.rows[i+1][j].Plot != nil {
				p.X.Label.Text = ""
				p.X.Tick.Marker = bare{p.X.Tick.Marker}
			}
		}
	}
	if !g.shareX {
		return
	}
	low, high := math.Inf(1), math.Inf(-1)
	for p := range g.plots() {
		low, high = math.Min(low, p.X.Min), math.Max(high, p.X.Max)
	}
	for p := range g.plots() {
		p.X.Min, p.X.Max = low, high
	}
}

// shareLast lets axes that are numbered to their last value end at the greatest of all panels.
func (g *grid) shareLast() {
	last := math.Inf(-1)
	for p := range g.plots() {
		if t, ok := p.X.Tick.Marker.(lastTick); ok {
			last = math.Max(last, t.last)
		}
	}
	for p := range g.plots() {
		if t, ok := p.X.Tick.Marker.(lastTick); ok {
			p.X.Tick.Marker = lastTick{t.niceTicks, last}
		}
	}
}

const (
	swatch vg.Length = 20 // width of a legend's sample
	keyGap vg.Length = 10 // between entries
)

func keyWidth(k key) vg.Length {
	return swatch + 3 + textStyle(textSize, ink).Width(k.label) + keyGap
}

// widthOf returns the width of a figure in which the legend's longest entry has room: that given,
// or a page, or more.
func widthOf(width vg.Length, keys []key) vg.Length {
	need := vg.Length(0)
	for _, k := range keys {
		need = max(need, keyWidth(k))
	}
	if need > width {
		return max(need, pageWidth)
	}
	return width
}

// legendColumns lays a legend out row by row: as many columns as fit into the width, each as wide
// as its widest entry. It returns their widths.
func legendColumns(keys []key, width vg.Length) []vg.Length {
	for n := len(keys); ; n-- {
		columns := make([]vg.Length, n)
		total := -keyGap
		for i, k := range keys {
			columns[i%n] = max(columns[i%n], keyWidth(k))
		}
		for _, w := range columns {
			total += w
		}
		if total <= width || n <= 1 {
			return columns
		}
	}
}

func legendHeight(keys []key, width vg.Length) vg.Length {
	if len(keys) == 0 {
		return 0
	}
	n := len(legendColumns(keys, width))
	return vg.Length((len(keys)+n-1)/n) * (textSize + 4)
}

// drawLegend draws a legend at the foot of the canvas, in its middle.
func drawLegend(c draw.Canvas, keys []key) {
	width := c.Max.X - c.Min.X
	columns := legendColumns(keys, width)
	left := c.Min.X + (width+keyGap)/2
	for _, w := range columns {
		left -= w / 2
	}
	x, y := left, c.Min.Y+legendHeight(keys, width)-textSize-1
	for i, k := range keys {
		if i > 0 && i%len(columns) == 0 {
			x, y = left, y-textSize-4
		}
		drawKey(c, k, x, y)
		x += columns[i%len(columns)]
	}
}

func drawKey(c draw.Canvas, k key, x, y vg.Length) {
	mid := y + textSize*0.36
	if k.band {
		c.FillPolygon(k.style.band(),
			corners(vg.Rectangle{Min: vg.Point{X: x, Y: mid - 3.5},
				Max: vg.Point{X: x + swatch, Y: mid + 3.5}}))
	}
	if k.line {
		c.StrokeLine2(k.style.line(), x, mid, x+swatch, mid)
	}
	if k.marker {
		c.DrawGlyph(k.style.glyph(2), vg.Point{X: x + swatch/2, Y: mid})
	}
	c.FillText(textStyle(textSize, ink), vg.Point{X: x + swatch + 3, Y: y}, k.label)
}

// gridLines adds the theme's horizontal grid.
func gridLines(p *plot.Plot) {
	lines := plotter.NewGrid()
	lines.Vertical.Width = 0
	lines.Vertical.Color = nil
	lines.Horizontal = draw.LineStyle{Color: faint, Width: gridWidth}
	p.Add(lines)
}

// plotted is a plotter made of functions: how to draw, and the range of its data.
type plotted struct {
	paint                  func(c draw.Canvas, x, y func(float64) vg.Length)
	xMin, xMax, yMin, yMax float64
}

func (p plotted) Plot(c draw.Canvas, plt *plot.Plot) {
	x, y := plt.Transforms(&c)
	p.paint(c, x, y)
}

func (p plotted) DataRange() (xMin, xMax, yMin, yMax float64) {
	return p.xMin, p.xMax, p.yMin, p.yMax
}
