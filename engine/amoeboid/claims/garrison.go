package claims

import (
	"fmt"
	"math/bits"
	"sort"
	"strings"
	"sync"
)

// garrison is A's policy of holding the centre and whatever he has won on the ring, examined
// against every roll of both players and every legal reply of B. It differs from outpost in two
// ways: every piece on the ring counts with its own size instead of one lower bound for all, so
// that a small one matters only where B can come to it; and every piece that A owns there is a
// post, from which he may move units of both players, so that his own units can do their work and
// B's make a wall larger.
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
// The zero value is ready. It is not safe for concurrent use.
type garrison struct {
	outpost outpost // its symmetries, neighbours and bounds
	table   []fortSpan
	options []option // of the positions gone into, a stack
	nodes   int64    // positions gone into
	stop    int64    // of nodes; beyond it nothing more is proved
}

// fort is a position of the policy before B's roll, but for the size of the centre.
type fort struct {
	size  [ringCells]uint8 // of the pieces on the ring, 0 for none; of B's piece too
	stock [ringCells]uint8 // by how many units A has more than B in them; 0 for B's piece
	cell  uint8            // of B's piece
	turns uint8            // that A has left
}

// fortKey numbers a fort. It is never 0.
type fortKey [2]uint64

// fortSpan is what is known of a fort: A loses with so many units in the centre or fewer, wins with
// so many or more; and the raid that defeated him.
type fortSpan struct {
	key       fortKey
	lost, won int16
	raid      raid
	work      uint8 // logarithm of the positions gone into to learn it
}

// raid is what B does: he rolls, and moves units of his grown piece to a cell.
type raid struct{ roll, to, units uint8 }

// answer says whether A wins, as far as it was found out.
type answer int8

const (
	no answer = iota - 1
	unknown
	yes
)

// option is a move of A and the position that it leads to, whose turns are 0 where it wins at once.
type option struct {
	fort   fort
	centre int16
	strike volley
	lost   bool // it is known to fail
}

// volley is a move of A that grows the centre and takes units from a cell of the ring, or from the
// centre, so many of A's more than of B's.
type volley struct{ from, to, units, net uint8 }

const (
	// fromCentre is the cell of a volley from the centre; then all units are A's.
	fromCentre = ringCells
	// mostSize and mostStock are the most that a fort can say of a piece.
	mostSize, mostStock = 255, 127
	// garrisonTable is the number of forts that are remembered.
	garrisonTable = 1 << 22
	// garrisonWays is how many of them have a place in common.
	garrisonWays = 4
)

// start makes the zero value useful, to prove or not within so many positions.
func (g *garrison) start(limit int64) {
	g.nodes, g.stop = 0, limit
	if g.table == nil {
		g.table = make([]fortSpan, garrisonTable)
		g.outpost.start()
		g.outpost.bound = make([]int16, 1<<21) // for pieces up to mostSize
	}
}

// key numbers a fort.
func (s *fort) key() fortKey {
	var k fortKey
	for i := range ringCells / 2 {
		k[0] |= (uint64(s.size[i])<<7 | uint64(s.stock[i])) << (15 * i)
		k[1] |= (uint64(s.size[i+4])<<7 | uint64(s.stock[i+4])) << (15 * i)
	}
	return fortKey{k[0] | uint64(s.turns)<<60, k[1] | uint64(s.cell+1)<<60}
}

