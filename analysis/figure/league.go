package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/analysis/stat"
)

// Ratings draws the strength of each player in Elo with its interval, strongest on top, and the
// range of its ranks at the right.
func Ratings(players []string, standings []rating.Standing) *Figure {
	return fitting(func(wanted vg.Length) (*Figure, error) {
		return ratings(players, standings, wanted), nil
	})
}

func ratings(players []string, standings []rating.Standing, wanted vg.Length) *Figure {
	p := newPlot()
	data := analysis.NewTable("player", "elo", "low", "high", "bound", "rank_low", "rank_high")
	names := make([]string, len(standings))
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range standings {
		names[len(names)-1-i] = players[s.Player]
		elo := s.Elo()
		data.Add(players[s.Player], elo.Estimate, elo.Low, elo.High, string(s.Bound()), s.RankLow,
			s.RankHigh)
		for _, end := range []float64{elo.Low, elo.High} {
			if !math.IsNaN(end) {
				low, high = math.Min(low, end), math.Max(high, end)
			}
		}
	}
	if low > high { // no rating has an end
		low, high = 0, 0
	}
	lines := plotter.NewGrid()
	lines.Horizontal.Width, lines.Horizontal.Color = 0, nil
	lines.Vertical = draw.LineStyle{Color: faint, Width: gridWidth}
	p.Add(lines, plotted{xMin: low, xMax: high, yMin: -0.5, yMax: float64(len(names)) - 0.5,
		paint: func(c draw.Canvas, x, y func(float64) vg.Length) {
			for i, s := range standings {
				elo, at := s.Elo(), y(float64(len(standings)-1-i))
				switch s.Bound() {
				case rating.Rated:
					whisker(c, styleOf(0), x(elo.Low), x(elo.High), at)
					c.DrawGlyph(styleOf(0).glyph(2.2), vg.Point{X: x(elo.Estimate), Y: at})
				case rating.AtLeast:
					arrow(c, styleOf(0), x(elo.Low), c.Max.X, at)
				case rating.AtMost:
					arrow(c, styleOf(0), x(elo.High), c.Min.X, at)
				}
			}
		}})
	zero, caption := "the league", "Ratings with 95 % intervals, and ranges of ranks."
	if slices.ContainsFunc(standings, func(s rating.Standing) bool {
		return s.Bound() != rating.Rated
	}) {
		zero = "those rated"
		caption += " An arrow leads from a bound, where a player won, or lost, all that it played " +
			"against some of the others."
	}
	p.X.Label.Text = "Elo (0 is the mean of " + zero + "), 95 % interval"
	p.X.Tick.Marker = niceTicks{about: 4}
	p.Y.Tick.Marker = named(within(names, textStyle(tickSize, ink), wanted/3))
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Min, p.Y.Max = 0, 0, -0.5, float64(len(names))-0.5
	paint := func(c draw.Canvas) {
		const ranks vg.Length = 34
		c = draw.Crop(c, 2, -2, 2, -textSize-4)
		main := draw.Crop(c, 0, -ranks, 0, 0)
		p.Draw(main)
		area := p.DataCanvas(main)
		_, y := p.Transforms(&area)
		style := aligned(textStyle(tickSize, ink), -0.5, -0.36)
		mid := c.Max.X - ranks/2 + 2
		c.FillText(aligned(textStyle(tickSize, muted), -0.5, 0),
			vg.Point{X: mid, Y: area.Max.Y + 3}, "Rank")
		for i, s := range standings {
			text := fmt.Sprint(s.RankLow)
			if s.RankHigh > s.RankLow {
				text = fmt.Sprintf("%d–%d", s.RankLow, s.RankHigh)
			}
			c.FillText(style, vg.Point{X: mid, Y: y(float64(len(standings) - 1 - i))}, text)
		}
	}
	return &Figure{Name: "ratings", Caption: caption,
		Width:  cmp.Or(wanted, widthFor(players)),
		Height: vg.Length(11*len(names)) + 52, Draw: paint, Data: data}
}

// widest returns the width of the widest text, in the size of tick labels.
func widest(texts []string) vg.Length {
	width := vg.Length(0)
	for _, s := range texts {
		width = max(width, textStyle(tickSize, ink).Width(s))
	}
	return width
}

