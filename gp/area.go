package gp

import "math/bits"

// Bits is a set of up to 128 cells of a window or board: Low holds cells 0 to 63, High 64 to 127.
// It has two fields and no array because the Go compiler keeps fields in registers, and never an
// array.
type Bits struct{ Low, High uint64 }

// Has tells whether cell i is in the set.
func (b Bits) Has(i int) bool {
	word := b.Low
	if i >= 64 {
		word = b.High
	}
	return word>>(i&63)&1 != 0
}

// Set puts cell i in the set.
func (b *Bits) Set(i int) { *b = b.Or(one(i)) }

// Clear takes cell i out of the set.
func (b *Bits) Clear(i int) { *b = b.AndNot(one(i)) }

// one returns the set of one cell. A shift by 64 or more gives 0, and so does one by a negative
// number turned unsigned.
func one(i int) Bits { return Bits{1 << uint(i), 1 << uint(i-64)} }

// Empty tells whether no cell is in the set.
func (b Bits) Empty() bool { return b.Low|b.High == 0 }

// Count returns the number of cells in the set.
func (b Bits) Count() int { return bits.OnesCount64(b.Low) + bits.OnesCount64(b.High) }

// First returns the first cell of a set that is not empty.
func (b Bits) First() int {
	if b.Low != 0 {
		return bits.TrailingZeros64(b.Low)
	}
	return 64 + bits.TrailingZeros64(b.High)&63
}

// Rest returns the set without its first cell.
func (b Bits) Rest() Bits {
	if b.Low != 0 {
		return Bits{b.Low & (b.Low - 1), b.High}
	}
	return Bits{0, b.High & (b.High - 1)}
}

// And returns the cells in both sets.
func (b Bits) And(c Bits) Bits { return Bits{b.Low & c.Low, b.High & c.High} }

// AndNot returns the cells in b and not in c.
func (b Bits) AndNot(c Bits) Bits { return Bits{b.Low &^ c.Low, b.High &^ c.High} }

// Or returns the cells in either set.
func (b Bits) Or(c Bits) Bits { return Bits{b.Low | c.Low, b.High | c.High} }

// within tells whether every cell of b is in c.
func (b Bits) within(c Bits) bool { return b.Low&^c.Low|b.High&^c.High == 0 }

// Rect is the constant of type Area: a rectangle with its centre relative to the actor, x to the
// right and y down, and its sides, as BrilliANT's trees print it.
type Rect struct{ X, Y, W, H int8 }

// corners returns the first and the last column and row that the rectangle covers, both inclusive,
// before any turn. Where the sum of the sides exceeds maxSum, both are cut by half of the excess,
// rounded up, and the left and the upper edge move. Coordinates of half a cell are rounded toward
// zero. Read in this way, BrilliANT's printed trees play as its authors describe (Jaśkowski,
// Krawiec and Wieloch, RA-05/07, 2007, "Ant representation").
func (r Rect) corners(maxSum int) (x1, y1, x2, y2 int) {
	x, y, w, h := int(r.X), int(r.Y), int(r.W), int(r.H)
	n := max(0, (w+h-maxSum+1)/2)
	return (2*x-w)/2 + n, (2*y-h)/2 + n, (2*x + w) / 2, (2*y + h) / 2
}

// RectRange bounds the Rect constants of a grammar and says how they become cells.
type RectRange struct {
	Centre  int8 // the centre's coordinates lie in -Centre..Centre
	Side    int8 // the sides lie in 1..Side
	SideSum int8 // the sum to which corners lowers the sides
	// Exact means that a rectangle covers exactly as many columns and rows as its sides say, and
	// that SideSum does not count. An even side has one more cell to the right of the centre, or
	// below it. Without Exact no rectangle can be a single cell off the axes.
	Exact bool
}

// Corners returns the first and the last column and row that a rectangle covers, both inclusive,
// before any turn.
func (rr RectRange) Corners(r Rect) (x1, y1, x2, y2 int) {
	if !rr.Exact {
		return r.corners(int(rr.SideSum))
	}
	x1, y1 = int(r.X-(r.W-1)/2), int(r.Y-(r.H-1)/2)
	return x1, y1, x1 + int(r.W) - 1, y1 + int(r.H) - 1
}

