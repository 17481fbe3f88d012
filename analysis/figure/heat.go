package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/gp"
)

// heat is a plot of coloured cells with its colour bar to the right.
type heat struct {
	*plot.Plot
	colours   colourMap
	low, high float64 // values at the ends of the map
	scale     float64 // the bar's numbers are values times this
	label     string  // of the bar
	bare      bool    // no numbers in cells of the lowest value
	root      bool    // the colours run with the root of the value, so that small ones differ
}

const (
	barWidth vg.Length = 8
	barSpace vg.Length = 44 // the bar with its numbers and label
)

// cells adds a matrix to the plot. Cell i, j covers y[i]..y[i+1] and x[j]..x[j+1] in data
// coordinates. NaN is white. With digits 0 or more each cell shows its value times a hundred,
// except zeros of a map that starts at zero: they are white.
func (h *heat) cells(values [][]float64, x, y []float64, digits int) {
	h.Add(plotted{
		xMin: x[0], xMax: x[len(x)-1], yMin: math.Min(y[0], y[len(y)-1]),
		yMax: math.Max(y[0], y[len(y)-1]),
		paint: func(c draw.Canvas, tx, ty func(float64) vg.Length) {
			for i, row := range values {
				for j, v := range row {
					h.cell(c, v, vg.Rectangle{Min: vg.Point{X: tx(x[j]), Y: ty(y[i])},
						Max: vg.Point{X: tx(x[j+1]), Y: ty(y[i+1])}}, digits)
				}
			}
		},
	})
}

// part returns how far along the map a value lies.
func (h *heat) part(v float64) float64 {
	v = (v - h.low) / (h.high - h.low)
	if h.root {
		v = math.Sqrt(v)
	}
	return v
}

// Ticks implements plot.Ticker for the bar.
func (h *heat) Ticks(low, high float64) []plot.Tick {
	if !h.root {
		return niceTicks{about: 4}.Ticks(low, high)
	}
	// round numbers from the top down, as far as there is room between them and above zero
	const room = 0.15 // of the bar's length
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	power, last := math.Pow(10, math.Ceil(math.Log10(high))), 2.0
	for ; h.part(power/h.scale) >= room; power /= 10 {
		digits := max(0, 1-int(math.Round(math.Log10(power))))
		for _, v := range []float64{power, power / 2, power / 5} {
			if part := h.part(v / h.scale); v <= high && part >= room && part <= last-room {
				label := number(v, digits)
				if digits > 0 {
					label = strings.TrimSuffix(strings.TrimRight(label, "0"), ".")
				}
				ticks = slices.Insert(ticks, 1, plot.Tick{Value: v, Label: label})
				last = part
			}
		}
	}
	return ticks
}

func (h *heat) cell(c draw.Canvas, v float64, r vg.Rectangle, digits int) {
	falling := r.Min.Y > r.Max.Y
	if falling {
		r.Min.Y, r.Max.Y = r.Max.Y, r.Min.Y
	}
	colour := paper
	if !math.IsNaN(v) {
		colour = h.colours.at(h.part(v))
	}
	// cells overlap those drawn after them, because viewers that smooth edges would show white
	// lines between
	over := r
	over.Max.X = min(over.Max.X+0.5, c.Max.X)
	if falling {
		over.Min.Y = max(over.Min.Y-0.5, c.Min.Y)
	} else {
		over.Max.Y = min(over.Max.Y+0.5, c.Max.Y)
	}
	c.FillPolygon(colour, corners(over))
	if digits >= 0 && !math.IsNaN(v) && (v != h.low || !h.bare) {
		s := aligned(textStyle(tickSize, inkOn(colour)), -0.5, -0.36)
		c.FillText(s, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y + r.Max.Y) / 2},
			number(100*v, digits))
	}
}