// widthFor returns a width for a figure with names at its left: a column; a page if they would take
// more than a third of the column; more if they would take half of the page.
func widthFor(names []string) vg.Length {
	switch w := widest(names); {
	case w > pageWidth/2:
		return w + pageWidth/2
	case w > ColumnWidth/3:
		return pageWidth
	}
	return ColumnWidth
}

// whisker draws a horizontal interval with caps.
func whisker(c draw.Canvas, s groupStyle, x0, x1, y vg.Length) {
	line := draw.LineStyle{Color: s.colour, Width: lineWidth}
	c.StrokeLine2(line, x0, y, x1, y)
	c.StrokeLine2(line, x0, y-2, x0, y+2)
	c.StrokeLine2(line, x1, y-2, x1, y+2)
}

// arrow draws a horizontal interval that has one end, at x0.
func arrow(c draw.Canvas, s groupStyle, x0, x1, y vg.Length) {
	line := draw.LineStyle{Color: s.colour, Width: lineWidth}
	c.StrokeLine2(line, x0, y, x1, y)
	c.StrokeLine2(line, x0, y-2, x0, y+2)
	back := vg.Length(3)
	if x1 > x0 {
		back = -back
	}
	c.StrokeLines(line, []vg.Point{{X: x1 + back, Y: y + 2}, {X: x1, Y: y}, {X: x1 + back, Y: y - 2}})
}

// CriticalDifference draws methods on a scale of mean ranks, best at the right, with bars over
// those that Nemenyi's test does not tell apart (Demšar, 2006).
func CriticalDifference(methods []string, meanRanks []float64, difference float64) *Figure {
	order := stat.Order(meanRanks)
	data := analysis.NewTable("method", "mean_rank", "critical_difference")
	for _, i := range order {
		data.Add(methods[i], meanRanks[i], difference)
	}
	rows := (len(methods) + 1) / 2
	bars := cliques(meanRanks, order, difference)
	style := textStyle(tickSize, ink)
	rank := style.Width(cdGap+"1.00") + 10
	return fitting(func(wanted vg.Length) (*Figure, error) {
		methods, row := methods, vg.Length(11)
		if wanted > 0 {
			room := vg.Length(wanted*cdMost) - rank
			broken := make([]string, len(methods))
			for i, name := range methods {
				broken[i] = halved(name, style, room)
			}
			if long := widest(broken); long > room {
				methods = within(methods, style, room)
			} else if long < widest(methods) {
				methods, row = broken, 11+cdLine
			}
		}
		height := 50 + vg.Length(6*len(bars)) + vg.Length(row*vg.Length(rows))
		names := widest(methods) + rank
		width := cmp.Or(wanted, ColumnWidth)
		if wanted == 0 && names > ColumnWidth*cdInset {
			width = max(pageWidth, 2*names+pageWidth*(1-2*cdInset))
		}
		d := cdDiagram{methods, meanRanks, order, difference, bars, max(names, width*cdInset), row}
		return &Figure{Name: "critical-difference", Caption: "Mean ranks over opponents, best at " +
			"the right; bars join what Nemenyi's test does not tell apart at 5 %.", Width: width,
			Height: height, Draw: d.draw, Data: data}, nil
	})
}

// cliques returns the longest runs of sorted methods whose ends differ by less than the critical
// difference.
func cliques(ranks []float64, order []int, difference float64) [][2]int {
	var bars [][2]int
	last := -1
	for i := range order {
		j := i
		for j+1 < len(order) && ranks[order[j+1]]-ranks[order[i]] < difference {
			j++
		}
		if j > i && j > last {
			bars = append(bars, [2]int{i, j})
			last = j
		}
	}
	return bars
}

// The share of a critical-difference diagram's width for names on either side: the usual one, and
// the greatest in a width that is given.
const (
	cdInset = 0.27
	cdMost  = 0.36
)

const (
	cdGap            = "  " // between a name and its rank
	cdLine vg.Length = 8    // line height within a name
)

