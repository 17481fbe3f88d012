package gp

import (
	"fmt"
	"math/bits"

	"clade/gp/kernels"
)

// Field is a board with walls around it, of which a window shows a part: up to 32 columns and 32
// rows. The cell in column x and row y, counted from the upper left, has the number 32*y + x. Sets
// of a field hold no other cells than those.
type Field struct {
	columns, rows int
	all           Cells
	vectors       bool // by AVX2
}

// Cells is a set of cells of a Field. A word holds two rows, the upper one in its low half.
type Cells [maxField / 2]uint64

const (
	maxField    = 32
	fieldShift  = 5 // its logarithm
	notFirst    = 0xfffffffe_fffffffe
	notLast     = 0x7fffffff_7fffffff
	unreachable = -1
)

// NewField returns the field of a size.
func NewField(columns, rows int) *Field {
	if columns < 1 || columns > maxField || rows < 1 || rows > maxField {
		panic(fmt.Sprintf("gp: a field of %d x %d cells; 1 to %d are possible", columns, rows, maxField))
	}
	level, err := kernels.Chosen()
	d := &Field{columns: columns, rows: rows, vectors: err == nil && level >= kernels.AVX2}
	for y := range rows {
		for x := range columns {
			d.all.Set(y<<fieldShift + x)
		}
	}
	return d
}

// All returns all cells.
func (d *Field) All() Cells { return d.all }

// Cell returns the cell that is x to the right of another and y below it, and false beyond a wall.
func (d *Field) Cell(from, x, y int) (cell int, ok bool) {
	x, y = from&(maxField-1)+x, from>>fieldShift+y
	if uint(x) >= uint(d.columns) || uint(y) >= uint(d.rows) {
		return 0, false
	}
	return y<<fieldShift + x, true
}

// Index returns the number of a cell where cells are counted row by row without gaps.
func (d *Field) Index(cell int) int { return cell>>fieldShift*d.columns + cell&(maxField-1) }

// Towards returns the neighbour of a cell in a direction, counted in quarter turns clockwise from
// north, and the cell itself where a wall is.
func (d *Field) Towards(from, direction int) int {
	x, y := Turn(0, -1, direction&(Lanes-1))
	if to, ok := d.Cell(from, x, y); ok {
		return to
	}
	return from
}

// Flood returns the cells that can be reached from a set through free cells, the set among them.
func (d *Field) Flood(from Cells, free *Cells) Cells {
	if d.vectors {
		floodAVX2(&from, free)
	} else {
		spread(&from, free, &Cells{})
	}
	return from
}

// Distance returns the least number of steps from a cell of one set to a cell of another, and false
// where there is no path. All cells between must be free; the last one need not be.
func (d *Field) Distance(from Cells, to, free *Cells) (steps int, ok bool) {
	if d.vectors {
		steps = spreadAVX2(&from, free, to)
	} else {
		steps = spread(&from, free, to)
	}
	return max(steps, 0), steps >= 0
}

// spread adds free cells and goals beside a set to it until it holds a goal or none are left. It
// returns the number of steps to the goal, or unreachable.
func spread(reached, free, goals *Cells) (steps int) {
	met := uint64(0)
	for i := range reached {
		met |= reached[i] & goals[i]
	}
	for ; met == 0; steps++ {
		more, above, here := uint64(0), uint64(0), reached[0]
		for i := range reached {
			below := uint64(0)
			if i+1 < len(reached) {
				below = reached[i+1]
			}
			beside := here<<1&notFirst | here>>1&notLast | here<<32 | here>>32 | above>>32 | below<<32
			next := here | beside&(free[i]|goals[i])
			more |= next ^ here
			met |= next & goals[i]
			reached[i], above, here = next, here, below
		}
		if more == 0 {
			return unreachable
		}
	}
	return steps
}

// Has tells whether a cell is in the set.
func (c *Cells) Has(cell int) bool { return c[cell>>6]>>(cell&63)&1 != 0 }

// Set puts a cell in the set.
func (c *Cells) Set(cell int) { c[cell>>6] |= 1 << (cell & 63) }

// Clear takes a cell out of the set.
func (c *Cells) Clear(cell int) { c[cell>>6] &^= 1 << (cell & 63) }

// Empty tells whether no cell is in the set.
func (c *Cells) Empty() bool { return *c == Cells{} }

// Count returns the number of cells in the set.
func (c *Cells) Count() (n int) {
	for _, word := range c {
		n += bits.OnesCount64(word)
	}
	return n
}

// Each calls a function with each cell, in order, until it returns false.
func (c *Cells) Each(yield func(cell int) bool) {
	for i, word := range c {
		for ; word != 0; word &= word - 1 {
			if !yield(i<<6 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// And returns the cells in both sets.
func (c Cells) And(b *Cells) Cells {
	for i := range c {
		c[i] &= b[i]
	}
	return c
}

// AndNot returns the cells in c and not in b.
func (c Cells) AndNot(b *Cells) Cells {
	for i := range c {
		c[i] &^= b[i]
	}
	return c
}

// Or returns the cells in either set.
func (c Cells) Or(b *Cells) Cells {
	for i := range c {
		c[i] |= b[i]
	}
	return c
}

// window returns the set as a player sees it that stands on a cell in the middle of a window of a
// side. beyond says what lies beyond the walls: 0 for nothing, else all ones.
func (d *Field) window(c *Cells, at, side int, beyond uint64) (b Bits) {
	half, by := uint(side/2)&63, uint(side)&63
	x, top := uint(at)&(maxField-1), at>>fieldShift-side/2
	outside := (^uint64(0)<<(uint(d.columns)&63)<<half | (1<<half - 1)) & beyond
	mask := uint64(1)<<by - 1
	for y := top + side - 1; y >= top; y-- {
		row := beyond
		if uint(y) < uint(d.rows) {
			row = (c[y>>1&(maxField/2-1)]>>(uint(y)&1<<fieldShift)&(1<<maxField-1)<<half | outside) >> x
		}
		b = Bits{b.Low<<by | row&mask, b.High<<by | b.Low>>(64-by&63)}
	}
	return b
}
