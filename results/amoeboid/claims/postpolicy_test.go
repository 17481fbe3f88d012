package claims

import (
	"context"
	"fmt"
	"math/bits"
	"strings"

	"clade/engine/system/parallel"
)

// postsPolicy is A's policy of holding the centre and every piece that he has won on the ring,
// examined against every roll of both players and every legal reply of B. It includes the policy of
// the centre, and needs less: walls, which are all other pieces on the ring but B's, need not be
// out of B's reach. Every piece on the ring counts with its own size, so that a small one matters
// only where B can come to it. Every piece that A owns there is a post, from which he may move
// units of both players: his own do their work, and B's make a wall larger. On his walk to the
// centre A may leave some units where he stood, as a post.
//
// Before each roll of B, A's centre is a piece of his own units alone, larger than B's piece by
// more than a roll, or by a roll where A owns something on the ring; B has one piece on the ring;
// nothing else on the board is B's. B moves all of his piece: then A takes it and has won. Or he
// leaves something behind. If he went to an empty cell, A takes one of the two pieces, from the
// centre or from a post, with at least its size; if he ate, A takes the eater. So B's piece is
// always of his own units alone.
//
// What is believed of the board is what is true or worse for A:
//
//   - What A rolls above one stays in the centre, where more allows A the same moves and B fewer.
//   - A post may have more units of A in the place of units of B than is believed: then A moves
//     units of his own where units of B are wanted.
//   - A piece so large that B cannot eat it in the turns left, even after A has spent all that the
//     post can spend, may be larger still.
//
// start makes it ready. It is not safe for concurrent use.
type postsPolicy struct {
	centre  centrePolicy
	bound   []int16 // of relaxed, by its state; 0 is unknown
	table   []entry
	options []option // of the positions gone into, a stack
	nodes   int64    // positions gone into
	stop    int64    // of nodes; beyond it nothing more is proved
}

// state is a position of the policy before B's roll, but for the size of the centre.
type state struct {
	size  [ringCells]uint8 // of the pieces on the ring, 0 for none; of B's piece too
	stock [ringCells]uint8 // by how many units A has more than B in them; 0 for B's piece
	cell  uint8            // of B's piece
	turns uint8            // that A has left
}

// stateKey numbers a state. It is never 0.
type stateKey [2]uint64

// entry is what is known of a state: A loses with so many units in the centre or fewer, wins with
// so many or more; and the reply that defeated him.
type entry struct {
	key       stateKey
	lost, won int16
	reply     replyOfB
	work      uint8 // logarithm of the positions gone into to learn it
}

// replyOfB is what B does: he rolls, and moves units of his grown piece to a cell.
type replyOfB struct{ roll, to, units uint8 }

// answer says whether A wins, as far as it was found out.
type answer int8

const (
	no answer = iota - 1
	unknown
	yes
)

// option is a move of A and the position that it leads to, whose turns are 0 where it wins at once.
type option struct {
	state  state
	centre int16
	move   moveOfA
	lost   bool // it is known to fail
}

// moveOfA is a move of A that grows the centre and takes units from a cell of the ring, or from the
// centre, so many of A's more than of B's.
type moveOfA struct{ from, to, units, net uint8 }

const (
	// fromCentre is the cell of a move from the centre; then all units are A's.
	fromCentre = ringCells
	// mostSize and mostStock are the most that a state can say of a piece.
	mostSize, mostStock = 255, 127
	// tableSize is the number of states that are remembered.
	tableSize = 1 << 22
	// tableWays is how many of them have a place in common.
	tableWays = 4
)

// start prepares to prove something within so many positions.
func (g *postsPolicy) start(limit int64) {
	g.nodes, g.stop = 0, limit
	if g.table == nil {
		g.table = make([]entry, tableSize)
		g.bound = make([]int16, 1<<21) // for pieces up to mostSize
	}
}

// key numbers a state.
func (s *state) key() stateKey {
	var k stateKey
	for i := range ringCells / 2 {
		k[0] |= (uint64(s.size[i])<<7 | uint64(s.stock[i])) << (15 * i)
		k[1] |= (uint64(s.size[i+4])<<7 | uint64(s.stock[i+4])) << (15 * i)
	}
	return stateKey{k[0] | uint64(s.turns)<<60, k[1] | uint64(s.cell+1)<<60}
}

