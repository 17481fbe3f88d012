package amoeboid

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strings"

	"clade/engine"
)

// facts is what both players know before a game.
type facts struct {
	Cells      []string   `json:"cells"`      // labels of the board's cells
	Neighbours [][]string `json:"neighbours"` // labels of each cell's neighbours
	Start      []string   `json:"start"`      // the cells of A's and of B's first piece
	Die        int        `json:"die"`        // its sides
	Limit      int        `json:"limit"`      // plies after which the game ends
	// how it ends there: the player with more "units" or "control" wins; left out for a tie
	AtLimit string `json:"at-limit,omitempty"`
}

// observation is the position as a player sees it; nothing is hidden.
type observation struct {
	Ply    int     `json:"ply"`    // from 0
	You    string  `json:"you"`    // "A" or "B"
	Roll   int     `json:"roll"`   // of the die, for this move
	Pieces []Piece `json:"pieces"` // by cell: units of A and of B
	Moves  int64   `json:"moves"`  // legal moves
	// First is the place in its menu of moves at which an evolved species would begin, drawn anew
	// each turn.
	First int `json:"first"`
}

// Facts implements engine.Interactive.
func (g *Game) Facts() any {
	b := g.graph
	f := facts{Cells: b.labels, Die: g.settings.Die, Limit: g.settings.Limit,
		AtLimit: g.settings.AtLimit}
	for c := range b.n {
		near := make([]string, 0, bits.OnesCount64(b.near[c]))
		each(b.near[c], func(d int) { near = append(near, b.labels[d]) })
		f.Neighbours = append(f.Neighbours, near)
	}
	for _, c := range b.start {
		f.Start = append(f.Start, b.labels[c])
	}
	return f
}

// Seat implements engine.Interactive.
func (g *Game) Seat(a engine.Agent) engine.Player { return external{a} }

// external is a player for which an agent decides. Without an answer it forfeits the game.
type external struct{ agent engine.Agent }

func (e external) Choose(t *Turn) Move {
	d := decision{turn: t, move: resign}
	e.agent.Act(&d)
	return d.move
}

// decision is one move to be made.
type decision struct {
	turn *Turn
	move Move
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	t := d.turn
	first, random := 0, t.Random
	if menu := t.Position.Menu(nil, t.Graph, t.Roll); len(menu) > 1 {
		first = random.Below(len(menu))
	}
	return observation{t.Ply, letters[t.Position.Turn()], t.Roll,
		slices.Clone(t.Position.cells[:t.Graph.n]), t.Position.countMoves(t.Graph, t.Roll), first}
}

// mostListed is how many moves are listed at most.
const mostListed = 1000

// Actions implements engine.Decision. If there are more than mostListed, it lists only moves of
// whole pieces.
func (d *decision) Actions() (actions []engine.Action, whole bool) {
	t := d.turn
	if t.Position.countMoves(t.Graph, t.Roll) <= mostListed {
		for _, m := range t.Position.Moves(nil, t.Graph, t.Roll) {
			actions = append(actions, engine.Action{Name: t.Graph.MoveText(m)})
		}
		return actions, true
	}
	return d.wholePieces(), false
}

// wholePieces lists the moves of whole pieces.
func (d *decision) wholePieces() (actions []engine.Action) {
	t := d.turn
	p := &t.Position
	own := p.owned[p.Turn()]
	each(own, func(grow int) {
		each(own, func(from int) {
			piece := p.cells[from]
			if from == grow {
				piece = p.grown(from, t.Roll)
			}
			each(t.Graph.near[from], func(to int) {
				m := Move{uint8(grow), uint8(from), uint8(to), piece}
				if len(actions) < mostListed && p.Legal(t.Graph, m, t.Roll) {
					actions = append(actions, engine.Action{Name: t.Graph.MoveText(m)})
				}
			})
		})
	})
	return actions
}

// Take implements engine.Decision: any legal move, as a person writes it.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action string `json:"action"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	m, err := d.turn.Position.parseMove(d.turn.Graph, a.Action, d.turn.Roll)
	if err == nil {
		d.move = m
	}
	return err
}

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
