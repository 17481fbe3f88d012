package antwars

import "clade/gp"

// belief is what an ant remembers beyond what the game keeps for every ant: a model of the cells
// that it does not see. At an ant's first move begun is false, and the rest is left from another
// game.
type belief struct {
	begun bool
	seen  gp.Bits // cells that have been in view

	hunter gp.Bits // cells on which the opponent may be; none once it is dead
	prey   int     // the opponent's cell at the move before, if it was in view, else -1
	found  int     // pieces of food seen, each counted once
	// eaten is the sum, over the cells that were empty when first seen, of the chance that food
	// there had been eaten by then.
	eaten float32
	// keep is, by cell out of view, the chance that food which lay there when the cell was last in
	// view, or at the start, still does.
	keep [cells]float32
}

// atStart is what ants believe before their first move, but for the opponent. No food lies on the
// start cells, so both count as seen.
var atStart = func() belief {
	b := belief{begun: true, prey: -1}
	for i := range b.keep {
		b.keep[i] = 1
	}
	for _, start := range starts {
		b.seen.Set(int(start))
	}
	return b
}()

// begin sets what an ant believes before its first move.
func (b *belief) begin(at uint8) {
	*b = atStart
	if at == starts[0] {
		b.hunter.Set(int(starts[1]))
	} else { // ant 1 has moved
		b.hunter.Set(int(starts[0]))
		b.hunter = spread(b.hunter)
	}
}

// track brings up to date what has been seen, and where the opponent may be: on one of the cells
// that it can have reached, or on none if the ant has just stepped on it. It returns the cells that
// are seen for the first time.
func (m *memory) track() (fresh gp.Bits) {
	b := &m.belief
	switch {
	case !b.begun:
		b.begin(m.at)
	case b.prey == int(m.at):
		b.hunter = gp.Bits{}
	default:
		b.hunter = spread(b.hunter)
	}
	b.hunter = b.hunter.AndNot(m.view)
	if m.enemy >= 0 {
		b.hunter = gp.Bits{}
		b.hunter.Set(m.enemy)
	}
	b.prey = m.enemy
	fresh = m.view.AndNot(b.seen)
	b.seen = b.seen.Or(m.view)
	b.found += m.food.And(fresh).Count()
	return fresh
}

// updateBelief brings the belief up to date with what the ant sees.
func (m *memory) updateBelief() {
	b := &m.belief
	fresh := m.track()
	m.doubt(fresh.AndNot(m.food), b.hunter.AndNot(m.view).And(m.food.Or(b.unseen())))
}

// doubt brings up to date by what chance food is still there. Some cells are seen for the first
// time, and are empty. Food on a cell where the opponent may stand is gone with a chance of the
// hazard divided by the number of these cells, at most nine tenths; some of them count. Food that
// the opponent cannot have reached is certain.
func (m *memory) doubt(late, fading gp.Bits) {
	b := &m.belief
	for ; !late.Empty(); late = late.Rest() {
		b.eaten += 1 - b.keep[late.First()]
	}
	m.fade(fading, stays[b.hunter.Count()&127])
	// What is kept of other cells in view is never read again. It is set behind the vectors of fade,
	// which would have to wait for it.
	for left := m.food.And(m.view); !left.Empty(); left = left.Rest() {
		b.keep[left.First()] = 1
	}
}

// stays is the chance that food is still there, by the number of cells where the opponent may be.
var stays = func() (t [128]float32) {
	for n := range t {
		t[n] = 1 - min(0.9, hyperHazard/float32(max(1, n)))
	}
	return t
}()

// fade multiplies keep of some cells by a factor.
func (b *belief) fade(set gp.Bits, by float32) {
	for ; !set.Empty(); set = set.Rest() {
		b.keep[set.First()] *= by
	}
}

// unseen holds the cells that have never been in view.
func (b *belief) unseen() gp.Bits { return everywhere.AndNot(b.seen) }

// density is the chance that a cell never seen held food at the start: the food that has not been
// found lay on such cells, or on those where it was eaten before the ant looked.
func (b *belief) density() float32 {
	return float32(pieces-b.found) / max(1, float32(b.unseen().Count())+b.eaten)
}

// expected is the food that the ant expects on the whole board.
func (m *memory) expected() (food float32) {
	b := &m.belief
	each(m.food, func(c int) { food += b.keep[c] })
	density := b.density()
	each(b.unseen(), func(c int) { food += float32(density * b.keep[c]) })
	return food
}

// distances holds the moves from any cell to any other.
var distances = makeDistances()

func makeDistances() *[cells][cells]uint8 {
	var t [cells][cells]uint8
	along := func(a, b int) int {
		d := (a - b + width) % width
		return min(d, width-d)
	}
	for i := range t {
		for j := range t[i] {
			t[i][j] = uint8(max(along(i/width, j/width), along(i%width, j%width)))
		}
	}
	return &t
}

// nearby holds, by a number of moves, the cells within so many of each cell.
var nearby = makeNearby()

func makeNearby() *[farthest][cells]gp.Bits {
	var t [farthest][cells]gp.Bits
	for moves := range t {
		for i := range cells {
			for j, d := range distances[i] {
				if int(d) <= moves {
					t[moves][i].Set(j)
				}
			}
		}
	}
	return &t
}

// farthest is the greatest distance on the torus.
const farthest = width / 2

// Sets of cells.
var (
	everywhere = area(0, width)
	westmost   = area(0, 1)
	eastmost   = area(width-1, width)
)

// area holds the columns from one to before another.
func area(from, to int) (b gp.Bits) {
	for i := range cells {
		if col := i % width; from <= col && col < to {
			b.Set(i)
		}
	}
	return b
}

// spread adds to a set of cells all their neighbours.
func spread(b gp.Bits) gp.Bits {
	east := turn(b.AndNot(eastmost), 1).Or(turn(b.And(eastmost), cells-(width-1)))
	west := turn(b.AndNot(westmost), cells-1).Or(turn(b.And(westmost), width-1))
	b = b.Or(east).Or(west)
	return b.Or(turn(b, width)).Or(turn(b, cells-width)).And(everywhere)
}

// turn rotates the cells of the board by 0..120 places.
func turn(b gp.Bits, by uint) gp.Bits { return rotate(b.And(everywhere), by) }

// each calls f with the cells of a set in ascending order.
func each(b gp.Bits, f func(cell int)) {
	for ; !b.Empty(); b = b.Rest() {
		f(b.First())
	}
}

// decisive is the number of points that wins the game for good: more than half of the food.
const decisive = pieces/2 + 1

// beside tells whether an ant that steps onto the cell stands next to the opponent that it sees,
// which then may kill it.
func (m *memory) beside(cell uint8) bool { return m.enemy >= 0 && distances[m.enemy][cell] == 1 }

// strike returns the direction in which the opponent stands if it can be killed now.
func (m *memory) strike() (direction int, ok bool) {
	if m.enemy < 0 {
		return 0, false
	}
	return m.step(uint8(m.enemy))
}

// step returns the direction of a neighbour, and whether the cell is one.
func (m *memory) step(cell uint8) (direction int, ok bool) {
	for d, to := range places[m.at].next {
		if to == cell {
			return d, true
		}
	}
	return 0, false
}

// heading is a direction drawn for each game.
func (m *memory) heading() int { return int(m.seed >> 61) }
