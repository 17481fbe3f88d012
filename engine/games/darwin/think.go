package darwin

import (
	"math"

	"clade/engine"
)

// reasons is the trace of a built-in creature's action.
type reasons struct {
	report func(*engine.Choice)
	note   string // of the rule that is followed; it holds until another one is
}

// because notes the reason of the next action.
func (b *body) because(note string) {
	if b.trace != nil {
		b.trace.note = note
	}
}

// tracer is a built-in species, for one game, that reports the reasons of its creatures' actions.
type tracer struct {
	species
	report func(*engine.Choice)
}

// explain reports an action that was chosen. To never act is not a choice.
func (t *reasons) explain(b *body, v verb) {
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
	t.report(&engine.Choice{Actor: shown.middle(p), Note: t.note, Candidates: []engine.Candidate{{
		Name: verbNames[v], At: shown.middle(to), Slot: -1, Utility: float32(math.NaN())}}})
}
