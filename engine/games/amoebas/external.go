package amoebas

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"clade/engine"
)

// Facts implements engine.Interactive: the physics and the length of a game. The names are those of
// the settings.
func (g *game) Facts() any {
	c := &g.settings.constants
	facts := map[string]any{
		"rounds": g.settings.Rounds, "sun-energy": c.SunEnergy,
		"max-cell-energy": c.MaxCellEnergy, "view-distance": c.ViewDistance,
		"max-amoeba-energy": c.MaxAmoebaEnergy, "rest-energy": c.RestEnergy,
		"move-energy": c.MoveEnergy, "attack-energy": c.AttackEnergy,
		"max-fueling-energy": c.MaxFuelingEnergy, "min-divide-energy": c.MinDivideEnergy,
		"divide-energy-loss": c.DivideEnergyLoss, "max-amoeba-health": c.MaxAmoebaHealth,
		"hit-loss": c.HitLoss, "recovery-gain": c.RecoveryGain,
	}
	if g.settings.Beyond > 0 {
		delete(facts, "rounds")
		facts["rounds-beyond-size"] = g.settings.Beyond
	}
	return facts
}

// observation is what an amoeba sees.
type observation struct {
	Energy  int   `json:"energy"`  // of the amoeba
	Health  int   `json:"health"`  // of the amoeba
	Species int   `json:"species"` // of the amoeba: its seat
	Data    datum `json:"data"`    // what the amoeba remembers
	Round   int   `json:"round"`   // from 0
	// Start is the direction of an evolved species' first candidates, 0 for northwest to 7 for west,
	// drawn anew for each decision in which it can do more than rest, or has a memory.
	Start int `json:"start"`
	// Fuel holds the fuel of the visible cells, row by row from the upper left; the own cell is the
	// middle of the middle row.
	Fuel [][]int `json:"fuel"`
	// Amoebas are the other amoebas in sight.
	Amoebas []neighbour `json:"amoebas"`
}

// neighbour is another amoeba in sight.
type neighbour struct {
	X       int   `json:"x"` // columns to the right of the own cell
	Y       int   `json:"y"` // rows below it
	Species int   `json:"species"`
	Energy  int   `json:"energy"`
	Health  int   `json:"health"`
	Data    datum `json:"data"`
}

// Seat implements engine.Interactive.
func (g *game) Seat(a engine.Agent) engine.Player { return &external{agent: a, game: g} }

// external is a species, in one game, whose amoebas an agent decides for, one by one, or by naming
// a built-in species whose rules they follow up to a round.
type external struct {
	agent engine.Agent
	game  *game
	rules decider // nil: the agent is asked
	until int     // the round in which it is asked again
}

// Act asks the agent. Without an answer the amoeba rests and keeps its data.
func (e *external) Act(v *view) action {
	if e.rules != nil && v.round < e.until {
		return e.rules.Act(v)
	}
	d := decision{view: v, action: invalid, seat: e}
	if e.game.settings.Memory || v.w.constants.legal(v.Energy, v.occupied(), v.friends()) != 0 {
		d.start = v.Random.Below(len(directionNames)) // as evolved.Act does
	}
	e.agent.Act(&d)
	return d.action
}

// decision is the turn of one amoeba.
type decision struct {
	view   *view
	action action
	seat   *external
	start  int
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	v, far := d.view, d.view.constants().ViewDistance
	o := observation{Energy: v.Energy, Health: v.Health, Species: v.Species, Data: v.Data,
		Round: v.round, Start: d.start,
		Amoebas: []neighbour{}}
	for y := -far; y <= far; y++ {
		row := make([]int, 0, side)
		for x := -far; x <= far; x++ {
			row = append(row, v.fuel(x, y))
			if it, ok := v.occupant(x, y); ok && (x != 0 || y != 0) {
				o.Amoebas = append(o.Amoebas, neighbour{x, y, it.Species, it.Energy, it.Health,
					it.Data})
			}
		}
		o.Fuel = append(o.Fuel, row)
	}
	return o
}

// Words of answers.
var (
	commandNames   = [...]string{doRest: "rest", doMove: "move", doHit: "hit", doDivide: "divide"}
	directionNames = [...]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
	directionKeys  = [...]string{"7", "8", "9", "6", "3", "2", "1", "4"}
)

