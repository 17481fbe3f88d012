package engine

import (
	"image"
	"math"

	"clade/gp"
)

// Where is a Stepper that maps cells of a seat's window to squares of its scene, which is Tiled. A
// Stepper that uses gp.Frame.Centre or CentreField on the board of its scene does not need it.
type Where interface {
	// Where returns the number of a square, row by row: the one that is x to the right of the
	// seat's place and y below. It returns false off the board.
	Where(seat, x, y int) (square int, ok bool)
}

// Weigh implements Weigher.
func (l *Lockstep) Weigh(p Player, tell func(*Choice)) Player {
	switch p := p.(type) {
	case *bred:
		return &stepperWeigher{p, tell}
	case Reasoner:
		return &stepperThinker{p, tell}
	}
	return nil
}

// stepperWeigher is an evolved player of a Lockstep that reports its decisions.
type stepperWeigher struct {
	*bred
	tell func(*Choice)
}

// told reports the decision of a seat whose values were computed, and returns it.
func (w *stepperWeigher) told(l *Lockstep, t *table, seat int, possible uint64) int {
	f, side := t.frames[seat], l.grammar.Window.Side
	place := placesOf(t.game, seat, f)
	squares := make([]image.Point, side*side) // clones of the choice keep it
	on := make([]bool, side*side)
	for i := range squares {
		squares[i], on[i] = place(i%side-side/2, i/side-side/2)
	}
	c := Choice{Views: []View{{Frame: f, Place: func(cell int) (image.Point, bool) {
		return squares[cell], on[cell]
	}}}}
	chosen := Greatest(l.offers, possible, t.values)
	l.offer(&c, place, possible, chosen, func(i int) (slot int, worth float32) {
		o := l.offers[i]
		return o.Slot, t.values[o.Slot][o.Turn]
	})
	w.tell(&c)
	return chosen
}

// offer adds the possible candidates to a choice, with the slots and utilities that of returns.
func (l *Lockstep) offer(c *Choice, place func(x, y int) (image.Point, bool), possible uint64,
	chosen int, of func(i int) (slot int, worth float32)) {
	c.Actor, _ = place(0, 0)
	for i, o := range l.offers {
		if possible>>i&1 == 0 {
			continue
		}
		if i == chosen {
			c.Chosen = len(c.Candidates)
		}
		goal := c.Actor
		if at, ok := place(gp.Turn(0, -1, o.Turn)); ok && l.turned[o.Slot] {
			goal = at
		}
		slot, worth := of(i)
		c.Candidates = append(c.Candidates, Candidate{Name: o.Name, At: goal, Slot: slot,
			Turn: o.Turn, Utility: worth})
	}
}

// stepperThinker is a Reasoner that reports its decisions.
type stepperThinker struct {
	Reasoner
	tell func(*Choice)
}

// told reports a decision of a seat.
func (k *stepperThinker) told(l *Lockstep, t *table, seat int, possible uint64, chosen int) {
	worth, note := k.Reasons(t.game, seat)
	if worth == nil {
		possible = 1 << chosen
	}
	c := Choice{Note: note}
	l.offer(&c, placesOf(t.game, seat, t.frames[seat]), possible, chosen,
		func(i int) (int, float32) {
			if worth == nil {
				return -1, float32(math.NaN())
			}
			return -1, worth[i]
		})
	k.tell(&c)
}

// placesOf returns a function from a cell, x to the right of a seat and y below it, to its pixel in
// the picture of scale 1.
func placesOf(g Stepper, seat int, f *gp.Frame) func(x, y int) (image.Point, bool) {
	where, knows := g.(Where)
	scene := g.Scene()
	board, tiled := scene.(Tiled)
	return func(x, y int) (at image.Point, ok bool) {
		square := 0
		if knows {
			square, ok = where.Where(seat, x, y)
		} else {
			square, ok = f.OnGrid(x, y)
		}
		if !ok || !tiled || board.Tile(1) == 0 {
			return at, false
		}
		side := board.Tile(1)
		columns := scene.Size(1).X / side
		return image.Pt(square%columns*side+side/2, square/columns*side+side/2), true
	}
}
