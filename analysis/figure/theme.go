package figure

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/engine"
)

// The two widths of figures in a two-column journal: one column, and both.
const (
	ColumnWidth vg.Length = 8.5 * vg.Centimeter
	pageWidth   vg.Length = 17.5 * vg.Centimeter
)

// Sizes of the theme.
const (
	textSize   vg.Length = 8    // labels, titles, legends
	tickSize   vg.Length = 7    // numbers at axes and in cells, names of points
	lineWidth  vg.Length = 1.1  // data
	thinWidth  vg.Length = 0.5  // axes
	gridWidth  vg.Length = 0.35 // grid
	tickLength vg.Length = 2.5
	gap        vg.Length = 6   // between parts of different panels
	pngDPI               = 300 // of saved PNG files
)

// Greys of the theme.
var (
	ink   = color.NRGBA{0x22, 0x22, 0x22, 0xff}
	muted = color.NRGBA{0x77, 0x77, 0x77, 0xff}
	faint = color.NRGBA{0xe6, 0xe6, 0xe6, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// inks are the colours of groups: those of engine.Distinct that are dark enough for a line on
// white, and black.
var inks = [...]color.NRGBA{opaque(0), opaque(1), opaque(2), opaque(3), opaque(4), opaque(5),
	{0x00, 0x00, 0x00, 0xff}}

// opaque returns colour i of engine.Distinct.
func opaque(i int) color.NRGBA { return color.NRGBA(engine.Distinct[i]) }

// dashes distinguish groups in grey print. Their number shares no factor with that of the colours.
var dashes = [...][]vg.Length{nil, {4, 1.6}, {1.2, 1.4}, {5, 1.4, 1.2, 1.4}, {7, 2},
	{2.4, 1.2, 1.2, 1.2, 1.2, 1.2}}

// shapes are the markers, for the same purpose.
var shapes = [...]draw.GlyphDrawer{
	draw.CircleGlyph{}, draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.RingGlyph{}, draw.BoxGlyph{},
	draw.CrossGlyph{},
}

// groupStyle is how one group of a figure looks, in colour and without.
type groupStyle struct {
	colour color.NRGBA
	dash   []vg.Length // nil is solid
	shape  draw.GlyphDrawer
}

// styleOf returns the style of group i, from 0. The first 42 differ.
func styleOf(i int) groupStyle {
	return groupStyle{inks[i%len(inks)], dashes[i%len(dashes)], shapes[i%len(shapes)]}
}

// line returns the style as a stroke of the data's width.
func (s groupStyle) line() draw.LineStyle {
	return draw.LineStyle{Color: s.colour, Width: lineWidth, Dashes: s.dash}
}

// glyph returns the style as a marker.
func (s groupStyle) glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.colour, Radius: radius, Shape: s.shape}
}

// band returns the colour of the group's confidence band.
func (s groupStyle) band() color.NRGBA {
	c := s.colour
	c.A = 0x38
	return c
}

// sans returns the one face of the theme.
func sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// textStyle returns the style of the theme's text, which starts at its anchor, on the baseline.
func textStyle(size vg.Length, c color.Color) text.Style {
	return text.Style{Color: c, Font: sans(size), XAlign: draw.XLeft, YAlign: draw.YBottom,
		Handler: plot.DefaultTextHandler}
}

func aligned(s text.Style, x, y float64) text.Style {
	s.XAlign, s.YAlign = text.XAlignment(x), text.YAlignment(y)
	return s
}

// shortened returns a text of at most the given width: s, or its beginning and its end with dots
// between.
func shortened(s string, style text.Style, width vg.Length) string {
	return cut(s, style, width, 2)
}

// cut shortens a text to its beginning and its end; quarters of the rest's four are the beginning.
func cut(s string, style text.Style, width vg.Length, quarters int) string {
	runes := []rune(s)
	for keep := len(runes); style.Width(s) > width && keep > 2; {
		keep--
		first := (keep*quarters + 2) / 4
		s = string(runes[:first]) + "…" + string(runes[len(runes)-keep+first:])
	}
	return s
}

// within returns names shortened to a width, if possible so that they still differ; width 0 means
// any.
func within(names []string, style text.Style, width vg.Length) []string {
	short := slices.Clone(names)
	distinct := func(names []string) int {
		return len(slices.Compact(slices.Sorted(slices.Values(names))))
	}
	for _, quarters := range [...]int{2, 3, 1, 4, 0} {
		for i, s := range names {
			if width > 0 {
				short[i] = cut(s, style, width, quarters)
			}
		}
		if distinct(short) == distinct(names) {
			break
		}
	}
	return short
}

