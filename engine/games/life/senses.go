package life

import (
	"fmt"

	"clade/gp/export"
)

// stage says when a scalar is computed.
type stage uint8

const (
	eachTurn stage = iota
	eachRound
	eachSite
	numStages
)

// stageNames are the stages as export/player.go names them.
var stageNames = [numStages]string{"Turn", "Round", "Site"}

// sense is a row of the table of senses: a layer or a scalar.
type sense struct {
	word  string // of a layer, how many of its cells lie in an area; with a ?, whether any does
	about string // what it says, for README.md
	only  words  // the vocabulary that alone has it, plainWords for all
	// A scalar has number and stage; a layer has cells, which sets rows for pack.
	number func(*around) float32
	stage  stage
	cells  func(*around, *[3]uint64)
	// runtime is the same as an expression for exported programs, in the Go of export/player.go.
	// That of a layer tells whether it holds cell i of the window; a is the cell's owner, and on
	// says that it is on the board.
	runtime string
}

// scalar is a row and the number of its scalar.
type scalar struct {
	sense
	index int
}

// senses are the rows in the order of the grammar's operators. The grammar, the frame's contents,
// the exported programs and README.md are made of them. Saved genomes refer to operators by number:
// rows must keep their order, and new ones go last.
var senses = []sense{
	layerOwn: {word: "own", about: "own cells, also those chosen in this turn",
		cells: func(a *around, to *[3]uint64) { *to = a.mid }, runtime: "a == own"},
	layerEnemy: {word: "enemy", about: "enemy cells",
		cells: func(a *around, to *[3]uint64) { *to = a.foeMid }, runtime: "a == enemy"},
	layerEmpty: {word: "empty", about: "dead cells of the board",
		cells: func(a *around, to *[3]uint64) {
			for i := range to {
				to[i] = a.inside[i] &^ (a.mid[i] | a.foeMid[i])
			}
		}, runtime: "on && a == 0"},
	layerOwnBirths: {word: "ownBirths", about: "cells that will be born as own ones",
		cells:   func(a *around, to *[3]uint64) { births(to, a.own, a.foe, &a.inside) },
		runtime: "on && born(y, x, own)"},
	layerEnemyBirths: {word: "enemyBirths", about: "cells that will be born as enemy ones",
		cells:   func(a *around, to *[3]uint64) { births(to, a.foe, a.own, &a.inside) },
		runtime: "on && born(y, x, enemy)"},
	layerChanged: {word: "changed", about: "cells that were another's or nobody's a generation before",
		cells: (*around).changed, runtime: "on && a != around1[y][x]"},
	layerOff: {word: "off", about: "cells beyond the edge of the board",
		cells: func(a *around, to *[3]uint64) {
			for i := range to {
				to[i] = ^a.inside[i]
			}
		}, runtime: "!on"},

	{word: "ownTotal", about: "live own cells, in thousands", stage: eachTurn,
		number:  func(a *around) float32 { return float32(a.live[a.t.own]) / totalUnit },
		runtime: "float32(living[own]) / 1000"},
	{word: "enemyTotal", about: "live enemy cells, in thousands", stage: eachTurn,
		number:  func(a *around) float32 { return float32(a.live[a.t.own.enemy()]) / totalUnit },
		runtime: "float32(living[enemy]) / 1000"},
	{word: "generationsLeft", about: "the share of the generations that is left", stage: eachTurn,
		number: func(a *around) float32 {
			return float32(a.t.generationsLeft()) / float32(a.t.settings.Generations)
		},
		runtime: "float32(max(generations-generation, 0)) / float32(generations)"},
	{word: "cellsLeft", about: "the share of the turn's cells that is left", stage: eachRound,
		number:  func(a *around) float32 { return float32(a.t.left()) / float32(a.t.settings.Cells) },
		runtime: "float32(cellsATurn-chosen) / cellsATurn"},
	{word: "ownDistance", only: methuselahWords, stage: eachSite,
		about:   "how far the nearest own cell is, in eights of cells, up to 31 cells",
		number:  func(a *around) float32 { return float32(a.ownAway) / distanceUnit },
		runtime: "float32(ownFar) / 8"},
	{word: "enemyDistance", about: "how far the nearest enemy cell is, likewise",
		only: methuselahWords, stage: eachSite,
		number:  func(a *around) float32 { return float32(a.enemyAway) / distanceUnit },
		runtime: "float32(enemyFar) / 8"},
	{word: "edge", about: "how far the edge of the board is, likewise", only: methuselahWords,
		stage:   eachSite,
		number:  func(a *around) float32 { return float32(a.edge) / distanceUnit },
		runtime: "float32(edgeFar) / 8"},
	{word: "room", about: "the least of the three", only: methuselahWords, stage: eachSite,
		number: func(a *around) float32 {
			return float32(min(a.ownAway, a.enemyAway, a.edge)) / distanceUnit
		},
		runtime: "float32(min(ownFar, min(enemyFar, edgeFar))) / 8"},

	{word: "ash", about: "live cells of either side that were so a generation before, too",
		only: stillWords, cells: (*around).ash, runtime: "a != 0 && a == around1[y][x]"},
	{word: "sown", only: stillWords, stage: eachTurn,
		about:   "the cells that a side could wake until now, in hundredths of the board's",
		number:  func(a *around) float32 { return a.hundredths(a.t.generation) },
		runtime: "hundredths(generation)"},
	{word: "toSow", only: stillWords, stage: eachTurn,
		about:   "the cells that it can wake from now on, likewise",
		number:  func(a *around) float32 { return a.hundredths(a.t.generationsLeft()) },
		runtime: "hundredths(max(generations-generation, 0))"},
	{word: "fallow", only: openingWords, stage: eachTurn,
		about:   "the board's cells for each that a side can wake in the whole game, in hundreds",
		number:  func(a *around) float32 { return 1 / a.hundredths(a.t.settings.Generations) },
		runtime: "1 / hundredths(generations)"},
}