// find returns the place of a state in the table, and whether it is there; where it is not, the
// place of the one that is least missed.
func (g *postsPolicy) find(k stateKey) (*entry, bool) {
	h := (k[0]*0x9e3779b97f4a7c15 ^ k[1]) * 0xd6e8feb86659fd93
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	first := (h ^ h>>29) & (tableSize - tableWays)
	ways := g.table[first : first+tableWays]
	least := &ways[0]
	for i := range ways {
		switch e := &ways[i]; {
		case e.key == k:
			return e, true
		case e.work < least.work:
			least = e
		}
	}
	return least, false
}

// canon sends B's piece to the cell 0 or 1 by a symmetry of the board, and chooses the lesser of
// the two ways.
func (s *state) canon() (best state, key stateKey) {
	for k := range uint8(ringCells) {
		t := state{cell: image(k, s.cell), turns: s.turns}
		if t.cell > 1 {
			continue
		}
		for c := range uint8(ringCells) {
			t.size[image(k, c)], t.stock[image(k, c)] = s.size[c], s.stock[c]
		}
		if n := t.key(); key == (stateKey{}) || n[0] < key[0] || n[0] == key[0] && n[1] < key[1] {
			best, key = t, n
		}
	}
	return best, key
}

// filled returns the cells that hold a piece, as bits.
func (s *state) filled() (cells uint8) {
	for c, n := range s.size {
		cells |= uint8(boolInt(n > 0)) << c
	}
	return cells
}

// reach returns the most units that B can ever move: his piece never holds what he has eaten,
// because A takes it then.
func (s *state) reach() int { return int(s.size[s.cell]) + die*int(s.turns) }

// limit forgets what cannot matter: units of a post beyond what B can ever have, posts without a
// cell of B's or an empty one next to them, and sizes that B cannot eat. It returns the sum of the
// stocks.
func (s *state) limit() (stocks int) {
	reach, filled := s.reach(), s.filled()
	for m := filled &^ (1 << s.cell); m != 0; m &= m - 1 {
		c := bits.TrailingZeros8(m)
		if s.stock[c] > 1 && near[c]&(1<<s.cell|^filled) == 0 {
			s.stock[c] = 1
		}
		s.stock[c] = uint8(min(int(s.stock[c]), mostStock, reach))
		s.size[c] = uint8(min(int(s.size[c]), reach+1+int(s.stock[c])))
		stocks += int(s.stock[c])
	}
	return stocks
}

// wins tells whether A, with so many units in the centre, carries the policy through within his
// turns.
func (g *postsPolicy) wins(s state, centre int) answer {
	size := int(s.size[s.cell])
	if s.turns == 0 || centre < size+die || size+die*int(s.turns) >= mostSize-mostStock {
		return no
	}
	stocks := s.limit()
	if centre == size+die && stocks == 0 || g.relaxed(s.filled()&^(1<<s.cell), s.cell, size,
		int(s.turns)) > centre+stocks {
		return no
	}
	s, key := s.canon()
	known := entry{key: key, lost: -1, won: 1 << 14}
	if e, ok := g.find(key); ok {
		known = *e
	}
	switch {
	case centre <= int(known.lost):
		return no
	case centre >= int(known.won) || g.held(&s, centre):
		return yes
	case g.nodes >= g.stop:
		return unknown
	}
	g.nodes++
	before := g.nodes
	a := g.sooner(s, centre)
	if a == unknown {
		a = g.stands(&s, centre, &known.reply)
	}
	if a == unknown {
		return unknown
	}
	e, ok := g.find(key)
	if ok { // more may be known by now
		known.lost, known.won = e.lost, e.won
	}
	if a == yes {
		known.won = int16(centre)
	} else {
		known.lost = int16(centre)
	}
	known.work = uint8(bits.Len64(uint64(g.nodes - before)))
	*e = known
	return a
}

// held tells whether the policy of the centre is enough.
func (g *postsPolicy) held(s *state, centre int) bool {
	least := widest
	for m := s.filled() &^ (1 << s.cell); m != 0; m &= m - 1 {
		least = min(least, int(s.size[bits.TrailingZeros8(m)]))
	}
	return g.centre.wins(ringState{filled: s.filled() &^ (1 << s.cell), cell: s.cell,
		size: int16(s.size[s.cell]), least: int16(least), turns: int8(s.turns)}, centre)
}

