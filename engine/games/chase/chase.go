// Package chase is Fox, hen and viper: a children's game in which three chase one another in a
// ring, played by short-sighted creatures. The fox catches hens, the hen vipers, the viper foxes.
// It breeds nothing.
//
// The rules are this package's own:
//
//   - Three creatures live on a torus of 11 x 11 cells with 30 grains, each on a cell of its own,
//     and 40 cells of thicket. Seat 0 is the fox, seat 1 the hen, seat 2 the viper; each hunts the
//     next seat, and the viper the fox. All have the same powers, and begin on cells of their own
//     without grain or thicket.
//   - Each sees 5 x 5 cells around it: grains, thickets, the others, and the tracks that the others
//     left in their last 6 moves. Nobody sees creatures or tracks that are in a thicket, however
//     near. It remembers thickets, the grains that it has seen, until it sees them gone, and where
//     it has been. It knows neither the points of the others nor where they are unseen.
//   - In each of 60 steps all move at once, one cell north, east, south or west; nobody may stay.
//   - A creature that ends a step on its prey's cell, or changes places with it, catches it: 3
//     points. All catches of a step are judged from the same cells, so three on one cell all catch
//     and are all caught. A caught creature loses nothing but its tracks; in the order of seats,
//     the caught are moved to free cells that the seed draws, and do not eat in that step.
//   - Then a creature that was not caught eats the grain of its cell: 1 point. Grains do not grow
//     again. A grain where a caught creature was put is eaten when one comes to it by a move.
//   - The most points win; a tie has no winner.
package chase

import (
	"clade/engine"
	"clade/gp"
)

// Numbers of the rules.
const (
	side     = 11 // cells of the torus each way
	cells    = side * side
	reach    = 2 // cells that one sees to each side
	seats    = 3
	grains   = 30
	thickets = 40 // cells
	steps    = 60
	trail    = 6 // moves for which tracks are seen
	perCatch = 3 // points
)

// game is Fox, hen and viper; it has no parameters.
type game struct{ *engine.Lockstep }

// New returns the game.
func New() engine.Game {
	torus := gp.NewTorus(side)
	return game{engine.NewLockstep("chase", vocabulary(), engine.Compass(0),
		func() engine.Stepper { return &round{torus: torus} },
		gp.Situation{Empty: 1<<layerPrey | 1<<layerHunter}, gp.Situation{Empty: 1 << layerHunter},
		gp.Situation{Empty: 1 << layerPrey})}
}

func (game) Info() engine.Info {
	return engine.Info{
		Name: "chase", Title: "Fox, hen and viper",
		About: "three short-sighted creatures chase one another in a ring, and eat grains",
		Rules: "The fox hunts the hen, the hen the viper, and the viper the fox, on a board " +
			"whose edges meet. All go at once, one cell at a time, 60 times, and see the 5 x " +
			"5 cells around them; in a thicket nobody sees the others. Who comes to the cell " +
			"of its prey, or changes places with it, gets three points, and the prey starts " +
			"again elsewhere. A grain is a point. Most points win.",
		Version: 1, MinSeats: seats, MaxSeats: seats, Decisions: steps, Chance: true, Hidden: true,
		Marks: []string{"grains", "catches", "caught"}, Scores: engine.Counts(), Halves: true,
	}
}

// Using returns the game with another executor.
func (g game) Using(executor string) (engine.Game, error) {
	l, err := g.At(executor)
	return game{l}, err
}

// Layers and scalars of a frame.
//
// Danger is where the hunter, if it is seen, stands and where it can stand after the next step.
const (
	layerGrain = iota
	layerPrey
	layerHunter
	layerPreyTracks
	layerHunterTracks
	layerBeen
	layerThicket
	layerDanger
)

const (
	scalarLeft = iota
	scalarPoints
	scalars
)

func vocabulary() *gp.Grammar {
	window := gp.Window{Side: side, Wrap: true}
	view := window.Square(reach)
	return gp.MustGrammar(gp.Spec{
		Slots:  []gp.Slot{{Name: "go", Type: gp.Float}},
		Window: window, Rects: gp.PaperRects, Scalars: scalars,
		Layers: []gp.Layer{
			layerGrain:        {Name: "grain"},
			layerPrey:         {Name: "prey", Extent: view},
			layerHunter:       {Name: "hunter", Extent: view},
			layerPreyTracks:   {Name: "preyTracks", Extent: view},
			layerHunterTracks: {Name: "hunterTracks", Extent: view},
			layerBeen:         {Name: "been"},
			layerThicket:      {Name: "thicket"},
			layerDanger:       {Name: "danger", Extent: window.Square(reach + 1)},
		},
		Operators: append(gp.Shared(),
			gp.AreaSensor("grains", gp.Count, layerGrain).Saying("grains known of in the area"),
			gp.AreaSensor("isPrey", gp.Any, layerPrey).Saying("the prey is seen in the area"),
			gp.AreaSensor("isHunter", gp.Any, layerHunter).Saying("the hunter is seen in the area"),
			gp.AreaSensor("preyTracks", gp.Count, layerPreyTracks).
				Saying("cells of the area with tracks of the prey, at most 6 moves old"),
			gp.AreaSensor("hunterTracks", gp.Count, layerHunterTracks).
				Saying("cells of the area with tracks of the hunter, at most 6 moves old"),
			gp.AreaSensor("been", gp.Count, layerBeen).
				Saying("cells of the area where it has been"),
			gp.AreaSensor("thicket", gp.Count, layerThicket).
				Saying("cells of the area that it knows to be thicket"),
			gp.AreaSensor("isDanger", gp.Any, layerDanger).Saying(
				"the hunter, if it is seen, stands in the area or can stand there after a step"),
			gp.ScalarSensor("movesLeft", scalarLeft).Saying("moves until the game ends"),
			gp.ScalarSensor("points", scalarPoints).Saying("its points")),
	})
}
