package claims

import (
	"fmt"
	"math/bits"

	"clade/engine/games/amoeboid"
)

// centrePolicy is A's policy of holding the centre in case IV, examined against every roll of both
// players and every legal reply of B.
//
// Before each roll of B, A has one piece of his own units alone in the centre, B has one piece of
// his own units alone on the ring of the other eight cells, and every other piece on the ring is so
// large that B's cannot eat it, whatever he rolls; nor can it eat the centre. So B has three ways
// to go on. He moves all of his piece, or nothing: then A takes it from the centre and has won. Or
// he splits it in two: then A takes one of the two from the centre, with at least as many units as
// stand there, and with so many that what stands there cannot be eaten by what B has left. A part
// of B's piece goes only to an empty cell, and no cell of the ring is emptied as long as he splits;
// so the ring fills up, and in the end he cannot move.
//
// Units that A rolls above one stay in the centre and change nothing else, therefore a roll of one
// stands for all. The rolls of B do not stand for each other: two small pieces may cost A more than
// one large.
//
// The zero value is ready. It is not safe for concurrent use.
type centrePolicy struct{ memo map[ringState]*bounds }

// ringCells is the number of cells around the centre, numbered in a circle from a corner.
const ringCells = 8

// near lists the neighbours of each cell on the ring, as bits.
var near = [ringCells]uint8{0b10000010, 0b10001101, 0b00001010, 0b00110110, 0b00101000, 0b11011000,
	0b10100000, 0b01100011}

// image is where the symmetry k of the board sends a cell of the ring.
func image(k, cell uint8) uint8 {
	if k%2 == 1 { // mirrored
		cell = -cell
	}
	return (cell + k&^1) % ringCells
}

// rest is how many units more than B's piece make another piece safe from its next meal.
const rest = die + 1

// ringState is a position of the policy before B's roll, but for the size of the centre.
type ringState struct {
	filled uint8 // other cells of the ring that hold a piece, as bits
	cell   uint8 // of B's piece
	size   int16 // of B's piece
	least  int16 // size of the smallest other piece on the ring
	turns  int8  // that A has left
}

// bounds are those of the centre's size: A cannot carry the policy through with lost units or
// fewer, and can with won or more.
type bounds struct{ lost, won int }

// canon turns and mirrors the ring so that positions that a symmetry of the board maps to each
// other are the same.
func (s ringState) canon() ringState {
	best := s
	best.cell = ringCells
	for k := range uint8(ringCells) {
		t := s
		if k%2 == 1 { // mirrored
			t.filled = bits.RotateLeft8(bits.Reverse8(t.filled), 1)
		}
		t.filled, t.cell = bits.RotateLeft8(t.filled, int(k&^1)), image(k, t.cell)
		if t.cell < best.cell || t.cell == best.cell && t.filled < best.filled {
			best = t
		}
	}
	return best
}

// wins tells whether A, with so many units in the centre, carries the policy through within his
// turns.
func (policy *centrePolicy) wins(s ringState, centre int) bool {
	if s.turns == 0 || int(s.least) < int(s.size)+rest || centre < int(s.size)+rest {
		return false
	}
	s.least = min(s.least, s.size+int16(die*int(s.turns)+1)) // more is never asked for
	s = s.canon()
	if policy.memo == nil {
		policy.memo = map[ringState]*bounds{}
	}
	w := policy.memo[s]
	if w == nil {
		w = &bounds{-1, 1 << 30}
		policy.memo[s] = w
	}
	switch {
	case centre <= w.lost:
		return false
	case centre >= w.won:
		return true
	case policy.check(s, centre):
		w.won = centre
		return true
	}
	w.lost = centre
	return false
}

// check looks at every roll and reply of B.
func (policy *centrePolicy) check(s ringState, centre int) bool {
	free := near[s.cell] &^ s.filled
	if free == 0 {
		return true
	}
	if s.turns == 1 {
		return false
	}
	for roll := die; roll >= 1; roll-- {
		units := int(s.size) + roll
		for f := free; f != 0; f &= f - 1 {
			to := uint8(bits.TrailingZeros8(f))
			for moved := 1; moved < units; moved++ {
				if _, ok := policy.answer(s, to, units-moved, moved, centre+1); !ok {
					return false
				}
			}
		}
	}
	return true
}