// sooner tries with a turn less, which is often enough and costs little. It returns yes or unknown.
func (g *postsPolicy) sooner(s state, centre int) answer {
	if s.turns <= 2 {
		return unknown
	}
	s.turns--
	stop := g.stop
	g.stop = g.nodes + (stop-g.nodes)/4
	a := g.wins(s, centre)
	g.stop = stop
	return max(a, unknown)
}

// stands tells whether A has an answer to every reply, that which defeated him last first.
func (g *postsPolicy) stands(s *state, centre int, last *replyOfB) answer {
	if last.roll > 0 {
		if a := g.answered(s, centre+1, *last); a != yes {
			return a
		}
	}
	for roll := uint8(die); roll >= 1; roll-- {
		units := s.size[s.cell] + roll
		for m := near[s.cell]; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros8(m))
			for moved := max(1, s.size[to]); moved <= units; moved++ {
				r := replyOfB{roll, to, moved}
				a := g.answered(s, centre+1, r)
				if a == no {
					*last = r
				}
				if a != yes {
					return a
				}
			}
		}
	}
	return yes
}

// answered tells whether A, his centre grown already, has an answer to a reply.
func (g *postsPolicy) answered(s *state, centre int, r replyOfB) answer {
	first := len(g.options)
	g.answers(s, centre, r)
	_, a := g.choose(first)
	g.options = g.options[:first]
	return a
}

// answers puts A's answers to a reply on the stack.
func (g *postsPolicy) answers(s *state, centre int, r replyOfB) {
	left, moved, wall := int(s.size[s.cell]+r.roll-r.units), int(r.units), int(s.size[r.to])
	most := moved - int(s.stock[r.to]) // units that B has more than A where he moved to
	all := moveOfA{from: fromCentre, to: r.to, units: uint8(min(centre, mostSize)),
		net: uint8(min(centre, mostSize))}
	switch {
	case left == 0: // all that B has stands on one cell
		if centre >= moved+wall {
			g.options = append(g.options, option{move: all})
		}
		return
	case most <= 0: // all that B has stands where it stood
		all.to = s.cell
		g.options = append(g.options, option{move: all})
		return
	case s.turns == 1, moved+wall > mostSize:
		return
	}
	t := *s
	t.turns--
	t.size[s.cell] = uint8(left)
	t.size[r.to], t.stock[r.to] = uint8(moved+wall), 0
	vague := s.reach() + 1
	if wall > 0 {
		g.take(t, s.cell, r.to, most, vague, centre)
		return
	}
	first, second := s.cell, r.to // what A leaves to B
	if moved < left {
		first, second = second, first
	}
	g.take(t, first, second, max(left, moved), vague, centre)
	g.take(t, second, first, min(left, moved), vague, centre)
}

// take puts A's ways to take the prey on the stack, in which B has so many units more than A; B
// keeps what he has on another cell. A post of vague units and its stock may be larger than is
// believed; then what stays behind must be out of B's reach for good.
func (g *postsPolicy) take(s state, keeps, prey uint8, more, vague, centre int) {
	s.cell = keeps
	size, kept := int(s.size[prey]), int(s.size[keeps])
	if centre < kept+die {
		return
	}
	most := max(size, s.reach()+1-size) // more would not make the piece safer
	for m := near[prey]; m != 0; m &= m - 1 {
		post := uint8(bits.TrailingZeros8(m))
		mass, stock := int(s.size[post]), int(s.stock[post])
		a, b := (mass+stock)/2, (mass-stock)/2
		// the rest of the stock stays, or comes along
		for net := more; net <= stock; net += max(1, stock-more) {
			for units := max(size, net) + (max(size, net)-net)&1; units < mass &&
				units <= most+2; units += 2 {
				if (units+net)/2 > a || (units-net)/2 > b || mass >= vague+stock && mass-units <= s.reach() {
					break
				}
				t := s
				t.size[post], t.stock[post] = uint8(mass-units), uint8(stock-net)
				t.size[prey], t.stock[prey] = uint8(min(mostSize, size+units)), uint8(net-more)
				g.options = append(g.options,
					option{t, int16(centre), moveOfA{post, prey, uint8(units), uint8(net)}, false})
			}
		}
	}
	for units := size; units <= min(most, centre-kept-die); units++ {
		t := s
		t.size[prey], t.stock[prey] = uint8(min(mostSize, size+units)), uint8(min(mostStock, units-more))
		g.options = append(g.options,
			option{t, int16(centre - units), moveOfA{fromCentre, prey, uint8(units), uint8(units)}, false})
	}
}

