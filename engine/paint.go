package engine

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// Entries of Palette behind the ramp, of which only Paint makes use: what seats look at over paper,
// seats in the shade, and things that have their colour from nature.
const (
	washes  = Ramp + RampLen
	washAll = washes + MaxSeats // what several seats look at
	shades  = washAll + 1
	natural = shades + MaxSeats
)

const (
	red = natural + iota
	stem
	leaf
	chest
	gold
	bush
	darkBush
	paleBush
	stone
	paleStone
	darkStone
	thorn
	thornTip
	mudPale
	mudDark
	beak
	pupil
	shadow
	inks // entries in all
)

var naturals = [inks - natural]uint32{0xc8281e, 0x7a5230, 0x3f9142, 0x8a5a2c, 0xf4c430, 0x4c7a4f,
	0x3f6c46, 0x5d8d5b, 0x6f7886, 0x8e97a5, 0x565e6a, 0x5b2a3c, 0xb8436a, 0xbfa782, 0x7d6340,
	0xe6a000, 0x16181c, 0xc7c7c7}

// paints sets the entries of a palette behind the ramp.
func paints(p color.Palette) {
	part := func(c color.Color) [3]uint8 {
		r, g, b, _ := c.RGBA()
		return [3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}
	}
	set := func(i int, c [3]uint8) { p[i] = color.RGBA{c[0], c[1], c[2], 255} }
	for i := range MaxSeats {
		set(washes+i, blend(part(p[Seats+i]), [3]uint8{255, 255, 255}, 204))
		set(shades+i, blend(part(p[Seats+i]), [3]uint8{}, 89))
	}
	set(washAll, [3]uint8{226, 221, 228})
	for i, c := range naturals {
		set(natural+i, [3]uint8{uint8(c >> 16), uint8(c >> 8), uint8(c)})
	}
}

// IsGround tells whether an entry of Palette is of free cells, in what Paint draws.
func IsGround(entry int) bool {
	return entry == Paper || entry == Grid || entry >= washes && entry <= washAll
}

// Paint draws pieces on the board of a plan for print, films and terminals, as the page does by
// cmd/view/web/painter.js: cells are squares that fill the picture's width, with a line at their
// right and below. It takes Palette's colours.
func Paint(img *image.Paletted, plan *Plan, pieces []Piece) {
	side := float64(img.Rect.Dx()) / float64(plan.Columns)
	begin(img)
	b := brush{img: img, plan: plan, to: [6]float64{side, 0, 0, side}}
	b.board()
	b.pieces(pieces)
}

// Sizes of a board that is seen from above its lower corner, in sides of a cell: from the middle of
// a rhombus to its corners.
const (
	tiltWide = 0.8
	tiltHigh = 0.4
)

// PaintTilted draws them as seen from above the lower corner: x grows to the lower right, y to the
// lower left, and what stands on cells is upright. The board is as wide as the picture, at its
// lower edge.
func PaintTilted(img *image.Paletted, plan *Plan, pieces []Piece) {
	cells := float64(plan.Columns + plan.Rows)
	side := float64(img.Rect.Dx()) / (tiltWide * cells)
	head := float64(img.Rect.Dy()) - float64(side*tiltHigh*cells)
	begin(img)
	b := brush{img: img, plan: plan, to: [6]float64{side * tiltWide, side * tiltHigh,
		-side * tiltWide, side * tiltHigh, side * tiltWide * float64(plan.Rows), head}}
	b.board()
	var lie, stand []Piece
	for _, p := range pieces {
		if plan.Kinds[p.Kind].Form.lies() {
			lie = append(lie, p)
		} else {
			stand = append(stand, p)
		}
	}
	b.pieces(lie)
	slices.SortStableFunc(stand, func(p, q Piece) int { // what is farther away first
		return cmp.Or(cmp.Compare(p.X+p.Y, q.X+q.Y), cmp.Compare(p.Kind, q.Kind))
	})
	for _, p := range stand {
		x, y := b.at(float64(p.X)+0.5, float64(p.Y)+0.5)
		up := brush{img: img, plan: plan, to: [6]float64{side, 0, 0, side, x, y}}
		kind := &plan.Kinds[p.Kind]
		if kind.Form == Wall {
			up.wall()
			continue
		}
		up.in(shadow).disc(0, 0, 0.5, 0.24)
		if kind.Form == Walker {
			up.walker(b.colour(kind, p), p.Facing)
			continue
		}
		if p.Facing >= 0 {
			p.Facing = (p.Facing + 1) % 8
		}
		up.moved(0, -0.3, 1, 0).form(kind, p)
	}
}

