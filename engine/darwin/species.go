package darwin

import "iter"

// Species is a player of the Darwin Game: it makes the minds of all creatures of a seat. It is
// immutable and safe for concurrent use.
type Species interface {
	// Found is called once a game for each seat.
	Found(b Briefing) Colony
}

// Briefing is what a species knows of a game before its first creature is born.
type Briefing struct {
	Width, Height int // of the map, in squares
}

// Colony is a species within one game. What its creatures share, it keeps.
type Colony interface {
	// Spawn returns the mind of a newborn.
	Spawn(b *Body) Mind
}

// Mind decides for one creature. It is asked at each of its turns, and may think about its Body and
// about the answer to its last action: Body.Done and Body.Observation. A mind may also be an Ender.
type Mind interface {
	Decide(b *Body) Action
}

// Ender is a mind that wants to know its end.
type Ender interface {
	// End is called once, when the creature has been converted or has died, or when the game is
	// over.
	End()
}

// Stepper is a species whose creatures share nothing: a function that makes the mind of each.
type Stepper func() Mind

// Found returns the species itself: it is its own colony.
func (s Stepper) Found(Briefing) Colony { return s }

// Spawn returns a new mind.
func (s Stepper) Spawn(*Body) Mind { return s() }

// Program is a creature as the handbook lets one write it: straight-line code that takes a turn
// wherever it calls an action of its creature. When it returns, the creature stays in the world and
// never acts again. When its creature is converted, the action under way never returns: the program
// is unwound, its deferred calls run, and it must not act in them.
type Program func(c *Creature)

// Straight is a species of straight-line programs: a function that is called once a game and
// returns the program that every creature of the seat runs. What the function declares is shared by
// the creatures of the seat in that game; only one of them runs at a time.
type Straight func(b Briefing) Program

// Found starts a game.
func (s Straight) Found(b Briefing) Colony { return s(b) }

// Spawn starts the program of a newborn.
func (p Program) Spawn(b *Body) Mind {
	c := &Creature{Body: b}
	c.next, c.stop = iter.Pull(func(yield func(Action) bool) {
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

// converted unwinds a program whose creature is no more.
type converted struct{}

// Creature is what a straight-line program holds: its body with the actions. Each action takes the
// turn and returns at the beginning of the next one.
type Creature struct {
	*Body
	Note  string // what the program wants an inspector to show
	yield func(Action) bool
	next  func() (Action, bool)
	stop  func()
}

// Decide runs the program to its next action.
func (c *Creature) Decide(*Body) Action {
	a, ok := c.next()
	if !ok {
		return Act(End)
	}
	return a
}

// String returns the note.
func (c *Creature) String() string { return c.Note }

// End unwinds the program.
func (c *Creature) End() { c.stop() }

// act takes the turn.
func (c *Creature) act(a Action) bool {
	if !c.yield(a) {
		panic(converted{})
	}
	return c.done
}

// MoveForward steps ahead and tells whether the square was free.
func (c *Creature) MoveForward() bool { return c.act(Act(Forward)) }

// MoveBackward steps back without turning and tells whether the square was free.
func (c *Creature) MoveBackward() bool { return c.act(Act(Backward)) }

// TurnLeft turns a quarter counter-clockwise.
func (c *Creature) TurnLeft() { c.act(Act(TurnLeft)) }

// TurnRight turns a quarter clockwise.
func (c *Creature) TurnRight() { c.act(Act(TurnRight)) }

// Attack attacks what is in front and tells whether it converted it, or passed the enchantment to
// it.
func (c *Creature) Attack() bool { return c.act(Act(Attack)) }

// Observe looks ahead. The observation shows the world at the beginning of the next turn, and is
// valid until the next action.
func (c *Creature) Observe() Observation {
	c.act(Act(Observe))
	return c.w.observe(c.Body)
}

// Delay passes the turn.
func (c *Creature) Delay() { c.act(Act(Delay)) }

// Emit leaves a text of at most four bytes on the square.
func (c *Creature) Emit(text string) { c.act(EmitText(text)) }

// Face turns the shortest way until the creature faces a direction.
func (c *Creature) Face(d Direction) {
	switch d {
	case c.facing.Left():
		c.TurnLeft()
	case c.facing.Right():
		c.TurnRight()
	case c.facing.Back():
		c.TurnLeft()
		c.TurnLeft()
	}
}
