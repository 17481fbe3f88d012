package claims

import (
	"fmt"
	"math/bits"
	"strings"

	"clade/engine/amoeboid"
)

// assault proves that A wins case IV within so many turns against the document's dice, ones for A
// and sixes for B, and every legal reply of B. It is a depth-first proof-number search (Nagai,
// "Df-pn algorithm for searching AND/OR trees and its applications", 2002; the greatest number
// instead of the sum where the children need not be independent) over positions up to the board's
// symmetries. A tries only the moves of sharp; a position of the policy of hold counts as won where
// that policy succeeds. So what is proved is true, and what is not proved may be true.
type assault struct {
	g     *amoeboid.Graph
	hold  hold
	nodes int64 // positions gone into
	limit int64
	memo  map[uint64]proof
	lists [2 * (maxTurns + 1)]sortie
}

// proof says how far a position is from being proved a win of A, and from being refuted: at least
// so many positions must still be proved or refuted. 0 is done, and the other one is then never.
type proof struct{ win, hold uint32 }

// never is a number that cannot be reached.
const never = 1 << 30

// sortie is what can be done in a position.
type sortie struct {
	moves []amoeboid.Move
	keys  []uint64
}

// wins tells whether A, to roll, is proved to win with so many turns left. It is false too where
// the limit was met.
func (s *assault) wins(p amoeboid.Position, turns int) bool {
	s.memo = map[uint64]proof{}
	s.hold.start()
	return s.search(&p, turns, s.name(&p, turns), proof{never, never}).win == 0
}

// name numbers a position with so many turns of A left.
func (s *assault) name(p *amoeboid.Position, turns int) uint64 {
	return s.g.Key(p) ^ uint64(turns)*0x9e3779b97f4a7c15
}

// search goes on with a position until it is done, or one of its numbers reaches its bound.
func (s *assault) search(p *amoeboid.Position, turns int, name uint64, bound proof) proof {
	s.nodes++
	ours := p.Turn() == amoeboid.A
	roll, left, list := rollOfB, turns, &s.lists[2*turns]
	if ours {
		roll, left, list = rollOfA, turns-1, &s.lists[2*turns+1]
	}
	if done, ok := s.expand(p, turns, list); ok {
		s.memo[name] = done
		return done
	}
	for {
		best, second, all := s.weigh(list, ours)
		if all.win == 0 || all.hold == 0 || all.win >= bound.win || all.hold >= bound.hold ||
			s.nodes > s.limit {
			s.memo[name] = all
			return all
		}
		// Go on with the best child until it is worse than the second, a quarter more so that the
		// search does not hop.
		child := s.memory(list.keys[best])
		next := proof{min(bound.win, second+1+second/4), bound.hold - (all.hold - child.hold)}
		if !ours {
			next = proof{bound.win - (all.win - child.win), min(bound.hold, second+1+second/4)}
		}
		q := after(*p, list.moves[best], roll)
		s.search(&q, left, list.keys[best], next)
	}
}

// memory returns what is known of a position.
func (s *assault) memory(name uint64) proof {
	if p, ok := s.memo[name]; ok {
		return p
	}
	return proof{1, 1}
}

// weigh sums up the children: A needs one that wins, B one that holds. It returns the child nearest
// to what the mover wants, and how near the second is.
func (s *assault) weigh(list *sortie, ours bool) (best int, second uint32, all proof) {
	first, second, most, open := uint32(never), uint32(never), uint32(0), uint32(0)
	for i, key := range list.keys {
		p := s.memory(key)
		wanted, other := p.win, p.hold
		if !ours {
			wanted, other = other, wanted
		}
		if other == 0 {
			continue
		}
		open++
		most = max(most, other)
		if wanted < first {
			best, first, second = i, wanted, first
		} else {
			second = min(second, wanted)
		}
	}
	switch {
	case open == 0:
		most = 0
	case first == 0:
		most = never
	default:
		most = min(most+open-1, never-1)
	}
	if ours {
		return best, second, proof{first, most}
	}
	return best, second, proof{most, first}
}

// expand lists what the mover can do, but for what ends the game against him; ok where that settles
// the position.
func (s *assault) expand(p *amoeboid.Position, turns int, list *sortie) (done proof, ok bool) {
	list.keys = list.keys[:0]
	if p.Turn() == amoeboid.A {
		if list.moves = s.sharp(list.moves[:0], p); s.charge(p, turns, list) {
			return proof{0, never}, true
		}
		return proof{never, 0}, len(list.keys) == 0
	}
	if list.moves = p.Moves(list.moves[:0], s.g, rollOfB); s.parry(p, turns, list) {
		return proof{never, 0}, true
	}
	return proof{0, never}, len(list.keys) == 0
}