// answer is A's move after B has left and moved units: what he takes, and with how many units. The
// centre has grown already.
func (policy *centrePolicy) answer(s ringState, to uint8, left, moved, centre int) (m meal,
	ok bool) {
	if units := policy.take(s, s.cell, to, left, moved, centre); units > 0 {
		return meal{to, units}, true
	}
	units := policy.take(s, to, s.cell, moved, left, centre)
	return meal{s.cell, units}, units > 0
}

// meal is a piece that A takes from the centre, and the units that he spends.
type meal struct {
	cell  uint8
	units int
}

// take returns the fewest units with which A can take the prey on a cell, what B keeps elsewhere,
// and go on; 0 where he cannot.
func (policy *centrePolicy) take(s ringState, keeps, cell uint8, kept, prey, centre int) int {
	least := max(prey, kept+rest-prey)
	most := min(max(least, kept+die*(int(s.turns)-1)+1-prey), centre-kept-rest)
	for units := least; units <= most; units++ {
		next := ringState{s.filled | 1<<cell, keeps, int16(kept), min(s.least, int16(units+prey)),
			s.turns - 1}
		if policy.wins(next, centre-units) {
			return units
		}
		if units+prey >= int(s.least) {
			break // a larger piece would not raise the least
		}
	}
	return 0
}

// widest is a least size of the pieces on an empty ring.
const widest = 1 << 14

// opened is the position after A's walk to the centre: nothing on the ring but B's piece, in a
// corner or in the middle of a side.
func opened(size int32, corner bool, turns int) ringState {
	s := ringState{size: int16(size), least: widest, turns: int8(turns - 1)}
	if !corner {
		s.cell = 1
	}
	return s
}