// draw draws the plot, its title and its bar, which is as high as the data.
func (h *heat) draw(c draw.Canvas) {
	c = draw.Crop(c, 2, -2, 2, -4)
	main := draw.Crop(c, 0, -barSpace, 0, 0)
	h.Plot.Draw(main)
	area := h.DataCanvas(main)
	bar := vg.Rectangle{Min: vg.Point{X: area.Max.X + 10, Y: area.Min.Y},
		Max: vg.Point{X: area.Max.X + 10 + barWidth, Y: area.Max.Y}}
	const steps = 64
	height := (bar.Max.Y - bar.Min.Y) / steps
	for i := range steps {
		r := bar
		r.Min.Y = bar.Min.Y + vg.Length(vg.Length(i)*height)
		r.Max.Y = min(r.Min.Y+2*height, bar.Max.Y) // half of it is drawn over: no seam
		c.FillPolygon(h.colours.at((float64(i)+0.5)/steps), corners(r))
	}
	edge := append(corners(bar), bar.Min)
	c.StrokeLines(draw.LineStyle{Color: ink, Width: gridWidth}, edge)
	style := aligned(textStyle(tickSize, ink), 0, -0.36)
	widest := style.Width("100") // so that the labels of all bars are at the same distance
	for _, t := range h.Ticks(h.low*h.scale, h.high*h.scale) {
		y := bar.Min.Y + vg.Length(vg.Length(h.part(t.Value/h.scale))*(bar.Max.Y-bar.Min.Y))
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: gridWidth}, bar.Max.X, y, bar.Max.X+2, y)
		c.FillText(style, vg.Point{X: bar.Max.X + 4, Y: y}, t.Label)
		widest = max(widest, style.Width(t.Label))
	}
	label := aligned(textStyle(textSize, ink), -0.5, 0)
	label.Rotation = -math.Pi / 2
	c.FillText(label, vg.Point{X: bar.Max.X + 6 + widest, Y: (bar.Min.Y + bar.Max.Y) / 2}, h.label)
}

// named puts names at whole numbers of an axis.
func named(names []string) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(names))
	for i, n := range names {
		ticks[i] = plot.Tick{Value: float64(i), Label: n}
	}
	return ticks
}

// halves returns the borders of n unit cells centred on 0, 1, 2...
func halves(n int) []float64 {
	borders := make([]float64, n+1)
	for i := range borders {
		borders[i] = float64(i) - 0.5
	}
	return borders
}

// RoundRobin draws a league as a matrix: the row's points against the column's in percent.
// Score[i][j] lies in 0..1, NaN where two did not meet. Players are drawn in the given order,
// strongest first as a rule.
func RoundRobin(players []string, score [][]float64) *Figure {
	return everyPair(players, score, "Points of the row (%)", "Points of the row against the column.")
}

// PlacedBefore draws a league of a game for several players in the same way: how often the row was
// placed before the column; a shared place counts a half.
func PlacedBefore(players []string, share [][]float64) *Figure {
	return everyPair(players, share, "Row placed before (%)",
		"Share of games in which the row was placed before the column.")
}

func everyPair(players []string, score [][]float64, label, caption string) *Figure {
	return fitting(func(wanted vg.Length) (*Figure, error) {
		return pairs(players, score, label, caption, wanted), nil
	})
}

