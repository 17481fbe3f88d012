package amoeboid

import (
	"encoding/json"

	"clade/engine"
)

// Analyse implements engine.Analyst. It solves a position in the notation of ParsePosition, or the
// start for "". With a mass above 0 it uses a table of that mass, kept in dir, whose computation
// goes on where an earlier run stopped.
func (g *Game) Analyse(position string, budget int64, mass int, dir string) (engine.Speaker,
	error) {
	p, roll, err := g.position(position)
	if err != nil {
		return nil, err
	}
	if mass == 0 {
		return g.solve(p, roll, budget)
	}
	table, err := newTable(g, mass, dir)
	if err != nil {
		return nil, err
	}
	return g.solveWith(table, p, roll, budget)
}

// Notation describes the notation of ParsePosition.
func (g *Game) Notation() string {
	return `A position of amoeboid is who rolls next, A or B, with the roll behind the
letter where it has been made, then the cells in order: "." or "a,b", units of A
and of B; "/" ends a row.`
}

// position reads a position, "" for the start.
func (g *Game) position(text string) (Position, int, error) {
	if text == "" {
		return g.graph.opening(), 0, nil
	}
	return ParsePosition(g.graph, text)
}

// The shape of a solution as JSON. For each roll it lists only the moves that may be best.
type (
	boundsJSON struct {
		Low  float64 `json:"low"`
		High float64 `json:"high"`
	}
	moveJSON struct {
		Move string `json:"move"`
		boundsJSON
		Estimate float64 `json:"estimate"`
	}
	rollJSON struct {
		Roll int `json:"roll"`
		boundsJSON
		Legal  int        `json:"legal"`  // number of moves
		Proved bool       `json:"proved"` // the moves below are best; else they may be
		Best   []moveJSON `json:"best"`
	}
	stepJSON struct {
		Roll int    `json:"roll"`
		Move string `json:"move"`
	}
	solutionJSON struct {
		Position string `json:"position"`
		Player   string `json:"player"` // to move, whose values these are
		boundsJSON
		Depth     int        `json:"depth"`
		Mass      int        `json:"mass"` // of the table, 0 without
		Positions int64      `json:"positions"`
		Rolls     []rollJSON `json:"rolls"`
		Line      []stepJSON `json:"line"`
	}
)

// MarshalJSON writes the solution with moves and position in the notation of this package.
func (s solution) MarshalJSON() ([]byte, error) {
	all := solutionJSON{
		Position: s.position.Text(s.graph, 0), Player: letters[s.position.Turn()],
		boundsJSON: boundsJSON(s.value), Depth: s.depth, Mass: s.mass, Positions: s.nodes,
		Rolls: []rollJSON{}, Line: []stepJSON{},
	}
	for _, o := range s.options {
		best, proved := o.best()
		roll := rollJSON{Roll: o.roll, boundsJSON: boundsJSON(o.value), Legal: len(o.moves),
			Proved: proved}
		for _, m := range best {
			roll.Best = append(roll.Best, moveJSON{s.graph.MoveText(m.move), boundsJSON(m.value),
				m.estimate})
		}
		all.Rolls = append(all.Rolls, roll)
	}
	for _, step := range s.line {
		all.Line = append(all.Line, stepJSON{step.roll, s.graph.MoveText(step.move)})
	}
	return json.Marshal(all)
}
