package darwin

import (
	"image"

	"clade/engine"
)

// Weigh implements engine.Weigher. Built-in species report the rule that a creature follows.
func (g *game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *evolved:
		s := *p
		s.read(func(*sense) bool { return true }) // whatever the trees read
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
		Views: []engine.View{{Frame: c.frame, Place: func(cell int) (image.Point, bool) {
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
