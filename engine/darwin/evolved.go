package darwin

import (
	"fmt"

	"clade/engine"
	"clade/gp"
)

// Bind compiles a genome into a species.
func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	c := g.compile.Get().(*gp.Compiler)
	defer g.compile.Put(c)
	code, err := c.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("darwin: %w", err)
	}
	s := &evolved{game: g, code: code, nodes: ge.Size()}
	for _, tree := range ge {
		for _, n := range tree {
			if op := &g.grammar.Operators[n.Op]; op.Form == gp.Any || op.Form == gp.Count {
				s.layers |= 1 << op.Index
			}
		}
	}
	return s, nil
}

// evolved is a species of evolved creatures.
type evolved struct {
	game   *game
	code   *gp.Code
	nodes  int    // of all trees: what a decision is charged for
	layers uint16 // that the trees read
}

// Found takes scratch memory for one game.
func (s *evolved) Found(b Briefing) Colony {
	c := s.game.colonies.Get().(*colony)
	c.begin(s, b)
	return c
}

// colony is an evolved species in one game, with the scratch memory of its decisions.
type colony struct {
	*evolved
	frame  *gp.Frame
	limit  int64
	size   Briefing
	shared *memory
	minds  []*evolvedMind // out of use
}

func newColony(g *gp.Grammar) *colony { return &colony{frame: g.NewFrame()} }

// begin readies the colony for a game.
func (c *colony) begin(s *evolved, b Briefing) {
	if c.size != b {
		c.minds, c.shared, c.size = nil, nil, b
	}
	c.evolved, c.limit = s, s.game.limit()
	s.code.Load(c.frame)
	if s.game.settings.SharedMap {
		if c.shared == nil {
			c.shared = newMemory(b.Width, b.Height)
		} else {
			c.shared.clear()
		}
	}
}

// End gives the scratch memory back.
func (c *colony) End() {
	pool := c.game.colonies
	c.evolved = nil
	pool.Put(c)
}

// Spawn makes a mind, with a memory of its own or the species'.
func (c *colony) Spawn(b *Body) Mind {
	var m *evolvedMind
	if n := len(c.minds); n > 0 {
		m, c.minds = c.minds[n-1], c.minds[:n-1]
	} else {
		m = new(evolvedMind)
	}
	own := m.own
	*m = evolvedMind{colony: c, own: own, memory: c.shared}
	if c.shared == nil {
		if m.own == nil {
			m.own = newMemory(c.size.Width, c.size.Height)
		} else {
			m.own.clear()
		}
		m.memory = m.own
	}
	m.visit(b)
	return m
}

// evolvedMind decides for one creature.
type evolvedMind struct {
	colony *colony
	own    *memory // its own, if it has one
	memory *memory
	looks  [4]look
	bumps  [4]Point // where it last bumped into something, by direction
	bumped [4]bool  // whether it ever did
	last   Verb

	layers  [numLayers]gp.Bits // as they were at this place and version of the memory
	place   Point
	version uint64
}

// look is what was last seen in a direction.
type look struct {
	at    Point // of what was seen; the creature stood on the same line
	taken bool
	kind  Kind
	class Class
	faces bool // it faced the creature
	time  int64
}

// End lays the mind aside for another creature.
func (m *evolvedMind) End() { m.colony.minds = append(m.colony.minds, m) }

// visit notes where the creature stands.
func (m *evolvedMind) visit(b *Body) {
	p := b.Position()
	m.memory.visit(p)
	m.memory.enter(p, 0, b.w.ground.terrain[b.cell], b.breed)
}

// learn takes over what the last action taught.
func (m *evolvedMind) learn(b *Body) {
	switch m.last {
	case Forward, Backward:
		if b.done {
			m.visit(b)
			break
		}
		d := b.facing
		if m.last == Backward {
			d = d.Back()
		}
		// something is there, and only a look could tell what
		m.bumps[d], m.bumped[d] = b.Position().Toward(d), true
	case Attack:
		if b.done { // whoever attacks knows whom it has converted
			m.convert(b)
		}
	case Observe:
		m.look(b, b.w.observe(b))
	}
}

// look enters an observation.
func (m *evolvedMind) look(b *Body, o Observation) {
	m.memory.note(b, &o)
	s := &o.Seen
	if s.Kind == Animal {
		m.memory.animal(s.Point, s.Class)
	}
	m.bumped[b.facing] = false
	m.looks[b.facing] = look{
		at: s.Point, taken: true, kind: s.Kind, class: s.Class, time: b.clock,
		faces: s.Kind == Animal && s.Facing == b.facing.Back(),
	}
}

// convert enters the friend that an attack has made, or given the enchantment.
func (m *evolvedMind) convert(b *Body) {
	at := b.Position().Toward(b.facing)
	m.memory.forgetLine(at, at)
	m.memory.enter(at, 0, 0, b.breed)
	m.memory.sight(sighting{at: at, friend: true, time: b.clock, id: -1})
	m.looks[b.facing] = look{at: at, taken: true, kind: Animal, class: b.Class(), time: b.clock}
}

// candidates are the actions after Forward, each with its tree and the quarter turns, clockwise,
// from the facing to where the tree looks.
var candidates = [...]struct {
	verb       Verb
	slot, turn int
}{{Attack, slotAttack, 0}, {TurnLeft, slotTurn, 3}, {TurnRight, slotTurn, 1},
	{Observe, slotObserve, 0}, {Backward, slotBackward, 2}, {Delay, slotDelay, 0}}