// lies tells whether a form lies flat on its cell.
func (f Form) lies() bool {
	for part := range strings.SplitSeq(string(f), "+") {
		if !slices.Contains([]Form{Filled, Wash, Dot, Mud, Fog, Amount}, Form(part)) {
			return false
		}
	}
	return true
}

func begin(img *image.Paletted) {
	img.Palette = Palette()
	Fill(img, img.Rect, Paper)
}

// brush fills shapes with an ink. Sums round each product, so that no processor fuses them.
type brush struct {
	img     *image.Paletted
	plan    *Plan
	to      [6]float64 // from cells, or sides of one, to pixels: x and y of a step right, down, and 0
	ink     uint8
	over    bool // shows what is below
	stipple bool // leaves every second pixel
}

func (b brush) in(ink uint8) brush {
	b.ink = ink
	return b
}

func (b brush) at(x, y float64) (float64, float64) {
	t := &b.to
	return float64(t[0]*x) + float64(t[2]*y) + float64(t[4]),
		float64(t[1]*x) + float64(t[3]*y) + float64(t[5])
}

// moved returns the brush with another origin, so many times as large, turned clockwise by eighths.
func (b brush) moved(x, y, times float64, eighths int8) brush {
	sin, cos := times*sine(4*int(eighths)), times*sine(4*int(eighths)+8)
	t := b.to
	b.to[4], b.to[5] = b.at(x, y)
	b.to[0], b.to[1] = float64(t[0]*cos)+float64(t[2]*sin), float64(t[1]*cos)+float64(t[3]*sin)
	b.to[2], b.to[3] = float64(t[2]*cos)-float64(t[0]*sin), float64(t[3]*cos)-float64(t[1]*sin)
	return b
}

// side is how many pixels the side of a cell has.
func (b brush) side() float64 { return length(b.to[0], b.to[1]) }

func length(x, y float64) float64 { return math.Sqrt(float64(x*x) + float64(y*y)) }

// sines are those of a quarter of a turn in eight parts: a library's need not be the same on every
// machine.
var sines = [9]float64{0, 0.19509032201612828, 0.3826834323650898, 0.5555702330196022,
	0.7071067811865476, 0.8314696123025452, 0.9238795325112867, 0.9807852804032304, 1}

// sine returns that of so many 32nds of a turn.
func sine(i int) float64 {
	switch i &= 31; {
	case i > 16:
		return -sine(i - 16)
	case i > 8:
		i = 16 - i
	}
	return sines[i]
}

// around returns a point of a circle, which is a polygon of 32 corners, by 32nds of a turn from its
// top, clockwise.
func around(parts float64) (x, y float64) {
	i := int(parts)
	between := func(a, b float64) float64 { return a + float64((parts-float64(i))*(b-a)) }
	return between(sine(i), sine(i+1)), -between(sine(i+8), sine(i+9))
}

func (b brush) set(x, y int) {
	if !image.Pt(x, y).In(b.img.Rect) || b.stipple && (x+y)&1 != 0 {
		return
	}
	p := &b.img.Pix[b.img.PixOffset(x, y)]
	switch is := *p; {
	case !b.over || is == Paper:
		*p = b.ink
	case is >= washes && is < washAll && is != b.ink:
		*p = washAll
	}
}

// shape fills a polygon by the even-odd rule: pixels whose middles are inside.
func (b brush) shape(corners ...float64) {
	n := len(corners) / 2
	xs, ys := make([]float64, n), make([]float64, n)
	for i := range n {
		xs[i], ys[i] = b.at(corners[2*i], corners[2*i+1])
	}
	var cuts []float64
	for y := int(slices.Min(ys) - 1); y <= int(slices.Max(ys)); y++ {
		cuts = cuts[:0]
		middle := float64(y) + 0.5
		for i := range n {
			j := (i + 1) % n
			if (ys[i] <= middle) != (ys[j] <= middle) {
				cuts = append(cuts, xs[i]+(xs[j]-xs[i])*(middle-ys[i])/(ys[j]-ys[i]))
			}
		}
		slices.Sort(cuts)
		for i := 0; i+1 < len(cuts); i += 2 {
			for x := int(math.Ceil(cuts[i] - 0.5)); float64(x)+0.5 < cuts[i+1]; x++ {
				b.set(x, y)
			}
		}
	}
}

