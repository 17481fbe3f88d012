package life

import "clade/gp"

// stamp is a small pattern that a player places as a whole.
type stamp struct {
	name  string
	cells []cell // relative to its middle
	reach int    // how far they lie from it at most, in either coordinate
}

// The stamps of the built-in players and of evolved programs.
var (
	glider = newStamp("glider", "bo$2bo$3o!")
	block  = newStamp("block", "2o$2o!")
	// pentomino is the R-pentomino: 116 cells after 1103 generations.
	pentomino = newStamp("pentomino", "b2o$2o$bo!")
	// five is the P-pentomino, which dies alone.
	five = newStamp("five", "3o$2o!")
	// acorn has 633 cells after 5206 generations.
	acorn = newStamp("acorn", "bo$3bo$2o2b3o!")
	// growth grows for ever (Callahan, 1997).
	growth = newStamp("growth", "3obo$o$3b2o$b2obo$obobo!")
	// spaceship is the middleweight spaceship.
	spaceship = newStamp("spaceship", "3bo$bo3bo$o$o4bo$5o!")
	single    = newStamp("cell", "o!")
	// tromino is three cells of a block, whose fourth is born; twins become two blocks likewise.
	tromino = newStamp("tromino", "2o$o!")
	twins   = newStamp("twins", "2ob2o$o3bo!")
	// seedbed has 28 still cells in 10 x 10 ten generations later, the most of all patterns of seven
	// cells in boxes of up to 16.
	seedbed = newStamp("bloom", "2bo$ob2o$obo$o!")
	// nothing is the stamp of vocabularies with a tree for placing nothing.
	nothing = stamp{name: "nothing"}
)

// orientations is the number of ways to place a stamp: four turns, plain and mirrored.
const orientations = 8

// newStamp reads a stamp from runs and moves its middle to the origin.
func newStamp(name, runs string) stamp {
	var p pattern
	if _, err := (&runReader{p: &p}).read(runs); err != nil {
		panic("life: stamp " + name + ": " + err.Error())
	}
	s := stamp{name: name}
	for _, l := range p.live {
		s.add(cell{l.y - int32(p.height/2), l.x - int32(p.width/2)})
	}
	return s
}

func (s *stamp) add(c cell) {
	s.cells = append(s.cells, c)
	s.reach = max(s.reach, int(c.y), int(-c.y), int(c.x), int(-c.x))
}

// turned returns a cell of a stamp in orientation o: mirrored left to right if o is 4 or more, then
// turned by o%4 quarters clockwise.
func turned(c cell, o int) (y, x int) {
	x, y = int(c.x), int(c.y)
	if o&4 != 0 {
		x = -x
	}
	x, y = gp.Turn(x, y, o)
	return y, x
}

// placement is a stamp as species place it.
type placement struct {
	*stamp
	turns int
	lanes uint32 // set of those that stand for its turns
	still bool   // it is placed only where it is stable
	site  site   // the kind of site that it is for
}

// newPlacement returns a stamp's placement, and the cells of the window around its middle that it
// covers under each turn.
func newPlacement(s *stamp, w gp.Window) (p placement, covers [gp.Lanes]gp.Bits) {
	p = placement{stamp: s, turns: gp.Lanes}
	switch s {
	case &block, &single, &seedbed, &nothing: // blooms turned alike do not grow into each other
		p.turns = 1
	case &square, &tromino, &twins:
		p.turns, p.still = 1, true
	}
	switch s {
	case &twins:
		p.site = twinPlot
	case &seedbed:
		p.site = bloomPlot
	case &square, &tromino:
		p.site = blockPlace
	}
	for k := range covers {
		for _, c := range s.cells {
			cell, ok := w.Cell(gp.Turn(int(c.x), int(c.y), k))
			if !ok {
				panic("life: stamp " + s.name + " is wider than the window of species")
			}
			covers[k].Set(cell)
		}
	}
	return p, covers
}
