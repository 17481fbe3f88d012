// Package antwars2 is 2-AntWars, a successor of the GECCO 2007 contest's game for two ants a side.
// It breeds nothing.
//
// As J. Inführ and G. R. Raidl describe it (Automatic generation of 2-AntWars players with genetic
// programming, 2011), the board has four times the contest's area and an edge, a side moves one of
// its ants a turn, an ant that walks over the edge can never move again, and an ant that is
// attacked can be saved by its mate. All other rules are this package's own, close to the
// contest's:
//
//   - 22 x 22 cells with 60 pieces of food. The ants of side 0 begin in column 5, those of side 1
//     in column 16, each side in rows 5 and 16. Side 0 begins, and each side has 100 turns.
//   - In its turns a side's first and second ant are asked alternately. The ant goes to one of the
//     eight cells beside it or, once a turn, yields to its mate. The turn of an ant that fights
//     goes to its mate; that of an ant that is dead or has walked over the edge is lost.
//   - An ant that comes to food eats it: 1 point. An ant may go to its mate's cell only to save it.
//   - An ant that goes to an enemy's cell attacks it, and neither moves on. If the mate of the
//     attacked ant comes to the cell in the next three turns of its side, the attacker is dead and
//     the two stand there together; if not, the attacked ant is dead. An ant that goes to a cell
//     with two enemies is dead. Kills bring no points.
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
	Turns  int `toml:"turns"`
	Food   int `toml:"food"`
	Rescue int `toml:"rescue"`
}

// Table implements engine.Settings.
func (s *settings) Table() []engine.Setting {
	return []engine.Setting{
		engine.Whole("turns", &s.Turns, 1, 500, "turns", "length of a game, for each side"),
		engine.Whole("food", &s.Food, 1, 200, "pieces", "food on the board at the start"),
		engine.Whole("rescue", &s.Rescue, 1, 20, "turns", "time in which an attacked ant can be "+
			"saved"),
	}
}

// game is 2-AntWars.
type game struct {
	*engine.Lockstep
	settings settings
}

// yield is the index of the offer to let the mate move.
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
		About: "two short-sighted ants a side collect food, attack and save one another",
		Rules: "Each side has two ants on a board with an edge; who walks over it is out. In " +
			"turn the sides move one of their ants to a cell beside it, and each sees the 5 x " +
			"5 cells around it. Food that an ant comes to is a point. An ant that comes to an " +
			"enemy holds it, and kills it unless its mate comes within three turns, who then " +
			"kills the attacker. Most food wins.",
		Version: 2, MinSeats: 2, MaxSeats: 2, Decisions: 2 * g.settings.Turns, Chance: true,
		Hidden: true, Marks: []string{"kills", "rescues", "stuck"},
		Scores: engine.Bounds{Most: float64(g.settings.Food)}, Halves: true,
	}
}

// Using returns the game with another executor.
func (g game) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return game{l, g.settings}, err
}

// Settings returns a pointer to a copy of the settings.
func (g game) Settings() engine.Settings { return &g.settings }

// With returns the game with other parameters, a *settings.
func (g game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("antwars2: the settings must be a %T, not a %T", s, other)
	}
	if err := engine.CheckSettings("antwars2", s); err != nil {
		return nil, err
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

// Scalars of a frame. After them come three for each sense of a step: of straight steps, of steps
// aslant, and the greatest of any step of the mate, if the ant may yield to it.
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

// vocabulary returns the grammar. Each layer has a sensor of the same name.
func vocabulary() *gp.Grammar {
	var (
		layers []gp.Layer
		kin    [][]string
	)
	operators := append(gp.Shared(),
		gp.ScalarSensor("turnsLeft", scalarLeft).Saying("turns until the game ends"),
		gp.ScalarSensor("points", scalarPoints).Saying("food that the own side has collected"),
		gp.ScalarSensor("mateAway", scalarMateAway).Saying("steps to the mate"),
		gp.ScalarSensor("threats", scalarThreats).
			Saying("enemies in view that could attack the ant where it stands"),
		gp.ScalarSensor("mateThreats", scalarMateThreats).
			Saying("enemies in view that could attack the mate"))
	for i, step := range [...]struct{ name, about string }{
		stepScent:  {"scent", "known food to which the mate is no nearer, the nearer the more"},
		stepSpare:  {"spare", "known food to which the mate is nearer, the nearer the more"},
		stepNews:   {"news", "blocks of 2 x 2 cells in which one was never seen"},
		stepSafe:   {"safe", "1 on the board where no enemy in view could attack the ant, else 0"},
		stepPrey:   {"prey", "10 for each enemy on the cell"},
		stepGuards: {"guards", "1 if another enemy in view could save the prey, else 0"},
		stepAid: {"aid", "1 if it leads nearer to the mate, which is attacked and can still be " +
			"saved, else 0"},
		stepCover: {"cover", "1 if the mate could save the ant there, else 0"},
	} {
		names := []string{step.name, step.name + "Aslant", step.name + "Mate"}
		for slot, of := range [...]string{"of a straight step: ", "of a step aslant: ",
			"the greatest of any step of the mate, if the ant may yield to it: "} {
			operators = append(operators, gp.ScalarSensor(names[slot], scalarSteps+3*i+slot).
				Saying(of+step.about))
		}
		kin = append(kin, names)
	}
	for i, layer := range [...]struct {
		name  string
		form  gp.Form
		about string
	}{
		layerFood:   {"food", gp.Count, "pieces of food known of in the area"},
		layerUnseen: {"unseen", gp.Count, "cells of the area that the side never saw"},
		layerEnemy:  {"enemy", gp.Any, "an enemy is seen in the area"},
		layerMate:   {"mate", gp.Any, "the mate stands in the area"},
	} {
		layers = append(layers, gp.Layer{Name: layer.name, Single: i == layerMate})
		operators = append(operators, gp.AreaSensor(layer.name, layer.form, i).Saying(layer.about))
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
