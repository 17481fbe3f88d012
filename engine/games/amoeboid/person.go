package amoeboid

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"

	"clade/engine"
)

// notation is how a person writes a move.
const notation = `a1 b2: grow a1 by the roll and move all of it to b2; ` +
	`a1 b2 half: half of your units; a1 b2 3,1: 3 units of A and 1 of B; ` +
	"+c3 a1 b2: grow c3, move from a1\n"

// Text implements engine.Speaker: the board, the roll, and what may move where.
func (d *decision) Text() string {
	t := d.turn
	p, g := &t.Position, t.Graph
	units := p.Units()
	board := owned.ReplaceAllStringFunc(p.board(g), func(cell string) string {
		var a, b int32
		if n, _ := fmt.Sscanf(cell, "(%d,%d)", &a, &b); n < 2 || a == b {
			return cell
		} else if a > b {
			return "A" + cell[1:len(cell)-1] + " "
		}
		return "B" + cell[1:len(cell)-1] + " "
	})
	return fmt.Sprintf("%s\nply %d, units A %d : B %d; %s rolls a %d.\n%s%s", board, t.Ply,
		units[A], units[B], letters[p.Turn()], t.Roll, reachable(t), notation)
}

// owned matches a piece on a drawn board; people are shown it with its owner's letter.
var owned = regexp.MustCompile(`\(\d+,\d+\)`)

// Tint implements engine.Tinted.
func (d *decision) Tint(letter rune) uint8 { return tints[letter] }

var tints = map[rune]uint8{'A': engine.Seats, 'B': engine.Seats + 1}

// reachable says which moves are legal: for each piece, as it is and after it has grown, a line of
// the cells where it may go and how many units that takes.
func reachable(t *Turn) string {
	p, g := &t.Position, t.Graph
	var b strings.Builder
	fmt.Fprintf(&b, "%d legal moves; a piece, its units after the growth if it grows (+), and how "+
		"many units may go where:\n", p.countMoves(g, t.Roll))
	own := p.owned[p.Turn()]
	several := bits.OnesCount64(own) > 1
	each(own, func(c int) {
		if several {
			t.writeReach(&b, c, p.cells[c], false)
		}
		t.writeReach(&b, c, p.grown(c, t.Roll), true)
	})
	return b.String()
}

// writeReach writes where one piece may go.
func (t *Turn) writeReach(b *strings.Builder, cell int, piece Piece, grown bool) {
	p, g := &t.Position, t.Graph
	name := "  "
	if grown {
		name = " +"
	}
	var targets []string
	each(g.near[cell], func(to int) {
		need := max(1, p.size(to))
		if own := p.owned[p.Turn()]; !grown && own>>to&1 != 0 && bits.OnesCount64(own) == 2 {
			need += int32(t.Roll) // if this piece does not grow, that one does
		}
		if need <= piece.Size() {
			targets = append(targets, fmt.Sprintf("%s %d..%d", g.labels[to], need, piece.Size()))
		}
	})
	if targets == nil {
		targets = []string{"nowhere"}
	}
	fmt.Fprintf(b, "%s%s (%d,%d): %s\n", name, g.labels[cell], piece[A], piece[B],
		strings.Join(targets, ", "))
}
