package darwin

import (
	"math"

	"clade/engine"
)

// thoughts is what a built-in creature tells of its actions.
type thoughts struct {
	tell func(*engine.Choice)
	note string // of the rule that is followed; it holds until another one is
}

// because tells the reason of the next action.
func (b *body) because(note string) {
	if b.told != nil {
		b.told.note = note
	}
}

// thinker is a built-in species, for one game, that tells why its creatures act.
type thinker struct {
	species
	tell func(*engine.Choice)
}

// explain tells of an action that was chosen. That a creature never acts is not a choice.
func (t *thoughts) explain(b *body, v verb) {
	if v == end || v >= numVerbs {
		return
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
	t.tell(&engine.Choice{Actor: shown.middle(p), Note: t.note, Candidates: []engine.Candidate{{
		Name: verbNames[v], At: shown.middle(to), Slot: -1, Utility: float32(math.NaN())}}})
}
