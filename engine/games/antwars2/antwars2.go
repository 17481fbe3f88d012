// Package antwars2 is 2-AntWars, a successor of the GECCO 2007 contest's game for two ants a side.
// It breeds nothing.
//
// As J. Inführ and G. R. Raidl describe it (Automatic generation of 2-AntWars players with genetic
// programming, 2011), the board has four times the contest's area and an edge, a side moves one of
// its ants a turn, an ant that walks over the edge can never move again, and an ant that is
// attacked can be saved by its mate. All else is this package's own, near to the contest:
//
//   - 22 x 22 cells with 60 pieces of food. The ants of side 0 begin in column 5, those of side 1
//     in column 16, each side in rows 5 and 16. Side 0 begins, and each side has 100 turns.
//   - In a turn one ant is asked, the first and the second in turn. It goes to one of the eight
//     cells beside it, or yields, once a turn, to its mate. The turn of an ant that fights is its
//     mate's; that of an ant that is dead or has walked over the edge is lost.
//   - Who comes to food eats it: 1 point. No ant goes to its mate's cell, but to save it.
//   - An ant that goes to an enemy's cell attacks it, and neither moves on. If the mate of the
//     attacked ant comes to the cell in the next three turns of its side, the attacker is dead and
//     the two stand there together; if not, the attacked ant is dead. Who goes to a cell with two
//     enemies is dead. Kills bring no points.
//   - Each ant sees 5 x 5 cells. A side knows what either of its ants sees, and remembers the cells
//     and the food that it has seen, until it sees the food gone. It does not know the points of
//     the other side, nor which enemy it sees.
//   - The game ends when no food is left, or after the last turn. Most points win; a tie has no
//     winner.
package antwars2

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// Numbers of the rules.
const (
	side  = 22 // cells of the board each way
	cells = side * side
	reach = 2 // cells that an ant sees to each side
	half  = 5 // cells that a tree sees to each side
)

// settings are the parameters of the game.
type settings struct {
	// Turns is the number of turns of each side, 1..500. Default 100.
	Turns int `toml:"turns"`
	// Food is the number of pieces, 1..200. Default 60.
	Food int `toml:"food"`
	// Rescue is the number of turns in which an attacked ant can be saved, 1..20. Default 3.
	Rescue int `toml:"rescue"`
}

// game is 2-AntWars.
type game struct {
	*engine.Lockstep
	settings settings
}

// yield is the offer to let the mate move.
const yield = 8

// offers are the steps straight and then aslant, clockwise, and to yield.
var offers = append(engine.Compass(0), engine.Offer{Name: "nw", Slot: 1},
	engine.Offer{Name: "ne", Slot: 1, Turn: 1}, engine.Offer{Name: "se", Slot: 1, Turn: 2},
	engine.Offer{Name: "sw", Slot: 1, Turn: 3}, engine.Offer{Name: "yield", Slot: 2})

// New returns the game.
func New() engine.Game { return newGame(settings{Turns: 100, Food: 60, Rescue: 3}) }

func newGame(s settings) game {
	return game{engine.NewLockstep("antwars2", vocabulary(), offers,
		func() engine.Stepper { return &round{settings: s} },
		gp.Situation{Empty: 1 << layerEnemy}), s}
}

func (g game) Info() engine.Info {
	return engine.Info{
		Name: "antwars2", Title: "2-AntWars",
		About:   "two short-sighted ants a side collect food, attack and save one another",
		Version: 2, MinSeats: 2, MaxSeats: 2, Decisions: 2 * g.settings.Turns, Chance: true,
		Hidden: true, Marks: []string{"kills", "rescues", "stuck"},
		Scores: engine.Bounds{Most: float64(g.settings.Food)}, Whole: true,
	}
}

// Using returns the game with another executor.
func (g game) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return game{l, g.settings}, err
}

// Settings returns a pointer to a copy of the settings.
func (g game) Settings() any { return &g.settings }

// With returns the game with other parameters, a *settings.
func (g game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("antwars2: the settings must be a %T, not a %T", s, other)
	}
	for _, c := range []struct {
		name       string
		value, max int
	}{{"turns", s.Turns, 500}, {"food", s.Food, 200}, {"rescue", s.Rescue, 20}} {
		if c.value < 1 || c.value > c.max {
			return nil, fmt.Errorf("antwars2: %s must be in 1..%d, not %d", c.name, c.max, c.value)
		}
	}
	return newGame(*s), nil
}

// Layers of a frame. The ant that is asked stands in the middle.
const (
	layerFood = iota
	layerUnseen
	layerEnemy
	layerMate
)

// Scalars of a frame. Behind them come three for each sense of a step: straight, aslant, and the
// greatest of any step of the mate, if the ant may yield to it.
const (
	scalarLeft = iota
	scalarPoints
	scalarMateAway
	scalarThreats     // enemies in view that could attack the ant where it stands
	scalarMateThreats // or its mate
	scalarSteps
)

// Senses of a step.
const (
	stepScent  = iota // of known food to which the mate is no nearer; see scents
	stepSpare         // of that to which it is
	stepNews          // of blocks of 2 x 2 cells in which one was never seen
	stepSafe          // 1 on the board, where no enemy in view could attack the ant
	stepPrey          // 10 for each enemy on the cell
	stepGuards        // 1 if another enemy in view could save the prey
	stepAid           // 1 if it leads nearer to the mate, which is attacked and can still be saved
	stepCover         // 1 if the mate could save the ant there
	stepSenses
)

var view = gp.Window{Side: 2*half + 1}

// vocabulary has a sensor for each layer, of the same name.
func vocabulary() *gp.Grammar {
	var (
		layers []gp.Layer
		kin    [][]string
	)
	operators := append(gp.Shared(), gp.ScalarSensor("turnsLeft", scalarLeft),
		gp.ScalarSensor("points", scalarPoints), gp.ScalarSensor("mateAway", scalarMateAway),
		gp.ScalarSensor("threats", scalarThreats), gp.ScalarSensor("mateThreats", scalarMateThreats))
	for i, name := range [...]string{stepScent: "scent", stepSpare: "spare", stepNews: "news",
		stepSafe: "safe", stepPrey: "prey", stepGuards: "guards", stepAid: "aid",
		stepCover: "cover"} {
		names := []string{name, name + "Aslant", name + "Mate"}
		for slot, name := range names {
			operators = append(operators, gp.ScalarSensor(name, scalarSteps+3*i+slot))
		}
		kin = append(kin, names)
	}
	for i, layer := range [...]struct {
		name string
		form gp.Form
	}{
		layerFood: {"food", gp.Count}, layerUnseen: {"unseen", gp.Count},
		layerEnemy: {"enemy", gp.Any}, layerMate: {"mate", gp.Any},
	} {
		layers = append(layers, gp.Layer{Name: layer.name, Single: i == layerMate})
		operators = append(operators, gp.AreaSensor(layer.name, layer.form, i))
	}
	return gp.MustGrammar(gp.Spec{
		Slots: []gp.Slot{{Name: "straight", Type: gp.Float, Family: "move"},
			{Name: "diagonal", Type: gp.Float, Family: "move", Heading: -1},
			{Name: "yield", Type: gp.Float, Family: "move"}},
		Window:    view,
		Rects:     gp.RectRange{Centre: 4, Side: 5, Exact: true},
		Kin:       kin,
		Scalars:   scalarSteps + 3*stepSenses,
		Layers:    layers,
		Operators: operators,
	})
}
