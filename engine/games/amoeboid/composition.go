package amoeboid

// compositions numbers the ways to lay m equal units on n cells, in lexicographic order, and groups
// them by the symmetries of the board.
type compositions struct {
	n, m  int
	binom [][]int // binom[i][j] = ways to lay j units on i cells
	class []int32 // by number: its class
	turn  []uint8 // by number: the symmetry that maps it to its class's representative
	reps  []int32 // by class: the number of its representative, the least of the class

	inverse [][]uint8 // by symmetry: which cell it brings to each cell
}

// newCompositions numbers the compositions of m units on the board's cells.
func newCompositions(g *Graph, m int) *compositions {
	c := &compositions{n: g.n, m: m, binom: make([][]int, g.n+1)}
	for i := range c.binom {
		c.binom[i] = make([]int, m+1)
		for j := range m + 1 {
			switch {
			case j == 0:
				c.binom[i][j] = 1
			case i == 0:
				c.binom[i][j] = 0
			default:
				c.binom[i][j] = c.binom[i][j-1] + c.binom[i-1][j]
			}
		}
	}
	for _, symmetry := range g.group {
		inverse := make([]uint8, g.n)
		for cell, to := range symmetry {
			inverse[to] = uint8(cell)
		}
		c.inverse = append(c.inverse, inverse)
	}
	total := c.len()
	c.class, c.turn = make([]int32, total), make([]uint8, total)
	var units, image [maxCells]int32
	units[g.n-1] = int32(m)
	for number := range total {
		least, by := number, 0
		for k, symmetry := range g.group {
			for cell, to := range symmetry {
				image[to] = units[cell]
			}
			if r := c.number(&image); r < least {
				least, by = r, k
			}
		}
		if least == number {
			c.class[number] = int32(len(c.reps))
			c.reps = append(c.reps, int32(number))
		} else {
			c.class[number], c.turn[number] = c.class[least], uint8(by)
		}
		next(units[:g.n])
	}
	return c
}

// len returns how many compositions there are.
func (c *compositions) len() int { return c.binom[c.n][c.m] }

// number returns the number of a composition.
func (c *compositions) number(units *[maxCells]int32) int {
	rank, left := 0, c.m
	for cell := range c.n - 1 {
		// Before this composition come those with fewer units here: the ways to lay left-u units on
		// the cells behind, for all u below.
		u := int(units[cell])
		if u > 0 {
			rank += c.binom[c.n-cell][left] - c.binom[c.n-cell][left-u]
		}
		left -= u
	}
	return rank
}

// numberOf is number for a seat's units in a position, without a copy of them: cell i is read from
// cell order[i].
func (c *compositions) numberOf(p *Position, seat int, order []uint8) int {
	rank, left := 0, c.m
	for i, cell := range order[:c.n-1] {
		if u := int(p.cells[cell&(maxCells-1)][seat]); u > 0 {
			row := c.binom[c.n-i]
			rank += row[left] - row[left-u]
			if left -= u; left == 0 {
				break
			}
		}
	}
	return rank
}

// next turns a composition into the one that follows in lexicographic order; the last becomes
// undefined.
func next(units []int32) {
	last := len(units) - 1
	tail := units[last]
	units[last] = 0
	i := last - 1
	for ; i >= 0 && tail == 0; i-- {
		tail, units[i] = units[i], 0
	}
	if i < 0 {
		return
	}
	units[i]++
	units[last] = tail - 1
}

// at writes the composition of a number.
func (c *compositions) at(number int, units *[maxCells]int32) {
	left := c.m
	for cell := range c.n - 1 {
		u := 0
		for number >= c.binom[c.n-cell-1][left-u] {
			number -= c.binom[c.n-cell-1][left-u]
			u++
		}
		units[cell] = int32(u)
		left -= u
	}
	units[c.n-1] = int32(left)
}
