package life

// naive is the board straight from the rules, one byte a cell: the oracle of Board.
type naive struct {
	height, width int
	cells         []Colour
}

func newNaive(height, width int) *naive {
	n := &naive{height, width, make([]Colour, height*width)}
	for i := range n.cells {
		n.cells[i] = None
	}
	return n
}

func (n *naive) at(y, x int) Colour {
	if y < 0 || x < 0 || y >= n.height || x >= n.width {
		return None
	}
	return n.cells[y*n.width+x]
}

func (n *naive) place(y, x int, c Colour) bool {
	if y < 0 || x < 0 || y >= n.height || x >= n.width || n.at(y, x) != None {
		return false
	}
	n.cells[y*n.width+x] = c
	return true
}

func (n *naive) step() {
	next := make([]Colour, len(n.cells))
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
			c := None
			switch own := n.at(y, x); {
			case own != None && (near[own] == 2 || near[own] == 3):
				c = own
			case own == None && near[First] == 3 && near[Second] == 0:
				c = First
			case own == None && near[Second] == 3 && near[First] == 0:
				c = Second
			}
			next[y*n.width+x] = c
		}
	}
	n.cells = next
}

func (n *naive) population() (live [2]int) {
	for _, c := range n.cells {
		if c != None {
			live[c]++
		}
	}
	return live
}
