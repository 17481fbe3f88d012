package darwin

import (
	"fmt"

	"clade/gp"
	"clade/gp/export"
)

// window is the part of a creature's memory that areas cover: windowSide squares a side.
var window = gp.Window{Side: windowSide}

// Slots of a genome: one for each kind of action. A tree sees the world turned so that ahead is the
// creature's heading, for a turn the new heading, and for a backward step the opposite of the
// heading.
const (
	slotForward = iota
	slotBackward
	slotTurn
	slotAttack
	slotObserve
	slotDelay
)

// Scalars and flags that evolvedMind.sense computes itself: with functions in all rows of the table
// a whole game took a quarter longer.
const (
	scalarDistance = iota
	scalarAge
	scalarShrineAhead
	scalarShrineSide
	scalarTime
	scalarTrail
	numScalars
)

const (
	flagBlocked = iota
	flagHazard
	flagPrey
	flagNext
	flagEnemy
	flagFriend
	flagFaced
	flagLooked
	flagEnchanted
	flagHasShrine
	flagDone
	numFlags
)

// ageUnknown is the greatest age, and the age without a look.
const ageUnknown = 100

// Layers that are no boards of the memory: creatures seen lately.
const (
	sightedFriends = numBoards + iota
	sightedEnemies
	numSources
)

// sense is a row of the table of senses.
type sense struct {
	form  gp.Form // Scalar, Flag, or Any for a layer
	word  string  // of a layer, whether an area holds any of its squares
	count string  // of a layer, how many squares of it an area holds; also the layer's name
	about string  // what it says, for README.md
	// needs are the letters of maps, one of which a map has where the row is ever anything but 0,
	// false or empty; "" for any map.
	needs string
	// of is the scalar or flag that evolvedMind computes, or what a layer is drawn from, unless the
	// row has a function: of a direction, of all four by lane, or of the squares around the creature.
	of      int
	number  func(*evolvedMind, *body, direction) float32
	numbers func(*evolvedMind, *body, *gp.Quad)
	truth   func(*evolvedMind, *body, direction) bool
	squares func(*evolvedMind, *body) gp.Bits
	// runtime is the same as an expression for exported programs, in the Go of export/player.go: of
	// the direction in which the trees look, or of the square here, which is cell i of the window.
	runtime string
}

// senses are the rows in the order of the grammar's operators. The grammar, the frame's contents,
// the exported programs and README.md are made of them. Saved genomes refer to operators by number:
// rows must keep their order, and new ones go last.
var senses = []sense{
	{form: gp.Any, word: "anyUnknown", count: "unknown", about: "squares that were never seen",
		of: boardKnown, runtime: "!known.boards[on(boardKnown, here)]"},
	{form: gp.Any, word: "anyWall", count: "walls", about: "walls, and what lies off the map",
		of: boardWall, runtime: "known.boards[on(boardWall, here)]"},
	{form: gp.Any, word: "anyHazard", count: "hazards", about: "hazards", needs: "+T",
		of: boardHazard, runtime: "known.boards[on(boardHazard, here)]"},
	{form: gp.Any, word: "anyApple", count: "apples", about: "apples, where they were seen last",
		of: boardApple, runtime: "known.boards[on(boardApple, here)]"},
	{form: gp.Any, word: "anyFlytrap", count: "flytraps",
		about: "flytraps, where they were seen last", needs: "fF", of: boardFlytrap,
		runtime: "known.boards[on(boardFlytrap, here)]"},
	{form: gp.Any, word: "anyFriend", count: "friends",
		about: "creatures of the own species, as seen in the last 20 ms", of: sightedFriends,
		runtime: "friendThere[i]"},
	{form: gp.Any, word: "anyEnemy", count: "enemies",
		about: "creatures of other species, as seen in the last 20 ms", of: sightedEnemies,
		runtime: "enemyThere[i]"},
	{form: gp.Any, word: "anyVisited", count: "visited", about: "squares on which it stood",
		of: boardVisited, runtime: "known.boards[on(boardVisited, here)]"},
	{form: gp.Any, word: "anyMud", count: "mud", about: "mud", needs: ".", of: boardMud,
		runtime: "known.boards[on(boardMud, here)]"},
	{form: gp.Any, word: "anyShrine", count: "shrines", about: "shrines of the own species",
		needs: "s", of: boardShrine, runtime: "known.boards[on(boardShrine, here)]"},
	{form: gp.Any, word: "anyTreasure", count: "treasures", about: "treasures",
		needs: "*", of: boardTreasure, runtime: "known.boards[on(boardTreasure, here)]"},

	{form: gp.Scalar, word: "distance", of: scalarDistance, runtime: "float32(distance)",
		about: "squares to what was last seen ahead; 0 where nothing is known"},
	{form: gp.Scalar, word: "age", of: scalarAge, runtime: "age()",
		about: "milliseconds since the last look ahead, at most 100; 100 without one"},
	{form: gp.Scalar, word: "shrineAhead", needs: "s", of: scalarShrineAhead,
		runtime: "float32(-shrineY)",
		about:   "squares ahead to the own shrine; 0 where none is known"},
	{form: gp.Scalar, word: "shrineSide", needs: "s", of: scalarShrineSide,
		runtime: "float32(shrineX)",
		about:   "squares to the right to the own shrine; 0 where none is known"},
	{form: gp.Scalar, word: "time", of: scalarTime,
		runtime: "float32(givenLong(1)) / float32(timeLimit)",
		about:   "the game clock, as a share of the time limit"},
	{form: gp.Scalar, word: "trail", of: scalarTrail, runtime: "trail()",
		about: "how long ago it stood on the next square: 0 just now, or it is blocked; 1/2 ten " +
			"visits of squares ago; 1 never"},

	{form: gp.Flag, word: "blocked", of: flagBlocked, runtime: "blocked",
		about: "a wall, a hazard, a creature or a bump is known of the next square"},
	{form: gp.Flag, word: "hazardAhead", needs: "+T", of: flagHazard, runtime: "kindAhead == 2",
		about: "what was last seen ahead is a hazard"},
	{form: gp.Flag, word: "preyAhead", of: flagPrey, runtime: "preyAhead",
		about: "what was last seen ahead is an apple, a treasure, a flytrap or an enemy"},
	{form: gp.Flag, word: "preyNext", of: flagNext, runtime: "preyAhead && distance == 1",
		about: "it is one of them, and on the next square"},
	{form: gp.Flag, word: "enemyAhead", of: flagEnemy, runtime: "preyAhead && speciesAhead >= 28",
		about: "what was last seen ahead is a creature of another species"},
	{form: gp.Flag, word: "friendAhead", of: flagFriend, runtime: "kindAhead == 3 && !preyAhead",
		about: "what was last seen ahead is a creature of the own species"},
	{form: gp.Flag, word: "facesMe", of: flagFaced,
		runtime: "preyAhead && self.lookFaces[direction] && (speciesAhead >= 28 || " +
			"speciesAhead == 12)",
		about: "what was last seen ahead is an enemy or a flytrap, and faced the creature"},
	{form: gp.Flag, word: "looked", of: flagLooked, runtime: "kindAhead >= 0",
		about: "there was a look ahead from this line"},
	{form: gp.Flag, word: "enchanted", needs: "eE", of: flagEnchanted, runtime: "given(8) == 1",
		about: "the creature is enchanted"},
	{form: gp.Flag, word: "knowsShrine", needs: "s", of: flagHasShrine, runtime: "known.hasShrine",
		about: "an own shrine is known"},
	{form: gp.Flag, word: "succeeded", of: flagDone, runtime: "given(9) == 1",
		about: "the last action succeeded"},
}

