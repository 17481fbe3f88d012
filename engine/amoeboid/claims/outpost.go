package claims

import (
	"fmt"
	"math/bits"
)

// outpost is A's policy of holding the centre and one post on the ring, examined against every roll
// of both players and every legal reply of B. It includes the policy of hold, and needs less:
//
//   - On his walk to the centre A may leave some units where he stood, as a post. Whenever he takes
//     a piece with more units than stand there, what is over is a post too. The units of a post
//     take pieces next to it, so they are not lost; and a post fills a cell of the ring.
//   - Walls, which are all other pieces on the ring but B's, need not be out of B's reach. If B
//     eats one with all he has, A eats that from the centre and has won. If he leaves something
//     behind, A takes the eater from the centre, with just as many units as its size; B has only
//     the small rest, and A a post with at least as many units to spend as the wall had. Or he
//     takes the rest.
//   - A centre of only six units more than B's piece is enough where A owns something on the ring:
//     B enters it with all he has and a six, which makes it neutral, and owns nothing.
//
// Before each roll of B, A's centre is a piece of his own units alone, B has one piece on the ring,
// and nothing else on the board is B's. It counts as if all of its units were B's: units of A in it
// only lessen what B owns after his move, while A's moves depend on sizes. As in hold, what A rolls
// above one stays in the centre and does no harm: more in the centre allows A the same moves and B
// fewer.
//
// The zero value is ready. It is not safe for concurrent use.
type outpost struct {
	hold  hold
	memo  map[uint64]span
	bound []int16 // of relaxed, by its state; 0 is unknown
	near  [ringCells]uint8
	image [ringCells][256]uint8
	to    [ringCells][ringCells]uint8 // to[k][cell] is where symmetry k sends the cell
	nodes int64                       // positions gone into
	limit int64                       // of nodes, 0 for none; beyond it nothing more is proved
}

// camp is a position of the policy before B's roll, but for the size of the centre. Sizes of what
// is not B's are lower bounds.
type camp struct {
	filled uint8 // other cells of the ring that hold a piece, as bits
	cell   uint8 // of B's piece
	size   uint8 // of B's piece
	least  uint8 // no wall is smaller
	owned  bool  // A owns a wall
	post   uint8 // its cell, ringCells where there is none
	stock  uint8 // units of A that the post can spend
	base   uint8 // what the post is without them
	turns  uint8 // that A has left
}

// span bounds the centre's size, as window does, and remembers a sally that defeated A.
type span struct {
	lost, won int16
	sally     sally
}

// sally is what B does: he moves units of his grown piece to a cell, onto a wall of the given size
// or to an empty cell (0).
type sally struct{ roll, to, units, wall uint8 }

// plentiful is a size of walls where there are none. Nothing in a camp is larger.
const plentiful = 120

// start makes the zero value useful.
func (o *outpost) start() {
	if o.memo != nil {
		return
	}
	o.memo = map[uint64]span{}
	o.bound = make([]int16, 1<<18)
	o.hold.start()
	o.near = o.hold.near
	for k := range ringCells {
		for c := range ringCells {
			d := c
			if k%2 == 1 { // mirrored
				d = (ringCells - c) % ringCells
			}
			o.to[k][c] = uint8((d + k/2*2) % ringCells)
		}
		for f := range 256 {
			for m := f; m != 0; m &= m - 1 {
				o.image[k][f] |= 1 << o.to[k][bits.TrailingZeros(uint(m))]
			}
		}
	}
}

// canon sends B's piece to the cell 0 or 1 by a symmetry of the board, and chooses the lesser of
// the two ways.
func (o *outpost) canon(s camp) camp {
	best := s
	for k := range ringCells {
		if o.to[k][s.cell] > 1 {
			continue
		}
		t := s
		t.cell, t.filled = o.to[k][s.cell], o.image[k][s.filled]
		if s.post < ringCells {
			t.post = o.to[k][s.post]
		}
		if best.cell > 1 || t.filled < best.filled || t.filled == best.filled &&
			t.post < best.post {
			best = t
		}
	}
	return best
}

// key numbers a camp.
func (s camp) key() uint64 {
	return uint64(s.filled) | uint64(s.cell)<<8 | uint64(s.post)<<11 | uint64(s.turns)<<15 | uint64(
		boolInt(s.owned))<<19 |
		uint64(s.size)<<20 | uint64(s.least)<<28 | uint64(s.stock)<<36 | uint64(s.base)<<44
}

