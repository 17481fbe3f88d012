package gp

import (
	"fmt"
	"sync"
)

// Torus is a board of side x side cells, numbered row by row from the upper left, whose edges meet;
// its whole is the window of a grammar with the same side and Window.Wrap. It holds tables, so that
// what a player sees is drawn in few steps.
type Torus struct {
	side  int
	all   Bits
	moves []recentring   // by cell
	next  [][Lanes]uint8 // by cell, then direction
	// by cell
	row, column []uint8
	squares     [][]Bits // by radius, then cell
	first, last Bits     // columns
}

// recentring brings a cell into the middle: the cells of the columns that come in at the other side
// turn by another number of cells than the rest.
type recentring struct {
	wraps Bits
	turns [2]uint8 // of the others, and of those
}

// maxTorus is the greatest side whose cells are Bits.
const maxTorus = 11

// tori are those of sides 1, 3 and so on.
var tori = func() (tori [(maxTorus + 1) / 2]func() *Torus) {
	for i := range tori {
		tori[i] = sync.OnceValue(func() *Torus { return newTorus(2*i + 1) })
	}
	return tori
}()

// NewTorus returns the torus of a side, odd and 1 to 11. It is immutable and always the same one:
// games side by side find its tables where others have just read them.
func NewTorus(side int) *Torus {
	if side < 1 || side > maxTorus || side%2 == 0 {
		panic(fmt.Sprintf("gp: a torus of side %d; odd ones from 1 to %d are possible", side, maxTorus))
	}
	return tori[side/2]()
}

func newTorus(side int) *Torus {
	n, half := side*side, side/2
	t := &Torus{side: side, moves: make([]recentring, n), next: make([][Lanes]uint8, n),
		row: make([]uint8, n), column: make([]uint8, n)}
	for cell := range n {
		t.row[cell], t.column[cell] = uint8(cell/side), uint8(cell%side)
	}
	for y := range side {
		t.first.Set(y * side)
		t.last.Set(y*side + side - 1)
	}
	for cell := range n {
		t.all.Set(cell)
		for k := range Lanes {
			x, y := Turn(0, -1, k)
			t.next[cell][k] = uint8(t.Cell(cell, x, y))
		}
		r := &t.moves[cell]
		row, column := cell/side, cell%side
		turn := side*(half-row) + half - column
		other := turn
		for c := range side {
			if moved := c + half - column; moved < 0 || moved >= side {
				for y := range side {
					r.wraps.Set(y*side + c)
				}
				other = turn + side
				if moved >= side {
					other = turn - side
				}
			}
		}
		r.turns = [2]uint8{uint8((turn + 2*n) % n), uint8((other + 2*n) % n)}
	}
	for radius := range half + 1 {
		around, squares := Window{Side: side}.Square(radius), make([]Bits, n)
		for cell := range squares { // the opposite of what brings it into the middle
			squares[cell] = t.Recentre(around, n-1-cell)
		}
		t.squares = append(t.squares, squares)
	}
	return t
}

// Cell returns the cell that is x to the right of another and y below it.
func (t *Torus) Cell(from, x, y int) int {
	return t.wrapped(int(t.row[from])+y)*t.side + t.wrapped(int(t.column[from])+x)
}

// wrapped returns a row or column of the torus. Few go around it more than once.
func (t *Torus) wrapped(i int) int {
	if i < 0 {
		i += t.side
	} else if i >= t.side {
		i -= t.side
	}
	if uint(i) < uint(t.side) {
		return i
	}
	return (i%t.side + t.side) % t.side
}

// Offset returns how far a cell is to the right of another and below it by the shortest way, each
// at most half a side.
func (t *Torus) Offset(from, to int) (x, y int) {
	half := t.side / 2
	return t.wrapped(int(t.column[to])-int(t.column[from])+half) - half,
		t.wrapped(int(t.row[to])-int(t.row[from])+half) - half
}

// Square returns the cells that are at most a radius away from a cell in both coordinates: what is
// seen from there.
func (t *Torus) Square(cell, radius int) Bits {
	return t.squares[min(radius, len(t.squares)-1)][cell]
}

// Towards returns the neighbour of a cell in a direction: quarter turns clockwise from north.
func (t *Torus) Towards(from, direction int) int { return int(t.next[from][direction&(Lanes-1)]) }

// Recentre returns a set of cells as it lies in the window of a player on a cell.
func (t *Torus) Recentre(b Bits, cell int) Bits {
	r, n := &t.moves[cell], uint(len(t.moves))
	return rotate(b.AndNot(r.wraps), uint(r.turns[0]), n).
		Or(rotate(b.And(r.wraps), uint(r.turns[1]), n)).And(t.all)
}

// rotate turns the n cells of a board to the left by 0..n-1. A shift by 64 or more gives 0 in Go,
// and so does one by a negative number turned unsigned: no branch is needed.
func rotate(b Bits, by, n uint) Bits {
	m := n - by
	return Bits{b.Low<<by | b.Low>>m | b.High<<(64-m) | b.High>>(m-64),
		b.High<<by | b.Low>>(64-by) | b.Low<<(by-64) | b.High>>m}
}

// Neighbours returns the cells beside those of a set, in four directions.
func (t *Torus) Neighbours(b Bits) Bits {
	n, size := uint(t.side), uint(len(t.moves))
	one := rotate(b, n%size, size).Or(rotate(b, (size-n)%size, size))
	right := rotate(b.AndNot(t.last), 1%size, size).
		Or(rotate(b.And(t.last), (size+1-n)%size, size))
	left := rotate(b.AndNot(t.first), (size-1)%size, size).Or(rotate(b.And(t.first), n-1, size))
	return one.Or(right).Or(left).And(t.all)
}
