package darwin

import "iter"

// species is a player of the Darwin Game: it makes the minds of all creatures of a seat. It is safe
// for concurrent use.
type species interface {
	// found is called once a game for each seat.
	found(b briefing) colony
}

// briefing is what a species is told of a game before its first creature is born.
type briefing struct {
	width, height int // of the map, in squares
}

// colony is a species within one game. It holds what its creatures share.
type colony interface {
	// spawn returns the mind of a newborn.
	spawn(b *body) mind
}

// mind decides for one creature at each of its turns. It may read its body and, after observe, what
// the creature sees. A mind may also be an ender.
type mind interface {
	decide(b *body) action
}

// ender is a mind or a colony that is told of its end.
type ender interface {
	// end is called once: for a mind when its creature has been converted or has died, for all
	// that are left when the game is over.
	end()
}

// stepper is a species whose creatures share nothing: a function that makes the mind of each.
type stepper func() mind

// found returns the species itself: it is its own colony.
func (s stepper) found(briefing) colony { return s }

// spawn returns a new mind.
func (s stepper) spawn(*body) mind { return s() }

// program controls a creature as in the handbook: sequential code that takes a turn with each call
// of an action. When it returns, the creature stays in the world and never acts again. When its
// creature is converted, the call of an action panics and so unwinds the program, whose deferred
// calls run and must not act.
type program func(c *creature)

// straight is a species of programs: a function that is called once a game and returns the program
// of every creature of the seat. The creatures share what the function declares; only one of them
// runs at a time.
type straight func(b briefing) program

// found starts a game.
func (s straight) found(b briefing) colony { return s(b) }

// spawn starts the program of a newborn.
func (p program) spawn(b *body) mind {
	c := &creature{body: b}
	c.next, c.stop = iter.Pull(func(yield func(action) bool) {
		defer func() {
			if r := recover(); r != nil && r != any(converted{}) {
				panic(r)
			}
		}()
		c.yield = yield
		p(c)
	})
	return c
}

// converted is the panic that unwinds the program of a converted creature.
type converted struct{}

// creature is a body with the actions that a program calls. Each action takes a turn and returns at
// the beginning of the next one.
type creature struct {
	*body
	yield func(action) bool
	next  func() (action, bool)
	stop  func()
}

// decide runs the program to its next action.
func (c *creature) decide(*body) action {
	a, ok := c.next()
	if !ok {
		return action(end)
	}
	return a
}

// end unwinds the program.
func (c *creature) end() { c.stop() }

// act takes the turn.
func (c *creature) act(a action) bool {
	if !c.yield(a) {
		panic(converted{})
	}
	return c.done
}

// moveForward steps ahead and tells whether the square was free.
func (c *creature) moveForward() bool { return c.act(action(forward)) }

// moveBackward steps back without turning.
func (c *creature) moveBackward() { c.act(action(backward)) }

// turnLeft turns a quarter counter-clockwise.
func (c *creature) turnLeft() { c.act(action(turnLeft)) }

// turnRight turns a quarter clockwise.
func (c *creature) turnRight() { c.act(action(turnRight)) }

// attack attacks what is in front and tells whether it converted it, or passed the enchantment to
// it.
func (c *creature) attack() bool { return c.act(action(attack)) }

// observe looks ahead. The observation shows the world at the beginning of the next turn, and is
// valid until the next action.
func (c *creature) observe() observation {
	c.act(action(observe))
	return c.w.observe(c.body)
}

// delay passes the turn.
func (c *creature) delay() { c.act(action(delay)) }

// emit leaves a text of at most four bytes on the square.
func (c *creature) emit(text string) { c.act(emitText(text)) }

// face turns the shortest way until the creature faces a direction.
func (c *creature) face(d direction) {
	switch d {
	case c.facing.left():
		c.turnLeft()
	case c.facing.right():
		c.turnRight()
	case c.facing.back():
		c.turnLeft()
		c.turnLeft()
	}
}