// vocabulary returns the grammar of a table of senses, or an error for a row that lacks something.
func vocabulary(senses []sense) (*gp.Grammar, error) {
	spec := gp.Spec{
		Slots: []gp.Slot{
			{Name: "forward", Type: gp.Float}, {Name: "backward", Type: gp.Float},
			{Name: "turn", Type: gp.Float},
			{Name: "attack", Type: gp.Float}, {Name: "observe", Type: gp.Float},
			{Name: "delay", Type: gp.Float},
		},
		Operators: gp.Weighted(gp.Shared(), 4, 3), Window: window,
		Rects: gp.RectRange{Centre: 4, Side: 7, Exact: true},
	}
	for _, s := range senses {
		filled := false
		switch s.form {
		case gp.Scalar:
			filled = s.number != nil || s.numbers != nil || s.of == spec.Scalars && s.of < numScalars
			spec.Operators = append(spec.Operators, gp.ScalarSensor(s.word, spec.Scalars).Saying(s.about))
			spec.Scalars++
		case gp.Flag:
			filled = s.truth != nil || s.of == spec.Flags && s.of < numFlags
			spec.Operators = append(spec.Operators, gp.FlagSensor(s.word, spec.Flags).Saying(s.about))
			spec.Flags++
		case gp.Any:
			filled = s.squares != nil || s.of >= 0 && s.of < numSources
			layer := len(spec.Layers)
			spec.Operators = append(spec.Operators,
				gp.AreaSensor(s.word, gp.Any, layer).Saying("the area holds "+s.about),
				gp.AreaSensor(s.count, gp.Count, layer).Saying("the number in the area of "+s.about))
			spec.Layers = append(spec.Layers, gp.Layer{Name: s.count})
		}
		switch {
		case !filled:
			return nil, fmt.Errorf("darwin: nothing fills sense %q; give it a form, and a function: "+
				"number for a Scalar, truth for a Flag, squares for a layer (Any)", s.word)
		case s.about == "":
			return nil, fmt.Errorf("darwin: sense %q has no sentence, about, for README.md", s.word)
		}
		if err := (export.Sense{Word: s.word, Expression: s.runtime}).Check(); err != nil {
			return nil, fmt.Errorf("darwin: %w", err)
		}
	}
	return gp.NewGrammar(spec)
}

// exported returns the rows as the exported programs compute them: scalars and flags, and layers.
func exported(senses []sense) (values, layers []export.Sense) {
	for _, s := range senses {
		if s.form == gp.Any {
			layers = append(layers, export.Sense{Word: s.count, Expression: s.runtime})
		} else {
			values = append(values, export.Sense{Word: s.word, Expression: s.runtime,
				Stage: "Ahead"})
		}
	}
	return values, layers
}
