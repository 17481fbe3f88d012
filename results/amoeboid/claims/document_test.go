package claims

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"clade/engine/games/amoeboid"
)

// Dice of the adversary in case IV: the worst for A, as in the document's own line.
const (
	rollOfA = 1
	rollOfB = 6
)

// documentMove is A's policy of case IV: win if that is possible at once; go to the centre; from
// there make the largest piece of B neutral with exactly its size, and when only one cell is empty,
// take it with one unit more.
func documentMove(p amoeboid.Position, roll int) amoeboid.Move {
	g := board()
	moves := p.Moves(nil, g, roll)
	for _, m := range moves {
		if verdictAfter(p, m, roll) == amoeboid.WonByA {
			return m
		}
	}
	const center = 4
	if p.Owned(amoeboid.A)>>center&1 == 0 {
		for _, m := range moves {
			if m.To == center && m.Grow == m.From && m.Take == grownPiece(p, m, roll) {
				return m
			}
		}
	}
	empty := g.Cells() - bits.OnesCount64(p.Filled())
	best, most := moves[0], int32(-1)
	for _, m := range moves {
		target := p.Piece(int(m.To))
		wanted := target[amoeboid.B] - target[amoeboid.A]
		if empty <= 1 {
			wanted++
		}
		if m.From != center || m.Grow != center || p.Owned(amoeboid.B)>>m.To&1 == 0 ||
			m.Take[amoeboid.B] != 0 || m.Take[amoeboid.A] != max(wanted, target.Size()) {
			continue
		}
		if target.Size() > most {
			best, most = m, target.Size()
		}
	}
	return best
}

// grownPiece returns the moving piece as it is after the growth.
func grownPiece(p amoeboid.Position, m amoeboid.Move, roll int) amoeboid.Piece {
	piece := p.Piece(int(m.From))
	if m.Grow == m.From {
		piece[p.Turn()] += int32(roll)
	}
	return piece
}

// escape looks for replies of B, each roll a six, with which he is not beaten within so many turns
// of A, who follows the document. It returns the line.
func escape(p amoeboid.Position, turns int) ([]string, bool) {
	g := board()
	m := documentMove(p, rollOfA)
	q := after(p, m, rollOfA)
	line := []string{"A " + g.MoveText(m)}
	switch {
	case q.Verdict() == amoeboid.WonByA:
		return nil, false
	case q.Verdict() != amoeboid.Open || turns == 1:
		return line, true
	}
	replies := defences(q, rollOfB)
	for _, r := range replies {
		next := after(q, r, rollOfB)
		if next.Verdict() == amoeboid.WonByA {
			continue
		}
		step := append(slices.Clone(line), "B "+g.MoveText(r))
		if next.Verdict() != amoeboid.Open {
			return step, true
		}
		if rest, ok := escape(next, turns-1); ok {
			return append(step, rest...), true
		}
	}
	return nil, false
}

// defences lists B's moves of the menu, those that leave him the most pieces first, and of those
// the ones that leave A the least.
func defences(p amoeboid.Position, roll int) []amoeboid.Move {
	moves := p.Menu(nil, board(), roll)
	worth := func(m amoeboid.Move) int {
		q := after(p, m, roll)
		return bits.OnesCount64(q.Owned(amoeboid.B))*1000 - int(q.Control(amoeboid.A)) +
			bits.OnesCount64(q.Owned(amoeboid.A))*-100
	}
	slices.SortStableFunc(moves, func(a, b amoeboid.Move) int { return worth(b) - worth(a) })
	return moves
}

// policy looks for B's escape from the document's policy.
func policy() claim {
	table := table{Name: "case-four-policy",
		Columns: []string{"A", "B", "difference", "turns of A", "B escapes"}}
	var lines []string
	for _, size := range [][2]int32{{61, 16}, {100, 16}, {200, 16}, {400, 16}} {
		for _, turns := range []int{8, 9, 12} {
			line, ok := escape(corners(size[0], size[1], amoeboid.A), turns)
			table.Add(size[0], size[1], size[0]-size[1], turns, ok)
			if ok && turns == 9 {
				lines = append(lines, fmt.Sprintf("%d against %d: %s", size[0], size[1],
					strings.Join(line, "; ")))
			}
		}
	}
	evidence := []string{
		"A does as the document says: he goes to the centre, makes B's " +
			"largest piece neutral with exactly its size each turn, and takes it with one " +
			"unit more when one cell is empty. He wins at once where he can, and makes the " +
			"first legal move where none of this is possible. A rolls ones and B sixes. B " +
			"searches his menu for replies after which A has not won within so many turns, " +
			"the walk to the centre counted.",
	}
	if len(lines) > 0 {
		evidence = append(evidence,
			"A has not won after 9 turns, from the corners a1 and c3 (from, to, units of A and of "+
				"B; 200 and 400 go as 100 does):", "* "+strings.Join(lines[:min(2, len(lines))], "\n* "))
	}
	return claim{
		Name: "Case IV: the policy",
		Says: "With a difference above 44 A wins in at most 8 turns by neutralising B's " +
			"pieces one by one.",
		Verdict:  "refuted: B escapes",
		Evidence: evidence,
		Table:    table,
	}
}
