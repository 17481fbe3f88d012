package life

import (
	"fmt"
	"math/bits"
	"sync"

	"clade/engine"
	"clade/engine/games/life/internal/kernel"
	"clade/gp"
)

// The layers of a frame, in the order of senses: cells within reach of a site.
const (
	layerOwn = iota
	layerEnemy
	layerEmpty
	layerOwnBirths
	layerEnemyBirths
	layerChanged
	layerOff
	layerAsh // with still lifes
)

// reach is how far from its site a window goes; side is the window's side.
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
	openingWords // still lifes, and a methuselah for a board with room
	numWords
)

// stampsOf holds the stamps that an evolved program can place, one for each slot.
var stampsOf = [numWords][]*stamp{
	plainWords:      {&glider, &block, &growth, &single},
	methuselahWords: {&glider, &block, &growth, &single, &pentomino, &acorn},
	stillWords:      {&square, &tromino, &twins, &seedbed, &single, &nothing},
	openingWords:    {&square, &tromino, &twins, &seedbed, &single, &nothing, &pentomino},
}

// Slots of openingWords.
const bloomSlot, pentominoSlot = 3, 6

// still tells whether species place still lifes, and read what those of still-lifes read.
func (w words) still() bool { return w >= stillWords }

// site is a kind of site. With still lifes, each kind has its own stamps.
type site uint8

const (
	anySite site = iota
	twinPlot
	bloomPlot
	blockPlace
	numSites
)

// sitesOf is how many sites for all stamps are drawn in a round.
var sitesOf = [numWords]int{3, 4, 3, 3}

// situations are those for which the compiler makes code: any, and that no enemy is near.
var situations = [...]gp.Situation{{}, {Empty: 1<<layerEnemy | 1<<layerEnemyBirths}}

// vocabulary is what evolved programs can place and read.
type vocabulary struct {
	words
	stamps  []placement
	senses  []sense
	layers  []sense
	scalars [numStages][]scalar
	grammar *gp.Grammar
	// By lane, that is, stamp and turn: the cells that it covers, and the query for its utility.
	covers    *[2][kernel.Covers]uint64
	asks      [kernel.Covers]gp.Ask
	lanes     [kernel.Covers]struct{ slot, turn int }
	kinds     [numSites]uint32 // sets of those
	compilers sync.Pool        // of *gp.Compiler
}

