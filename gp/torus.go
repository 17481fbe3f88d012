package gp

// Torus is a board of side x side cells, numbered row by row from the upper left, whose edges meet;
// its whole is the window of a grammar with the same side and Window.Wrap. It holds tables, so that
// what a player sees is drawn in few steps.
type Torus struct {
	side  int
	all   Bits
	moves []recentring   // by cell
	next  [][Lanes]uint8 // by cell, then direction
}

// recentring brings a cell into the middle: the cells of the columns that come in at the other side
// turn by another number of cells than the rest.
type recentring struct {
	wraps Bits
	turns [2]uint8 // of the others, and of those
}

// NewTorus returns the torus of a side, odd and 1 to 11.
func NewTorus(side int) *Torus {
	n, half := side*side, side/2
	t := &Torus{side: side, moves: make([]recentring, n), next: make([][Lanes]uint8, n)}
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
	return t
}

// Cell returns the cell that is x to the right of another and y below it.
func (t *Torus) Cell(from, x, y int) int {
	n := t.side
	return ((from/n+y)%n+n)%n*n + ((from%n+x)%n+n)%n
}

// Towards returns the neighbour of a cell in a direction: quarter turns clockwise from north.
func (t *Torus) Towards(from, direction int) int {
	return int(t.next[from][direction&(Lanes-1)])
}

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
	return Bits{b[0]<<by | b[0]>>m | b[1]<<(64-m) | b[1]>>(m-64),
		b[1]<<by | b[0]>>(64-by) | b[0]<<(by-64) | b[1]>>m}
}

// Neighbours returns the cells beside those of a set, in four directions.
func (t *Torus) Neighbours(b Bits) Bits {
	n, size := uint(t.side), uint(len(t.moves))
	var first Bits // column
	for y := range t.side {
		first.Set(y * t.side)
	}
	last := rotate(first, n-1, size)
	one := rotate(b, n%size, size).Or(rotate(b, (size-n)%size, size))
	right := rotate(b.AndNot(last), 1%size, size).
		Or(rotate(b.And(last), (size+1-n)%size, size))
	left := rotate(b.AndNot(first), (size-1)%size, size).Or(rotate(b.And(first), n-1, size))
	return one.Or(right).Or(left).And(t.all)
}

// Flood returns the cells that can be reached from a set through free cells, the set among them.
func (t *Torus) Flood(from, free Bits) Bits {
	for {
		next := from.Or(t.Neighbours(from).And(free))
		if next == from {
			return from
		}
		from = next
	}
}