// newPlot returns an empty plot in the theme.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.LineStyle = draw.LineStyle{Color: ink, Width: thinWidth}
		a.Tick.LineStyle = a.LineStyle
		a.Tick.Length = tickLength
		a.Tick.Label.Color, a.Tick.Label.Font = ink, sans(tickSize)
		a.Label.TextStyle.Color, a.Label.TextStyle.Font = ink, sans(textSize)
		a.Label.Padding = 2
		a.Padding = 2
		a.Tick.Marker = niceTicks{about: 5}
	}
	return p
}

// niceTicks places about so many ticks at multiples of 1, 2, 2.5 or 5 times a power of ten, for
// counts only at whole numbers.
type niceTicks struct {
	about int
	whole bool
}

func (t niceTicks) Ticks(low, high float64) []plot.Tick {
	if !(high > low) {
		digits := 3
		if low == math.Trunc(low) {
			digits = 0
		}
		return []plot.Tick{{Value: low, Label: number(low, digits)}}
	}
	rough := (high - low) / float64(t.about)
	if t.whole {
		rough = math.Max(rough, 1)
	}
	power := math.Pow(10, math.Floor(math.Log10(rough)))
	step, digits := 10*power, -int(math.Floor(math.Log10(rough)))-1
	for _, m := range []float64{1, 2, 2.5, 5} {
		if m*power >= rough*0.999 && (!t.whole || m*power == math.Floor(m*power)) {
			step, digits = m*power, -int(math.Floor(math.Log10(rough)))
			if m == 2.5 {
				digits++
			}
			break
		}
	}
	var ticks []plot.Tick
	first := math.Ceil(low/step - 1e-9)
	// more never fit, and a loop without a limit would not end where numbers are so large that
	// adding a step does not change them
	for n := range t.about + 2 {
		if at := (first + float64(n)) * step; at <= high+float64(1e-9*step) {
			ticks = append(ticks, plot.Tick{Value: at, Label: number(at, max(0, digits))})
		}
	}
	return ticks
}

// number formats a value with that many digits after the point, a true minus sign, and commas
// between thousands.
func number(v float64, digits int) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	whole := len(s)
	if digits > 0 {
		whole -= digits + 1
	}
	if whole > 3 {
		for i := whole - 3; i > 0; i -= 3 {
			s = s[:i] + "," + s[i:]
		}
	}
	if v < 0 && s != strconv.FormatFloat(0, 'f', digits, 64) {
		s = "−" + s
	}
	return s
}

// numberTo numbers an axis of generations, or of other counts, up to the last, which has a tick.
func numberTo(a *plot.Axis, last float64, about int) {
	a.Tick.Marker = lastTick{niceTicks{about: about, whole: true}, last}
}

// lastTick is a ticker with a tick at the last value, in place of one that is close to it.
type lastTick struct {
	niceTicks
	last float64
}

func (t lastTick) Ticks(low, high float64) []plot.Tick {
	ticks := t.niceTicks.Ticks(low, math.Min(high, t.last))
	n := len(ticks)
	if t.last > high || t.last < low || ticks[n-1].Value == t.last {
		return ticks
	}
	if n > 1 && t.last-ticks[n-1].Value < 0.6*(ticks[1].Value-ticks[0].Value) {
		n--
	}
	return append(ticks[:n], plot.Tick{Value: t.last, Label: number(t.last, 0)})
}

// logTicks numbers a logarithmic axis as niceTicks would: the powers of ten, and where fewer than two
// of them are in sight, some numbers between them, or all that it marks.
type logTicks struct{ plot.LogTicks }

func (t logTicks) Ticks(low, high float64) []plot.Tick {
	ticks := t.LogTicks.Ticks(low, high)
	for _, firsts := range []string{"1", "125", "1358", "123456789"} {
		seen := 0
		for i := range ticks {
			at := &ticks[i]
			at.Label = ""
			again := i > 0 && at.Value == ticks[i-1].Value // each power of ten comes twice
			if !again && strings.Contains(firsts, strconv.FormatFloat(at.Value, 'e', 0, 64)[:1]) {
				at.Label = number(at.Value, 0)
				if at.Value >= low && at.Value <= high {
					seen++
				}
			}
		}
		if seen > 1 {
			break
		}
	}
	return ticks
}

// bare keeps a ticker's marks and drops their labels, for axes that share their neighbour's.
type bare struct{ plot.Ticker }

func (b bare) Ticks(low, high float64) []plot.Tick {
	ticks := b.Ticker.Ticks(low, high)
	for i := range ticks {
		if ticks[i].Label != "" {
			ticks[i].Label = " " // an empty one would make it a minor tick
		}
	}
	return ticks
}

