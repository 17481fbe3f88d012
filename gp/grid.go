package gp

import (
	"fmt"
	"sync"
)

// Grid is a board of side x side cells, numbered row by row from the upper left: a torus, whose
// edges meet, or one with walls around it. A player sees a square of the same side around it, the
// window of the grammar; of a torus, with Window.Wrap, that is the whole board. Its tables make
// drawing that view quick. A smaller board lies in the upper left corner, and the game treats the
// other cells as rock.
type Grid struct {
	side  int
	walls bool
	all   Bits
	moves []recentring   // by cell
	next  [][Lanes]uint8 // by cell, then direction
	// by cell
	row, column []uint8
	squares     [][]Bits // by radius, then cell
	first, last Bits     // columns
}

// recentring moves a board so that one cell comes into the middle. Columns that wrap around to the
// other side move by another number of cells than the rest. With walls, cells that leave the window
// are dropped.
type recentring struct {
	wraps Bits
	turns [2]uint8 // of the others, and of those
}

const (
	maxGrid = 11 // the greatest side whose cells are Bits
	// rotating by this much leaves no cell, in rotate and in the kernels
	gone = 192
)

// grids are those of sides 1, 3 and so on: of each a torus and one with walls.
var grids = func() (grids [(maxGrid + 1) / 2][2]func() *Grid) {
	for i := range grids {
		for k := range grids[i] {
			grids[i][k] = sync.OnceValue(func() *Grid { return newGrid(2*i+1, k != 0) })
		}
	}
	return grids
}()

// NewTorus returns the torus of a side, odd and 1 to 11. It is immutable, and all callers share
// one, so that its tables stay in the processor's cache.
func NewTorus(side int) *Grid { return grids[checkGrid(side)][0]() }

// NewWalled returns the grid of a side with walls around it, shared as NewTorus's are.
func NewWalled(side int) *Grid { return grids[checkGrid(side)][1]() }

func checkGrid(side int) int {
	if side < 1 || side > maxGrid || side%2 == 0 {
		panic(fmt.Sprintf("gp: a grid of side %d; odd ones from 1 to %d are possible", side,
			maxGrid))
	}
	return side / 2
}

func newGrid(side int, walls bool) *Grid {
	n, half := side*side, side/2
	g := &Grid{side: side, walls: walls, moves: make([]recentring, n),
		next: make([][Lanes]uint8, n), row: make([]uint8, n), column: make([]uint8, n)}
	for cell := range n {
		g.row[cell], g.column[cell] = uint8(cell/side), uint8(cell%side)
		g.all.Set(cell)
	}
	for y := range side {
		g.first.Set(y * side)
		g.last.Set(y*side + side - 1)
	}
	for cell := range n {
		for k := range Lanes {
			x, y := Turn(0, -1, k)
			to, ok := g.Cell(cell, x, y)
			if !ok {
				to = cell
			}
			g.next[cell][k] = uint8(to)
		}
		g.moves[cell] = g.recentring(cell)
	}
	for radius := range half + 1 {
		squares := make([]Bits, n)
		for cell := range squares {
			for i := range (2*radius + 1) * (2*radius + 1) {
				y, x := i/(2*radius+1)-radius, i%(2*radius+1)-radius
				if at, ok := g.Cell(cell, x, y); ok {
					squares[cell].Set(at)
				}
			}
		}
		g.squares = append(g.squares, squares)
	}
	return g
}

func (g *Grid) recentring(cell int) (r recentring) {
	n, half := g.side*g.side, g.side/2
	down, right := half-cell/g.side, half-cell%g.side
	turn := g.side*down + right
	other := turn
	for i := range n {
		y, x := i/g.side+down, i%g.side+right
		leaves := x < 0 || x >= g.side
		if g.walls {
			leaves = leaves || y < 0 || y >= g.side
		}
		if leaves {
			r.wraps.Set(i)
		}
	}
	if right < 0 {
		other = turn + g.side
	} else if right > 0 {
		other = turn - g.side
	}
	r.turns = [2]uint8{uint8((turn + 2*n) % n), uint8((other + 2*n) % n)}
	if g.walls {
		r.turns[1] = gone
	}
	return r
}

// All returns all cells.
func (g *Grid) All() Bits { return g.all }

// Cell returns the cell that is x to the right of another and y below it, and false beyond a wall.
func (g *Grid) Cell(from, x, y int) (cell int, ok bool) {
	x, y = int(g.column[from])+x, int(g.row[from])+y
	if !g.walls {
		x, y = g.wrapped(x), g.wrapped(y)
	} else if uint(x) >= uint(g.side) || uint(y) >= uint(g.side) {
		return 0, false
	}
	return y*g.side + x, true
}