type cdDiagram struct {
	methods    []string
	ranks      []float64
	order      []int // best first
	difference float64
	bars       [][2]int
	inset      vg.Length // width for the names on either side
	row        vg.Length // distance of two names
}

func (d *cdDiagram) draw(c draw.Canvas) {
	c = draw.Crop(c, 2, -2, 2, -2)
	k := len(d.methods)
	inset := d.inset
	x := func(rank float64) vg.Length { // rank 1 at the right
		part := vg.Length((rank - 1) / math.Max(1, float64(k-1)))
		return c.Max.X - inset - vg.Length(part*(c.Max.X-c.Min.X-2*inset))
	}
	axis := draw.LineStyle{Color: ink, Width: thinWidth}
	top := c.Max.Y - 34
	c.StrokeLine2(axis, x(1), top, x(float64(k)), top)
	numbers := aligned(textStyle(tickSize, ink), -0.5, 0)
	every := int(math.Ceil(float64((numbers.Width(fmt.Sprint(k)) + 2) / (x(1) - x(2)))))
	for r := 1; r <= k; r++ {
		c.StrokeLine2(axis, x(float64(r)), top, x(float64(r)), top+3)
		if r == k || (r-1)%every == 0 && r+every <= k {
			c.FillText(numbers, vg.Point{X: x(float64(r)), Y: top + 5}, fmt.Sprint(r))
		}
	}
	left := x(float64(k))
	right := left + vg.Length((x(1)-x(2))*vg.Length(d.difference))
	y := c.Max.Y - 14
	c.StrokeLine2(axis, left, y, right, y)
	c.StrokeLine2(axis, left, y-2, left, y+2)
	c.StrokeLine2(axis, right, y-2, right, y+2)
	c.FillText(numbers, vg.Point{X: (left + right) / 2, Y: y + 4}, "CD = "+number(d.difference, 2))

	for i, bar := range d.bars {
		y := top - vg.Length(6*(i+1))
		s := draw.LineStyle{Color: inks[0], Width: 2.2}
		c.StrokeLine2(s, x(d.ranks[d.order[bar[0]]])+2, y, x(d.ranks[d.order[bar[1]]])-2, y)
	}
	under := top - vg.Length(6*len(d.bars)) - 12
	for i, at := range d.order {
		px, rank := x(d.ranks[at]), number(d.ranks[at], 2)
		first, second, _ := strings.Cut(d.methods[at], "\n")
		indent := textStyle(tickSize, ink).Width(rank + cdGap)
		if i < (k+1)/2 { // the better half is labelled at the right
			py := under - vg.Length(d.row*vg.Length(i))
			c.StrokeLines(axis, []vg.Point{{X: px, Y: top}, {X: px, Y: py}, {X: c.Max.X - inset + 6, Y: py}})
			style, at := aligned(textStyle(tickSize, ink), 0, -0.36), c.Max.X-inset+8
			c.FillText(style, vg.Point{X: at, Y: py}, rank+cdGap+first)
			c.FillText(style, vg.Point{X: at + indent, Y: py - cdLine}, second)
		} else {
			py := under - vg.Length(d.row*vg.Length(k-1-i))
			c.StrokeLines(axis, []vg.Point{{X: px, Y: top}, {X: px, Y: py}, {X: c.Min.X + inset - 6, Y: py}})
			style, at := aligned(textStyle(tickSize, ink), -1, -0.36), c.Min.X+inset-8
			c.FillText(style, vg.Point{X: at, Y: py}, first+cdGap+rank)
			c.FillText(style, vg.Point{X: at - indent, Y: py - cdLine}, second)
		}
	}
}

// Profiles draws the performance profile of each method: the share of runs above each score, with
// its band. Scores are multiplied by factor, 100 for percent. The look labels and colours methods
// as it does groups.
func Profiles(methods []string, profiles [][]stat.ProfilePoint, score string, factor float64,
	look *Look) *Figure {
	data := analysis.NewTable("method", "tau", "share", "low", "high")
	panel := tracePanel{xLabel: score, yLabel: "Runs above (%)", freeX: true, reference: math.NaN()}
	for i, points := range profiles {
		t := trace{label: look.Label(methods[i]), style: look.style(methods[i], methods)}
		for _, q := range points {
			data.Add(methods[i], q.Tau, q.Share.Estimate, q.Share.Low, q.Share.High)
			t.points = append(t.points, tracePoint{factor * q.Tau, 100 * q.Share.Estimate,
				100 * q.Share.Low, 100 * q.Share.High})
		}
		panel.traces = append(panel.traces, t)
	}
	return traceFigure("profiles", "Performance profiles: the share of runs above each score, "+
		"with 95 % bands.", data, panel)
}