// enough returns the least difference of the two pieces from which on A wins within so many turns,
// the walk to the centre counted, false where not even a thousand is enough.
func (policy *centrePolicy) enough(size int32, corner bool, turns int) (difference int, ok bool) {
	s := opened(size, corner, turns)
	low, high := 0, 1000
	if !policy.wins(s, int(size)+high+1) {
		return 0, false
	}
	for low < high {
		if middle := (low + high) / 2; policy.wins(s, int(size)+middle+1) {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return low, true
}

// largeSize is a size from which on B's piece is large for so many turns of A: see everySize.
func largeSize(turns int8) int16 { return 2 * die * int16(turns) }

// everySize bounds by how many units more than B's piece A's centre must have to win from a state,
// whatever the size of B's piece, where nothing else on the ring can be eaten.
//
// A large piece of B, of m units, splits into a larger and a smaller part, after a roll of r. A
// takes the larger with just its size: what stands there then has at least m+r units, the part that
// is left to B at most half of that, and with m large he cannot make up for it in the turns left.
// The centre has r-1 units less over what B has than before. So it is enough to look at all sizes
// that are not large, and for the large ones at what follows.
func (policy *centrePolicy) everySize(filled, cell uint8, turns int8) int {
	const never = 1 << 20
	free := near[cell] &^ filled
	if turns == 0 || turns == 1 && free != 0 {
		return never
	}
	most := rest
	for f := free; f != 0; f &= f - 1 {
		to := uint8(bits.TrailingZeros8(f))
		most = max(most, policy.everySize(filled|1<<to, cell, turns-1)+die-1,
			policy.everySize(filled|1<<cell, to, turns-1)+die-1)
	}
	for size := int16(1); size <= largeSize(turns) && most < never; size++ {
		s := ringState{filled: filled, cell: cell, size: size, least: widest, turns: turns}
		for !policy.wins(s, int(size)+most) {
			if most++; most > 1000 {
				most = never
				break
			}
		}
	}
	return most
}

// ring lists the cells of the board in the order of the ring; a1 is the corner 0.
var ring = [ringCells]uint8{0, 1, 2, 5, 8, 7, 6, 3}

// move is the policy's move for A in a position of case IV with so many turns of A left, this
// one counted. The position must be the start or one that the policy leads to.
func (policy *centrePolicy) move(p amoeboid.Position, roll, turns int) amoeboid.Move {
	const centre = 4
	own := uint8(bits.TrailingZeros64(p.Owned(amoeboid.A)))
	if p.Owned(amoeboid.A)>>centre&1 == 0 {
		return amoeboid.Move{Grow: own, From: own, To: centre,
			Take: amoeboid.Piece{p.Piece(int(own))[amoeboid.A] + int32(roll), 0}}
	}
	s := ringState{least: widest, turns: int8(turns)}
	var theirs []uint8
	for i, c := range ring {
		switch piece := p.Piece(int(c)); {
		case piece == amoeboid.Piece{}:
		case p.Owned(amoeboid.B)>>c&1 != 0:
			theirs = append(theirs, uint8(i))
		default:
			s.filled |= 1 << i
			s.least = min(s.least, int16(piece.Size()))
		}
	}
	units := func(i uint8) int { return int(p.Piece(int(ring[i]))[amoeboid.B]) }
	m := meal{theirs[0], units(theirs[0])}
	if len(theirs) == 2 {
		s.cell = theirs[0]
		var ok bool
		if m, ok = policy.answer(s, theirs[1], units(theirs[0]), units(theirs[1]),
			int(p.Piece(centre)[amoeboid.A])+roll); !ok {
			panic(fmt.Sprintf("claims: the policy of the centre has no move in %s",
				p.Text(board(), roll)))
		}
	}
	return amoeboid.Move{Grow: centre, From: centre, To: ring[m.cell],
		Take: amoeboid.Piece{int32(m.units), 0}}
}

// centreTurns are the numbers of turns that Centre asks for.
var centreTurns = []int{4, 6, 8, 9}

// centre finds the difference from which on A wins case IV by holding the centre.
func centre() claim {
	table := table{Name: "case-four-centre", Apart: true, Columns: []string{"B", "place of B"}}
	for _, turns := range centreTurns {
		table.Columns = append(table.Columns, fmt.Sprintf("%d turns", turns))
	}
	var policy centrePolicy
	most := 0
	for _, size := range centreSizes {
		for _, corner := range []bool{true, false} {
			place := "side"
			if corner {
				place = "corner"
			}
			row := []any{size, place}
			for _, turns := range centreTurns {
				difference, ok := policy.enough(size, corner, turns)
				if ok {
					row = append(row, difference)
				} else {
					row = append(row, "")
				}
				if turns == 8 {
					most = max(most, difference)
				}
			}
			table.Add(row...)
		}
	}
	// the centre grows by one on the walk
	every := max(policy.everySize(0, 0, maxTurns-1), policy.everySize(0, 1, maxTurns-1)) - 1
	return claim{
		Name: "Case IV: holding the centre",
		Says: "With a large enough difference some policy of A wins within 8 turns, whatever " +
			"the dice and B do.",
		Verdict: fmt.Sprintf("true from a difference of %d on, for the sizes of B that were tried; "+
			"within %d turns from %d on for every size of B", most, maxTurns, every),
		Evidence: []string{
			"A goes to the centre. Each turn he takes one of the two pieces into " +
				"which B has split, with at least as many units as stand there. They must be so " +
				"many that B's other piece can eat nothing on the board, whatever B rolls. If B's " +
				"piece moves whole or cannot move, A takes it and has won. B can split into seven " +
				"empty cells at most, so the policy ends. Every roll, every split and every " +
				"sensible number of units of A is tried (an AND/OR search over the cells filled, " +
				"B's piece, the smallest other piece and the centre). What A rolls above one " +
				"stays in the centre and does no harm.",
			"The data have the least difference that this policy needs, the walk " +
				"to the centre counted as a turn; it is empty where 1,000 are not enough. A " +
				"stands on any cell that is neither the centre nor next to B. Below these numbers " +
				"another policy may still win.",
			fmt.Sprintf("Proof for every size of B. Let A have t turns left, and B's piece m "+
				"units, more than %d t. After a roll of r it splits, and A takes the larger part "+
				"with just its size. At least m + r units stand there then. The smaller part has "+
				"at most half of that, so B, who rolls at most 6 a turn, can never eat it. The "+
				"centre has r - 1 units, at most 5, less above B's piece than before, and one "+
				"cell more is filled. So the policy needs at most 5 more above m than in the "+
				"positions that can follow, for any size; where no cell is free it needs %d. With "+
				"the sizes up to %d t, computed one by one, this bounds all: %d within %d turns. "+
				"Within 8 turns there is no bound, because a large piece can be split seven "+
				"times.",
				2*die, rest, 2*die, every, maxTurns),
			"![Difference from which on holding the centre wins, by the units of " +
				"B](case-four-centre.svg)",
		},
		Table: table,
	}
}

// centreSizes are the sizes of B's piece that Centre asks for.
var centreSizes = []int32{1, 2, 4, 8, 12, 16, 24, 32, 48, 64}
