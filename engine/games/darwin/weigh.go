package darwin

import (
	"image"

	"clade/engine"
)

// Weigh implements engine.Weigher. Of built-in species it tells which rule a creature follows.
func (g *game) Weigh(p engine.Player, tell func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *evolved:
		s := *p
		s.read(func(*sense) bool { return true }) // whatever the trees read
		return &weigher{&s, tell}
	case stepper, straight:
		return &thinker{p.(species), tell}
	}
	return nil
}

// weigher is an evolved species, for one game, that tells what its creatures weigh up.
type weigher struct {
	*evolved
	tell func(*engine.Choice)
}

func (w *weigher) found(b briefing) colony {
	return &weighingColony{w.evolved.found(b).(*evolvedColony), w.tell}
}

type weighingColony struct {
	*evolvedColony
	tell func(*engine.Choice)
}

func (c *weighingColony) spawn(b *body) mind {
	return &weighingMind{c.evolvedColony.spawn(b).(*evolvedMind), c.tell}
}

type weighingMind struct {
	*evolvedMind
	tell func(*engine.Choice)
}

// decide decides as the evolved mind does.
func (m *weighingMind) decide(b *body) action {
	m.prepare(b)
	c, p, ahead := m.colony, b.position(), b.facing.clockwise()
	shown := &scene{w: b.w, iso: b.w.isometric}
	choice := engine.Choice{Actor: shown.middle(p), Undefined: true, Views: []engine.View{{
		Frame: c.frame, Place: func(cell int) (image.Point, bool) {
			at := point{p.x + int16(cell%windowSide-reach), p.y + int16(cell/windowSide-reach)}
			inside := at.x >= 0 && at.y >= 0 && int(at.x) < c.size.width &&
				int(at.y) < c.size.height
			return shown.middle(at), inside
		}}}}
	var verbs []verb
	add := func(name string, v verb, slot, turn int) {
		at, turn := p, (ahead+turn)&3
		if v != delay {
			at = p.toward(direction(4-turn) & 3)
		}
		verbs = append(verbs, v)
		choice.Candidates = append(choice.Candidates, engine.Candidate{Name: name, Slot: slot,
			At: shown.middle(at), Turn: turn, Utility: c.code.EvalLane(slot, 0, turn, c.frame)})
	}
	for i, k := range candidates {
		add(candidateNames[i], k.verb, k.slot, k.turn)
	}
	choice.Chosen = choice.Best(func(i int) float32 { return choice.Candidates[i].Utility })
	m.tell(&choice)
	m.last = verbs[choice.Chosen]
	return action(m.last)
}

// candidateNames are the words for candidates.
var candidateNames = [len(candidates)]string{"forward", "attack", "left", "right", "observe",
	"backward", "delay"}
