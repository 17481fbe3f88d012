package amoebas

import (
	"math"

	"clade/engine"
)

// thoughts is what a built-in species tells of a decision.
type thoughts struct {
	note   string
	among  Directions // that were weighed last
	values [8]float32 // of these directions
}

// because tells the reason of what follows.
func (v *View) because(note string) {
	if v.told != nil {
		v.told.note = note
	}
}

// as tells the reason of what follows, and in which role.
func (v *View) as(role, note string) {
	if v.told != nil {
		v.told.note = role + note
	}
}

// weigh tells what directions are worth. The caller has seen that it is asked.
func (t *thoughts) weigh(among Directions, worth func(Direction) int) {
	t.among = among
	for d := range Direction(8) {
		if among.Has(d) {
			t.values[d] = float32(worth(d))
		}
	}
}

// thinker is a built-in species, for one game, that tells what it weighs up.
type thinker struct {
	Function
	tell func(*engine.Choice)
}

// Act decides as the species does. So do the children that get functions of their own.
func (k *thinker) Act(v *View) Action {
	told := thoughts{note: "does nothing"}
	v.told = &told
	defer func() { v.told = nil }() // a function may panic
	a := k.Function.Act(v)
	x, y := v.w.g.position(v.cell)
	at := v.w.placer(x, y)
	c := engine.Choice{Actor: at(0, 0), Note: told.note}
	name, to := commandNames[a.Command&3], at(0, 0)
	if a.Command != Rest {
		name, to = name+" "+compass[a.Direction&7], at(a.Direction.Step())
	}
	chosen := engine.Candidate{Name: name, At: to, Slot: -1, Utility: float32(math.NaN())}
	for d := range Direction(8) {
		if a.Command == Rest || !told.among.Has(d) || !told.among.Has(a.Direction) {
			continue
		}
		if d == a.Direction {
			c.Chosen, chosen.Utility = len(c.Candidates), told.values[d]
			c.Candidates = append(c.Candidates, chosen)
			continue
		}
		c.Candidates = append(c.Candidates, engine.Candidate{Slot: -1, Utility: told.values[d],
			Name: commandNames[a.Command&3] + " " + compass[d], At: at(d.Step())})
	}
	if len(c.Candidates) == 0 {
		c.Candidates = append(c.Candidates, chosen)
	}
	k.tell(&c)
	if a.Child != nil {
		a.Child = &thinker{a.Child, k.tell}
	}
	return a
}