// choose returns an option that wins, of those on the stack from the first on. No option may
// swallow the search: each is looked at for a few positions, then each for more, until one wins or
// all are known to fail.
func (g *postsPolicy) choose(first int) (best int, a answer) {
	const few, more = 30, 12
	last, stop := len(g.options), g.stop
	for positions := int64(few); ; positions *= more {
		open := false
		for i := first; i < last; i++ {
			o := &g.options[i]
			if o.lost {
				continue
			}
			a = yes
			if o.state.turns > 0 {
				g.stop = min(stop, g.nodes+positions)
				a = g.wins(o.state, int(o.centre))
				g.stop = stop
			}
			switch a {
			case yes:
				return i, yes
			case no:
				g.options[i].lost = true // the stack may have moved
			default:
				open = true
			}
		}
		switch {
		case !open:
			return 0, no
		case g.nodes >= stop:
			return 0, unknown
		}
	}
}

// afterWalk is the position after A's walk to the centre, who left some units where he stood: B's
// piece, and the post where that is more than none. Cells are those of the ring.
func afterWalk(size int32, cell, from uint8, left, turns int) state {
	s := state{cell: cell, turns: uint8(turns - 1)}
	s.size[cell] = uint8(size)
	if left > 0 {
		s.size[from], s.stock[from] = uint8(left), uint8(left)
	}
	return s
}

// relaxed bounds from below what centre and posts together need: as if B never ate a wall. It
// depends only on the cells that are filled, B's piece and the turns.
func (g *postsPolicy) relaxed(filled, cell uint8, size, turns int) int {
	const never = 1 << 12
	if turns == 0 {
		return never
	}
	free := near[cell] &^ filled
	if free == 0 {
		return size + die
	}
	if turns == 1 {
		return never
	}
	s := ringState{filled: filled, cell: cell}.canon()
	index := int(s.filled) | int(s.cell)<<8 | turns<<9 | size<<13
	if index >= len(g.bound) {
		return size + die
	}
	if v := g.bound[index]; v != 0 {
		return int(v)
	}
	filled, cell = s.filled, s.cell
	need := size + die
	for roll := 1; roll <= die; roll++ {
		for m := near[cell] &^ filled; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros8(m))
			for moved := 1; moved < size+roll; moved++ {
				left := size + roll - moved
				v := g.relaxed(filled|1<<to, cell, left, turns-1) + moved - 1
				if v > need {
					v = min(v, g.relaxed(filled|1<<cell, to, moved, turns-1)+left-1)
				}
				need = max(need, v)
			}
		}
	}
	g.bound[index] = int16(min(need, never))
	return int(g.bound[index])
}

const (
	// postsLimit bounds the positions gone into for one question.
	postsLimit = 10_000_000
	// soonest is the number of turns in which 46 units win against 1: Few shows that fewer
	// are not enough.
	soonest = 5
)

// proves tells whether A is proved to win from a difference within so many turns.
func (g *postsPolicy) proves(size int32, cell, from uint8, left, turns, difference int) bool {
	return g.wins(afterWalk(size, cell, from, left, turns), int(size)+difference+1-left) == yes
}

// postsRows are what Posts proves: that A wins from a difference within so many turns, who
// leaves some units in the middle of a side, or none on any cell. The differences were found by
// asking for less and less until a search met its limit or failed.
var postsRows = []struct {
	size                    int32 // of B's piece
	cell                    uint8 // of the ring, where it stands
	left, turns, difference int
}{
	{1, 0, 0, soonest, 45}, {1, 0, 0, 6, 41}, {1, 1, 0, 6, 49}, {1, 1, 12, 6, 43},
	{2, 0, 0, 7, 42}, {2, 1, 0, 6, 47}, {2, 1, 12, 6, 44},
	{4, 0, 0, 7, 44}, {4, 1, 0, 6, 46}, {4, 1, 12, 6, 43},
	{8, 0, 0, 7, 46}, {8, 1, 0, 6, 47},
	{12, 0, 0, 7, 49}, {12, 1, 0, 7, 50}, {12, 1, 12, 7, 48},
	{16, 0, 0, 7, 48}, {16, 1, 0, 7, 50}, {16, 1, 11, 7, 48},
	{24, 0, 0, 7, 50}, {24, 1, 0, 7, 53}, {24, 1, 11, 7, 48},
	{32, 0, 0, 7, 51}, {32, 1, 0, 7, 55}, {32, 1, 11, 8, 49},
	{48, 0, 0, 7, 54}, {48, 1, 0, 7, 55}, {48, 1, 11, 7, 54},
	{64, 0, 0, 7, 54}, {64, 1, 0, 7, 55},
}