func pairs(players []string, score [][]float64, label, caption string, wanted vg.Length) *Figure {
	h := &heat{Plot: newPlot(), colours: diverging, high: 1, scale: 100, label: label}
	data := analysis.NewTable("player", "opponent", "score")
	rows, columns := within(players, textStyle(tickSize, ink), wanted/4), make([]string, len(players))
	values := make([][]float64, len(players))
	for i, name := range players {
		rows[i], columns[i] = fmt.Sprintf("%s  %d", rows[i], i+1), fmt.Sprint(i+1)
		values[i] = slices.Clone(score[i])
		values[i][i] = math.NaN()
		for j := range players {
			if i != j {
				data.Add(name, players[j], score[i][j])
			}
		}
	}
	y := halves(len(players))
	for i := range y { // the first player on top
		y[i] = float64(len(players)-1) - y[i]
	}
	digits := 0
	width, height := widthFor(rows), 6.5*vg.Centimeter
	if len(players) > 8 {
		// one line for each name
		width, height = max(width, pageWidth),
			max(13*vg.Centimeter, vg.Length(vg.Length(len(players))*(tickSize+1))+34)
	}
	if wanted > 0 {
		width, height = wanted, max(min(wanted*0.77, mostSquare),
			vg.Length(vg.Length(len(players))*(tickSize+4))+34)
	}
	room := (width - widest(rows) - barSpace - 10) / vg.Length(len(players))
	if len(players) > 24 || wanted > 0 && room < textStyle(tickSize, ink).Width("100") {
		digits = -1
	}
	h.cells(values, halves(len(players)), y, digits)
	slices.Reverse(rows)
	h.X.Tick.Marker, h.Y.Tick.Marker = named(columns), named(rows)
	if len(players) > 24 || room < textStyle(tickSize, ink).Width("00 ") {
		h.X.Tick.Marker = thinned{named(columns), 5}
	}
	h.X.Label.Text = "Opponent"
	for _, a := range []*plot.Axis{&h.X, &h.Y} {
		a.Padding, a.Tick.Length, a.LineStyle.Width, a.Min, a.Max = 0, 0, 0, -0.5,
			float64(len(players))-0.5
	}
	return &Figure{Name: "round-robin", Caption: caption, Width: width, Height: height, Draw: h.draw,
		Data: data}
}

// thinned keeps the labels of every n-th tick.
type thinned struct {
	plot.Ticker
	every int
}

func (t thinned) Ticks(low, high float64) []plot.Tick {
	ticks := t.Ticker.Ticks(low, high)
	for i := range ticks {
		if (i+1)%t.every != 0 && i != 0 {
			ticks[i].Label = ""
		}
	}
	return ticks
}

// Ancestry draws a CIAO matrix: every individual, upward, against every opponent, rightward, in
// percent of points; one half is grey.
func Ancestry(name, caption string, c *monitor.CIAO) *Figure {
	h := &heat{Plot: newPlot(), colours: diverging, high: 1, scale: 100,
		label: "Points of the individual (%)"}
	data := analysis.NewTable("generation", "opponent_generation", "score")
	for i, g := range c.Generations {
		for j, b := range c.Generations {
			if !math.IsNaN(c.Score[i][j]) {
				data.Add(g, b, c.Score[i][j])
			}
		}
	}
	borders := between(c.Generations)
	h.cells(c.Score, borders, borders, -1)
	h.X.Label.Text, h.Y.Label.Text = "Generation of the opponent", "Generation of the individual"
	h.X.Padding, h.Y.Padding = 0, 0
	if n := len(c.Generations); n > 0 {
		numberTo(&h.X, float64(c.Generations[n-1]), 5)
		numberTo(&h.Y, float64(c.Generations[n-1]), 5)
	}
	return square(Figure{Name: name, Caption: caption, Width: ColumnWidth,
		Height: 7 * vg.Centimeter, Draw: h.draw, Data: data})
}

// between returns cell borders halfway between rising numbers.
func between(at []int) []float64 {
	if len(at) == 0 {
		return []float64{0, 1}
	}
	borders := make([]float64, len(at)+1)
	for i := 1; i < len(at); i++ {
		borders[i] = float64(at[i-1]+at[i]) / 2
	}
	borders[0], borders[len(at)] = float64(at[0])-0.5, float64(at[len(at)-1])+0.5
	if len(at) > 1 {
		borders[0] = float64(at[0]) - (borders[1] - float64(at[0]))
		last := len(at) - 1
		borders[last+1] = float64(at[last]) + float64(at[last]) - borders[last]
	}
	return borders
}