// hundredths returns the cells that a side can wake in some generations, in hundredths of the
// board's cells.
func (a *around) hundredths(generations int) float32 {
	s := a.t.settings
	return 100 * (float32(generations) * float32(s.Cells) / float32(s.Height*s.Width))
}

func (s *sense) check() error {
	switch {
	case (s.number == nil) == (s.cells == nil):
		return fmt.Errorf("nothing fills sense %q; give it a function: number for a scalar, or cells "+
			"for a layer", s.word)
	case s.stage >= numStages || s.cells != nil && s.stage != 0:
		return fmt.Errorf("sense %q: a scalar has one of the stages, and a layer none", s.word)
	case s.about == "":
		return fmt.Errorf("sense %q has no sentence, about, for README.md", s.word)
	}
	return export.Sense{Word: s.word, Expression: s.runtime}.Check()
}

// exported returns the rows as the exported programs compute them: scalars, and layers.
func (v *vocabulary) exported() (scalars, layers []export.Sense) {
	for _, s := range v.senses {
		e := export.Sense{Word: s.word, Expression: s.runtime, Stage: stageNames[s.stage]}
		if s.cells != nil {
			layers = append(layers, e)
		} else {
			scalars = append(scalars, e)
		}
	}
	return scalars, layers
}

// around is what senses are computed from: the turn, and the cells around a site.
type around struct {
	t        *turn
	live     [2]int // cells of the board
	y, x     int
	mirrored bool
	now      [2]lanes
	own, foe *lanes // of now
	// The window's rows of both, and those cells that are on the board.
	mid, foeMid, inside [3]uint64
	cells               [3]uint64 // of the layer that is drawn
	// With methuselahs: how far the nearest cells and the edge are.
	ownAway, enemyAway, edge int
}

// fill sets the scalars of a stage.
func (s *speciesSeat) fill(at stage) {
	s.around.t = &s.turn
	for i := range s.scalars[at] {
		r := &s.scalars[at][i]
		s.frame.SetScalar(r.index, r.number(&s.around))
	}
}

// changed sets the cells that differ from the generation before.
func (a *around) changed(to *[3]uint64) {
	was, foeWas := a.before()
	for i := range to {
		to[i] = (was[i] ^ a.mid[i]) | (foeWas[i] ^ a.foeMid[i])
	}
}

// ash sets the live cells that were the same side's a generation before.
func (a *around) ash(to *[3]uint64) {
	was, foeWas := a.before()
	for i := range to {
		to[i] = was[i]&a.mid[i] | foeWas[i]&a.foeMid[i]
	}
}

// before returns the window's rows of both sides a generation before.
func (a *around) before() (own, enemy [3]uint64) {
	before := a.t.board.read(a.t.board.last, a.y, a.x)
	for c := range before {
		if a.mirrored {
			before[c].mirror()
		}
	}
	return before[a.t.own].below(1), before[a.t.own.enemy()].below(1)
}
