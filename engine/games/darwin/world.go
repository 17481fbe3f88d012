package darwin

import (
	"slices"

	"clade/engine"
)

// world is a game in progress. It calls no players: Play and the tests hand it their actions.
type world struct {
	rules      *ruleSet
	ground     *ground
	chances    chances
	cells      []int16  // what stands in each cell, see wallX
	scents     []uint32 // texts left in each cell; nil until the first one
	bodies     []body
	free       []int32 // slots of bodies without a creature
	queue      queue
	classes    [numBreeds]class
	population [numBreeds]int
	ascensions [maxSeats]int
	captures   [maxSeats]int // creatures that each seat has converted
	deaths     [maxSeats]int // creatures of each seat that were converted, or died
	seatsAlive int
	champion   int   // seat that has ascended often enough, -1 while none has
	clock      int64 // the game clock: what all creatures have spent
	unit       int64 // cost of a unit of effort
	turns      int
	lastID     int32
	seed       engine.Seed
	birth      func(*body) // gives a newborn its mind
	death      func(*body) // ends a creature
	trod       []uint16    // seats whose creatures have stood in each cell
	steps      [maxSeats]int
	isometric  bool // how it is drawn
}

// chances are the random outcomes of a game. The tests put recorded ones in their place.
type chances interface {
	// startTime returns the time in 0..999 that a creature of the map starts with.
	startTime(cell int) int64
	// facing returns a random direction.
	facing() direction
	// newborn returns which way a newborn faces whose maker faces the given way.
	newborn(maker direction) direction
	// applePlace returns an empty cell without a shrine for an enchanted apple, false if none was
	// found.
	applePlace(w *world) (int, bool)
}

// begin puts the creatures of the ground into the empty world.
func (w *world) begin(g *ground, rules *ruleSet, seed engine.Seed, c chances, birth,
	death func(*body)) {
	*w = world{rules: rules, ground: g, chances: c, seed: seed, birth: birth, death: death,
		champion: -1}
	w.drawClasses()
	w.cells = slices.Clone(g.cells)
	w.trod = make([]uint16, len(g.cells))
	// births during the game take the places of other creatures, so that one slot more is enough
	n := len(g.starts) + 1
	w.bodies = make([]body, n)
	w.free = make([]int32, n)
	for i := range w.free {
		w.free[i] = int32(n - 1 - i)
	}
	w.queue = make(queue, 0, n)
	for _, s := range g.starts {
		facing := east
		if s.breed >= firstSeat || s.breed == flytrap {
			p := g.point(s.cell)
			facing = (east + direction(p.x^p.y)) & 3
		}
		w.spawn(s.cell, s.breed, facing, s.enchanted, c.startTime(s.cell), false)
	}
}

// spawn puts a creature into a cell. Every birth costs one decision, and one during the game a
// second one, at which the creature leaves the queue and comes back.
func (w *world) spawn(cell int, breed breed, facing direction, enchanted bool, time int64,
	late bool) {
	slot := w.free[len(w.free)-1]
	w.free = w.free[:len(w.free)-1]
	w.lastID++
	b := &w.bodies[slot]
	*b = body{
		w: w, slot: slot, id: w.lastID, cell: int32(cell), at: w.ground.point(cell),
		facing: facing, breed: breed, enchanted: enchanted,
		alive: true, done: true, clock: time + decisionCost,
		random: engine.NewRandom(uint64(w.seed.Num(uint64(w.lastID)))),
	}
	if w.cells[cell] == 0 { // else it is a ghost below a wall of the border
		w.cells[cell] = int16(slot) + 1
	}
	if w.population[breed]++; w.population[breed] == 1 && breed >= firstSeat {
		w.seatsAlive++
	}
	w.tread(b)
	w.clock += decisionCost
	w.queue.push(entry{b.clock, slot})
	if late {
		w.clock += decisionCost
		b.clock += decisionCost
		w.queue.remove(slot)
		w.queue.push(entry{b.clock, slot})
	}
	w.birth(b)
}

// tread notes that a creature's species has been where the creature stands.
func (w *world) tread(b *body) {
	if seat := b.breed.seat(); seat >= 0 && w.trod[b.cell]>>seat&1 == 0 {
		w.trod[b.cell] |= 1 << seat
		w.steps[seat]++
	}
}

// kill takes a creature out of the world.
func (w *world) kill(b *body) {
	w.queue.remove(b.slot)
	if w.cells[b.cell] == int16(b.slot)+1 {
		w.cells[b.cell] = 0
	}
	if w.population[b.breed]--; w.population[b.breed] == 0 && b.breed >= firstSeat {
		w.seatsAlive--
	}
	if seat := b.breed.seat(); seat >= 0 {
		w.deaths[seat]++
	}
	b.alive = false
	w.death(b)
	w.free = append(w.free, b.slot)
}

// over tells whether the game has ended. It is asked before every turn.
func (w *world) over() bool {
	switch {
	case w.seatsAlive == 0 || len(w.queue) == 0:
		return true
	case w.ground.maze:
		return w.solved() || w.rules.mazeLimit > 0 && w.clock >= w.rules.mazeLimit
	default:
		return w.champion >= 0 || w.seatsAlive <= w.ground.seats/2 || w.clock >= w.rules.timeLimit
	}
}

// next returns the creature whose turn it is: the one that has spent the least time.
func (w *world) next() *body { return &w.bodies[w.queue[0].slot] }