func (b brush) box(x, y, wide, high float64) {
	b.shape(x, y, x+wide, y, x+wide, y+high, x, y+high)
}

func (b brush) disc(x, y, wide, high float64) {
	var corners []float64
	for i := range 32 {
		corners = append(corners, float64(x)+float64(wide*sine(i)),
			float64(y)-float64(high*sine(i+8)))
	}
	b.shape(corners...)
}

// line draws one of a width, of a pixel at least.
func (b brush) line(width float64, points ...float64) {
	half := max(width, 1/b.side()) / 2
	for i := 0; i+3 < len(points); i += 2 {
		x, y, u, v := points[i], points[i+1], points[i+2], points[i+3]
		far := length(u-x, v-y)
		right, down := float64((u-x)/far*half), float64((v-y)/far*half)
		b.shape(x-down, y+right, x+down, y-right, u+down, v-right, u-down, v+right)
		b.disc(u, v, half, half)
	}
}

// text writes words around a point, in letters of a height, where there is room for them.
func (b brush) text(words string, x, y, high float64) {
	face := basicfont.Face7x13
	times := int(high * b.side() / 10)
	if times == 0 {
		return
	}
	written := image.NewAlpha(image.Rect(0, 0, face.Advance*len(words), face.Height))
	d := font.Drawer{Dst: written, Src: image.Opaque, Face: face, Dot: fixed.P(0, face.Ascent)}
	d.DrawString(words)
	u, v := b.at(x, y)
	at := image.Pt(int(u), int(v)).Sub(written.Rect.Max.Mul(times).Div(2))
	at = image.Pt(max(at.X, 0), max(at.Y, 0))
	for i, is := range written.Pix {
		if is > 0 {
			to := at.Add(image.Pt(i%written.Stride, i/written.Stride).Mul(times))
			Fill(b.img, image.Rectangle{to, to.Add(image.Pt(times, times))}, b.ink)
		}
	}
}

// board draws the lines between cells, or the graph.
func (b brush) board() {
	columns, rows := float64(b.plan.Columns), float64(b.plan.Rows)
	if b.plan.Edges == nil {
		b.ink = Grid
		for x := 1.0; x <= columns; x++ {
			b.box(x-1.0/12, 0, 1.0/12, rows)
		}
		for y := 1.0; y <= rows; y++ {
			b.box(0, y-1.0/12, columns, 1.0/12)
		}
		return
	}
	b.ink = Veil
	labels := b.plan.Labels
	for _, e := range b.plan.Edges {
		from, to := labels[e[0]], labels[e[1]]
		b.line(0.02, float64(from.X)+0.5, float64(from.Y)+0.5, float64(to.X)+0.5, float64(to.Y)+0.5)
	}
	inner := min(0.19, 0.22-1/b.side()) // rings have a pixel at least
	for _, l := range labels {
		x, y := float64(l.X), float64(l.Y)
		b.disc(x+0.5, y+0.5, 0.22, 0.22)
		b.in(Paper).disc(x+0.5, y+0.5, inner, inner)
		b.text(l.Name, x+0.12, y+0.12, 0.2)
	}
}

// pieces draws them by kinds, in the order of these.
func (b brush) pieces(all []Piece) {
	for i := range b.plan.Kinds {
		kind := &b.plan.Kinds[i]
		if kind.Form == Units {
			b.units(all, i)
			continue
		}
		for _, p := range all {
			if int(p.Kind) == i {
				b.moved(float64(p.X)+0.5, float64(p.Y)+0.5, 1, 0).form(kind, p)
			}
		}
	}
}

// seat returns the index of a seat's colour.
func (b brush) seat(p Piece) uint8 {
	if int(p.Seat) < len(b.plan.Seats) {
		return uint8(b.plan.Seats[p.Seat])
	}
	return uint8(p.Seat)
}