// Decide gives every action a utility and takes the best; among equals the first in the order of
// the candidates.
func (m *evolvedMind) Decide(b *Body) Action {
	m.learn(b)
	c := m.colony
	m.sense(b)
	b.Think(c.nodes)
	f, code, ahead := c.frame, c.code, b.facing.clockwise()
	best, most := Forward, code.EvalLane(slotForward, 0, ahead, f)
	for i := range candidates {
		k := &candidates[i]
		if utility := code.EvalLane(k.slot, 0, ahead+k.turn, f); utility > most {
			best, most = k.verb, utility
		}
	}
	m.last = best
	return Act(best)
}

// boardOf are the boards of the layers that are boards.
var boardOf = [numLayers]int{
	layerUnknown: boardKnown, layerWall: boardWall, layerHazard: boardHazard,
	layerApple: boardApple, layerFlytrap: boardFlytrap,
	layerVisited: boardVisited, layerMud: boardMud, layerShrine: boardShrine,
	layerTreasure: boardTreasure,
}

// sense fills the frame. Layers that no tree reads stay as they are.
func (m *evolvedMind) sense(b *Body) {
	c, f, p := m.colony, m.colony.frame, b.Position()
	if m.version != m.memory.version || m.place != p {
		m.draw(p)
	}
	copy(f.Layers[:], m.layers[:])
	if c.layers>>layerFriend&1 != 0 || c.layers>>layerEnemy&1 != 0 {
		f.Layers[layerFriend], f.Layers[layerEnemy] = m.memory.herd(p, b.clock)
	}
	f.Flags = [gp.MaxFlags]uint8{}
	f.Flags[flagEnchanted] = always(b.enchanted)
	f.Flags[flagHasShrine] = always(m.memory.hasShrine)
	f.Flags[flagDone] = always(b.done)
	f.SetScalar(scalarTime, float32(b.w.clock)/float32(c.limit))
	for d := North; d <= East; d++ {
		m.senseAhead(b, p, d)
	}
}

// draw reads the layers that are boards out of the memory.
func (m *evolvedMind) draw(p Point) {
	m.place, m.version = p, m.memory.version
	for layer, board := range boardOf {
		if m.colony.layers>>layer&1 == 0 || layer == layerFriend || layer == layerEnemy {
			continue
		}
		m.layers[layer] = m.memory.window(board, p)
		if layer == layerUnknown {
			m.layers[layer] = wholeWindow.AndNot(m.layers[layer])
		}
	}
}

// wholeWindow are all cells of the window.
var wholeWindow = window.Square(reach)

// always is a flag that no turn changes.
func always(v bool) uint8 {
	if v {
		return 1<<gp.Lanes - 1
	}
	return 0
}

// senseAhead fills what the frame holds for one direction.
func (m *evolvedMind) senseAhead(b *Body, p Point, d Direction) {
	f, lane := m.colony.frame, d.clockwise()
	next := p.Toward(d)
	blocked := m.memory.has(boardWall, next) || m.memory.has(boardHazard, next) || m.bumped[d] &&
		m.bumps[d] == next
	distance, age := float32(0), float32(ageUnknown)
	if l := &m.looks[d]; l.taken && l.onLine(p, d) {
		distance = float32(p.Distance(l.at))
		age = min(ageUnknown, float32(b.clock-l.time)/float32(millisecond))
		// else it is the edge of fog that hides what follows
		blocked = blocked || distance == 1 && l.kind != Empty
		bit := uint8(1) << lane
		f.Flags[flagLooked] |= bit
		own := b.Class()
		switch {
		case l.kind == Hazard:
			f.Flags[flagHazard] |= bit
		case l.kind == Animal && l.class == own:
			f.Flags[flagFriend] |= bit
		case l.kind == Animal:
			f.Flags[flagPrey] |= bit
			if distance == 1 {
				f.Flags[flagNext] |= bit
			}
			if l.class >= firstClass {
				f.Flags[flagEnemy] |= bit
			}
			if l.faces && (l.class >= firstClass || l.class == FlytrapClass) {
				f.Flags[flagFaced] |= bit
			}
		}
	}
	trail := float32(0)
	if blocked {
		f.Flags[flagBlocked] |= 1 << lane
	} else {
		trail = m.memory.cold(next)
	}
	f.Scalar(scalarTrail)[lane] = trail
	f.Scalar(scalarDistance)[lane], f.Scalar(scalarAge)[lane] = distance, age
	ahead, side := float32(0), float32(0)
	if m.memory.hasShrine {
		x, y := gp.Turn(int(m.memory.shrine.X-p.X), int(m.memory.shrine.Y-p.Y), -lane)
		ahead, side = float32(-y), float32(x)
	}
	f.Scalar(scalarShrineAhead)[lane], f.Scalar(scalarShrineSide)[lane] = ahead, side
}

// onLine tells whether what was seen still lies ahead of a place.
func (l *look) onLine(p Point, d Direction) bool {
	switch d {
	case North:
		return l.at.X == p.X && l.at.Y < p.Y
	case South:
		return l.at.X == p.X && l.at.Y > p.Y
	case West:
		return l.at.Y == p.Y && l.at.X < p.X
	default:
		return l.at.Y == p.Y && l.at.X > p.X
	}
}
