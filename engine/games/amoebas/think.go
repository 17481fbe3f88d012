package amoebas

import (
	"math"

	"clade/engine"
)

// reasons is the trace of a built-in species' decision.
type reasons struct {
	note   string
	among  Directions // that were weighed last
	values [8]float32 // of these directions
}

// because notes the reason of the action that follows.
func (v *View) because(note string) {
	if v.trace != nil {
		v.trace.note = note
	}
}

// as notes the role and the reason of the action that follows.
func (v *View) as(role, note string) {
	if v.trace != nil {
		v.trace.note = role + note
	}
}

// weigh notes the worth of directions. A trace must be wanted.
func (t *reasons) weigh(among Directions, worth func(Direction) int) {
	t.among = among
	for d := range Direction(8) {
		if among.Has(d) {
			t.values[d] = float32(worth(d))
		}
	}
}

// tracer is a built-in species, for one game, that reports its choices.
type tracer struct {
	Function
	report func(*engine.Choice)
}

// Act decides as the species does. Children with functions of their own are traced too.
func (k *tracer) Act(v *View) Action {
	trace := reasons{note: "does nothing"}
	v.trace = &trace
	defer func() { v.trace = nil }() // a function may panic
	a := k.Function.Act(v)
	x, y := v.w.g.position(v.cell)
	at := v.w.placer(x, y)
	c := engine.Choice{Actor: at(0, 0), Note: trace.note}
	name, to := commandNames[a.Command&3], at(0, 0)
	if a.Command != Rest {
		name, to = name+" "+compass[a.Direction&7], at(a.Direction.Step())
	}
	chosen := engine.Candidate{Name: name, At: to, Slot: -1, Utility: float32(math.NaN())}
	for d := range Direction(8) {
		if a.Command == Rest || !trace.among.Has(d) || !trace.among.Has(a.Direction) {
			continue
		}
		if d == a.Direction {
			c.Chosen, chosen.Utility = len(c.Candidates), trace.values[d]
			c.Candidates = append(c.Candidates, chosen)
			continue
		}
		c.Candidates = append(c.Candidates, engine.Candidate{Slot: -1, Utility: trace.values[d],
			Name: commandNames[a.Command&3] + " " + compass[d], At: at(d.Step())})
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
