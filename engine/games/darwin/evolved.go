package darwin

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"clade/engine"
	"clade/gp"
)

// Bind compiles a genome into a species.
func (g *game) Bind(ge gp.Genome) (engine.Player, error) {
	if g.fault != nil {
		return nil, fmt.Errorf("darwin: %w", g.fault)
	}
	c := g.compile.Get().(*gp.Compiler)
	defer g.compile.Put(c)
	code, err := c.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("darwin: %w", err)
	}
	code.SetChoice(g.level, g.asks[:])
	s := &evolved{game: g, code: code, nodes: ge.Size()}
	s.read(func(r reading, slot int) bool {
		switch reads := code.SlotReads(slot, 0); r.form {
		case gp.Scalar:
			return reads.Scalars>>r.index&1 != 0
		case gp.Flag:
			return reads.Flags>>r.index&1 != 0
		default:
			return reads.Layers>>r.index&1 != 0
		}
	})
	return s, nil
}

// reading is a row of the table of senses that a species reads, and its scalar, flag or layer.
type reading struct {
	*sense
	index int
}

// evolved is a species of evolved creatures.
type evolved struct {
	game  *game
	code  *gp.Code
	nodes int // of all trees: the effort of a decision
	// The rows that it reads: of boards, of creatures seen lately, and with functions of their own.
	boards, sighted, said []reading
	// Where its trees look, when the creature faces north, for the rows that differ by direction, and
	// for the ages of looks alone. The other directions are not sensed.
	ahead, aged lanes
	report      func(*engine.Choice) // called with its creatures' choices, if not nil
}

// read sets the rows that the species reads.
func (s *evolved) read(reads func(r reading, slot int) bool) {
	s.boards, s.sighted, s.said, s.ahead, s.aged = nil, nil, nil, 0, 0
	var next [gp.Any + 1]int
	for i := range s.game.senses {
		row := &s.game.senses[i]
		r := reading{row, next[row.form]}
		next[row.form]++
		var where lanes
		for _, k := range candidates {
			if reads(r, k.slot) {
				where |= 1 << k.turn
			}
		}
		switch {
		case where == 0:
		case row.number != nil || row.numbers != nil || row.truth != nil || row.squares != nil:
			s.said = append(s.said, r)
		case row.form == gp.Any && row.of < numBoards:
			s.boards = append(s.boards, r)
		case row.form == gp.Any:
			s.sighted = append(s.sighted, r)
		case row.form == gp.Scalar && row.of == scalarAge:
			s.aged |= where
			s.ahead |= where
		case row.form == gp.Scalar && row.of != scalarTime,
			row.form == gp.Flag && row.of < flagEnchanted:
			s.ahead |= where
		}
	}
}

// lanes is a set of directions, each as quarter turns clockwise from another, or from north.
type lanes uint8

// facing returns the directions of a set whose turns are from a facing.
func (l lanes) facing(d direction) lanes { return l * 17 << d.clockwise() >> gp.Lanes & allLanes }

const allLanes lanes = 1<<gp.Lanes - 1

// found takes scratch memory for one game.
func (s *evolved) found(b briefing) colony {
	c := s.game.colonies.Get().(*evolvedColony)
	c.begin(s, b)
	return c
}

// evolvedColony is an evolved species in one game, with the scratch memory of its decisions.
type evolvedColony struct {
	*evolved
	limit  int64
	size   briefing
	flood  flood
	shared *memory
	minds  []*evolvedMind // out of use
}

// begin readies the colony for a game.
func (c *evolvedColony) begin(s *evolved, b briefing) {
	if c.size != b {
		c.minds, c.shared, c.flood, c.size = nil, nil, flood{}, b
	}
	c.evolved, c.limit = s, s.game.limit()
	if s.game.settings.SharedMap {
		if c.shared == nil {
			c.shared = newMemory(b.width, b.height)
		} else {
			c.shared.clear()
		}
	}
}