// charge keeps the moves of A after which the game goes on and he has a turn left, with their keys.
// It tells whether one wins.
func (s *assault) charge(p *amoeboid.Position, turns int, list *sortie) bool {
	kept := list.moves[:0]
	for _, m := range list.moves {
		q := after(*p, m, rollOfA)
		switch v := q.Verdict(); {
		case v == amoeboid.WonByA, v == amoeboid.Open && s.held(&q, turns-1):
			return true
		case v == amoeboid.Open && turns > 1:
			kept, list.keys = append(kept, m), append(list.keys, s.name(&q, turns-1))
		}
	}
	list.moves = kept
	return false
}

// parry keeps the replies of B after which the game goes on. It tells whether one ends it, and A
// has not won.
func (s *assault) parry(p *amoeboid.Position, turns int, list *sortie) bool {
	kept := list.moves[:0]
	for _, m := range list.moves {
		q := after(*p, m, rollOfB)
		switch q.Verdict() {
		case amoeboid.WonByA:
		case amoeboid.Open:
			kept, list.keys = append(kept, m), append(list.keys, s.name(&q, turns))
		default:
			return true
		}
	}
	list.moves = kept
	return false
}

// sharp lists A's moves that are tried: he grows the piece that moves, and takes a piece of B with
// units of his own, or moves the piece as a whole.
func (s *assault) sharp(dst []amoeboid.Move, p *amoeboid.Position) []amoeboid.Move {
	all := p.Moves(dst, s.g, rollOfA)
	kept := all[:0]
	for _, m := range all {
		eats := p.Owned(amoeboid.B)>>m.To&1 != 0 && m.Take[amoeboid.B] == 0
		if m.Pass() || m.Grow == m.From && (eats || m.Take == grownPiece(*p, m, rollOfA)) {
			kept = append(kept, m)
		}
	}
	return kept
}

// held tells whether a position with B to roll is one of the policy of holding the centre, and won
// by it with so many turns of A.
func (s *assault) held(p *amoeboid.Position, turns int) bool {
	const centre = 4
	core, theirs := p.Piece(centre), p.Owned(amoeboid.B)
	if core[amoeboid.A] == 0 || core[amoeboid.B] != 0 || bits.OnesCount64(theirs) != 1 {
		return false
	}
	at := stand{least: widest, turns: int8(turns)}
	for i, c := range ring {
		piece := p.Piece(int(c))
		switch {
		case theirs>>c&1 != 0:
			if piece[amoeboid.A] != 0 {
				return false
			}
			at.cell, at.size = uint8(i), int16(piece[amoeboid.B])
		case piece != amoeboid.Piece{}:
			at.filled |= 1 << i
			at.least = min(at.least, int16(piece.Size()))
		}
	}
	return s.hold.wins(at, int(core[amoeboid.A]))
}

// assaultLimit bounds the positions gone into in one search.
const assaultLimit = 60_000

// CaseFourAssault asks whether A wins case IV from a difference of exactly 45 against the
// document's dice.
func CaseFourAssault() Claim {
	table := Table{Name: "case-four-assault",
		Columns: []string{"A", "B", "place of B", "turns of A", "A wins", "positions"}}
	var proved []string
	for _, c := range []struct {
		size  int32
		cell  int
		place string
		turns int
	}{{1, 8, "corner", 4}, {1, 8, "corner", 5}, {1, 5, "side", 8}, {2, 8, "corner", 8},
		{4, 8, "corner", 8}, {16, 8, "corner", 8}} {
		var p amoeboid.Position
		p.Set(0, amoeboid.Piece{c.size + 45, 0})
		p.Set(c.cell, amoeboid.Piece{0, c.size})
		s := assault{g: board(), limit: assaultLimit}
		answer := "open"
		if s.wins(p, c.turns) {
			answer = "proved"
			proved = append(proved, fmt.Sprintf("%d against %d (%s) in %d turns", c.size+45, c.size,
				c.place, c.turns))
		}
		table.add(c.size+45, c.size, c.place, c.turns, answer, s.nodes)
	}
	return Claim{
		Name: "Case IV: against the document's dice",
		Says: "With a difference of 45 some policy of A wins within 8 turns when he rolls " +
			"ones and B sixes.",
		Verdict: fmt.Sprintf("true for %s; open where the search did not end",
			strings.Join(proved, " and ")),
		Evidence: []string{
			fmt.Sprintf("A proof-number search over every legal reply of B. A tries to take a "+
				"piece with units of his own, or to move a piece as a whole; positions from "+
				"which holding the centre wins count as won. "+
				"\"proved\" is a win against every reply, with these dice; \"open\" is no "+
				"refutation: A has other moves, or the search had gone into %d positions. The "+
				"walk to the centre counts as a turn.", assaultLimit),
		},
		Table: table,
	}
}
