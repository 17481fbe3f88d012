package life

import (
	"fmt"
	"math/bits"
	"sync"

	"clade/engine"
	"clade/engine/games/life/internal/kernel"
	"clade/gp"
)

// The layers of a frame, in the order of senses: cells within five of a site.
const (
	layerOwn = iota
	layerEnemy
	layerEmpty
	layerOwnBirths
	layerEnemyBirths
	layerChanged
	layerOff
)

// reach is how far a frame sees from its site; side is the window's side.
const (
	reach = 5
	side  = 2*reach + 1
)

// totalUnit is the number of live cells that the sensors of totals call 1.
const totalUnit = 1000

// words is one of the vocabularies of evolved programs.
type words uint8

const (
	plainWords words = iota
	methuselahWords
	stillWords
	numWords
)

// stampsOf are what an evolved program can place, one slot each.
var stampsOf = [numWords][]*stamp{
	plainWords:      {&glider, &block, &growth, &single},
	methuselahWords: {&glider, &block, &growth, &single, &pentomino, &acorn},
	stillWords:      {&square, &tromino, &twins, &seedbed, &single, &nothing},
}

// site is a kind of site, for which there are stamps of its own with still lifes.
type site uint8

const (
	anySite site = iota
	twinPlot
	bloomPlot
	blockPlace
)

// sitesOf are how many of any kind are drawn in a round.
var sitesOf = [numWords]int{3, 4, 3}

// situations tell the compiler what is often known of a frame: nothing, or that no enemy is near.
var situations = [...]gp.Situation{{}, {Empty: 1<<layerEnemy | 1<<layerEnemyBirths}}

// vocabulary is what evolved programs can place and read.
type vocabulary struct {
	words
	stamps    []placement
	senses    []sense
	layers    []sense
	scalars   [numStages][]scalar
	grammar   *gp.Grammar
	compilers sync.Pool // of *gp.Compiler
}

// newVocabulary returns what trees can read by those rows of a table of senses that it has. It
// refuses a row that a reader of the table lacks something of.
func newVocabulary(senses []sense, of words) (*vocabulary, error) {
	v := &vocabulary{words: of}
	spec := gp.Spec{
		Operators: gp.Shared(),
		Window:    gp.Window{Side: side},
		Rects:     gp.RectRange{Centre: 4, Side: 7, SideSum: 14},
	}
	for _, s := range stampsOf[of] {
		v.stamps = append(v.stamps, newPlacement(s, spec.Window))
		spec.Slots = append(spec.Slots, gp.Slot{Name: s.name, Type: gp.Float})
	}
	for _, s := range senses {
		if s.only != plainWords && s.only != of {
			continue
		}
		if err := s.check(); err != nil {
			return nil, fmt.Errorf("life: %w", err)
		}
		v.senses = append(v.senses, s)
		if s.cells != nil {
			at := len(spec.Layers)
			v.layers, spec.Layers = append(v.layers, s), append(spec.Layers, gp.Layer{Name: s.word})
			spec.Operators = append(spec.Operators,
				gp.AreaSensor(s.word, gp.Count, at).Saying("the number in the area of "+s.about),
				gp.AreaSensor(s.word+"?", gp.Any, at).Saying("the area holds "+s.about))
			continue
		}
		v.scalars[s.stage] = append(v.scalars[s.stage], scalar{s, spec.Scalars})
		spec.Operators = append(spec.Operators, gp.ScalarSensor(s.word, spec.Scalars).Saying(s.about))
		spec.Scalars++
	}
	var err error
	if v.grammar, err = gp.NewGrammar(spec); err != nil {
		return nil, fmt.Errorf("life: %w", err)
	}
	v.compilers.New = func() any { return gp.NewCompiler(v.grammar, situations[:]...) }
	return v, nil
}

// vocabulary returns that of the game's settings.
func (g *game) vocabulary() *vocabulary {
	switch {
	case g.settings.Methuselahs:
		return g.shared[methuselahWords]
	case g.settings.StillLifes:
		return g.shared[stillWords]
	}
	return g.shared[plainWords]
}

// Grammar returns the vocabulary of evolved programs; see Bind.
func (g *game) Grammar() *gp.Grammar { return g.vocabulary().grammar }

// Bind compiles a genome of one tree for each stamp: glider, block, growth and single cell; with
// settings.Methuselahs also R-pentomino and acorn; with settings.StillLifes block, pre-block of
// three cells, two pre-blocks that share a lattice, bloom, single cell and nothing.
//
// A turn has at most settings.Rounds rounds. In each, three sites are drawn: within four cells of a
// random own cell, of a random enemy cell, and anywhere. A coin decides whether the world around a
// site is mirrored. Each tree gives the utility of its stamp at the site in four orientations, with
// the world turned alike; a block and a single cell look the same turned, so they have one. A stamp
// can be placed if all its cells are free and enough cells are left. The one of the greatest
// utility above zero is placed, the first among equals.
//
// With settings.Methuselahs a fourth site is drawn in each round, the roomiest of some places drawn
// anywhere, and trees read how far the nearest cells are. With settings.StillLifes three are, for
// stamps of their own and nothing, each the first that will do of some that are drawn, and never
// mirrored: the middle of a clear plot of 3 x 7 cells for twins, and of one of 12 x 12 for a bloom,
// and a place where a block or a pre-block stands. All stamps have one orientation then, and where
// nothing has the greatest utility, nothing is placed.
func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, g.fault
	}
	v := g.vocabulary()
	c := v.compilers.Get().(*gp.Compiler)
	defer v.compilers.Put(c)
	code, err := c.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("life: %w", err)
	}
	return &species{v, code}, nil
}

