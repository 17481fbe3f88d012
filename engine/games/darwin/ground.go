package darwin

import (
	"math"
	"slices"
)

// ground is a map under a rule set, from which games start. It is immutable and shared by games. A
// ring of wall lies around the squares of the map, so that no square has a neighbour outside.
type ground struct {
	title         string
	width, height int // of the map, without the ring
	stride        int
	cells         []int16   // as world.cells; creatures are not in it
	terrain       []terrain // of every cell
	starts        []start   // creatures, in reading order
	steps         [4]int    // change of the cell number a step, by direction
	maze          bool
	seats         int  // the greatest digit with a player, plus 1
	room          int  // cells without a wall or a hazard
	bare          bool // no cell has mud or a shrine
}

// terrain is what lies on the floor of a cell.
type terrain uint8

const (
	mud terrain = 1 << iota
	fog
	shrine
	ownedShrine // with the owner's seat in the upper four bits
)

// owner returns the breed whose shrine the cell is; none without a shrine or an owner.
func (t terrain) owner() breed {
	if t&ownedShrine == 0 {
		return none
	}
	return seatBreed(int(t >> 4))
}

// What stands in a cell: 0 nothing, above 0 a creature's slot plus 1, below 0 one of these.
const (
	wallX    int16 = -1 - iota // x
	wallHash                   // #
	wallPart                   // %
	hazard                     // +
)

// start is a creature that a map puts into the world.
type start struct {
	cell      int
	breed     breed
	enchanted bool
}

// maxCreatures is the greatest number of creatures of a map: a cell holds a creature's slot plus 1,
// and there is a slot more than creatures.
const maxCreatures = math.MaxInt16 - 1

// newGround returns a map as ground for a number of players. Digits without a player are empty
// squares.
func newGround(m *rawMap, rules *ruleSet, players int) *ground {
	g := &ground{title: m.title, width: m.width, height: m.height, stride: m.width + 2,
		maze: m.maze()}
	g.steps = [4]int{-g.stride, -1, g.stride, 1}
	n := g.stride * (m.height + 2)
	g.cells, g.terrain = make([]int16, n), make([]terrain, n)
	for i := range g.cells {
		g.cells[i] = wallX
	}
	for y := range m.height {
		for x := range m.width {
			border := x == 0 || y == 0 || x == m.width-1 || y == m.height-1
			g.place(g.cell(x, y), m.at(x, y), border, rules, players)
		}
	}
	for _, what := range g.cells {
		if what == 0 {
			g.room++
		}
	}
	g.giveShrines()
	g.bare = !slices.ContainsFunc(g.terrain, func(t terrain) bool { return t&^fog != 0 })
	return g
}

// place sets a cell by its letter.
func (g *ground) place(i int, c byte, border bool, rules *ruleSet, players int) {
	g.cells[i] = 0
	if rules.fogLetters && (c == 'F' || c == 'A' || c == 'T' || c == 'E') {
		g.terrain[i] |= fog
	}
	switch c {
	case 'X':
		g.cells[i] = wallX
	case '#':
		g.cells[i] = wallHash
	case '%':
		g.cells[i] = wallPart
	case '+', 'T':
		g.cells[i] = hazard
	case '.':
		g.terrain[i] |= mud
	case ':':
		g.terrain[i] |= fog
	case 's':
		g.terrain[i] |= shrine
	case 'f', 'F':
		g.starts = append(g.starts, start{i, flytrap, false})
	case 'a', 'A':
		g.starts = append(g.starts, start{i, apple, false})
	case 'e', 'E':
		g.starts = append(g.starts, start{i, apple, true})
	case '*':
		g.starts = append(g.starts, start{i, treasure, false})
	case ' ':
	default: // a digit
		if seat := int(c - '0'); seat < players {
			g.starts = append(g.starts, start{i, seatBreed(seat), false})
			g.seats = max(g.seats, seat+1)
		}
	}
	if border && (g.cells[i] == 0 || g.cells[i] == hazard && rules.wallBorder) {
		g.cells[i] = wallX
	}
}

// giveShrines gives every shrine to the species of the creature of a seat that is nearest by
// Euclidean distance; among equally near ones the smallest x decides, then the smallest y.
func (g *ground) giveShrines() {
	for i, t := range g.terrain {
		if t&shrine == 0 {
			continue
		}
		p := g.point(i)
		best, bestKey := none, [3]int{}
		for _, s := range g.starts {
			if s.breed < seatBreed(0) {
				continue
			}
			q := g.point(s.cell)
			dx, dy := int(p.x)-int(q.x), int(p.y)-int(q.y)
			if key := [3]int{dx*dx + dy*dy, int(q.x), int(q.y)}; best == none ||
				slices.Compare(key[:], bestKey[:]) < 0 {
				best, bestKey = s.breed, key
			}
		}
		if best != none {
			g.terrain[i] |= ownedShrine | terrain(best.seat())<<4
		}
	}
}

// cell returns the number of a square's cell.
func (g *ground) cell(x, y int) int { return (y+1)*g.stride + x + 1 }

// point returns the square of a cell.
func (g *ground) point(i int) point { return point{int16(i%g.stride - 1), int16(i/g.stride - 1)} }
