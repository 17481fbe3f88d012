package claims

import (
	"fmt"
	"math/bits"
	"strings"

	"clade/engine/games/amoeboid"
)

// adversary is an AND/OR search of case IV: has A a way to win within so many turns, by any legal
// moves, against the document's dice, ones for A and sixes for B, and against every reply on B's
// menu? "No" holds for all of B's replies and all dice too, because they only help B more; "yes"
// would not.
type adversary struct {
	g     *amoeboid.Graph
	nodes int64
	limit int64

	attacks, replies [maxTurns + 1][]amoeboid.Move
}

// maxTurns is the most turns of A that are asked for.
const maxTurns = 9

// wins answers for A to move with so many turns left. It is worthless once nodes exceed the limit.
func (s *adversary) wins(p *amoeboid.Position, turns int) bool {
	if pieces(p) > most(turns) {
		return false
	}
	attacks := &s.attacks[turns]
	*attacks = p.Moves((*attacks)[:0], s.g, rollOfA)
	for _, m := range *attacks {
		if s.nodes++; s.nodes > s.limit {
			return false
		}
		if turns == 1 && (pieces(p) != 1 || p.Owned(amoeboid.B)>>m.To&1 == 0) {
			continue // the last piece of B must be taken
		}
		q := after(*p, m, rollOfA)
		if v := q.Verdict(); v == amoeboid.WonByA || v == amoeboid.Open && turns > 1 &&
			s.falls(&q, turns-1) {
			return true
		}
	}
	return false
}

// falls tells whether A wins after every reply of B. It first looks for a reply that the count of
// pieces alone shows to save him, then tries the replies that leave him the most pieces.
func (s *adversary) falls(p *amoeboid.Position, turns int) bool {
	if pieces(p)+1 > most(turns) && s.splits(p) {
		return false
	}
	replies := &s.replies[turns]
	*replies = p.Menu((*replies)[:0], s.g, rollOfB)
	fewest, highest := 64, 0
	for _, r := range *replies {
		n := piecesAfter(p, r)
		if n > most(turns) {
			return false
		}
		fewest, highest = min(fewest, n), max(highest, n)
	}
	for n := highest; n >= fewest; n-- {
		for _, r := range *replies {
			if piecesAfter(p, r) != n {
				continue
			}
			q := after(*p, r, rollOfB)
			switch v := q.Verdict(); {
			case v == amoeboid.WonByA:
			case v != amoeboid.Open, !s.wins(&q, turns):
				return false
			}
		}
	}
	return true
}

// splits tells whether B has a piece of his own units alone next to an empty cell: after his growth
// he can split it in two.
func (s *adversary) splits(p *amoeboid.Position) bool {
	for m := p.Owned(amoeboid.B); m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if p.Piece(c)[amoeboid.A] == 0 && s.g.Neighbours(c)&^p.Filled() != 0 {
			return true
		}
	}
	return false
}

// most returns how many pieces of B can be gone within so many turns of A: he takes one with each
// move, and a move that B is forced to make may cost another.
func most(turns int) int { return 2*turns - 1 }

// pieces returns how many pieces B owns.
func pieces(p *amoeboid.Position) int { return bits.OnesCount64(p.Owned(amoeboid.B)) }

// piecesAfter returns how many B owns after a move of his own, without making it.
func piecesAfter(p *amoeboid.Position, m amoeboid.Move) int {
	n := pieces(p)
	if m.Pass() {
		return n
	}
	from, to := p.Piece(int(m.From)), p.Piece(int(m.To))
	n -= boolInt(to[amoeboid.B] > to[amoeboid.A]) + 1
	if m.Grow == m.From {
		from[amoeboid.B] += rollOfB
	} else if m.Grow == m.To {
		to[amoeboid.B] += rollOfB
	}
	for seat, units := range m.Take {
		from[seat] -= units
		to[seat] += units
	}
	return n + boolInt(from[amoeboid.B] > from[amoeboid.A]) +
		boolInt(to[amoeboid.B] > to[amoeboid.A])
}

// adversaryLimit bounds the positions of one search.
const adversaryLimit = 40_000_000

// few asks for how few turns no policy at all is enough.
func few() claim {
	table := table{Name: "case-four-few", Columns: []string{"A", "B", "difference",
		"turns of A",
		"A forces a win", "positions"}}
	var few []string
	for _, size := range [][2]int32{{46, 1}, {61, 16}, {100, 16}} {
		longest := 0
		for turns := 1; turns <= maxTurns; turns++ {
			s := adversary{g: board(), limit: adversaryLimit}
			p := corners(size[0], size[1], amoeboid.A)
			won := s.wins(&p, turns)
			if s.nodes > s.limit {
				break
			}
			if !won {
				longest = turns
			}
			table.Add(size[0], size[1], size[0]-size[1], turns, won, s.nodes)
		}
		few = append(few, fmt.Sprintf("%d turns for %d against %d", longest, size[0], size[1]))
	}
	return claim{
		Name: "Case IV: the fewest turns",
		Says: "With a difference above 44 no policy wins in a few turns (not claimed by the " +
			"document; it bounds the claim from the other side).",
		Verdict: "no policy is sure to win from opposite corners within " + strings.Join(few, ", "),
		Evidence: []string{
			fmt.Sprintf("An AND/OR search: A makes any legal move and rolls ones, B rolls "+
				"sixes and chooses from his menu. \"false\" means that one of these replies stops "+
				"A. The walk to the centre counts as a turn. A search of more than %d positions "+
				"is left out.", adversaryLimit),
		},
		Table: table,
	}
}