// Actions implements engine.Decision: what the amoeba can do with its energy and neighbours,
// without data, of which there are too many to list.
func (d *decision) Actions() ([]engine.Action, bool) {
	v, c := d.view, d.view.constants()
	actions := []engine.Action{{Name: commandNames[doRest], Key: "."}}
	occupied := v.w.ring(v.w.occupied, v.cell)
	for _, some := range []struct {
		command command
		among   directions
		energy  int
	}{{doMove, ^occupied, c.MoveEnergy}, {doHit, occupied, c.AttackEnergy},
		{doDivide, ^occupied, c.MinDivideEnergy}} {
		for at := range direction(8) {
			if some.among.has(at) && v.Energy >= some.energy {
				it := engine.Action{Name: commandNames[some.command] + " " + directionNames[at]}
				if some.command != doDivide { // moves and hits share keys
					it.Key = directionKeys[at]
				}
				actions = append(actions, it)
			}
		}
	}
	return actions, false
}

// Take implements engine.Decision. Data that the answer leaves out stay as they are, and a child's
// are 0.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action string `json:"action"`
		Data   *datum `json:"data"`
		Child  datum  `json:"child"`
		Rounds *int   `json:"rounds"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	if name, ok := strings.CutPrefix(a.Action, "as "); ok {
		return d.obey(name, a.Rounds)
	}
	if a.Rounds != nil {
		return errors.New(`"rounds" are only for "as"`)
	}
	actions, _ := d.Actions()
	if _, err := engine.FindAction(a.Action, actions); err != nil {
		return err
	}
	taken := action{Data: d.view.Data}
	verb, way, directed := strings.Cut(a.Action, " ")
	taken.Command = command(slices.Index(commandNames[:], verb))
	if directed {
		taken.Direction = direction(slices.Index(directionNames[:], way))
	}
	if a.Data != nil {
		taken.Data = *a.Data
	}
	taken.ChildData = a.Child
	if !taken.Data.valid() || !taken.ChildData.valid() {
		return fmt.Errorf("data must be in %d..%d", -maxData-1, maxData)
	}
	d.action = taken
	return nil
}

// obey lets the species live by the rules of a built-in one for some rounds, or to the end.
func (d *decision) obey(name string, rounds *int) error {
	name, args, bracket := strings.Cut(strings.TrimSpace(name), "(")
	if bracket != strings.HasSuffix(args, ")") {
		return fmt.Errorf("the brackets of %q do not match", name)
	}
	entries := d.seat.game.Players()
	at := slices.IndexFunc(entries, func(e engine.Entry) bool { return e.Name == name })
	if at < 0 {
		return fmt.Errorf("there is no species %q; clade players amoebas lists them", name)
	}
	p, err := entries[at].New(strings.TrimSuffix(args, ")"))
	if err != nil {
		return err
	}
	last := d.seat.game.settings.rounds(d.view.constants().WorldSize)
	d.seat.rules, d.seat.until = p.(decider), last
	if rounds != nil {
		if *rounds < 1 {
			return fmt.Errorf("rounds must be 1 or more, not %d", *rounds)
		}
		d.seat.until = d.view.round + min(*rounds, last)
	}
	d.action = d.seat.rules.Act(d.view)
	return nil
}

// Text implements engine.Speaker: what the amoeba sees, itself in the middle, and what may be
// written.
func (d *decision) Text() string {
	v, c := d.view, d.view.constants()
	var b strings.Builder
	for y := -c.ViewDistance; y <= c.ViewDistance; y++ {
		for x := -c.ViewDistance; x <= c.ViewDistance; x++ {
			mark := "0123456789"[v.fuel(x, y)*9/max(c.MaxCellEnergy, 1)]
			if it, ok := v.occupant(x, y); x == 0 && y == 0 {
				mark = '@'
			} else if ok && it.Species == v.Species {
				mark = 'O'
			} else if ok {
				mark = 'X'
			}
			b.WriteByte(' ')
			b.WriteByte(mark)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "\nround %d of %d: an amoeba of yours with energy %d, health %d\n"+
		"@ the amoeba, O your own, X others, 0 to 9 fuel\n"+
		"as slightlybrainy(10,70,most-energy) lets all of yours live by these rules\n", v.round+1,
		d.seat.game.settings.rounds(c.WorldSize), v.Energy, v.Health)
	return b.String()
}

// Tint implements engine.Tinted.
func (d *decision) Tint(letter rune) uint8 {
	switch letter {
	case '@', 'O':
		return engine.Seats
	case 'X':
		return engine.Seats + 1
	}
	return engine.Veil
}