func (b brush) colour(kind *Kind, p Piece) uint8 {
	if p.Seat < 0 {
		return kind.Colour
	}
	return Seats + b.seat(p)
}

// form draws a piece around the origin.
func (b brush) form(kind *Kind, p Piece) {
	ink := b.colour(kind, p)
	for part := range strings.SplitSeq(string(kind.Form), "+") {
		one := b.in(ink)
		if f := Form(part); p.Facing > 0 && (f == Ant || f == Walker || f == Flytrap) {
			one = one.moved(0, 0, 1, p.Facing)
		}
		one.draw(Form(part), kind, p)
	}
	if kind.Letter != "" {
		b.in(Paper).text(kind.Letter, 0, 0, 0.5)
	}
}

func (b brush) draw(form Form, kind *Kind, p Piece) {
	switch form {
	case Filled:
		b.box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Wash:
		if p.Seat >= 0 {
			b.ink = washes + b.seat(p)
		} else if b.ink >= Seats && b.ink < Tints {
			b.ink += washes - Seats
		}
		b.over = true
		b.box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Dot: // each seat's in a corner of its own
		at := [4][2]float64{{-1, 1}, {1, 1}, {-1, -1}, {1, -1}}[max(p.Seat, 0)%4]
		b.disc(0.32*at[0], 0.32*at[1], 0.09, 0.09)
	case Grain:
		if kind.Form != Grain {
			b.ink = Goods
		}
		b.disc(0, 0.02, 0.22, 0.24)
	case Spark:
		var corners []float64
		for i := range 16 {
			far := [2]float64{0.42, 0.2}[i&1]
			corners = append(corners, far*sine(2*i), -far*sine(2*i+8))
		}
		b.shape(corners...)
	case Cross:
		b.line(0.12, -0.28, -0.28, 0.28, 0.28)
		b.line(0.12, 0.28, -0.28, -0.28, 0.28)
	case Pips:
		b.pips(p.Number)
	case Blob:
		b.disc(0, 0, 0.38, 0.38)
		b.in(Paper).disc(0.08, -0.06, 0.1, 0.1)
	case Amount:
		b.in(Ramp+uint8(min(RampLen-1, p.Number*RampLen/220))).box(-0.5, -0.5, 11.0/12, 11.0/12)
	case Ant, Fox, Hen, Viper, Walker, Flytrap:
		b.animal(form)
	case Apple, Chest, Thicket, Wall, Thorns, Mud, Fog, Shrine:
		b.thing(form)
	default:
		b.disc(0, 0, 0.38, 0.38)
	}
}

// eyes are two, with pupils.
func (b brush) eyes(y, apart, r float64) {
	for _, x := range []float64{-apart, apart} {
		b.in(Paper).disc(x, y, r, r)
		b.in(pupil).disc(x, y-r/4, r/2, r/2)
	}
}

