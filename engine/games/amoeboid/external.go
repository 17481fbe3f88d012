package amoeboid

import (
	"math/bits"
	"slices"

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
