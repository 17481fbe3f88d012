package life

import (
	"fmt"
	"image"
	"math"

	"clade/engine"
)

// tracer is a built-in player, for one game, that reports its choices. Each shape that is placed is
// a choice, and so is each single cell. The utility of an affordable seed is its live cells at the
// end for each cell that it costs; that of a cell beside the enemy is the number of births that it
// stops.
type tracer struct {
	builtIn
	report func(*engine.Choice)
}

func (k *tracer) sit(s *settings, seed engine.Seed) seat {
	side := k.builtIn.sit(s, seed).(*builtInSeat)
	side.turn.trace = &reasons{report: k.report}
	return side
}

// reasons is the trace of what a built-in player places next.
type reasons struct {
	report  func(*engine.Choice)
	note    string
	options []engine.Candidate // that were weighed, without their places
}

// because notes the reason of the placements that follow.
func (t *turn) because(note string) {
	if t.trace != nil {
		t.trace.note, t.trace.options = note, nil
	}
}

// option notes the worth of something that can be placed next.
func (k *reasons) option(name string, worth float64) {
	k.options = append(k.options, engine.Candidate{Name: name, Slot: -1, Utility: float32(worth)})
}

// place reports a shape, or a single cell, that is placed around a cell.
func (t *turn) place(name string, y, x int) {
	if t.trace == nil {
		return
	}
	at := image.Pt(x, y)
	c := engine.Choice{Actor: at, Note: t.trace.note}
	found := false
	for _, o := range t.trace.options {
		if o.At = at; o.Name == name {
			found, c.Chosen = true, len(c.Candidates)
			o.Name = fmt.Sprintf("%s at %d, %d", name, x, y)
		}
		c.Candidates = append(c.Candidates, o)
	}
	if !found {
		c.Candidates = []engine.Candidate{{Name: fmt.Sprintf("%s at %d, %d", name, x, y), At: at,
			Slot: -1, Utility: float32(math.NaN())}}
	}
	t.trace.report(&c)
}
