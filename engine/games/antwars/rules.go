package antwars

import (
	"clade/engine"
	"clade/gp"
)

// Numbers of the contest (Jaśkowski, Krawiec and Wieloch, RA-05/07, 2007, "Introduction and game
// rules").
const (
	width  = 11            // cells a side of the torus
	cells  = width * width // numbered row by row from the upper left
	pieces = 15            // food
	rounds = 35            // moves of each ant; the setting moves has others
	radius = 2             // of the field of view, a square
)

// starts are the cells of ant 1, (5, 2), and ant 2, (5, 8).
var starts = [2]uint8{5*width + 2, 5*width + 8}

// directions are row and column steps for NW, N, NE, E, SE, S, SW, W.
var directions = [8][2]int{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}}

// place is what players need to know about a cell.
type place struct {
	view   gp.Bits  // the field of view of an ant on it
	wraps  gp.Bits  // cells that change sides when the board is recentred on it
	shift  uint8    // how far the others are rotated then
	shift2 uint8    // how far those are rotated
	next   [8]uint8 // neighbours by direction
}

// places is the table of all cells; it is never written after it is made.
var places = makePlaces()

func makePlaces() *[cells]place {
	var t [cells]place
	for i := range t {
		p := &t[i]
		row, col := i/width, i%width
		for d, step := range directions {
			p.next[d] = uint8(cellAt(row+step[0], col+step[1]))
		}
		for r := -radius; r <= radius; r++ {
			for c := -radius; c <= radius; c++ {
				p.view.Set(cellAt(row+r, col+c))
			}
		}
		shift := width*(5-row) + 5 - col
		shift2 := shift
		for c := range width {
			if moved := c + 5 - col; moved < 0 || moved >= width {
				for r := range width {
					p.wraps.Set(cellAt(r, c))
				}
				shift2 = shift + width
				if moved >= width {
					shift2 = shift - width
				}
			}
		}
		p.shift, p.shift2 = uint8((shift+2*cells)%cells), uint8((shift2+2*cells)%cells)
	}
	return &t
}

// cellAt wraps a row and a column.
func cellAt(row, col int) int { return (row+width)%width*width + (col+width)%width }

// recentre moves the board so that a cell comes to stand in the middle.
func recentre(b gp.Bits, on uint8) gp.Bits {
	p := &places[on]
	return rotate(b.AndNot(p.wraps), uint(p.shift)).
		Or(rotate(b.And(p.wraps), uint(p.shift2))).And(everywhere)
}

// rotate rotates the 121 bits of a board to the left by 0..120; bits above them are undefined. In
// Go a shift by 64 or more gives 0, and so does one by a negative number turned unsigned: no branch
// is needed.
func rotate(b gp.Bits, n uint) gp.Bits {
	m := cells - n
	return gp.Bits{Low: b.Low<<n | b.Low>>m | b.High<<(64-m) | b.High>>(m-64),
		High: b.High<<n | b.Low>>(64-n) | b.Low<<(n-64) | b.High>>m}
}

// board is a position.
type board struct {
	food  gp.Bits
	at    [2]uint8 // cells of the ants
	dead  [2]bool
	score [2]uint8
	fed   [2]bool // the ant ate with its last move
}

// event is what a move did.
type event uint8

const (
	nothing event = iota
	ate
	killed
)

// deal puts the ants on their start cells and draws the food from the seed: every set of fifteen
// other cells is equally likely.
func deal(seed uint64) board {
	b := board{at: starts}
	r := engine.NewRandom(uint64(engine.Seed(seed).Name("food")))
	for left := pieces; left > 0; {
		i := r.Below(cells)
		if !b.food.Has(i) && uint8(i) != starts[0] && uint8(i) != starts[1] {
			b.food.Set(i)
			left--
		}
	}
	return b
}

// move makes one step in a direction. A step onto the living opponent kills it, and scores nothing;
// a step onto food eats it.
func (b *board) move(ant, direction int) event {
	to := places[b.at[ant]].next[direction]
	b.at[ant] = to
	other := 1 - ant
	b.fed[ant] = false
	if to == b.at[other] && !b.dead[other] {
		b.dead[other] = true
		return killed
	}
	if b.food.Has(int(to)) {
		b.food.Clear(int(to))
		b.score[ant]++
		b.fed[ant] = true
		return ate
	}
	return nothing
}

// winner is the ant with the higher score; equal scores are ant 1's. A dead ant keeps its score.
func (b *board) winner() int {
	if b.score[1] > b.score[0] {
		return 1
	}
	return 0
}