// FieldOfView draws how often the rectangles of a population cover each cell around the actor,
// which is in the middle and faces up. The shares are those of analysis.Coverage, in rows of side
// cells.
func FieldOfView(share []float64, side int) *Figure {
	h := &heat{Plot: newPlot(), colours: sequential,
		high: slices.Max(append([]float64{1e-9}, share...)), scale: 100,
		label: "Rectangles that cover the cell (%)", bare: true}
	data := analysis.NewTable("right", "ahead", "share")
	half := side / 2
	values := make([][]float64, side)
	for i := range values {
		values[i] = share[i*side : (i+1)*side]
		for j, v := range values[i] {
			data.Add(j-half, half-i, v)
		}
	}
	x, y := make([]float64, side+1), make([]float64, side+1)
	for i := range x {
		x[i] = float64(i-half) - 0.5
		y[i] = -x[i]
	}
	h.cells(values, x, y, 0)
	h.Add(plotted{paint: func(c draw.Canvas, tx, ty func(float64) vg.Length) {
		for _, e := range []struct {
			reach float64
			style draw.LineStyle
		}{{float64(half) + 0.5, draw.LineStyle{Color: muted, Width: gridWidth}},
			{0.5, draw.LineStyle{Color: inks[1], Width: lineWidth}}} {
			edge := corners(vg.Rectangle{Min: vg.Point{X: tx(-e.reach), Y: ty(-e.reach)},
				Max: vg.Point{X: tx(e.reach), Y: ty(e.reach)}})
			c.StrokeLines(e.style, append(edge, edge[0], edge[1]))
		}
	}})
	h.X.Label.Text, h.Y.Label.Text = "Right of the actor (cells)", "Ahead of the actor (cells)"
	for _, a := range []*plot.Axis{&h.X, &h.Y} {
		a.Padding, a.LineStyle.Width, a.Tick.Length = 0, 0, 0
		a.Tick.Marker = wholeTicks(half)
	}
	return square(Figure{Name: "field-of-view",
		Caption: "How often rectangles of the genomes cover each " +
			"cell around the actor, which stands in the middle and looks up.", Width: ColumnWidth,
		Height: 6.8 * vg.Centimeter, Draw: h.draw, Data: data})
}

func wholeTicks(half int) plot.ConstantTicks {
	var ticks plot.ConstantTicks
	for i := -half; i <= half; i++ {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: number(float64(i), 0)})
	}
	return ticks
}

// Usage is the composition of the genomes of one generation, as analysis.Primitives returns it.
type Usage struct {
	Generation int
	Shares     []float64 // by operator of the grammar
}

// Primitives draws the share of each operator among all nodes by generation, the most frequent at
// the end on top. The colours run with the root of the share, so that rare ones can be told apart.
func Primitives(g *gp.Grammar, usage []Usage) *Figure {
	order := make([]int, len(g.Operators))
	for i := range order {
		order[i] = i
	}
	last := make([]float64, len(g.Operators))
	if len(usage) > 0 {
		last = usage[len(usage)-1].Shares
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(last[a], last[b]), b-a)
	})
	data := analysis.NewTable("generation", "primitive", "share")
	var names []string
	var generations []int
	values := make([][]float64, len(order))
	greatest := 1e-9
	for i, op := range order {
		names = append(names, g.Operators[op].Name)
		for _, u := range usage {
			values[i] = append(values[i], u.Shares[op])
			greatest = math.Max(greatest, u.Shares[op])
		}
	}
	for _, u := range usage {
		generations = append(generations, u.Generation)
		for op, s := range u.Shares {
			data.Add(u.Generation, g.Operators[op].Name, s)
		}
	}
	h := &heat{Plot: newPlot(), colours: sequential, high: greatest, scale: 100,
		label: "Share of nodes (%)", root: true}
	h.cells(values, between(generations), halves(len(order)), -1)
	h.X.Label.Text = "Generation"
	if n := len(generations); n > 0 {
		numberTo(&h.X, float64(generations[n-1]), 5)
	}
	h.Y.Tick.Marker = named(names)
	h.Y.Tick.Length, h.X.Padding, h.Y.Padding = 0, 0, 0
	return stretched(Figure{Name: "primitives", Caption: "What the genomes are made of: the share " +
		"of each operator among all nodes, by generation.", Width: ColumnWidth,
		Height: vg.Length(vg.Length(len(order))*9.5) + 42, Draw: h.draw, Data: data})
}