// wins tells whether A, with so many units in the centre, carries the policy through within his
// turns. It is false too once the limit is met.
func (o *outpost) wins(s camp, centre int) bool {
	k := int(s.size)
	if s.turns == 0 || centre < k+die || centre == k+die && !s.owned && s.stock == 0 ||
		s.least < s.size {
		return false
	}
	if s.stock == 0 && s.post < ringCells {
		s.least, s.post, s.base = min(s.least, s.base), ringCells, 0
	}
	// more than the rolls bring B, and a lower bound may be lowered
	most := min(s.size+die*s.turns+1, plentiful)
	s.least = min(s.least, most)
	if s.post < ringCells {
		s.base = min(s.base, most)
		// of little use any more, and a wall like others: B may come to it where A spares an eater
		if o.near[s.post]&(1<<s.cell|^s.filled) == 0 && s.base+s.stock >= s.least {
			s.post, s.stock, s.base, s.owned = ringCells, 0, 0, true
		}
	}
	s = o.canon(s)
	if o.relaxed(s.filled, s.cell, k, int(s.turns)) > centre+int(s.stock) {
		return false
	}
	key := s.key()
	known, ok := o.memo[key]
	switch {
	case !ok:
		known = span{lost: -1, won: 1 << 14}
	case centre <= int(known.lost):
		return false
	case centre >= int(known.won):
		return true
	}
	if o.held(s, centre) {
		return true
	}
	if o.nodes++; o.limit > 0 && o.nodes > o.limit {
		return false
	}
	if known.sally.roll > 0 && !o.answered(s, centre, known.sally) {
		known.lost = int16(centre)
	} else if r, ok := o.defeat(s, centre); ok {
		known.lost, known.sally = int16(centre), r
	} else {
		known.won = int16(centre)
	}
	if o.limit == 0 || o.nodes <= o.limit {
		o.memo[key] = known
	}
	return centre >= int(known.won)
}

// held tells whether the policy of hold, to which the post is a wall like others, is enough.
func (o *outpost) held(s camp, centre int) bool {
	least := s.least
	if s.post < ringCells {
		least = min(least, s.base+s.stock)
	}
	return o.hold.wins(stand{filled: s.filled, cell: s.cell, size: int16(s.size),
		least: int16(least), turns: int8(s.turns)}, centre)
}

// defeat looks for a roll and reply of B after which the policy has no answer.
func (o *outpost) defeat(s camp, centre int) (r sally, ok bool) {
	for roll := uint8(die); roll >= 1; roll-- {
		units := s.size + roll
		for m := o.near[s.cell]; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros8(m))
			low, high := uint8(0), uint8(0)
			if s.filled>>to&1 != 0 {
				low, high = s.least, units // the wall may have any size that B can eat
				if to == s.post {
					low = s.base + s.stock
				}
			}
			for wall := low; wall <= high; wall++ {
				for moved := max(1, wall); moved <= units; moved++ {
					r := sally{roll, to, moved, wall}
					if !o.answered(s, centre, r) {
						return r, true
					}
				}
			}
		}
	}
	return sally{}, false
}

// answered tells whether A still wins after a reply.
func (o *outpost) answered(s camp, centre int, r sally) bool {
	_, _, _, ok := o.answer(s, centre+1, r)
	return ok
}

// strike is A's move: units from the centre, or from the post, onto a cell.
type strike struct {
	cell     uint8
	units    int
	fromPost bool
}

// answer is A's move after a reply, the centre grown already, and the position that it leads to,
// whose turns are 0 where it wins at once.
func (o *outpost) answer(s camp, centre int, r sally) (m strike, next camp, rest int, ok bool) {
	left, moved, wall := int(s.size+r.roll-r.units), int(r.units), int(r.wall)
	switch {
	case left == 0: // all that B has stands on one cell
		return strike{cell: r.to, units: centre}, camp{}, 0, centre >= moved+wall
	case s.turns == 1:
		return m, s, 0, false
	case wall > 0:
		if m, next, rest, ok = o.recapture(s, centre, r); ok {
			return m, next, rest, true
		}
		// Leave the eater and take what B left behind.
		if r.to == s.post {
			s.post, s.stock, s.base = ringCells, 0, 0
		}
		s.owned = false // it may have been the wall that was eaten
		return o.take(s, camp{cell: r.to, size: uint8(moved + wall)},
			camp{cell: s.cell, size: uint8(left)}, centre)
	}
	// what A leaves to B
	first, second := camp{cell: s.cell, size: uint8(left)}, camp{cell: r.to, size: uint8(moved)}
	if moved < left {
		first, second = second, first
	}
	if m, next, rest, ok = o.take(s, first, second, centre); !ok {
		m, next, rest, ok = o.take(s, second, first, centre)
	}
	return m, next, rest, ok
}

