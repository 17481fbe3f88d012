package darwin

import (
	"errors"
	"fmt"
	"strings"

	"clade/engine"
)

// facts is what every species knows before a game. Times are in virtual nanoseconds.
type facts struct {
	Rules string           `json:"rules"` // "original" or "handbook"
	Maze  bool             `json:"maze"`  // the first to reach the treasure wins
	Limit int64            `json:"limit"` // game clock at which the game ends at the latest
	Costs map[string]int64 `json:"costs"` // of each action
}

// situation is what a creature knows at its turn.
type situation struct {
	ID        int32  `json:"id"`        // of the creature; every creature has its own
	Width     int    `json:"width"`     // of the map, in squares
	Height    int    `json:"height"`    // of the map, in squares
	X         int16  `json:"x"`         // of the creature, from 0 at the left
	Y         int16  `json:"y"`         // of the creature, from 0 at the top
	Facing    string `json:"facing"`    // "N", "W", "S" or "E"
	Class     class  `json:"class"`     // of the creature's species in this game
	Enchanted bool   `json:"enchanted"` // the creature is
	Last      string `json:"last"`      // the creature's last action, "" before the first
	Done      bool   `json:"done"`      // it succeeded: only moves and attacks can fail
	Text      string `json:"text"`      // that was last left on the creature's square
	Clock     int64  `json:"clock"`     // of the game: virtual nanoseconds that all have spent
	Spent     int64  `json:"spent"`     // by the creature, likewise
	Mud       bool   `json:"mud"`       // the creature's square has mud
	Shrine    class  `json:"shrine"`    // whose shrine its square is, by class; 0 for none
	// Born is where creatures of the species were born since its turn before, in this order.
	Born []birth `json:"born,omitempty"`
	// Line is what stands ahead, from the next square on, after "observe"; else it is left out.
	Line []seen `json:"line,omitempty"`
}

// birth is the square of a newborn.
type birth struct {
	X      int16 `json:"x"`
	Y      int16 `json:"y"`
	Mud    bool  `json:"mud,omitempty"`
	Shrine class `json:"shrine,omitempty"` // whose shrine it is, by class
}

// seen is one square of a line of sight. Only the last one can hold something.
type seen struct {
	Kind      string `json:"kind"`             // "empty", "wall", "hazard" or "creature"
	Class     class  `json:"class"`            // of what stands there
	ID        int32  `json:"id,omitempty"`     // of a creature
	Facing    string `json:"facing,omitempty"` // of a creature
	Enchanted bool   `json:"enchanted,omitempty"`
	Mud       bool   `json:"mud,omitempty"`
	Fog       bool   `json:"fog,omitempty"`
	Shrine    class  `json:"shrine,omitempty"` // whose shrine it is, by class
}

// Facts implements engine.Interactive.
func (g *game) Facts() any {
	f := facts{g.rules.name, g.maze, g.limit(), map[string]int64{}}
	for v, name := range verbNames {
		f.Costs[name] = costs[v] + decisionCost
	}
	return f
}

// Seat implements engine.Interactive.
func (g *game) Seat(a engine.Agent) engine.Player { return &external{agent: a} }

// external is a species in one game, its colony, and the mind of all its creatures. An agent
// decides for all of them, one after the other.
type external struct {
	agent engine.Agent
	briefing
	born  []birth // since the turn before
	known *known  // what its creatures have seen, to be shown to people
}

func (e *external) found(b briefing) colony {
	e.briefing = b
	return e
}

func (e *external) spawn(b *body) mind {
	p, at := b.position(), b.w.square(int(b.cell))
	e.born = append(e.born, birth{p.x, p.y, at.mud, at.shrine})
	return e
}

// decide asks the agent. A creature without an answer passes its turn.
func (e *external) decide(b *body) action {
	if e.known == nil {
		e.known = newKnown(b.w.ground)
	}
	e.known.learn(b)
	d := decision{external: e, body: b, born: e.born, action: action(delay)}
	e.born = nil
	e.agent.Act(&d)
	b.effort += d.effort
	return d.action
}

// decision is one creature's turn.
type decision struct {
	*external
	body   *body
	born   []birth
	action action
	effort int64 // as the agent reports it
}

