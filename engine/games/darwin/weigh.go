package darwin

import (
	"image"
	"math"

	"clade/engine"
)

// Weigh implements engine.Weigher. Built-in species report the rule that a creature follows.
func (g *game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *evolved:
		s := *p
		s.read(func(reading, int) bool { return true }) // whatever the trees read
		s.report = report
		return &s
	case stepper, straight:
		return &tracer{p.(species), report}
	}
	return nil
}

// choice returns the choice of a candidate, with the utilities of all.
func (m *evolvedMind) choice(b *body, utilities []float32, chosen int) *engine.Choice {
	c, p, ahead := m.colony, b.position(), b.facing.clockwise()
	shown := &scene{w: b.w, iso: b.w.isometric}
	choice := &engine.Choice{Actor: shown.middle(p), Chosen: chosen, Undefined: true,
		Views: []engine.View{{Frame: m.frame, Place: func(cell int) (image.Point, bool) {
			at := point{p.x + int16(cell%windowSide-reach), p.y + int16(cell/windowSide-reach)}
			inside := at.x >= 0 && at.y >= 0 && int(at.x) < c.size.width &&
				int(at.y) < c.size.height
			return shown.middle(at), inside
		}}}}
	for i, k := range candidates {
		at, turn := p, (ahead+k.turn)&3
		if k.verb != delay {
			at = p.toward(direction(4-turn) & 3)
		}
		choice.Candidates = append(choice.Candidates, engine.Candidate{Name: candidateNames[i],
			Slot: k.slot, At: shown.middle(at), Turn: turn, Utility: utilities[i]})
	}
	return choice
}

// candidateNames holds the names of the candidates.
var candidateNames = [len(candidates)]string{"forward", "attack", "left", "right", "observe",
	"backward", "delay"}

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
