package antwars

import (
	"math/bits"

	"clade/engine"
	"clade/gp"
)

// batchSize is the number of games in a batch.
const batchSize = gp.BatchSize

// numbers holds a number of each game of a batch, which a kernel takes as one vector; grounds holds
// a set of cells of each, which it takes as two.
type (
	numbers [batchSize]uint32
	grounds [2][batchSize]uint64
)

// batch is up to sixteen games between the same two species, played in lockstep. It is a structure
// of arrays. The generator of the kernels reads its layout.
//
// The games are staggered by half a tick: where the second species has the first seat, play begins
// when it is next to move. So in every half tick but the first and the last one species moves in
// all games.
type batch struct {
	food   grounds           // on the board
	prints [batchSize]uint64 // the fingerprints
	steps  numbers
	sides  [2]side
	sight  sight
}

// side is the ants of one species in the games of a batch. What an ant remembers is kept in the
// window, recentred on it, and moved when the ant moves.
type side struct {
	row, col numbers // of the cell it stands on
	points   numbers // food eaten
	heading  numbers // direction of the last move
	known    grounds // food that the ant sees or remembers
	visited  grounds
	past     [pieces + 1]recollection
	used     [pieces + 1]uint32 // games in which a recollection counts
	moved    uint32             // games in which the ant has moved since it last looked
	alive    uint32             // games in which it lives
	fed      uint32             // games in which it ate with its last move
	pasts    uint32             // recollections in use in any game
	games    uint32             // how many there are: a kernel may leave out the others
	_        [11]uint32         // to a multiple of a vector
}

// recollection is a piece of food out of view in each game.
type recollection struct {
	row, col numbers // on the board
	seen     numbers // the ant's move at which it was last in view
}

// sight is what the ants of a side see before they move.
type sight struct {
	planes   [len(planes)]numbers
	lost     grounds // food that has just left the view
	far      [pieces + 1]farFood
	straight gp.LaneFloats // utilities of the straight moves
	hope     gp.LaneFloats // foodHope for the diagonal moves
}

// farFood is where a recollection stands in the words of a gp.Batch, as gp.FarCells has it.
type farFood struct{ index, bit, weight numbers }

// routine is the steps of a side's half tick, in order. A test has all of them in plain Go.
type routine struct {
	look   func(b *batch, ant int) (near, lost uint32)
	recall func(b *batch, ant int, time *numbers)
	track  func(b *batch, ant int, t *tracked, v *vista, who, near uint32)
	enter  func(b *batch, ant int, time *numbers, who uint32, in *gp.Batch)
	draw   func(v *vista, s *side, anew, who uint32, in *gp.Batch)
	choose func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers)
	march  func(b *batch, ant int, who uint32) (killed uint32)
}

// begin puts the ants of all games on their cells; first says in which games the first species has
// the first seat.
func (s *side) begin(first uint32, games int) {
	*s = side{alive: 1<<batchSize - 1, games: uint32(games)}
	for i := range s.row {
		start := starts[^first>>i&1]
		s.row[i], s.col[i] = uint32(start)/width, uint32(start)%width
	}
}

// centre is the ant's own cell in the window.
const centre = cells / 2

// inView holds the cells that an ant sees, in the window.
var inView = window.Square(radius)

// wrapped brings a row or column back from at most one board away. Numbers below 0 are those of
// unsigned arithmetic.
func wrapped(x uint32) uint32 { return min(x, x+width, x-width) }

// inPlanes orders the cells of the window as gp.Grammar.PlaneBit does: the 25 of the middle in the
// first word, the others in order in the next three.
func inPlanes(cells gp.Bits) [4]uint32 {
	middle := cells.Low>>32 | cells.High<<32
	return [4]uint32{
		uint32(middle>>4&31 | middle>>10&(31<<5) | middle>>16&(31<<10) | middle>>22&(31<<15) |
			middle>>28&(31<<20)),
		uint32(cells.Low),
		uint32(middle&0xf | middle>>5&(63<<4) | middle>>10&(63<<10) | middle>>15&(63<<16) |
			middle>>20&(63<<22) | middle>>25&(15<<28)),
		uint32(cells.High >> 25),
	}
}

// remember keeps the food that has just left the view, with the move at which it was last seen.
// Cells are those of the window as it is now.
func (b *batch) remember(ant int, lost uint32, time *numbers) {
	s := &b.sides[ant]
	for ; lost != 0; lost &= lost - 1 {
		i := bits.TrailingZeros32(lost)
		slot := 0
		for half := range 2 {
			for left := b.sight.lost[half][i]; left != 0; left &= left - 1 {
				for s.used[slot]>>i&1 != 0 {
					slot++
				}
				cell := uint32(half<<6 | bits.TrailingZeros64(left))
				r := &s.past[slot]
				r.row[i], r.col[i], r.seen[i] = wrapped(cell/width+s.row[i]-5),
					wrapped(cell%width+s.col[i]-5), time[i]-1
				s.used[slot] |= 1 << i
				s.pasts = max(s.pasts, uint32(slot+1))
			}
		}
	}
}

// farRows holds, by row of the window, the index of its first cell among those out of view.
var farRows = [16]uint32{0, 11, 22, 33, 39, 45, 51, 57, 63, 74, 85}

// vistas is how many layers keen ants have beside those of the paper.
const vistas = layerHunter - layerVisited

// vista is the cells of these layers on the board, and a place for a kernel's planes of them.
type vista struct {
	cells  [vistas]grounds
	planes [vistas][4]numbers
}

// march moves the ants of some games by their headings and adds these to the fingerprints. It
// returns in which games this kills the other ant; see board.move.
func march(b *batch, ant int, who uint32) (killed uint32) {
	s, other := &b.sides[ant], &b.sides[1-ant]
	s.fed &^= who
	s.moved |= who
	for left := who; left != 0; left &= left - 1 {
		i := bits.TrailingZeros32(left) % batchSize
		b.prints[i] = engine.Hash(b.prints[i], uint64(s.heading[i]))
		b.steps[i]++
		step := directions[s.heading[i]&7]
		row, col := wrapped(s.row[i]+uint32(step[0])), wrapped(s.col[i]+uint32(step[1]))
		s.row[i], s.col[i] = row, col
		if row == other.row[i] && col == other.col[i] && other.alive>>i&1 != 0 {
			killed |= 1 << i
			continue
		}
		cell := row*width + col
		if half := &b.food[cell>>6&1][i]; *half>>(cell&63)&1 != 0 {
			*half &^= 1 << (cell & 63)
			s.points[i]++
			s.fed |= 1 << i
		}
	}
	other.alive &^= killed
	return killed
}
