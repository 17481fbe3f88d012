package life

// naive is the board straight from the rules, one byte a cell: the oracle of board.
type naive struct {
	height, width int
	cells         []colour
}

func newNaive(height, width int) *naive {
	n := &naive{height, width, make([]colour, height*width)}
	for i := range n.cells {
		n.cells[i] = dead
	}
	return n
}

func (n *naive) at(y, x int) colour {
	if y < 0 || x < 0 || y >= n.height || x >= n.width {
		return dead
	}
	return n.cells[y*n.width+x]
}

func (n *naive) place(y, x int, c colour) bool {
	if y < 0 || x < 0 || y >= n.height || x >= n.width || n.at(y, x) != dead {
		return false
	}
	n.cells[y*n.width+x] = c
	return true
}

func (n *naive) step(int) {
	near := make([][2]int, len(n.cells)) // neighbours by colour
	for i, c := range n.cells {
		if c == dead {
			continue
		}
		y, x := i/n.width, i%n.width
		for ny := max(y-1, 0); ny <= min(y+1, n.height-1); ny++ {
			for nx := max(x-1, 0); nx <= min(x+1, n.width-1); nx++ {
				if ny != y || nx != x {
					near[ny*n.width+nx][c]++
				}
			}
		}
	}
	for i, own := range n.cells {
		c := dead
		switch {
		case own != dead && (near[i][own] == 2 || near[i][own] == 3):
			c = own
		case own == dead && near[i] == [2]int{3, 0}:
			c = colourA
		case own == dead && near[i] == [2]int{0, 3}:
			c = colourB
		}
		n.cells[i] = c
	}
}

func (n *naive) population() (live [2]int) {
	for _, c := range n.cells {
		if c != dead {
			live[c]++
		}
	}
	return live
}