// newVocabulary returns a vocabulary with its rows of a table of senses, or an error for a row that
// lacks something.
func newVocabulary(senses []sense, of words) (*vocabulary, error) {
	v := &vocabulary{words: of, covers: new([2][kernel.Covers]uint64)}
	spec := gp.Spec{
		Operators: gp.Shared(),
		Window:    gp.Window{Side: side},
		Rects:     gp.RectRange{Centre: 4, Side: 7, SideSum: 14},
	}
	for slot, s := range stampsOf[of] {
		v.place(slot, s, spec.Window)
		slot := gp.Slot{Name: s.name, Type: gp.Float}
		if of == openingWords && s == &pentomino {
			// Level with a bloom, an R-pentomino comes only where no cells are left for a bloom.
			slot.From = seedbed.name
		}
		spec.Slots = append(spec.Slots, slot)
	}
	for _, s := range senses {
		if s.only != plainWords && s.only != min(of, stillWords) && s.only != of {
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
	for i, of := range v.lanes {
		v.asks[i] = v.grammar.Ask(of.slot, of.turn)
	}
	v.compilers.New = func() any { return gp.NewCompiler(v.grammar, situations[:]...) }
	return v, nil
}

// place adds the stamp of a slot.
func (v *vocabulary) place(slot int, s *stamp, w gp.Window) {
	p, covers := newPlacement(s, w)
	if v.still() && s == &pentomino {
		p.turns, p.site = 1, bloomPlot
	}
	v.stamps = append(v.stamps, p)
	// Where there are more stamps than lanes, the last to have its own looks the same turned.
	const last = kernel.Covers/gp.Lanes - 1
	for k := range p.turns {
		i := gp.Lanes*min(slot, last) + max(0, slot-last) + k
		v.lanes[i].slot, v.lanes[i].turn = slot, k
		v.stamps[slot].lanes |= 1 << i
		v.covers[0][i], v.covers[1][i] = covers[k].Low, covers[k].High
		for kind := range v.kinds {
			if p.site == site(kind) || s == &nothing {
				v.kinds[kind] |= 1 << i
			}
		}
	}
}

// vocabulary returns that of the game's settings.
func (g *game) vocabulary() *vocabulary {
	switch {
	case g.settings.Methuselahs && g.settings.StillLifes:
		return g.shared[openingWords]
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
// three cells, two pre-blocks that share a lattice, bloom, single cell and nothing; with both,
// an R-pentomino, too.
//
// A turn has at most settings.Rounds rounds. In each, three sites are drawn: within four cells of a
// random own cell, of a random enemy cell, and anywhere. With a chance of 1/2 the world around a
// site is mirrored. Each tree gives the utility of its stamp at the site in four orientations, with
// the world turned alike; a block and a single cell look the same turned, so they have one. A stamp
// can be placed if all its cells are free and enough cells are left. The one of the greatest
// utility above zero is placed, the first among equals.
//
// With settings.Methuselahs a fourth site is drawn in each round, the roomiest of some places drawn
// anywhere, and trees read how far the nearest cells are. With settings.StillLifes three are, for
// stamps of their own and nothing, each the first suitable one of some that are drawn, and never
// mirrored: the middle of a clear plot of 3 x 7 cells for twins, and of one of 12 x 12 for a bloom,
// and a place where a block or a pre-block is stable. All stamps have one orientation then, and if
// the stamp "nothing" has the greatest utility, nothing is placed. With both, an R-pentomino is for
// the plot of a bloom.
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
	code.Assemble(g.level)
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
	layers := s.code.Reads().Layers
	side.reads = layers | 1<<layerEmpty
	if layers>>layerAsh&1 == 1 { // see draw
		side.reads |= 1<<layerOwn | 1<<layerEnemy | 1<<layerChanged
	}
	return side
}

type speciesSeat struct {
	*vocabulary
	code  *gp.Code
	frame *gp.Frame
	reads uint16 // layers to draw: those that the code reads, and empty cells for fits
	turn  turn
	trace *weighing // nil if it is not wanted

	around around

	// The rounds that were drawn, and their sites one after the other.
	rounds []round
	spots  []spot
	lots   []kernel.Lot // cells that sites are near
	near   []int        // those sites
	asked  [kernel.Covers]gp.Ask
	worth  [kernel.Covers]float32

	// A kernel's input and output. The windows lack what was placed after foresee.
	ahead   bool // there is one
	seen    kernel.View
	sites   kernel.Sites
	chosen  [kernel.MaxSites]kernel.Lines
	windows [kernel.MaxSites]kernel.Window
	placed  []placed
}

// spot is a site that was drawn.
type spot struct {
	y, x     int
	kind     site
	mirrored bool
	stands   *stamp // known to be stable there, as long as nothing else is chosen
}

// round is the end of a round's sites in spots, and the state of the random numbers after drawing
// them.
type round struct {
	end    int
	random engine.Random
}

// maxRounds is how many rounds are drawn ahead of the choices, if drawing does not depend on them:
// as many as a kernel has sites for.
const maxRounds = kernel.MaxSites / 4

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
	for left := v.settings.Rounds; left > 0 && t.left() > 0; left -= len(s.rounds) {
		s.draws(live, left)
		s.foresee()
		at := 0
		for i := 0; i < len(s.rounds) && t.left() > 0; i++ {
			t.random = s.rounds[i].random
			s.fill(eachRound)
			best := s.best(at, s.rounds[i].end)
			at = s.rounds[i].end
			if s.trace != nil {
				s.trace.end(&best)
			}
			if best.stamp == nil {
				continue
			}
			s.placed = append(s.placed, placed{best.y, best.x, rim + best.stamp.reach})
			for _, c := range best.stamp.cells {
				y, x := best.cell(c)
				t.chosen = append(t.chosen, cell{int32(y), int32(x)})
			}
		}
	}
	return t.chosen, true
}

// draws draws the sites of rounds: of one, or of up to most if drawing does not depend on what was
// chosen before.
func (s *speciesSeat) draws(live [2]int, most int) {
	t := &s.turn
	if s.words != plainWords {
		most = 1
	}
	s.rounds, s.spots, s.lots, s.near = s.rounds[:0], s.spots[:0], s.lots[:0], s.near[:0]
	for range min(most, maxRounds) {
		for kind := range sitesOf[s.words] {
			y, x := s.site(kind, live)
			s.spots = append(s.spots, spot{y: y, x: x, mirrored: t.random.Below(2) == 1})
		}
		if s.still() {
			if y, x, ok := t.clearPlot(&pair); ok {
				s.spots = append(s.spots, spot{y: y, x: x, kind: twinPlot})
			}
			if y, x, ok := t.clearPlot(&bloom); ok {
				s.spots = append(s.spots, spot{y: y, x: x, kind: bloomPlot})
			}
			if y, x, stands := t.blockPlace(); stands != nil {
				s.spots = append(s.spots, spot{y: y, x: x, kind: blockPlace, stands: stands})
			}
		}
		s.rounds = append(s.rounds, round{len(s.spots), t.random})
	}
	t.board.find(s.lots)
	for i, l := range s.lots {
		p := &s.spots[s.near[i]]
		p.y = max(0, min(p.y+int(l.Row), t.board.height-1))
		p.x = max(0, min(p.x+int(l.Column), t.board.width-1))
	}
}

// siteSpread is how far a site lies from the cell that it was drawn for, in either coordinate.
const siteSpread = 4

// site draws a site near an own cell, near an enemy cell, anywhere, or where there is room. For a
// site near a cell it returns the offset from the cell, which is found later with the others.
func (s *speciesSeat) site(kind int, live [2]int) (y, x int) {
	t := &s.turn
	if kind == 3 {
		return t.roomiest()
	}
	c := t.own ^ colour(kind&1)
	if kind == 2 || live[c] == 0 {
		return t.anywhere()
	}
	s.near = append(s.near, len(s.spots))
	s.lots = append(s.lots, kernel.Lot{})
	t.board.lot(&s.lots[len(s.lots)-1], c, t.random.Below(live[c]))
	return t.random.Below(2*siteSpread+1) - siteSpread, t.random.Below(2*siteSpread+1) - siteSpread
}

// best returns the best candidate at some spots, the first among equals; it has no stamp if none is
// worth placing.
func (s *speciesSeat) best(from, to int) (best candidate) {
	affordable := uint32(0)
	for slot := range s.stamps {
		if len(s.stamps[slot].cells) <= s.turn.left() {
			affordable |= s.stamps[slot].lanes
		}
	}
	// With five or six cells left an R-pentomino is placed only where it is worth more than the bloom
	// that would need seven, so that a copy of the bloom's tree changes nothing.
	asked := affordable
	if s.words == openingWords && affordable&s.stamps[pentominoSlot].lanes != 0 {
		asked |= s.stamps[bloomSlot].lanes
	}
	utility, spot, turned := float32(0), 0, -1
	for i := from; i < to; i++ {
		fits := s.offer(i, asked, affordable)
		bloomed := float32(0)
		for _, u := range s.worth[:bits.OnesCount32(fits)] {
			k := bits.TrailingZeros32(fits)
			fits &= fits - 1
			slot := s.lanes[k].slot
			if slot == bloomSlot {
				bloomed = u
			}
			if u > utility && affordable>>k&1 != 0 && (slot != pentominoSlot || u > bloomed) &&
				s.stable(i, k) {
				utility, spot, turned = u, i, k
			}
		}
	}
	if turned >= 0 {
		best = s.candidate(spot, turned)
		best.utility = utility
	}
	return best
}

// candidate returns the stamp of a lane at a spot.
func (s *speciesSeat) candidate(spot, lane int) candidate {
	p, of := &s.spots[spot], s.lanes[lane]
	return candidate{stamp: s.stamps[of.slot].stamp, y: p.y, x: p.x, turns: of.turn,
		mirrored: p.mirrored}
}

// stable tells whether the stamp of a lane is stable at a spot or need not be.
func (s *speciesSeat) stable(spot, lane int) bool {
	of, p := &s.stamps[s.lanes[lane].slot], &s.spots[spot]
	return !of.still || of.stamp == p.stands || s.turn.stands(of.cells, p.y, p.x)
}

// offer sets worth to the utilities of those candidates of a set that fit at a spot, and returns
// their set, for a trace without those that are not stable, since looking ahead takes longer than
// programs do, or not affordable.
func (s *speciesSeat) offer(i int, of, affordable uint32) (fits uint32) {
	t, p := &s.turn, &s.spots[i]
	fits = s.draw(i, of&s.kinds[p.kind])
	switch {
	case s.words == methuselahWords:
		a := &s.around
		a.ownAway, a.enemyAway, a.edge = t.distances(p.y, p.x)
	case s.still():
		for rest := fits; rest != 0 && s.trace != nil; rest &= rest - 1 {
			if k := bits.TrailingZeros32(rest); !s.stable(i, k) {
				fits &^= 1 << k
			}
		}
	}
	s.fill(eachSite)
	situation := 0
	if s.frame.Layers[layerEnemy].Empty() && s.frame.Layers[layerEnemyBirths].Empty() {
		situation = 1
	}
	n := 0
	for rest := fits; rest != 0; rest &= rest - 1 {
		s.asked[n] = s.asks[bits.TrailingZeros32(rest)]
		n++
	}
	s.code.EvalAsks(s.asked[:n], situation, 0, s.frame, s.worth[:n])
	if s.trace != nil {
		s.trace.look(s, i, fits, affordable)
	}
	return fits
}
