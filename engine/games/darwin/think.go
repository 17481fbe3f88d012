package darwin

import (
	"math"

	"clade/engine"
)

// because tells the reason of the next action.
func (b *body) because(note string) {
	if b.told != nil {
		*b.told = note
	}
}

// thinker is a built-in species, for one game, that tells why its creatures act.
type thinker struct {
	species
	tell func(*engine.Choice)
}

func (t *thinker) found(b briefing) colony { return &thinkingColony{t.species.found(b), t.tell} }

type thinkingColony struct {
	colony
	tell func(*engine.Choice)
}

// end passes the end of the game on.
func (c *thinkingColony) end() {
	if e, ok := c.colony.(ender); ok {
		e.end()
	}
}

func (c *thinkingColony) spawn(b *body) mind {
	return &thinkingMind{mind: c.colony.spawn(b), tell: c.tell}
}

type thinkingMind struct {
	mind
	tell func(*engine.Choice)
	note string // of the rule that is followed; it holds until another one is
}

// end passes the creature's end on.
func (m *thinkingMind) end() {
	if e, ok := m.mind.(ender); ok {
		e.end()
	}
}

// decide decides as the creature does. That it never acts is not a choice.
func (m *thinkingMind) decide(b *body) action {
	b.told = &m.note
	a := m.mind.decide(b)
	b.told = nil
	v := a.verb()
	if v == end || v >= numVerbs {
		return a
	}
	shown := &scene{w: b.w, iso: b.w.isometric}
	p := b.position()
	to := p
	switch v {
	case forward, attack, observe:
		to = p.toward(b.facing)
	case backward:
		to = p.toward(b.facing.back())
	case turnLeft:
		to = p.toward(b.facing.left())
	case turnRight:
		to = p.toward(b.facing.right())
	}
	m.tell(&engine.Choice{Actor: shown.middle(p), Note: m.note, Candidates: []engine.Candidate{{
		Name: verbNames[v], At: shown.middle(to), Slot: -1, Utility: float32(math.NaN())}}})
	return a
}