func (b brush) animal(form Form) {
	switch form {
	case Ant:
		for _, side := range []float64{-1, 1} {
			for _, leg := range [][3]float64{{-0.06, 0.3, -0.2}, {0.02, 0.34, 0.06}, {0.1, 0.3, 0.3}} {
				b.line(0.035, side*0.05, leg[0], side*0.2, (leg[0]+leg[2])/2, side*leg[1], leg[2])
			}
			b.line(0.03, side*0.04, -0.26, side*0.1, -0.37, side*0.2, -0.42)
		}
		b.disc(0, 0.22, 0.16, 0.2)
		b.disc(0, -0.01, 0.11, 0.14)
		b.disc(0, -0.22, 0.14, 0.12)
	case Fox:
		b.shape(-0.4, -0.4, -0.1, -0.24, 0.1, -0.24, 0.4, -0.4, 0.34, 0.02, 0, 0.4, -0.34, 0.02)
		b.in(Paper).shape(-0.32, 0.04, -0.08, 0.08, 0, 0.3, -0.02, 0.38)
		b.in(Paper).shape(0.32, 0.04, 0.08, 0.08, 0, 0.3, 0.02, 0.38)
		for _, x := range []float64{-0.14, 0.14} {
			b.in(pupil).disc(x, -0.05, 0.045, 0.045)
		}
		b.in(pupil).disc(0, 0.34, 0.06, 0.05)
	case Hen:
		for _, at := range [][2]float64{{0.1, -0.315}, {0.2, -0.355}, {0.28, -0.315}} {
			b.in(red).disc(at[0], at[1], 0.065, 0.065)
		}
		b.shape(-0.44, -0.2, -0.2, 0, -0.12, 0.24, -0.34, 0.16)
		b.disc(-0.02, 0.14, 0.3, 0.24)
		b.disc(0.18, -0.16, 0.17, 0.17)
		b.in(beak).shape(0.32, -0.2, 0.46, -0.12, 0.32, -0.06)
		b.in(beak).line(0.04, -0.08, 0.36, -0.08, 0.46)
		b.in(beak).line(0.04, 0.06, 0.36, 0.06, 0.46)
		b.in(Paper).disc(0.21, -0.19, 0.05, 0.05)
	case Viper:
		b.line(0.15, -0.36, 0.36, -0.1, 0.4, 0.15, 0.36, 0.22, 0.24, 0.02, 0.12, -0.2, 0.04, -0.22,
			-0.12, -0.1, -0.2, 0.08, -0.2)
		b.disc(0.16, -0.22, 0.19, 0.14)
		b.in(red).line(0.03, 0.34, -0.2, 0.42, -0.2, 0.47, -0.25)
		b.in(red).line(0.03, 0.42, -0.2, 0.47, -0.15)
		b.in(Paper).disc(0.2, -0.27, 0.05, 0.05)
	case Walker:
		for _, x := range []float64{-0.3, 0.3} {
			b.disc(x, 0.02, 0.1, 0.16)
		}
		b.disc(0, 0.06, 0.3, 0.34)
		b.shape(-0.18, -0.22, 0, -0.47, 0.18, -0.22)
		b.eyes(-0.12, 0.12, 0.1)
	case Flytrap:
		b.in(leaf).disc(0, 0, 0.38, 0.38)
		b.in(red).shape(-0.24, -0.34, 0, 0.08, 0.24, -0.34)
		for _, at := range [][2]float64{{-0.2, -0.26}, {-0.12, -0.12}, {0.2, -0.26}, {0.12, -0.12}} {
			b.in(Paper).disc(at[0], at[1], 0.04, 0.04)
		}
	}
}

func (b brush) thing(form Form) {
	switch form {
	case Apple:
		b.in(red).disc(-0.1, 0.08, 0.22, 0.28)
		b.in(red).disc(0.1, 0.08, 0.22, 0.28)
		b.in(stem).line(0.06, 0, -0.12, 0.04, -0.34)
		b.in(leaf).disc(0.16, -0.28, 0.13, 0.07)
	case Chest:
		b.in(chest).box(-0.36, -0.24, 0.72, 0.52)
		b.in(gold).box(-0.36, -0.04, 0.72, 0.07)
		b.in(gold).box(-0.07, -0.1, 0.14, 0.2)
	case Thicket:
		b.in(bush).disc(-0.2, 0.14, 0.27, 0.27)
		b.in(darkBush).disc(0.22, 0.16, 0.26, 0.26)
		b.in(paleBush).disc(0, -0.16, 0.3, 0.3)
	case Wall:
		b.in(stone).box(-0.5, -0.5, 1, 1)
		b.in(paleStone).box(-0.5, -0.5, 1, 0.16)
		b.in(darkStone).box(-0.5, 0.4, 1, 0.1)
	case Thorns:
		b.in(thorn).disc(0, 0.2, 0.42, 0.2)
		for _, at := range [][2]float64{{-0.28, -0.08}, {-0.12, -0.3}, {0.06, -0.44}, {0.22, -0.22},
			{0.34, -0.02}} {
			b.in(thornTip).shape(at[0]-0.08, 0.26, at[0], at[1], at[0]+0.08, 0.26)
		}
	case Mud:
		b.in(mudPale).box(-0.5, -0.5, 1, 1)
		for _, at := range [][3]float64{{-0.2, -0.16, 0.16}, {0.2, 0.1, 0.2}, {-0.16, 0.3, 0.12}} {
			b.in(mudDark).disc(at[0], at[1], at[2], at[2]/2)
		}
	case Fog:
		b.stipple = true
		for _, at := range [][3]float64{{-0.16, 0.06, 0.28}, {0.18, 0.1, 0.28}, {0, -0.16, 0.26}} {
			b.disc(at[0], at[1], at[2], at[2])
		}
	case Shrine:
		for _, x := range []float64{-0.24, 0.24} {
			b.line(0.11, x, -0.3, x, 0.42)
		}
		b.line(0.09, -0.34, -0.08, 0.34, -0.08)
		b.shape(-0.46, -0.42, 0, -0.36, 0.46, -0.42, 0.4, -0.22, -0.4, -0.22)
	}
}