// find returns the place of a fort in the table, and whether it is there; where it is not, the
// place of the one that is least missed.
func (g *garrison) find(k fortKey) (*fortSpan, bool) {
	h := (k[0]*0x9e3779b97f4a7c15 ^ k[1]) * 0xd6e8feb86659fd93
	h = (h ^ h>>32) * 0xd6e8feb86659fd93
	first := (h ^ h>>29) & (garrisonTable - garrisonWays)
	ways := g.table[first : first+garrisonWays]
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
func (g *garrison) canon(s fort) (best fort, key fortKey) {
	for k := range ringCells {
		to := &g.outpost.to[k]
		if to[s.cell] > 1 {
			continue
		}
		t := fort{cell: to[s.cell], turns: s.turns}
		for c := range ringCells {
			t.size[to[c]], t.stock[to[c]] = s.size[c], s.stock[c]
		}
		if n := t.key(); key == (fortKey{}) || n[0] < key[0] || n[0] == key[0] && n[1] < key[1] {
			best, key = t, n
		}
	}
	return best, key
}

// filled returns the cells that hold a piece, as bits.
func (s *fort) filled() (cells uint8) {
	for c, n := range s.size {
		cells |= uint8(boolInt(n > 0)) << c
	}
	return cells
}

// reach returns the most units that B can ever move: his piece never holds what he has eaten,
// because A takes it then.
func (s *fort) reach() int { return int(s.size[s.cell]) + die*int(s.turns) }

// limited forgets what cannot matter: units of a post beyond what B can ever have, posts without a
// cell of B's or an empty one next to them, and sizes that B cannot eat. It returns the sum of the
// stocks.
func (g *garrison) limited(s *fort) (stocks int) {
	reach, filled := s.reach(), s.filled()
	for m := filled &^ (1 << s.cell); m != 0; m &= m - 1 {
		c := bits.TrailingZeros8(m)
		if s.stock[c] > 1 && g.outpost.near[c]&(1<<s.cell|^filled) == 0 {
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
func (g *garrison) wins(s fort, centre int) answer {
	size := int(s.size[s.cell])
	if s.turns == 0 || centre < size+die || size+die*int(s.turns) >= mostSize-mostStock {
		return no
	}
	stocks := g.limited(&s)
	if centre == size+die && stocks == 0 || g.outpost.relaxed(s.filled()&^(1<<s.cell), s.cell, size,
		int(s.turns)) > centre+stocks {
		return no
	}
	s, key := g.canon(s)
	known := fortSpan{key: key, lost: -1, won: 1 << 14}
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
		a = g.stands(&s, centre, &known.raid)
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

// held tells whether the policy of hold is enough.
func (g *garrison) held(s *fort, centre int) bool {
	least := widest
	for m := s.filled() &^ (1 << s.cell); m != 0; m &= m - 1 {
		least = min(least, int(s.size[bits.TrailingZeros8(m)]))
	}
	return g.outpost.hold.wins(stand{filled: s.filled() &^ (1 << s.cell), cell: s.cell,
		size: int16(s.size[s.cell]), least: int16(least), turns: int8(s.turns)}, centre)
}

// sooner tries with a turn less, which is often enough and costs little. It returns yes or unknown.
func (g *garrison) sooner(s fort, centre int) answer {
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

// stands tells whether A has an answer to every raid, that which defeated him last first.
func (g *garrison) stands(s *fort, centre int, last *raid) answer {
	if last.roll > 0 {
		if a := g.answered(s, centre+1, *last); a != yes {
			return a
		}
	}
	for roll := uint8(die); roll >= 1; roll-- {
		units := s.size[s.cell] + roll
		for m := g.outpost.near[s.cell]; m != 0; m &= m - 1 {
			to := uint8(bits.TrailingZeros8(m))
			for moved := max(1, s.size[to]); moved <= units; moved++ {
				r := raid{roll, to, moved}
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

// answered tells whether A, his centre grown already, has an answer to a raid.
func (g *garrison) answered(s *fort, centre int, r raid) answer {
	first := len(g.options)
	g.answers(s, centre, r)
	_, a := g.choose(first)
	g.options = g.options[:first]
	return a
}

// answers puts A's answers to a raid on the stack.
func (g *garrison) answers(s *fort, centre int, r raid) {
	left, moved, wall := int(s.size[s.cell]+r.roll-r.units), int(r.units), int(s.size[r.to])
	most := moved - int(s.stock[r.to]) // units that B has more than A where he moved to
	all := volley{from: fromCentre, to: r.to, units: uint8(min(centre, mostSize)),
		net: uint8(min(centre, mostSize))}
	switch {
	case left == 0: // all that B has stands on one cell
		if centre >= moved+wall {
			g.options = append(g.options, option{strike: all})
		}
		return
	case most <= 0: // all that B has stands where it stood
		all.to = s.cell
		g.options = append(g.options, option{strike: all})
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
func (g *garrison) take(s fort, keeps, prey uint8, more, vague, centre int) {
	s.cell = keeps
	size, kept := int(s.size[prey]), int(s.size[keeps])
	if centre < kept+die {
		return
	}
	most := max(size, s.reach()+1-size) // more would not make the piece safer
	for m := g.outpost.near[prey]; m != 0; m &= m - 1 {
		post := uint8(bits.TrailingZeros8(m))
		mass, stock := int(s.size[post]), int(s.stock[post])
		a, b := (mass+stock)/2, (mass-stock)/2
		// the rest of the stock stays, or comes along
		for net := more; net <= stock; net += max(1, stock-more) {
			for units := max(size, net) + (max(size, net)-net)&1; units < mass &&
				units <= most+2; units += 2 {
				if (units+net)/2 > a || (units-net)/2 > b || mass >= vague+stock &&
					mass-units <= s.reach() {
					break
				}
				t := s
				t.size[post], t.stock[post] = uint8(mass-units), uint8(stock-net)
				t.size[prey], t.stock[prey] = uint8(min(mostSize, size+units)), uint8(net-more)
				g.options = append(g.options,
					option{t, int16(centre), volley{post, prey, uint8(units), uint8(net)}, false})
			}
		}
	}
	for units := size; units <= min(most, centre-kept-die); units++ {
		t := s
		t.size[prey], t.stock[prey] = uint8(min(mostSize, size+units)),
			uint8(min(mostStock, units-more))
		g.options = append(g.options,
			option{t, int16(centre - units), volley{fromCentre, prey, uint8(units), uint8(units)},
				false})
	}
}

// choose returns an option that wins, of those on the stack from the first on. No option may
// swallow the search: each is looked at for a few positions, then each for more, until one wins or
// all are known to fail.
func (g *garrison) choose(first int) (best int, a answer) {
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
			if o.fort.turns > 0 {
				g.stop = min(stop, g.nodes+positions)
				a = g.wins(o.fort, int(o.centre))
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

// garrisoned is the position after A's walk to the centre, who left some units where he stood: B's
// piece, and the post where that is more than none. Cells are those of the ring.
func garrisoned(size int32, cell, from uint8, left, turns int) fort {
	s := fort{cell: cell, turns: uint8(turns - 1)}
	s.size[cell] = uint8(size)
	if left > 0 {
		s.size[from], s.stock[from] = uint8(left), uint8(left)
	}
	return s
}

// garrisonLimits bound the positions gone into for one question: of few turns, which are asked for
// every difference, and of a turn more, asked only below what was proved with few.
const (
	garrisonLimitFew  = 4_000_000
	garrisonLimitMore = 6_000_000
)

// proves tells whether A is proved to win from a difference within so many turns and positions.
func (g *garrison) proves(size int32, cell, from uint8, left, turns, difference int,
	limit int64) bool {
	g.start(limit)
	return g.wins(garrisoned(size, cell, from, left, turns), int(size)+difference+1-left) == yes
}

// garrisonRow is a row of CaseFourGarrison's table.
type garrisonRow struct {
	size         int32
	cell         uint8
	left         int
	least, fewer int // with garrisonTurns, and with one more where that was asked for
}

const (
	garrisonTurns = 6  // which most proofs need
	garrisonLeft  = 12 // units that A leaves where he stands in the middle of a side
)

// garrisonRows finds the least differences, those of either half of the table side by side.
func garrisonRows() []garrisonRow {
	const (
		low  = 40 // the least difference that is asked for
		high = 57 // more than what is needed
	)
	var rows []garrisonRow
	for _, left := range []int{0, garrisonLeft} {
		for _, size := range []int32{1, 2, 4, 8, 16} {
			rows = append(rows, garrisonRow{size: size, left: left},
				garrisonRow{size: size, cell: 1, left: left})
		}
	}
	var halves sync.WaitGroup
	for _, half := range [][]garrisonRow{rows[:len(rows)/2], rows[len(rows)/2:]} {
		halves.Go(func() {
			for i := range half {
				r := &half[i]
				var g garrison
				from := 3 + 2*r.cell // a middle of a side that is not next to B
				r.least = low + sort.Search(high-low, func(i int) bool {
					return g.proves(r.size, r.cell, from, r.left, garrisonTurns, low+i,
						garrisonLimitFew)
				})
				if r.least == high {
					panic("claims: nothing is proved of a garrison")
				}
				if r.fewer = r.least; r.left == 0 && r.cell == 0 {
					for g.proves(r.size, r.cell, from, r.left, garrisonTurns+1, r.fewer-1,
						garrisonLimitMore) {
						r.fewer--
					}
				}
			}
		})
	}
	halves.Wait()
	return rows
}

// CaseFourGarrison finds the difference from which on A wins case IV by holding the centre and
// every piece that he has won.
func CaseFourGarrison() Claim {
	const (
		asked = 45 // the document's difference
		usual = 8  // units of B in the verdict
	)
	table := Table{Name: "case-four-garrison", Columns: []string{"B", "place of B", "place of A",
		"A leaves", fmt.Sprintf("%d turns", garrisonTurns),
		fmt.Sprintf("%d turns", garrisonTurns+1)}}
	rows := garrisonRows()
	soon := ""
	const soonest = 5 // turns; CaseFourFew shows that fewer are not enough
	if g := (garrison{}); g.proves(1, 0, 3, 0, soonest, asked, garrisonLimitFew) {
		soon = fmt.Sprintf(" Against 1 unit in a corner a difference of %d is enough for %d "+
			"turns already.", asked, soonest)
	}
	var enough []string
	most, last := 0, 0
	for _, r := range rows {
		place, fewer := "any", any(r.fewer)
		if r.left > 0 {
			place = places[1]
		} else {
			last = max(last, r.fewer)
			if r.size <= usual {
				most = max(most, r.fewer)
			}
		}
		if r.left > 0 || r.cell > 0 {
			fewer = ""
		}
		switch {
		case r.fewer <= asked && r.left == 0:
			enough = append(enough, fmt.Sprintf("%d (%s)", r.size, places[r.cell]))
		case r.fewer <= asked:
			enough = append(enough, fmt.Sprintf("%d (%s, A on a %s too)", r.size, places[r.cell],
				place))
		}
		table.add(r.size, places[r.cell], place, r.left, r.least, fewer)
	}
	return Claim{
		Name: "Case IV: holding the centre and every piece won",
		Says: fmt.Sprintf("With a difference of %d some policy of A wins within 8 turns, "+
			"whatever the dice and B do.", asked),
		Verdict: fmt.Sprintf("true for B of %s units; from a difference of %d on for 1, 2, 4 and "+
			"%d units, of %d on for 16, wherever they stand; below that open",
			strings.Join(enough, ", "), most, usual, last),
		Evidence: []string{
			"A holds the centre as before, but now every piece on the ring counts with its own " +
				"size, so that a small one matters only where B can come to it; and every piece " +
				"that A owns there is a post, from which he may move units of both players: " +
				"his own do the work, B's make the wall larger. After B has split, A takes one " +
				"of the two pieces, from the centre or from a post; after B has eaten a wall and " +
				"left something behind, A takes what has eaten. " +
				"Every roll of B, every split and every meal is tried. What A rolls above one " +
				"stays in the centre and does no harm.",
			fmt.Sprintf("The table has the least difference for which this was proved, the walk "+
				"to the centre counted as a turn, by a search of at most %d million positions a "+
				"question for %d turns, and %d million for %d turns, asked only where B stands "+
				"in a corner and A leaves nothing, and only below what was proved for %d. "+
				"Who wins within fewer turns wins within 8. A leaves nothing, and then may stand "+
				"on any cell that is not next to B; or he stands in the middle of a side, "+
				"opposite to B or one of the two not next to his corner, and leaves %d units. "+
				"It bounds from above what the best policy needs; that nothing less is enough is "+
				"not shown. The tests play the policy of 46 against 1 by the rules of the game, "+
				"against every roll and every legal move of B.%s",
				garrisonLimitFew/1_000_000, garrisonTurns, garrisonLimitMore/1_000_000,
				garrisonTurns+1, garrisonTurns, garrisonLeft, soon),
		},
		Table: table,
	}
}
