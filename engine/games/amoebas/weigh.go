package amoebas

import (
	"image"
	"math"

	"clade/engine"
	"clade/gp/kernels"
)

// Weigh implements engine.Weigher. A built-in species reports its reason in words and, where it
// compares directions, what it counts in each: energy, health, fuel or amoebas.
func (g *game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *evolved:
		w := *p
		w.level, w.report = kernels.Scalar, report
		w.weighs = g.words.weighted // whatever the code reads
		for i := numCounts; i < len(g.words.scalars); i++ {
			w.reads |= 1 << i
		}
		return &w
	case mindless, divider, nasty, brainy, mutating, theroots, alarmed, covid, necrosis, amoeboiz,
		caesar, untitled:
		return &tracer{p.(decider), report}
	}
	return nil
}

// choice lists the candidates in the order of choose.
func (e *evolved) choice(v *view, m *scratch, may options, start int, taken action) *engine.Choice {
	w := v.w
	x, y := w.g.position(v.cell)
	at := w.placer(x, y)
	c := &engine.Choice{Actor: at(0, 0), Views: []engine.View{{Frame: m.frame,
		Place: func(cell int) (image.Point, bool) {
			return at(cell%side-side/2, cell/side-side/2), true
		}}}}
	c.Candidates = append(c.Candidates, engine.Candidate{Name: "rest", At: at(0, 0),
		Slot: slotRest, Utility: m.utilities[slotRest][0]})
	for i := range 8 {
		d := direction(start+i) & 7
		for k, command := range [...]command{doMove, doHit, doDivide} { // the order of options
			if may>>(8*k+int(d))&1 == 0 {
				continue
			}
			slot, turn := slotMove+2*k+1-int(d&1), int(d>>1)
			if (action{Command: command, Direction: d}) == taken {
				c.Chosen = len(c.Candidates)
			}
			c.Candidates = append(c.Candidates, engine.Candidate{
				Name: commandNames[command] + " " + compass[d], At: at(d.step()), Slot: slot,
				Turn: turn, Utility: m.utilities[slot][turn]})
		}
	}
	return c
}

// placer returns where cells around a cell are drawn at scale 1.
func (w *world) placer(x, y int) func(dx, dy int) image.Point {
	return func(dx, dy int) image.Point {
		return image.Pt((x+dx+w.g.size)%w.g.size, (y+dy+w.g.size)%w.g.size)
	}
}

// compass names the directions.
var compass = [8]string{"NW", "N", "NE", "E", "SE", "S", "SW", "W"}

// reasons is the trace of a built-in species' decision.
type reasons struct {
	note   string
	among  directions // that were weighed last
	values [8]float32 // of these directions
}

// because notes the reason of the action that follows.
func (v *view) because(note string) {
	if v.trace != nil {
		v.trace.note = note
	}
}

// as notes the role and the reason of the action that follows.
func (v *view) as(role, note string) {
	if v.trace != nil {
		v.trace.note = role + note
	}
}

// weigh notes the worth of directions. A trace must be wanted.
func (t *reasons) weigh(among directions, worth func(direction) int) {
	t.among = among
	for d := range direction(8) {
		if among.has(d) {
			t.values[d] = float32(worth(d))
		}
	}
}

// tracer is a built-in species, for one game, that reports its choices.
type tracer struct {
	decider
	report func(*engine.Choice)
}

// Act decides as the species does. Children with functions of their own are traced too.
func (k *tracer) Act(v *view) action {
	trace := reasons{note: "does nothing"}
	v.trace = &trace
	defer func() { v.trace = nil }() // a function may panic
	a := k.decider.Act(v)
	x, y := v.w.g.position(v.cell)
	at := v.w.placer(x, y)
	c := engine.Choice{Actor: at(0, 0), Note: trace.note}
	name, to := commandNames[a.Command&3], at(0, 0)
	if a.Command != doRest {
		name, to = name+" "+compass[a.Direction&7], at(a.Direction.step())
	}
	chosen := engine.Candidate{Name: name, At: to, Slot: -1, Utility: float32(math.NaN())}
	for d := range direction(8) {
		if a.Command == doRest || !trace.among.has(d) || !trace.among.has(a.Direction) {
			continue
		}
		if d == a.Direction {
			c.Chosen, chosen.Utility = len(c.Candidates), trace.values[d]
			c.Candidates = append(c.Candidates, chosen)
			continue
		}
		c.Candidates = append(c.Candidates, engine.Candidate{Slot: -1, Utility: trace.values[d],
			Name: commandNames[a.Command&3] + " " + compass[d], At: at(d.step())})
	}
	if len(c.Candidates) == 0 {
		c.Candidates = append(c.Candidates, chosen)
	}
	k.report(&c)
	if a.Child != nil {
		a.Child = &tracer{a.Child, k.report}
	}
	return a
}