// end gives the scratch memory back.
func (c *evolvedColony) end() {
	pool := c.game.colonies
	c.evolved = nil
	pool.Put(c)
}

// spawn returns a mind with a memory of its own or that of the species.
func (c *evolvedColony) spawn(b *body) mind {
	var m *evolvedMind
	if n := len(c.minds); n > 0 {
		m, c.minds = c.minds[n-1], c.minds[:n-1]
	} else {
		m = new(evolvedMind)
	}
	own, frame := m.own, m.frame
	if frame == nil {
		frame = c.game.grammar.NewFrame()
	}
	c.code.Load(frame)
	*m = evolvedMind{colony: c, own: own, memory: c.shared, frame: frame}
	if c.shared == nil {
		if m.own == nil {
			m.own = newMemory(c.size.width, c.size.height)
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
	colony *evolvedColony
	own    *memory // its own, if it has one
	memory *memory
	looks  [4]look
	bumps  [4]point // where it last bumped into something, by direction
	bumped [4]bool  // whether it ever did
	last   verb

	// What its trees see, for this place and version of the memory and, in the directions that are
	// sensed, for this number of visits; but not ages.
	frame   *gp.Frame
	since   [4]int64 // times of looks, by lane; or never
	sensed  lanes
	place   point
	version uint64
	visits  uint32

	found   uint8  // the ways that are kept until place, memory or bumps change
	enemies uint64 // to which the way leads
}

// look is what was last seen in a direction.
type look struct {
	view
	time    int64
	version uint64 // of the memory, with all of it entered
}

// view is what a look shows.
type view struct {
	from, at point // where the creature stood, and what was seen, on the same line
	taken    bool
	kind     kind
	class    class
	faces    bool // it faced the creature
}

// end keeps the mind for another creature.
func (m *evolvedMind) end() { m.colony.minds = append(m.colony.minds, m) }

// visit notes where the creature stands.
func (m *evolvedMind) visit(b *body) {
	p := b.position()
	m.memory.visit(p)
	m.memory.enter(p, 0, noClass, b.w.ground.terrain[b.cell], b.breed)
}

// learn updates the memory with the outcome of the last action.
func (m *evolvedMind) learn(b *body) {
	switch m.last {
	case forward, backward:
		if b.done {
			m.visit(b)
			break
		}
		d := b.facing
		if m.last == backward {
			d = d.back()
		}
		// something is there, and only a look could tell what
		m.bumps[d], m.bumped[d] = b.position().toward(d), true
		m.forget(d)
	case attack:
		if b.done { // what it converted is a friend
			m.convert(b)
		}
	case observe:
		var o observation
		b.w.look(b, &o)
		m.look(b, &o)
	}
}

// look enters an observation. One that shows what the one before it showed changes no board that
// has not changed since, and nothing of what is sensed.
func (m *evolvedMind) look(b *body, o *observation) {
	s, l := &o.seen, &m.looks[b.facing]
	seen := view{from: b.position(), at: s.point, taken: true, kind: s.kind, class: s.class,
		faces: s.kind == kindAnimal && s.facing == b.facing.back()}
	again := seen == l.view
	m.memory.note(b, o, again && l.version == m.memory.version)
	if !again {
		l.view = seen
		m.sensed &^= 1 << b.facing.clockwise()
	}
	if m.bumped[b.facing] {
		m.bumped[b.facing] = false
		m.forget(b.facing)
	}
	l.time, l.version = b.clock, m.memory.version
	m.since[b.facing.clockwise()] = b.clock
}

// forget lets what lies in a direction be sensed anew.
func (m *evolvedMind) forget(d direction) {
	m.sensed &^= 1 << d.clockwise()
	m.found = 0
}

// convert enters the friend that an attack has made or enchanted.
func (m *evolvedMind) convert(b *body) {
	at := b.position().toward(b.facing)
	m.memory.forgetLine(at, at)
	m.memory.enter(at, 0, noClass, 0, b.breed)
	m.memory.sight(sighting{at: at, friend: true, time: b.clock, id: -1})
	m.looks[b.facing] = look{time: b.clock,
		view: view{at: at, taken: true, kind: kindAnimal, class: b.class()}}
	m.forget(b.facing)
}

// candidates are the actions, each with its tree and the direction in which the tree looks, in
// quarter turns clockwise from the facing.
var candidates = [...]struct {
	verb       verb
	slot, turn int
}{{forward, slotForward, 0}, {attack, slotAttack, 0}, {turnLeft, slotTurn, 3}, {turnRight, slotTurn, 1},
	{observe, slotObserve, 0}, {backward, slotBackward, 2}, {delay, slotDelay, 0}}

// decide takes the action of the greatest utility, among equals the first of the candidates.
func (m *evolvedMind) decide(b *body) action {
	m.prepare(b)
	c := m.colony
	var utilities [len(candidates)]float32
	best := c.code.Choose(0, b.facing.clockwise(), m.frame, utilities[:])
	if c.report != nil {
		c.report(m.choice(b, utilities[:], best))
	}
	m.last = candidates[best].verb
	return action(m.last)
}

// prepare fills the frame for a decision, and charges for it.
func (m *evolvedMind) prepare(b *body) {
	m.learn(b)
	m.sense(b)
	b.effort += int64(m.colony.nodes)
}

// sense fills the frame. Layers that no tree reads stay as they are.
func (m *evolvedMind) sense(b *body) {
	c, f, p := m.colony, m.frame, b.position()
	if moved := m.place != p; moved || m.version != m.memory.version {
		m.draw(p, moved)
	}
	if m.visits != m.memory.visits {
		m.visits, m.sensed = m.memory.visits, 0
	}
	for left := c.ahead.facing(b.facing) &^ m.sensed; left != 0; left &= left - 1 {
		m.senseAhead(b, p, bits.TrailingZeros8(uint8(left)))
	}
	ages := f.Scalar(scalarAge)
	for left := c.aged.facing(b.facing); left != 0; left &= left - 1 {
		lane := bits.TrailingZeros8(uint8(left)) & (gp.Lanes - 1)
		ages[lane] = min(float32(b.clock-m.since[lane])/float32(millisecond), ageUnknown)
	}
	f.SetScalar(scalarTime, float32(b.w.clock)/float32(c.limit))
	f.Flags[flagEnchanted] = always(b.enchanted)
	f.Flags[flagHasShrine] = always(m.memory.hasShrine)
	f.Flags[flagDone] = always(b.done)
	if len(c.sighted) > 0 {
		friends, enemies := m.memory.creatures(p, b.clock)
		for i := range c.sighted {
			r := &c.sighted[i]
			if r.of == sightedFriends {
				f.Layers[r.index] = friends
			} else {
				f.Layers[r.index] = enemies
			}
		}
	}
	for i := range c.said {
		c.said[i].fill(f, m, b)
	}
}

// fill sets the frame's scalar, flag or layer by the row's function.
func (r *reading) fill(f *gp.Frame, m *evolvedMind, b *body) {
	switch {
	case r.squares != nil:
		f.Layers[r.index] = r.squares(m, b)
		return
	case r.numbers != nil:
		r.numbers(m, b, f.Scalar(r.index))
		return
	}
	for d := north; d <= east; d++ {
		if lane := d.clockwise(); r.number != nil {
			f.Scalar(r.index)[lane] = r.number(m, b, d)
		} else if f.Flags[r.index] &^= 1 << lane; r.truth(m, b, d) {
			f.Flags[r.index] |= 1 << lane
		}
	}
}

// draw reads the layers that are boards from the memory, only those that have changed if the
// creature has not moved.
func (m *evolvedMind) draw(p point, moved bool) {
	version := m.version
	if moved {
		version = 0 // each board has changed since
	}
	if c := &m.memory.changed; max(c[boardWall], c[boardHazard], c[boardShrine]) > version {
		m.sensed = 0
	}
	m.place, m.version, m.found = p, m.memory.version, 0
	for i := range m.colony.boards {
		r := &m.colony.boards[i]
		if m.memory.changed[r.of] <= version {
			continue
		}
		seen := m.memory.window(r.of, p)
		if r.of == boardKnown { // whose layer holds what is unknown
			seen = wholeWindow.AndNot(seen)
		}
		m.frame.Layers[r.index] = seen
	}
}

// wholeWindow holds all cells of the window.
var wholeWindow = window.Square(reach)

// always returns a flag that is the same in all four directions.
func always(v bool) uint8 {
	if v {
		return 1<<gp.Lanes - 1
	}
	return 0
}

// senseAhead computes the frame's contents for one direction, but for the age.
func (m *evolvedMind) senseAhead(b *body, p point, lane int) {
	d, flags := direction(gp.Lanes-lane)&3, uint8(0)
	next := p.toward(d)
	blocked := m.memory.has(boardWall, next) || m.memory.has(boardHazard, next) || m.bumped[d] &&
		m.bumps[d] == next
	distance, since := float32(0), never
	if l := &m.looks[d]; l.taken && l.onLine(p, d) {
		distance, since = float32(p.distance(l.at)), l.time
		// an empty last square is the edge of fog that hides what follows
		blocked = blocked || distance == 1 && l.kind != kindEmpty
		flags |= 1 << flagLooked
		own := b.class()
		switch {
		case l.kind == kindHazard:
			flags |= 1 << flagHazard
		case l.kind == kindAnimal && l.class == own:
			flags |= 1 << flagFriend
		case l.kind == kindAnimal:
			flags |= 1 << flagPrey
			if distance == 1 {
				flags |= 1 << flagNext
			}
			if l.class >= firstClass {
				flags |= 1 << flagEnemy
			}
			if l.faces && (l.class >= firstClass || l.class == flytrapClass) {
				flags |= 1 << flagFaced
			}
		}
	}
	trail := float32(0)
	if blocked {
		flags |= 1 << flagBlocked
	} else {
		trail = m.memory.cold(next)
	}
	ahead, side := float32(0), float32(0)
	if m.memory.hasShrine {
		x, y := gp.Turn(int(m.memory.shrine.x-p.x), int(m.memory.shrine.y-p.y), -lane)
		ahead, side = float32(-y), float32(x)
	}
	f := m.frame
	f.Scalar(scalarTrail)[lane], f.Scalar(scalarDistance)[lane] = trail, distance
	f.Scalar(scalarShrineAhead)[lane], f.Scalar(scalarShrineSide)[lane] = ahead, side
	m.since[lane] = since
	all := f.Flags[:flagEnchanted]
	binary.LittleEndian.PutUint64(all, binary.LittleEndian.Uint64(all)&^(eachFlag<<lane)|
		spreadFlags(flags)<<lane)
	m.sensed |= 1 << lane
}

// never is so long before any look that its age is ageUnknown.
const never = -ageUnknown * millisecond

// eachFlag has the lowest bit of each byte.
const eachFlag = 0x0101010101010101

// spreadFlags returns eight flags as the lowest bits of eight bytes, the first in the lowest.
func spreadFlags(flags uint8) uint64 {
	// In the sum of seven copies 7 bits apart, flag i is at bit 8i. The eighth flag is added by
	// itself, because its copies would carry into the others.
	return uint64(flags&127)*0x0002040810204081&eachFlag | uint64(flags>>7)<<56
}

// onLine tells whether what was seen lies ahead of a place in a direction.
func (l *look) onLine(p point, d direction) bool {
	switch d {
	case north:
		return l.at.x == p.x && l.at.y < p.y
	case south:
		return l.at.x == p.x && l.at.y > p.y
	case west:
		return l.at.y == p.y && l.at.x < p.x
	default:
		return l.at.y == p.y && l.at.x > p.x
	}
}