// postsNeed returns the difference that is enough for B of at most so many units wherever he
// stands, and A too, or in the middle of a side.
func postsNeed(units int32, side bool) (need int) {
	least := map[[2]int32]int{}
	for _, r := range postsRows {
		b := [2]int32{r.size, int32(r.cell)}
		if old, ok := least[b]; (r.left == 0 || side) && (!ok || r.difference < old) {
			least[b] = r.difference
		}
	}
	for b, difference := range least {
		if b[0] <= units {
			need = max(need, difference)
		}
	}
	return need
}

// posts proves from which difference on A wins case IV by holding the centre and every
// piece that he has won.
func posts() claim {
	const asked = 45 // the document's difference
	// a search takes 100 megabytes
	err := parallel.Each(context.Background(), len(postsRows), 2, func(_, i int) error {
		r := &postsRows[i]
		from := 3 + 2*r.cell // a middle of a side that is not next to B
		var g postsPolicy
		if g.start(postsLimit); !g.proves(r.size, r.cell, from, r.left, r.turns, r.difference) {
			return fmt.Errorf("claims: nothing is proved of %+v", *r)
		}
		return nil
	})
	if err != nil {
		panic(err.Error())
	}
	table := table{Name: "case-four-posts", Apart: true, Columns: []string{"B", "place of B",
		"place of A", "A leaves", "turns", "difference"}}
	places := [2]string{"corner", "side"} // of cells of the ring, by the parity of their number
	var enough [3][]string                // sizes in a corner, on a side, there with A on a side too
	for _, r := range postsRows {
		place := "any"
		if r.left > 0 {
			place = places[1]
		}
		table.Add(r.size, places[r.cell], place, r.left, r.turns, r.difference)
		if r.difference <= asked && r.turns != soonest {
			k := r.cell
			if r.left > 0 {
				k = 2
			}
			enough[k] = append(enough[k], fmt.Sprint(r.size))
		}
	}
	return claim{
		Name: "Case IV: holding the centre and every piece won",
		Says: fmt.Sprintf("With a difference of %d some policy of A wins within 8 turns, "+
			"whatever the dice and B do.", asked),
		Verdict: fmt.Sprintf("true for B of %s units in a corner, and of %s on a side with A on a "+
			"side too; wherever they stand, from a difference of %d on for B of at most 8 units, of "+
			"%d on for at most 16, of %d on for at most 64; of %d on for at most 16 where A stands "+
			"in the middle of a side; below that open", strings.Join(enough[0], ", "),
			strings.Join(enough[2], ", "), postsNeed(8, false), postsNeed(16, false),
			postsNeed(64, false), postsNeed(16, true)),
		Evidence: []string{
			"A holds the centre as before, but the other pieces may be within " +
				"B's reach. Each counts with its own size, so a small one matters only where B " +
				"can come to it. A piece that A owns on the ring is a post: from it he may move " +
				"units of both players. After B has split, A takes one of the two pieces, from " +
				"the centre or a post. After B has eaten and left something behind, A takes what " +
				"has eaten. Every roll of B, every split and every meal is tried. What A rolls " +
				"above one stays in the centre and does no harm.",
			fmt.Sprintf("The data have the differences for which this was proved, and the "+
				"turns in which A wins, the walk to the centre counted, each by a search of at "+
				"most %d million positions. Either A leaves nothing behind, and starts on any "+
				"cell that is not next to B. Or he starts in the middle of a side, opposite to B "+
				"or not next to B's corner, and leaves some units there. That nothing less is "+
				"enough is not shown. The tests play the policy of 46 against 1 against every "+
				"roll and every legal move of B. It wins within %d turns, which cannot be "+
				"bettered (see the next study).", postsLimit/1_000_000, soonest),
		},
		Table: table,
	}
}