// PaperRects is BrilliANT's range: centre in -4..4, sides in 1..5, their sum lowered to six.
var PaperRects = RectRange{Centre: 4, Side: 5, SideSum: 6}

// count returns the number of different rectangles.
func (rr RectRange) count() int {
	c, s := 2*int(rr.Centre)+1, int(rr.Side)
	return c * c * s * s
}

// index numbers the rectangles of the range from 0.
func (rr RectRange) index(r Rect) int {
	c, s := 2*int(rr.Centre)+1, int(rr.Side)
	return ((int(r.X+rr.Centre)*c+int(r.Y+rr.Centre))*s+int(r.W-1))*s + int(r.H-1)
}

// at is the inverse of index.
func (rr RectRange) at(i int) Rect {
	c, s := 2*int(rr.Centre)+1, int(rr.Side)
	h := i % s
	i /= s
	w := i % s
	i /= s
	return Rect{int8(i/c) - rr.Centre, int8(i%c) - rr.Centre, int8(w + 1), int8(h + 1)}
}

// holds tells whether the rectangle is in the range.
func (rr RectRange) holds(r Rect) bool {
	return r.X >= -rr.Centre && r.X <= rr.Centre && r.Y >= -rr.Centre && r.Y <= rr.Centre &&
		r.W >= 1 && r.W <= rr.Side && r.H >= 1 && r.H <= rr.Side
}

// Window is the square of cells that areas refer to, with the actor in the middle.
type Window struct {
	Side int  // cells a side, odd, 1 to 11
	Wrap bool // a torus: cells beyond an edge are those at the other edge; else no layer holds them
}

// Cell returns the number of the cell at (x, y) relative to the actor, row by row from the upper
// left, and false outside.
func (w Window) Cell(x, y int) (int, bool) {
	half := w.Side / 2
	x, y = x+half, y+half
	if w.Wrap {
		x, y = ((x%w.Side)+w.Side)%w.Side, ((y%w.Side)+w.Side)%w.Side
	} else if x < 0 || y < 0 || x >= w.Side || y >= w.Side {
		return 0, false
	}
	return y*w.Side + x, true
}

// Square returns the cells at most radius away from the actor in both coordinates.
func (w Window) Square(radius int) Bits {
	var b Bits
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			if i, ok := w.Cell(x, y); ok {
				b.Set(i)
			}
		}
	}
	return b
}

// Turn turns a cell about the actor by k quarter turns clockwise (y points down).
func Turn(x, y, k int) (int, int) {
	for range k & 3 {
		x, y = -y, x
	}
	return x, y
}

// mask returns the cells of a rectangle turned by k quarter turns, which is a rectangle again.
func (w Window) mask(rr RectRange, r Rect, k int) (b Bits) {
	x1, y1, x2, y2 := rr.Corners(r)
	if x1 > x2 || y1 > y2 {
		return Bits{}
	}
	x1, y1 = Turn(x1, y1, k)
	x2, y2 = Turn(x2, y2, k)
	first, row := -(w.Side / 2), uint64(0)
	for x := min(x1, x2); x <= max(x1, x2); x++ {
		if i, ok := w.Cell(x, first); ok {
			row |= 1 << i
		}
	}
	for y := min(y1, y2); y <= max(y1, y2); y++ {
		if i, ok := w.Cell(first, y); ok {
			b = b.Or(Bits{row << i, row<<uint(i-64) | row>>uint(64-i)})
		}
	}
	return b
}

// turned returns the set turned by one quarter.
func (w Window) turned(b Bits) Bits {
	var t Bits
	half := w.Side / 2
	for i := range w.Side * w.Side {
		if b.Has(i) {
			j, _ := w.Cell(Turn(i%w.Side-half, i/w.Side-half, 1))
			t.Set(j)
		}
	}
	return t
}