// species is an evolved program.
type species struct {
	*vocabulary
	code *gp.Code
}

// sit makes the frame.
func (s *species) sit(_ *settings, seed engine.Seed) seat {
	side := &speciesSeat{vocabulary: s.vocabulary, code: s.code, frame: s.grammar.NewFrame()}
	side.turn.random = engine.NewRandom(uint64(seed))
	s.code.Load(side.frame)
	layers, _ := s.code.Reads()
	side.reads = layers | 1<<layerEmpty
	return side
}

type speciesSeat struct {
	*vocabulary
	code  *gp.Code
	frame *gp.Frame
	reads uint16 // the layers that are drawn: those that the code reads, and empty cells for fits
	turn  turn
	told  *weighing // nil where nobody asks

	around    around
	utilities gp.Quad // of the stamp that is weighed up

	// What a kernel draws of, and its lines of a site at an edge or beside chosen cells.
	seen       kernel.Site
	on, chosen kernel.Lines
}

// candidate is a stamp that can be placed: its middle, and how it is turned and mirrored.
type candidate struct {
	stamp    *stamp
	y, x     int
	turns    int
	mirrored bool
	utility  float32
}

// cell returns the place of one of the stamp's cells.
func (c *candidate) cell(of cell) (y, x int) {
	x, y = gp.Turn(int(of.x), int(of.y), c.turns)
	if c.mirrored {
		x = -x
	}
	return c.y + y, c.x + x
}

// choose places the best candidate of each round.
func (s *speciesSeat) choose(v *view, dst []cell) ([]cell, bool) {
	t := &s.turn
	t.view, t.chosen = v, dst
	live := v.board.population()
	s.around.live = live
	s.fill(eachTurn)
	for range v.settings.Rounds {
		if t.left() == 0 {
			break
		}
		s.fill(eachRound)
		var best candidate
		for kind := range sitesOf[s.words] {
			y, x := s.site(kind, live)
			s.offer(&best, anySite, y, x, t.random.Below(2) == 1)
		}
		if s.words == stillWords {
			if y, x, ok := t.clearPlot(&pair); ok {
				s.offer(&best, twinPlot, y, x, false)
			}
			if y, x, ok := t.clearPlot(&bloom); ok {
				s.offer(&best, bloomPlot, y, x, false)
			}
			if y, x, ok := t.blockPlace(); ok {
				s.offer(&best, blockPlace, y, x, false)
			}
		}
		if s.told != nil {
			s.told.tell(&best)
		}
		if best.stamp != nil {
			for _, c := range best.stamp.cells {
				y, x := best.cell(c)
				t.chosen = append(t.chosen, cell{int32(y), int32(x)})
			}
		}
	}
	return t.chosen, true
}

// siteSpread is how far a site lies from the cell that it was drawn for, in either coordinate.
const siteSpread = 4

// site draws a site near an own cell, near an enemy cell, anywhere, or where there is room.
func (s *speciesSeat) site(kind int, live [2]int) (y, x int) {
	t := &s.turn
	if kind == 3 {
		return t.roomiest()
	}
	c := t.own ^ colour(kind&1)
	if kind == 2 || live[c] == 0 {
		return t.anywhere()
	}
	near := t.board.nth(c, t.random.Below(live[c]))
	y, x = int(near.y)+t.random.Below(2*siteSpread+1)-siteSpread,
		int(near.x)+t.random.Below(2*siteSpread+1)-siteSpread
	return max(0, min(y, t.board.height-1)), max(0, min(x, t.board.width-1))
}

// offer compares the candidates at a site of a kind with the best one so far.
func (s *speciesSeat) offer(best *candidate, kind site, y, x int, mirrored bool) {
	t := &s.turn
	s.draw(y, x, mirrored)
	if s.words == methuselahWords {
		a := &s.around
		a.ownAway, a.enemyAway, a.edge = t.distances(y, x)
	}
	s.fill(eachSite)
	if s.told != nil {
		s.told.look(s.frame, t.board, candidate{y: y, x: x, mirrored: mirrored})
	}
	situation := 0
	if s.frame.Layers[layerEnemy].Empty() && s.frame.Layers[layerEnemyBirths].Empty() {
		situation = 1
	}
	empty := s.frame.Layers[layerEmpty]
	for slot := range s.stamps {
		stamp := &s.stamps[slot]
		if len(stamp.cells) > t.left() || stamp.site != kind && stamp.stamp != &nothing {
			continue
		}
		fitting := stamp.fitting(empty)
		if fitting == 0 || stamp.still &&
			!t.standsThere(&candidate{stamp: stamp.stamp, y: y, x: x, mirrored: mirrored}) {
			continue
		}
		utilities := &s.utilities
		s.code.Eval(slot, situation, s.frame, utilities)
		if s.told != nil {
			s.told.note(s, slot, fitting, utilities)
		}
		for ; fitting != 0; fitting &= fitting - 1 {
			k := bits.TrailingZeros8(fitting)
			if u := utilities[k]; u > best.utility {
				*best = candidate{stamp.stamp, y, x, k, mirrored, u}
			}
		}
	}
}