// colourMap interpolates between colours at equal distances.
type colourMap []color.NRGBA

// The maps: sequential runs from white to dark blue, diverging from pale orange through grey to
// dark blue. Both are made of Okabe and Ito's hues, and darken all the way, so that grey print
// keeps their order.
var (
	sequential = colourMap{{0xff, 0xff, 0xff, 0xff}, {0xb5, 0xdb, 0xf2, 0xff},
		{0x56, 0xa8, 0xd8, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x2b, 0x4d, 0xff}}
	diverging = colourMap{{0xff, 0xe8, 0xb0, 0xff}, {0xf0, 0xb8, 0x40, 0xff},
		{0x8c, 0x93, 0x98, 0xff}, {0x00, 0x72, 0xb2, 0xff}, {0x00, 0x2b, 0x4d, 0xff}}
)

// at returns the colour at x in 0..1, or that of the nearer end.
func (m colourMap) at(x float64) color.NRGBA {
	x = float64(math.Max(0, math.Min(1, x)) * float64(len(m)-1))
	i := min(int(x), len(m)-2)
	t := x - float64(i)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(float64(a)*(1-t)) + float64(float64(b)*t)))
	}
	a, b := m[i], m[i+1]
	return color.NRGBA{mix(a.R, b.R), mix(a.G, b.G), mix(a.B, b.B), 0xff}
}

// grey returns how light a colour is in grey print, 0..255.
func grey(c color.NRGBA) float64 {
	return float64(0.299*float64(c.R)) + float64(0.587*float64(c.G)) + float64(0.114*float64(c.B))
}

// inkOn returns the ink, black or white, that is easier to read on the colour.
func inkOn(c color.NRGBA) color.NRGBA {
	if grey(c) < 128 {
		return paper
	}
	return ink
}

const pointRadius vg.Length = 2.2 // of a labelled point

// placeLabels returns the start of the label of each point, inside a frame: the nearest place
// around its point where it covers no other label and no point, or where it covers least.
func placeLabels(frame vg.Rectangle, points []vg.Point, labels []string,
	style text.Style) []vg.Point {
	taken := make([]vg.Rectangle, 0, 2*len(points))
	for _, p := range points {
		around := vg.Point{X: pointRadius, Y: pointRadius}
		taken = append(taken, vg.Rectangle{Min: p.Sub(around), Max: p.Add(around)})
	}
	places := make([]vg.Point, len(points))
	for i, p := range points {
		size := style.Rectangle(labels[i]).Size()
		least := vg.Length(math.Inf(1))
		for distance := pointRadius + 2; distance < 90 && least > 0; distance *= 1.35 {
			for turn := range 16 {
				// to the right first, then left, up and down, then between
				angle := math.Pi / 8 * float64(turn*8%16+[]int{0, 0, 4, 4, 2, 2, 6, 6, 1, 1, 3, 3,
					5, 5, 7, 7}[turn])
				toX, toY := vg.Length(math.Cos(angle)), vg.Length(math.Sin(angle))
				at := p.Add(vg.Point{X: vg.Length(toX*(distance+size.X/2)) - size.X/2,
					Y: vg.Length(toY*(distance+size.Y/2)) - size.Y/2})
				at.X = max(frame.Min.X, min(at.X, frame.Max.X-size.X))
				at.Y = max(frame.Min.Y, min(at.Y, frame.Max.Y-size.Y))
				box := vg.Rectangle{Min: at, Max: at.Add(size)}
				covered := vg.Length(0)
				for _, other := range taken {
					covered += overlap(box, other)
				}
				if covered < least {
					least, places[i] = covered, at
				}
				if covered == 0 {
					break
				}
			}
		}
		taken = append(taken, vg.Rectangle{Min: places[i], Max: places[i].Add(size)})
	}
	return places
}

// overlap returns the area that two rectangles share.
func overlap(a, b vg.Rectangle) vg.Length {
	width := min(a.Max.X, b.Max.X) - max(a.Min.X, b.Min.X)
	height := min(a.Max.Y, b.Max.Y) - max(a.Min.Y, b.Min.Y)
	return vg.Length(max(width, 0) * max(height, 0))
}

// leader returns the line from a point to its label; nil if the label is beside it.
func leader(point vg.Point, label vg.Rectangle) []vg.Point {
	near := vg.Point{X: max(label.Min.X, min(point.X, label.Max.X)),
		Y: max(label.Min.Y, min(point.Y, label.Max.Y))}
	if d := near.Sub(point); math.Hypot(float64(d.X), float64(d.Y)) < 7 {
		return nil
	}
	return []vg.Point{point, near}
}