var (
	verbNames = [numVerbs]string{"end", "forward", "backward", "left", "right", "attack", "observe",
		"delay", "emit"}
	verbKeys  = [numVerbs]string{"e", "8", "2", "4", "6", "a", "o", "w", "m"}
	kindNames = [...]string{"empty", "wall", "hazard", "creature"}
)

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	b, p := d.body, d.body.position()
	o := situation{ID: b.id, Width: d.width, Height: d.height, X: p.x, Y: p.y,
		Facing: b.facing.String(), Class: b.class(), Enchanted: b.enchanted, Done: b.done,
		Text: strings.ToValidUTF8(b.text(), "?"), Clock: b.w.clock, Spent: b.clock,
		Born: d.born}
	here := b.w.square(int(b.cell))
	o.Mud, o.Shrine = here.mud, here.shrine
	if b.last != end {
		o.Last = verbNames[b.last]
	}
	if b.last == observe {
		line := b.w.observe(b)
		for i := 1; i <= line.distance; i++ {
			s := line.at(i)
			it := seen{Kind: kindNames[s.kind], Class: s.class, ID: s.id, Enchanted: s.enchanted,
				Mud: s.mud, Fog: s.fog, Shrine: s.shrine}
			if s.kind == kindAnimal {
				it.Facing = s.facing.String()
			}
			o.Line = append(o.Line, it)
		}
	}
	return o
}

// Actions implements engine.Decision; the texts of "emit" are too many to list.
func (d *decision) Actions() ([]engine.Action, bool) { return deeds[:], false }

var deeds = makeDeeds()

func makeDeeds() (a [numVerbs]engine.Action) {
	for i, name := range verbNames {
		a[i] = engine.Action{Name: name, Key: verbKeys[i]}
	}
	return a
}

// Text implements engine.Speaker: the line of sight after a look, and what the creature knows.
func (d *decision) Text() string {
	o := d.Observation().(situation)
	ahead := "@"
	for _, s := range o.Line {
		mark := map[string]string{"empty": ".", "wall": "#", "hazard": "%", "creature": "X"}[s.Kind]
		switch {
		case s.Kind == "creature" && s.Class == o.Class:
			mark = "O"
		case s.Fog:
			mark = "?"
		case s.Mud && mark == ".":
			mark = "~"
		}
		ahead += " " + mark
	}
	if o.Line == nil {
		ahead += "  (observe shows what is ahead)"
	}
	did := "failed"
	if o.Done {
		did = "done"
	}
	last := "its first turn"
	if o.Last != "" {
		last = "last " + o.Last + ": " + did
	}
	if o.Enchanted {
		last += "; enchanted"
	}
	if o.Text != "" {
		last += fmt.Sprintf("; on the square stands %q", o.Text)
	}
	return fmt.Sprintf("%s\n\ncreature %d at column %d of %d, row %d of %d, facing %s; %s\n"+
		"# wall, %% hazard, X another species, O your own, ~ mud, ? fog; clock %.3g s\n",
		ahead, o.ID, o.X+1, o.Width, o.Y+1, o.Height, o.Facing, last, float64(o.Clock)/1e9)
}

// Tint implements engine.Tinted.
func (d *decision) Tint(letter rune) uint8 { return tints[letter] }

var tints = map[rune]uint8{'@': engine.Seats, 'O': engine.Seats, 'X': engine.Seats + 1,
	'%': engine.Hazard, '#': engine.Veil, '?': engine.Veil, '~': engine.Veil}

// Take implements engine.Decision.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action string `json:"action"`
		Text   string `json:"text"`
		Effort int64  `json:"effort"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	v, err := engine.FindAction(a.Action, deeds[:])
	switch {
	case err != nil:
		return err
	case verb(v) != emit && a.Text != "":
		return errors.New(`a "text" is only for "emit"`)
	case len(a.Text) > 4:
		return errors.New(`the "text" has more than four bytes`)
	case a.Effort < 0 || a.Effort > maxEffort:
		return fmt.Errorf(`the "effort" must be in 0..%d`, maxEffort)
	}
	d.effort = a.Effort
	if d.action = action(v); verb(v) == emit {
		d.action = emitText(a.Text)
	}
	return nil
}