// act carries out the action of the creature whose turn it is.
func (w *world) act(b *body, a action) {
	w.turns++
	before := b.clock
	thought := max(decisionCost, b.effort*w.unit)
	b.effort = 0
	if thought > w.rules.decisionLimit { // the turn itself is not charged
		w.apple(b, b.clock)
		return
	}
	verb := a.verb()
	if verb >= numVerbs {
		verb = end
	}
	cost := costs[verb]
	if verb <= turnRight || verb == attack && w.rules.mudAttack {
		if w.ground.terrain[b.cell]&mud != 0 && verb != end {
			cost += mudCost
		}
	}
	var fatal bool
	var victim *body
	b.done, b.last = true, verb
	switch verb {
	case forward:
		b.done, fatal = w.move(b, b.facing)
		if w.ground.terrain[b.cell]&fog != 0 && (b.done || !w.rules.fogBoth) {
			cost += fogCost
		}
	case backward:
		b.done, fatal = w.move(b, b.facing.back())
		if w.rules.fogBoth && b.done && w.ground.terrain[b.cell]&fog != 0 {
			cost += fogCost
		}
	case turnLeft:
		b.facing = b.facing.left()
	case turnRight:
		b.facing = b.facing.right()
	case attack:
		victim = w.attack(b)
	case emit:
		if w.scents == nil {
			w.scents = make([]uint32, len(w.cells))
		}
		w.scents[b.cell] = uint32(a >> 32)
	}
	b.clock += thought + cost
	w.clock += thought + cost
	w.queue.pop()
	if verb != end {
		w.queue.push(entry{b.clock, b.slot})
	}
	switch {
	case victim != nil:
		w.convert(b, victim, before)
	case fatal:
		w.apple(b, before)
	case b.enchanted && b.done && verb <= backward && verb >= forward &&
		w.ground.terrain[b.cell].owner() == b.breed:
		w.ascend(b, before)
	}
}

// move moves a creature one step, and tells whether it moved and whether it died of a hazard.
func (w *world) move(b *body, d direction) (moved, fatal bool) {
	to := int(b.cell) + w.ground.steps[d]
	if w.cells[to] != 0 {
		return false, w.cells[to] == hazard
	}
	if w.cells[b.cell] == int16(b.slot)+1 {
		w.cells[b.cell] = 0
	}
	w.cells[to] = int16(b.slot) + 1
	b.cell, b.at = int32(to), b.at.toward(d)
	w.tread(b)
	return true, false
}

// attack returns the creature of another breed that an attack converts. An enchanted creature
// passes the enchantment to one of its own breed instead.
func (w *world) attack(b *body) *body {
	what := w.cells[int(b.cell)+w.ground.steps[b.facing]]
	b.done = false
	if what <= 0 {
		return nil
	}
	t := &w.bodies[what-1]
	if t.breed != b.breed {
		b.done = true
		return t
	}
	if b.enchanted && !t.enchanted {
		b.enchanted, t.enchanted, b.done = false, true, true
	}
	return nil
}

// convert puts a newborn of the attacker's breed in the place of its victim. before is the
// attacker's time at the start of its turn.
func (w *world) convert(b, victim *body, before int64) {
	cell, enchanted, breed := int(victim.cell), victim.enchanted, b.breed
	facing, time := b.facing.back(), b.clock
	if !w.rules.newbornFacesBack {
		facing = w.chances.newborn(b.facing)
	}
	if !w.rules.inheritAll {
		time = before + delayCost
	}
	w.kill(victim)
	if seat := breed.seat(); seat >= 0 {
		w.captures[seat]++
	}
	w.spawn(cell, breed, facing, enchanted, time, true)
}

// apple turns a creature into an apple that keeps its enchantment. before is the creature's time at
// the start of its turn.
func (w *world) apple(b *body, before int64) {
	cell, enchanted := int(b.cell), b.enchanted
	w.kill(b)
	w.spawn(cell, apple, w.chances.facing(), enchanted, before, true)
}

// ascend counts an ascension on the species' shrine.
func (w *world) ascend(b *body, before int64) {
	seat := b.breed.seat()
	if w.ascensions[seat]++; w.ascensions[seat] >= w.rules.ascensionsToWin {
		w.champion = seat
	}
	if w.rules.reincarnate {
		b.enchanted = false
		return
	}
	cell, ok := w.chances.applePlace(w)
	w.kill(b)
	if ok {
		w.spawn(cell, apple, w.chances.facing(), true, before, true)
	}
}

// observe returns what lies ahead of a creature.
func (w *world) observe(b *body) (o observation) {
	w.look(b, &o)
	return o
}

// look is observe into memory of the caller, because copying what was just written in parts waits
// for the store buffer.
func (w *world) look(b *body, o *observation) {
	step := w.ground.steps[b.facing]
	cell, distance := int(b.cell)+step, 1
	for w.cells[cell] == 0 && !(w.rules.fogBlocks && w.ground.terrain[cell]&fog != 0) {
		cell += step
		distance++
	}
	o.distance, o.w, o.cell, o.step = distance, w, int(b.cell), step
	o.seen.point = b.at.ahead(b.facing, distance)
	w.describe(cell, &o.seen)
}

// square describes a cell.
func (w *world) square(cell int) (s square) {
	s.point = w.ground.point(cell)
	w.describe(cell, &s)
	return s
}

// describe is square into memory of the caller that holds no more than the point.
func (w *world) describe(cell int, s *square) {
	s.kind, s.class = kindEmpty, emptyClass
	switch what := w.cells[cell]; {
	case what > 0:
		b := &w.bodies[what-1]
		s.kind, s.class, s.id, s.facing = kindAnimal, w.classes[b.breed], b.id, b.facing
		s.enchanted = b.enchanted && w.rules.seeEnchantment
	case what == hazard:
		s.kind, s.class = kindHazard, hazardClass
	case what < 0:
		s.kind, s.class = kindWall, wallClass
	}
	t := w.ground.terrain[cell]
	s.mud, s.fog = t&mud != 0, t&fog != 0
	if owner := t.owner(); owner != none {
		s.shrine = w.classes[owner]
	}
}
