package engine

import (
	"cmp"
	"image"
	"image/color"
	"slices"
	"strings"
)

// Entries of Palette after the ramp, which only Paint uses: a seat's view over paper, seats in the
// shade, and things with a natural colour.
const (
	washes  = Ramp + RampLen
	washAll = washes + MaxSeats // the view of several seats
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

// paints sets the entries of a palette after the ramp.
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

// IsGround tells whether Paint uses an entry of Palette for free cells.
func IsGround(entry int) bool {
	return entry == Paper || entry == Grid || entry >= washes && entry <= washAll
}

// Paint draws pieces on the board of a plan for print, films and terminals, as the page does by
// cmd/view/web/painter.js: cells are squares that fill the picture's width, with a line on their
// right and lower edge. The picture must have the palette that Palette returns.
func Paint(img *image.Paletted, plan *Plan, pieces []Piece) {
	side := float64(img.Rect.Dx()) / float64(plan.Columns)
	begin(img)
	b := brush{img: img, plan: plan, to: [6]float64{side, 0, 0, side}}
	b.board()
	b.pieces(pieces)
}

// Sizes of a tilted board, in sides of a cell: from the middle of a rhombus to its corners.
const (
	tiltWide = 0.8
	tiltHigh = 0.4
)

// PaintTilted draws the board as seen from above its lower corner: x grows to the lower right, y to
// the lower left, and pieces stand upright on their cells. The board fills the picture's width, at
// its lower edge.
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
	slices.SortStableFunc(stand, func(p, q Piece) int { // farthest first
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

// lies tells whether a form is drawn flat on its cell of a tilted board.
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
	inner := min(0.19, 0.22-1/b.side()) // so that rings are at least a pixel wide
	for _, l := range labels {
		x, y := float64(l.X), float64(l.Y)
		b.disc(x+0.5, y+0.5, 0.22, 0.22)
		b.in(Paper).disc(x+0.5, y+0.5, inner, inner)
		b.text(l.Name, x+0.12, y+0.12, 0.2)
	}
}

// pieces draws all pieces, in the order of their kinds.
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
