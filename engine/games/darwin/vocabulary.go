package darwin

import "clade/gp"

// window is the part of a creature's memory that areas cover: windowSide squares a side.
var window = gp.Window{Side: windowSide}

// Slots of a genome: one for each kind of action. The turn's tree sees the world turned so that the
// new heading points ahead, the others' the heading, and the backward step's so that the way back
// points ahead.
const (
	slotForward = iota
	slotBackward
	slotTurn
	slotAttack
	slotObserve
	slotDelay
)

// Layers of a frame.
const (
	layerUnknown = iota
	layerWall
	layerHazard
	layerApple
	layerFlytrap
	layerFriend
	layerEnemy
	layerVisited
	layerMud
	layerShrine
	layerTreasure
	numLayers
)

// Scalars of a frame.
const (
	scalarDistance    = iota // squares to what was last seen ahead, 0 if nothing is known
	scalarAge                // milliseconds since the last look ahead; ageUnknown if there was none
	scalarShrineAhead        // squares to the own shrine, counted ahead; 0 if none is known
	scalarShrineSide         // counted to the right
	scalarTime               // of the game clock, as a share of the limit
	scalarTrail              // of the next square, see memory.cold; 0 if it is blocked
	numScalars
)

// ageUnknown is the greatest age, and the age without a look.
const ageUnknown = 100

// Flags of a frame.
const (
	flagBlocked   = iota // a wall, a hazard, a creature or a bump is known of the next square
	flagHazard           // what was last seen ahead is a hazard
	flagPrey             // ... an apple, a treasure, a flytrap or an enemy
	flagNext             // ... and it is on the next square
	flagEnemy            // ... a creature of another species
	flagFriend           // ... a creature of the own species
	flagFaced            // ... an enemy or a flytrap that faces this way
	flagLooked           // there is a look ahead from this line
	flagEnchanted        // the creature is enchanted
	flagHasShrine        // an own shrine is known
	flagDone             // the last action succeeded
	numFlags
)

// vocabulary returns what evolved creatures' trees are made of.
func vocabulary() gp.Spec {
	operators := gp.Weighted(gp.Shared(), 4, 3)
	for i, name := range layerNames {
		operators = append(operators, gp.AreaSensor(name[0], gp.Any, i),
			gp.AreaSensor(name[1], gp.Count, i))
	}
	for i, name := range scalarNames {
		operators = append(operators, gp.ScalarSensor(name, i))
	}
	for i, name := range flagNames {
		operators = append(operators, gp.FlagSensor(name, i))
	}
	spec := gp.Spec{
		Slots: []gp.Slot{
			{Name: "forward", Type: gp.Float}, {Name: "backward", Type: gp.Float},
			{Name: "turn", Type: gp.Float},
			{Name: "attack", Type: gp.Float}, {Name: "observe", Type: gp.Float},
			{Name: "delay", Type: gp.Float},
		},
		Operators: operators, Scalars: numScalars, Flags: numFlags, Window: window,
		Rects: gp.RectRange{Centre: 4, Side: 7, Exact: true},
	}
	for _, name := range layerNames {
		spec.Layers = append(spec.Layers, gp.Layer{Name: name[1]})
	}
	return spec
}

// layerNames are the sensors of each layer: whether an area holds any, and how many.
var layerNames = [numLayers][2]string{
	layerUnknown: {"anyUnknown", "unknown"}, layerWall: {"anyWall", "walls"},
	layerHazard: {"anyHazard", "hazards"},
	layerApple:  {"anyApple", "apples"}, layerFlytrap: {"anyFlytrap", "flytraps"},
	layerFriend: {"anyFriend", "friends"},
	layerEnemy:  {"anyEnemy", "enemies"}, layerVisited: {"anyVisited", "visited"},
	layerMud:    {"anyMud", "mud"},
	layerShrine: {"anyShrine", "shrines"}, layerTreasure: {"anyTreasure", "treasures"},
}

var scalarNames = [numScalars]string{
	scalarDistance: "distance", scalarAge: "age", scalarShrineAhead: "shrineAhead",
	scalarShrineSide: "shrineSide", scalarTime: "time",
	scalarTrail: "trail",
}

var flagNames = [numFlags]string{
	flagBlocked: "blocked", flagHazard: "hazardAhead", flagPrey: "preyAhead", flagNext: "preyNext",
	flagEnemy: "enemyAhead", flagFriend: "friendAhead", flagFaced: "facesMe",
	flagLooked: "looked", flagEnchanted: "enchanted", flagHasShrine: "knowsShrine",
	flagDone: "succeeded",
}