// traceFigure returns a figure of one panel.
func traceFigure(name, caption string, data *analysis.Table, p tracePanel) *Figure {
	return fitting((&Look{}).layout(name, caption, data, []tracePanel{p}))
}

// OfTrials returns a function for Lines: Wilson's interval of a point whose share is of so many
// trials.
func OfTrials(trials int) func(monitor.Point) stat.Interval {
	return func(q monitor.Point) stat.Interval {
		n := float64(q.Count * trials)
		return stat.Wilson(q.Value*n, n, confidence)
	}
}

// Lines draws shares of a monitor in percent over generations, lags or ages, one line for each
// name, with the band of each point. Reference, unless NaN, is drawn as a thin line: one half for
// even play.
func Lines(name, caption, xLabel, yLabel string, names []string, lines [][]monitor.Point,
	band func(monitor.Point) stat.Interval, reference float64) *Figure {
	data := analysis.NewTable("line", "at", "value", "low", "high", "count")
	panel := tracePanel{xLabel: xLabel, yLabel: yLabel, reference: 100 * reference}
	for i, points := range lines {
		t := trace{style: styleOf(i)}
		if len(lines) > 1 {
			t.label = names[i]
		}
		for _, q := range points {
			ci := band(q)
			data.Add(names[i], q.At, q.Value, ci.Low, ci.High, q.Count)
			t.points = append(t.points, tracePoint{float64(q.At), 100 * q.Value, 100 * ci.Low,
				100 * ci.High})
		}
		panel.traces = append(panel.traces, t)
	}
	return traceFigure(name, caption, data, panel)
}

// Staircase draws the number of dominant champions by generation, from the list that a dominance
// tournament returns.
func Staircase(dominant []int, last int) *Figure {
	data := analysis.NewTable("generation", "dominant")
	t := trace{style: styleOf(0), step: true}
	add := func(generation, n int) {
		t.points = append(t.points, tracePoint{float64(generation), float64(n), math.NaN(), math.NaN()})
	}
	for i, g := range dominant {
		data.Add(g, i+1)
		add(g, i+1)
	}
	if n := len(dominant); n > 0 {
		add(last, n)
	}
	return traceFigure("dominance", "Dominance tournament: champions that beat all dominant ones "+
		"before them, decided by a sequential test.", data,
		tracePanel{yLabel: "Dominant champions so far", counts: true, reference: math.NaN(),
			traces: []trace{t}})
}

