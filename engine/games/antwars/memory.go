package antwars

import (
	"clade/gp"
	"clade/gp/kernels"
)

// memory is all that an ant knows at one of its moves: what it sees, and what the game remembers
// for it from earlier moves. The game updates it before each of the ant's moves. Cells are numbered
// row by row from the upper left.
type memory struct {
	ant     int    // which of the two it is, 0 or 1
	time    int    // moves made before this one
	beyond  int    // moves of a game less the contest's 35
	sight   string // see settings.Sight
	level   kernels.Level
	points  int     // food eaten
	at      uint8   // own cell
	enemy   int     // the opponent's cell if it is alive and in view, else -1
	view    gp.Bits // the field of view
	food    gp.Bits // food seen: in view as it is, elsewhere as last seen
	visited gp.Bits // cells the ant has stood on, the start cell included

	seen   [cells]uint8 // of food out of view: the move at which it was last in view
	seed   uint64       // a random number of this ant's own, the same all game
	belief belief

	truth *board // the board as it is, which only a seer may look at

	trace *reasons // of a built-in player's move, if it is wanted, else nil
}

// begin forgets everything of earlier games.
func (m *memory) begin(seed uint64) {
	m.seed = seed
	m.view, m.food, m.visited = gp.Bits{}, gp.Bits{}, gp.Bits{}
	m.belief.begun = false
}

// left returns how many moves the ant has left, the one before it included.
func (m *memory) left() int { return rounds + m.beyond - m.time }

// update sets the ant's view from the board; what it sees replaces what it remembered of those
// cells.
func (m *memory) update(b *board, ant, time int) {
	m.ant, m.truth = ant, b
	m.time, m.points, m.at = time, int(b.score[ant]), b.at[ant]
	view := places[m.at].view
	if m.sight == sightBoard {
		view = everywhere
	}
	m.turn(view)
	m.food = m.food.AndNot(view).Or(b.food.And(view))
	m.visited.Set(int(m.at))
	m.enemy = -1
	if other := 1 - ant; !b.dead[other] && (view.Has(int(b.at[other])) || m.sight == sightOpponent) {
		m.enemy = int(b.at[other])
	}
}

// turn sets the ant's view, and when it saw food that is no longer in it.
func (m *memory) turn(view gp.Bits) {
	for left := m.food.And(m.view).AndNot(view); !left.Empty(); left = left.Rest() {
		m.seen[left.First()] = uint8(m.time - 1)
	}
	m.view = view
}

// certaintyUnit is the unit of certainty: its multiples add up exactly in any order.
const certaintyUnit = 1.0 / 4096

// certainty is the belief in food by the number of moves since it was seen, in units: 4096 times
// 0.9 to that power, rounded. The powers are written out because a library's power function need
// not be the same on every machine.
var certainty = [mostMoves]int32{
	4096, 3686, 3318, 2986, 2687, 2419, 2177, 1959, 1763, 1587, 1428, 1285, 1157, 1041, 937, 843, 759,
	683, 615, 553, 498, 448, 403, 363, 327, 294, 265, 238, 214, 193, 174, 156, 141, 127, 114, 103, 92,
	83, 75, 67, 61, 54, 49, 44, 40, 36, 32, 29, 26, 23, 21, 19, 17, 15, 14, 12, 11, 10, 9, 8, 7, 7, 6,
	5, 5, 4, 4, 4, 3, 3,
}

// certainty returns the ant's belief in remembered food at a cell: 1 in view, 0.9 to the power of
// its age elsewhere, rounded to multiples of 1/4096.
func (m *memory) certainty(cell int) float32 {
	switch {
	case !m.food.Has(cell):
		return 0
	case m.view.Has(cell):
		return 1
	default:
		return float32(certainty[m.time-int(m.seen[cell])]) * certaintyUnit
	}
}