// recapture eats what has eaten a wall.
func (o *outpost) recapture(s camp, centre int, r sally) (m strike, next camp, rest int, ok bool) {
	moved, wall := int(r.units), int(r.wall)
	m = strike{cell: r.to, units: wall + moved}
	next, rest = s, centre-m.units
	next.turns--
	next.size = s.size + r.roll - r.units
	next.owned = true
	if rest < int(next.size)+die {
		return m, next, rest, false
	}
	stock := wall
	if r.to == s.post {
		stock += int(s.stock)
	} else if s.post < ringCells {
		if o.wins(next, rest) { // the old post remains the post
			return m, next, rest, true
		}
		next.least = min(next.least, s.base+s.stock)
	}
	next.post, next.stock, next.base = r.to, uint8(min(stock, plentiful/2)),
		uint8(min(2*(wall+moved)-stock, plentiful/2))
	return m, next, rest, o.wins(next, rest)
}

// take looks for a move that takes the prey and leaves the rest to B.
func (o *outpost) take(s, keeps, prey camp, centre int) (m strike, next camp, rest int, ok bool) {
	size, kept := int(prey.size), int(keeps.size)
	plain := s // the post remains
	plain.turns--
	plain.cell, plain.size = keeps.cell, keeps.size
	plain.filled = (s.filled | 1<<prey.cell | 1<<s.cell) &^ (1 << keeps.cell)
	most := max(size, kept+die*int(plain.turns)+1-size)
	if s.post < ringCells && o.near[s.post]>>prey.cell&1 != 0 {
		spend := int(s.stock) - boolInt(s.base == 0) // a cell is not left empty
		for units := min(most, spend); units >= size; units-- {
			next = plain
			next.least, next.owned = uint8(min(int(s.least), units+size)), s.owned || units > size
			next.stock -= uint8(units)
			if o.wins(next, centre) {
				return strike{prey.cell, units, true}, next, centre, true
			}
		}
	}
	moved := plain // the post moves to the prey's cell
	if s.post < ringCells {
		moved.least, moved.owned = min(s.least, s.base+s.stock), true
	}
	moved.post, moved.base = prey.cell, uint8(min(2*size, plentiful/2))
	for units := max(size, kept-size); units <= min(most, centre-kept-die); units++ {
		m, rest = strike{prey.cell, units, false}, centre-units
		useful := units > size && prey.cell%2 == 1 // a post in a corner has two neighbours only
		if useful {
			moved.stock = uint8(min(units-size, plentiful/2))
			if o.wins(moved, rest) {
				return m, moved, rest, true
			}
		}
		if !useful || s.post < ringCells {
			plain.least, plain.owned = uint8(min(int(s.least), units+size)), s.owned || units > size
			if o.wins(plain, rest) {
				return m, plain, rest, true
			}
		}
	}
	return m, next, rest, false
}

// relaxed bounds from below what centre and post together need: as if B never ate a wall. It
// depends only on the cells that are filled, B's piece and the turns.
func (o *outpost) relaxed(filled, cell uint8, size, turns int) int {
	const never = 1 << 12
	if turns == 0 {
		return never
	}
	free := o.near[cell] &^ filled
	if free == 0 {
		return size + die
	}
	if turns == 1 {
		return never
	}
	s := o.canon(camp{filled: filled, cell: cell, post: ringCells})
	index := int(s.filled) | int(s.cell)<<8 | turns<<9 | size<<13
	if index >= len(o.bound) {
		return size + die
	}
	if v := o.bound[index]; v != 0 {
		return int(v)
	}
	filled, cell = s.filled, s.cell
	need := size + die
	for roll := 1; roll <= die; roll++ {
		for m := o.near[cell] &^ filled; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros8(m))
			for moved := 1; moved < size+roll; moved++ {
				left := size + roll - moved
				v := o.relaxed(filled|1<<to, cell, left, turns-1) + moved - 1
				if v > need {
					v = min(v, o.relaxed(filled|1<<cell, to, moved, turns-1)+left-1)
				}
				need = max(need, v)
			}
		}
	}
	o.bound[index] = int16(min(need, never))
	return int(o.bound[index])
}