// wrapped returns a row or column of a torus. Few go around it more than once.
func (g *Grid) wrapped(i int) int {
	if i < 0 {
		i += g.side
	} else if i >= g.side {
		i -= g.side
	}
	if uint(i) < uint(g.side) {
		return i
	}
	return (i%g.side + g.side) % g.side
}

// Offset returns how far a cell lies to the right of another and below it, on a torus by the
// shorter way around.
func (g *Grid) Offset(from, to int) (x, y int) {
	x, y = int(g.column[to])-int(g.column[from]), int(g.row[to])-int(g.row[from])
	if g.walls {
		return x, y
	}
	half := g.side / 2
	return g.wrapped(x+half) - half, g.wrapped(y+half) - half
}

// Square returns the cells that are at most a radius away from a cell in both coordinates: what is
// seen from there. A radius is at most half a side, and a greater one counts as that.
func (g *Grid) Square(cell, radius int) Bits {
	return g.squares[min(radius, len(g.squares)-1)][cell]
}

// Towards returns the neighbour of a cell in a direction, counted in quarter turns clockwise from
// north, and the cell itself where a wall is.
func (g *Grid) Towards(from, direction int) int {
	return int(g.next[from][direction&(Lanes-1)])
}

// Recentre returns a set of cells of the board as cells of the window of a player on the given
// cell.
func (g *Grid) Recentre(b Bits, cell int) Bits {
	r, n := &g.moves[cell], uint(len(g.moves))
	return rotate(b.AndNot(r.wraps), uint(r.turns[0]), n).
		Or(rotate(b.And(r.wraps), uint(r.turns[1]), n)).And(g.all)
}

// rotate turns the n cells of a board to the left by 0..n-1. A shift by 64 or more gives 0 in Go,
// and so does one by a negative number turned unsigned: no branch is needed.
func rotate(b Bits, by, n uint) Bits {
	m := n - by
	return Bits{b.Low<<by | b.Low>>m | b.High<<(64-m) | b.High>>(m-64),
		b.High<<by | b.Low>>(64-by) | b.Low<<(by-64) | b.High>>m}
}

// Neighbours returns the cells beside those of a set, in four directions.
func (g *Grid) Neighbours(b Bits) Bits {
	n, size := uint(g.side), uint(len(g.moves))
	right, left := b.AndNot(g.last), b.AndNot(g.first)
	beside := right.raised(1).Or(left.lowered(1))
	if g.walls {
		return beside.Or(b.raised(n)).Or(b.lowered(n)).And(g.all)
	}
	return beside.Or(rotate(b, n%size, size)).Or(rotate(b, (size-n)%size, size)).
		Or(b.And(g.last).lowered(n - 1)).Or(b.And(g.first).raised(n - 1)).And(g.all)
}

// raised returns the set moved by 0 to 63 cells towards the last.
func (b Bits) raised(by uint) Bits {
	return Bits{b.Low << (by & 63), b.High<<(by&63) | b.Low>>1>>(^by&63)}
}

// lowered returns the set moved by 0 to 63 cells towards the first.
func (b Bits) lowered(by uint) Bits {
	return Bits{b.Low>>(by&63) | b.High<<1<<(^by&63), b.High >> (by & 63)}
}

// Flood returns the cells that can be reached from a set through free cells, the set among them.
func (g *Grid) Flood(from, free Bits) Bits {
	n := uint(g.side)
	free = free.And(g.all)
	right, left := free.AndNot(g.first), free.AndNot(g.last)
	for {
		next := from.raised(1).And(right).Or(from.lowered(1).And(left)).
			Or(from.raised(n).Or(from.lowered(n)).And(free)).Or(from)
		if !g.walls {
			next = next.Or(g.Neighbours(next).And(free))
		}
		if next == from {
			return from
		}
		from = next
	}
}

// Distance returns the least number of steps from a cell of one set to a cell of another, and false
// where there is no path. All cells between must be free; the last one need not be.
func (g *Grid) Distance(from, to, free Bits) (steps int, ok bool) {
	for from.And(to).Empty() {
		beside := g.Neighbours(from)
		if beside.And(to.Or(free)).within(from) {
			return 0, false
		}
		from = from.Or(beside.And(to.Or(free)))
		steps++
	}
	return steps, true
}
