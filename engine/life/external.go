package life

import (
	"encoding/json"

	"clade/engine"
)

// facts is what both sides know before a game.
type facts struct {
	Height      int     `json:"height"`      // rows of the board
	Width       int     `json:"width"`       // columns of the board
	Generations int     `json:"generations"` // of the game
	Cells       int     `json:"cells"`       // that a side may wake in a generation
	Seconds     float64 `json:"seconds"`     // for a turn: setting turn_seconds
}

// TurnSeconds tells how long a program may take for a turn.
func (f facts) TurnSeconds() float64 { return f.Seconds }

// observation is the board as a side sees it.
type observation struct {
	Generation int  `json:"generation"` // from 0
	First      bool `json:"first"`      // the side places first
	// live cells, each [row, column] from 0 at the upper left
	Own   [][2]int32 `json:"own"`
	Enemy [][2]int32 `json:"enemy"` // likewise
}

// Facts implements engine.Interactive.
func (g *game) Facts() any {
	s := &g.settings
	return facts{s.Height, s.Width, s.Generations, s.Cells, s.TurnSeconds}
}

// Seat implements engine.Interactive.
func (g *game) Seat(a engine.Agent) engine.Player { return &external{agent: a} }

// external is a side, in one game, for which an agent decides.
type external struct{ agent engine.Agent }

// sit returns the side itself: it is for one game.
func (e *external) sit(*settings, engine.Seed) seat { return e }

// choose asks the agent. Without an answer the side forfeits its turn.
func (e *external) choose(v *view, dst []cell) ([]cell, bool) {
	d := decision{view: v, cells: dst}
	e.agent.Act(&d)
	return d.cells, d.taken
}

// decision is a turn.
type decision struct {
	view  *view
	cells []cell
	taken bool
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	v := d.view
	o := observation{Generation: v.generation, First: v.own == colourA, Own: [][2]int32{},
		Enemy: [][2]int32{}}
	v.board.each(func(y, x int, c colour) {
		of := &o.Enemy
		if c == v.own {
			of = &o.Own
		}
		*of = append(*of, [2]int32{int32(y), int32(x)})
	})
	return o
}

// passed is the one action that has a name.
const passed = "pass"

// Actions implements engine.Decision. Cells to wake are too many to list.
func (d *decision) Actions() ([]engine.Action, bool) {
	return []engine.Action{{Name: passed}}, false
}

// Take implements engine.Decision: the cells to wake, in order, or "pass". The first settings.Cells
// entries count, and those off the board or on a live cell have no effect.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action json.RawMessage `json:"action"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	var word string
	if json.Unmarshal(a.Action, &word) == nil && word == passed {
		d.cells, d.taken = d.cells[:0], true
		return nil
	}
	cells, err := parseReply(a.Action, nil)
	if err == nil {
		d.cells, d.taken = cells, true
	}
	return err
}