// encamped is the position after A's walk to the centre, who left some units where he stood: B's
// piece, and the post where that is more than none. Cells are those of the ring.
func encamped(size int32, cell, from uint8, left, turns int) camp {
	s := camp{cell: cell, size: uint8(size), least: plentiful, post: ringCells,
		turns: uint8(turns - 1)}
	if left > 0 {
		s.filled, s.post, s.stock = 1<<from, from, uint8(left)
	}
	return s
}

// outpostLimit bounds the positions gone into for one question.
const outpostLimit = 2_000_000

// outpostLeft are the units that A may leave on his walk.
var outpostLeft = []int{0, 11, 12, 13, 14, 16, 18, 20, 24}

// enough returns the least difference with which A wins within so many turns as far as the limit
// allows to prove it, and the units that he leaves on his walk.
func (o *outpost) enough(size int32, cell, from uint8, turns int) (difference, left int) {
	o.start()
	difference, ok := o.hold.enough(size, cell%2 == 0, turns)
	if !ok {
		return 0, 0
	}
	for _, l := range outpostLeft {
		if l > 0 && from%2 == 0 {
			break // a post in a corner has two neighbours only
		}
		s := encamped(size, cell, from, l, turns)
		for {
			o.nodes, o.limit = 0, outpostLimit
			if !o.wins(s, int(size)+difference-l) {
				break
			}
			difference, left = difference-1, l
		}
	}
	return difference, left
}

// CaseFourOutpost finds the difference from which on A wins case IV by holding the centre and a
// post.
func CaseFourOutpost() Claim {
	const turns = 8
	table := Table{Name: "case-four-outpost", Columns: []string{"B", "place of B", "place of A",
		"difference", "A leaves"}}
	var o outpost
	const usual = 16 // the document's example
	most, early := 0, 0
	for _, size := range holdSizes {
		for _, cell := range []uint8{0, 1} {
			// a corner; a middle of a side that is not next to B
			for side, from := range []uint8{4, 3 + 2*cell} {
				difference, left := o.enough(size, cell, from, turns)
				if most = max(most, difference); side == 1 && size <= usual {
					early = max(early, difference)
				}
				table.add(size, places[cell], places[side], difference, left)
			}
		}
	}
	return Claim{
		Name: "Case IV: holding the centre and a post",
		Says: fmt.Sprintf("A smaller difference is enough for some policy of A to win within %d "+
			"turns, whatever the dice and B do.", turns),
		Verdict: fmt.Sprintf("true from a difference of %d on for the sizes of B in the table; "+
			"from %d on where A stands in the middle of a side and B has at most %d units; below "+
			"that see the next policy",
			most, early, usual),
		Evidence: []string{
			"A holds the centre as before, and a post. Standing in the middle of a side he " +
				"leaves some units there when he goes to the centre, as many as the table says; " +
				"and where he takes a piece with more units than stand there, what is over is a " +
				"post, too. " +
				"A post fills a cell of the ring, and its units take pieces next to it. Nor need " +
				"the other pieces be out of B's reach any more: if B eats one with all that he " +
				"has, A eats that and has won; if he leaves something behind, A eats the eater " +
				"with as many units as its size, " +
				"which leaves B a small rest and makes a post, or takes what B left behind. " +
				"Every roll of B, every split, every meal and every sensible number of units of " +
				"A is tried, with lower bounds in place of the sizes of what is not B's.",
			fmt.Sprintf("The table has the least difference for which this was proved within %d "+
				"turns, the walk to the centre counted, by a search of at most %d positions a "+
				"question. The middle of a side is the one opposite to B, or one of the two that "+
				"are not next to his corner. "+
				"It bounds from above what the best policy needs; that nothing less is enough is "+
				"not shown.", turns, outpostLimit),
		},
		Table: table,
	}
}

// places are the kinds of cells of the ring, by the parity of their number.
var places = [2]string{"corner", "side"}