// pips draws a die.
func (b brush) pips(number int32) {
	b.box(-0.26, -0.26, 0.52, 0.52)
	b.in(Paper).box(-0.23, -0.23, 0.46, 0.46)
	places := [][]int{{}, {4}, {0, 8}, {0, 4, 8}, {0, 2, 6, 8}, {0, 2, 4, 6, 8}, {0, 2, 3, 5, 6, 8}}
	for _, i := range places[min(max(number, 0), 6)] {
		b.disc(0.13*float64(i%3-1), 0.13*float64(i/3-1), 0.05, 0.05)
	}
}

// units draws what each seat has on a cell as a disc that is cut like a cake, with the numbers.
func (b brush) units(all []Piece, kind int) {
	cells := map[[2]int16][]Piece{}
	most := int32(1)
	for _, p := range all {
		if int(p.Kind) == kind {
			at := [2]int16{p.X, p.Y}
			cells[at] = append(cells[at], p)
			most = max(most, p.Number)
		}
	}
	for at, parts := range cells { // in any order: cells do not overlap
		slices.SortFunc(parts, func(p, q Piece) int { return cmp.Compare(p.Seat, q.Seat) })
		sum := int32(0)
		for _, p := range parts {
			sum += p.Number
		}
		one := b.moved(float64(at[0])+0.5, float64(at[1])+0.5, 1, 0)
		r := 0.24 + float64(0.18*math.Sqrt(min(1, float64(sum)/float64(most))))
		var words []string
		from := 0.0
		for _, p := range parts {
			to := from + float64(32*p.Number)/float64(max(sum, 1))
			corners := []float64{0, 0}
			for at := from; ; at = min(to, math.Floor(at)+1) {
				x, y := around(at)
				if corners = append(corners, r*x, r*y); at == to {
					break
				}
			}
			one.in(Seats + b.seat(p)).shape(corners...)
			from = to
			words = append(words, strconv.Itoa(int(p.Number)))
		}
		one.in(Paper).text(strings.Join(words, ":"), 0, 0, 0.24)
	}
}

// wall draws one that stands on a rhombus.
func (b brush) wall() {
	const up = -0.7
	b.in(stone).shape(-tiltWide, up, 0, up+tiltHigh, 0, tiltHigh, -tiltWide, 0)
	b.in(darkStone).shape(tiltWide, up, 0, up+tiltHigh, 0, tiltHigh, tiltWide, 0)
	b.in(paleStone).shape(-tiltWide, up, 0, up+tiltHigh, tiltWide, up, 0, up-tiltHigh)
}

// walker draws a creature on two feet with a head that looks ahead; from behind one sees no eyes.
func (b brush) walker(ink uint8, facing int8) {
	shade := ink - Seats + shades
	x, y := -1.0, -1.0 // where it looks, to the right and down
	if facing == 0 || facing == 2 {
		x = 1
	}
	if facing == 2 || facing == 4 {
		y = 1
	}
	b = b.moved(0, 0, 0.04, 0)
	b.in(shade).disc(-5, 0, 4, 3)
	b.in(shade).disc(5, 0, 4, 3)
	nose := func() { b.in(shade).disc(7*x, -26+3*y, 4, 3) }
	if y < 0 {
		nose()
	}
	b.in(ink).disc(0, -12, 11, 12)
	b.in(shade).disc(-4*x, -10, 6, 9)
	b.in(ink).disc(2*x, -28, 9, 9)
	if y < 0 {
		return
	}
	for _, side := range []float64{-2, 5} {
		b.in(Paper).disc(2*x+side, -30, 3, 3)
		b.in(pupil).disc(3*x+side, -29, 1.4, 2)
	}
	nose()
}
