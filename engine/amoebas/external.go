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
func (g *Game) Facts() any {
	c := &g.settings.Constants
	return map[string]any{
		"rounds": g.settings.Rounds, "sun-energy": c.SunEnergy,
		"max-cell-energy": c.MaxCellEnergy, "view-distance": c.ViewDistance,
		"max-amoeba-energy": c.MaxAmoebaEnergy, "rest-energy": c.RestEnergy,
		"move-energy": c.MoveEnergy, "attack-energy": c.AttackEnergy,
		"max-fueling-energy": c.MaxFuelingEnergy, "min-divide-energy": c.MinDivideEnergy,
		"divide-energy-loss": c.DivideEnergyLoss, "max-amoeba-health": c.MaxAmoebaHealth,
		"hit-loss": c.HitLoss, "recovery-gain": c.RecoveryGain,
	}
}

// observation is what an amoeba sees.
type observation struct {
	Energy  int  `json:"energy"`  // of the amoeba
	Health  int  `json:"health"`  // of the amoeba
	Species int  `json:"species"` // of the amoeba: its seat
	Data    Data `json:"data"`    // what the amoeba remembers
	Round   int  `json:"round"`   // from 0
	// Fuel holds the fuel of the visible cells, row by row from the upper left; the own cell is the
	// middle of the middle row.
	Fuel [][]int `json:"fuel"`
	// Amoebas are the other amoebas in sight.
	Amoebas []neighbour `json:"amoebas"`
}

// neighbour is another amoeba in sight.
type neighbour struct {
	X       int  `json:"x"` // columns to the right of the own cell
	Y       int  `json:"y"` // rows below it
	Species int  `json:"species"`
	Energy  int  `json:"energy"`
	Health  int  `json:"health"`
	Data    Data `json:"data"`
}

// Seat implements engine.Interactive.
func (g *Game) Seat(a engine.Agent) engine.Player { return external{a} }

// external is a species for whose amoebas an agent decides.
type external struct{ agent engine.Agent }

// Act asks the agent. Without an answer the amoeba rests and keeps its data.
func (e external) Act(v *View) Action {
	d := decision{view: v, action: invalid}
	e.agent.Act(&d)
	return d.action
}

// decision is what one amoeba is to do.
type decision struct {
	view   *View
	action Action
}

// Observation implements engine.Decision.
func (d *decision) Observation() any {
	v, far := d.view, d.view.Constants().ViewDistance
	o := observation{Energy: v.Energy, Health: v.Health, Species: v.Species, Data: v.Data,
		Round:   v.round,
		Amoebas: []neighbour{}}
	for y := -far; y <= far; y++ {
		row := make([]int, 0, side)
		for x := -far; x <= far; x++ {
			row = append(row, v.Fuel(x, y))
			if it, ok := v.Occupant(x, y); ok && (x != 0 || y != 0) {
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
	commandNames   = [...]string{Rest: "rest", Move: "move", Hit: "hit", Divide: "divide"}
	directionNames = [...]string{"nw", "n", "ne", "e", "se", "s", "sw", "w"}
)

// Actions implements engine.Decision: what the amoeba can do with its energy and neighbours,
// without data, of which there are too many to list.
func (d *decision) Actions() ([]engine.Action, bool) {
	v, c := d.view, d.view.Constants()
	actions := []engine.Action{{Name: commandNames[Rest]}}
	occupied := v.w.ring(v.w.occupied, v.cell)
	for _, some := range []struct {
		command Command
		among   Directions
		energy  int
	}{{Move, ^occupied, c.MoveEnergy}, {Hit, occupied, c.AttackEnergy},
		{Divide, ^occupied, c.MinDivideEnergy}} {
		for at := range Direction(8) {
			if some.among.Has(at) && v.Energy >= some.energy {
				actions = append(actions, engine.Action{
					Name: commandNames[some.command] + " " + directionNames[at]})
			}
		}
	}
	return actions, false
}

// Take implements engine.Decision. Data that the answer leaves out stay as they are, and a child's
// are 0.
func (d *decision) Take(answer []byte) error {
	var a struct {
		Action *string `json:"action"`
		Data   *Data   `json:"data"`
		Child  Data    `json:"child"`
	}
	if err := engine.ReadAnswer(answer, &a); err != nil {
		return err
	}
	if a.Action == nil {
		return errors.New(`the answer has no "action"`)
	}
	actions, _ := d.Actions()
	if _, err := engine.FindAction(*a.Action, actions); err != nil {
		return err
	}
	taken := Action{Data: d.view.Data}
	command, direction, directed := strings.Cut(*a.Action, " ")
	taken.Command = Command(slices.Index(commandNames[:], command))
	if directed {
		taken.Direction = Direction(slices.Index(directionNames[:], direction))
	}
	if a.Data != nil {
		taken.Data = *a.Data
	}
	taken.ChildData = a.Child
	if !taken.Data.valid() || !taken.ChildData.valid() {
		return fmt.Errorf("data must be in %d..%d", -MaxData-1, MaxData)
	}
	d.action = taken
	return nil
}
