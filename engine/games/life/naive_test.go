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
	next := make([]colour, len(n.cells))
	for y := range n.height {
		for x := range n.width {
			var near [3]int
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if dy != 0 || dx != 0 {
						near[n.at(y+dy, x+dx)]++
					}
				}
			}
			c := dead
			switch own := n.at(y, x); {
			case own != dead && (near[own] == 2 || near[own] == 3):
				c = own
			case own == dead && near[colourA] == 3 && near[colourB] == 0:
				c = colourA
			case own == dead && near[colourB] == 3 && near[colourA] == 0:
				c = colourB
			}
			next[y*n.width+x] = c
		}
	}
	n.cells = next
}

func (n *naive) population() (live [2]int) {
	for _, c := range n.cells {
		if c != dead {
			live[c]++
		}
	}
	return live
}