// Disc draws the leading plane of a disc embedding. The result of two players is the signed area of
// the triangle of their points and the centre. Every point has its label, with a line to it if
// there is no room beside it.
func Disc(players []string, d monitor.Disc) *Figure {
	p := newPlot()
	data := analysis.NewTable("player", "x", "y")
	for i := range players {
		data.Add(players[i], d.X[i], d.Y[i])
	}
	// the centre and the points: near equal ones need all the room there is
	low := func(at []float64) float64 { return slices.Min(append([]float64{-1e-9}, at...)) }
	high := func(at []float64) float64 { return slices.Max(append([]float64{1e-9}, at...)) }
	p.Add(plotted{xMin: low(d.X), xMax: high(d.X), yMin: low(d.Y), yMax: high(d.Y),
		paint: func(c draw.Canvas, x, y func(float64) vg.Length) {
			axis := draw.LineStyle{Color: faint, Width: thinWidth}
			c.StrokeLine2(axis, c.Min.X, y(0), c.Max.X, y(0))
			c.StrokeLine2(axis, x(0), c.Min.Y, x(0), c.Max.Y)
			points := make([]vg.Point, len(players))
			for i := range points {
				points[i] = vg.Point{X: x(d.X[i]), Y: y(d.Y[i])}
			}
			style := textStyle(tickSize, ink)
			places := placeLabels(c.Rectangle, points, players, style)
			for i, at := range places {
				if line := leader(points[i], style.Rectangle(players[i]).Add(at)); line != nil {
					c.StrokeLines(draw.LineStyle{Color: muted, Width: gridWidth}, line)
				}
			}
			for i, at := range places {
				c.DrawGlyph(styleOf(0).glyph(pointRadius), points[i])
				c.FillText(style, at, players[i])
			}
		}})
	own, margin := ColumnWidth, 0.08
	if len(players) > 12 || widest(players) > ColumnWidth/3 {
		own, margin = pageWidth, 0.2
	}
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		more := float64(margin * (a.Max - a.Min))
		a.Min, a.Max = a.Min-more, a.Max+more
	}
	p.X.Label.Text, p.Y.Label.Text = "First axis", "Second axis"
	g := &grid{rows: [][]*panel{{{"This plane explains " + number(100*d.Share, 1) +
		" % of the results", p}}}}
	return square(Figure{Name: "disc",
		Caption: "The leading plane of the disc embedding: the result of " +
			"two players is the signed area between their points.", Width: own,
		Height: min(own, mostSquare), Draw: g.draw, Data: data})
}

// mostSquare is the greatest height of a figure drawn by square.
const mostSquare = 13 * vg.Centimeter

// stretched returns a figure that fits into any width and keeps its height.
func stretched(f Figure) *Figure {
	return fitting(func(wanted vg.Length) (*Figure, error) {
		drawn := f
		drawn.Width = cmp.Or(wanted, f.Width)
		return &drawn, nil
	})
}

// square returns a figure that fits into any width and keeps its shape, up to mostSquare.
func square(f Figure) *Figure {
	return fitting(func(wanted vg.Length) (*Figure, error) {
		drawn := f
		if wanted > 0 {
			drawn.Width, drawn.Height = wanted, min(wanted*f.Height/f.Width, mostSquare)
		}
		return &drawn, nil
	})
}

// Curl draws the curl share of a league and the distribution of those that chance alone gives.
func Curl(t *monitor.CurlTest) *Figure {
	p := newPlot()
	gridLines(p)
	data := analysis.NewTable("kind", "share")
	data.Add("observed", t.Share)
	values := make(plotter.Values, len(t.Null))
	for i, v := range t.Null {
		data.Add("chance", v)
		values[i] = 100 * v
	}
	if len(values) > 0 {
		bars, err := plotter.NewHist(values, 30)
		if err != nil {
			panic("figure: " + err.Error()) // only for values that are not finite
		}
		bars.FillColor, bars.LineStyle = styleOf(0).band(),
			draw.LineStyle{Color: styleOf(0).colour, Width: gridWidth}
		p.Add(bars)
	}
	p.Y.Min = 0
	if p.Y.Max <= 0 || math.IsInf(p.Y.Max, 0) {
		p.Y.Max = 1
	}
	p.Add(plotted{xMin: 100 * t.Share, xMax: 100 * t.Share, yMax: p.Y.Max,
		paint: func(c draw.Canvas, x, y func(float64) vg.Length) {
			at := x(100 * t.Share)
			c.StrokeLine2(draw.LineStyle{Color: ink, Width: lineWidth}, at, y(0), at, y(p.Y.Max))
		}})
	widen(&p.X)
	keepClear(&p.X, 0.02, 0.02)
	p.X.Label.Text, p.Y.Label.Text = "Curl share of the results (%)", "Leagues drawn"
	g := &grid{rows: [][]*panel{{{"p = " + number(t.P, 3), p}}}, legend: []key{
		{label: "chance under one strength each", style: styleOf(0), band: true},
		{label: "this league", style: groupStyle{colour: ink}, line: true}}}
	return stretched(Figure{Name: "curl",
		Caption: "The part of the results that no rating explains, and how " +
			"much of it chance alone gives.", Width: ColumnWidth, Height: 6.5 * vg.Centimeter,
		Draw: g.draw, Data: data})
}
