package life

import (
	"fmt"
	"image"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"clade/engine"
)

// Weigh implements engine.Weigher. Each round of a species' turn is a choice.
func (g *game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *species:
		return &weigher{p, report}
	case builtIn:
		return &tracer{p, report}
	}
	return nil
}

// weigher is an evolved program, for one game, that reports its choices.
type weigher struct {
	*species
	report func(*engine.Choice)
}

func (w *weigher) sit(s *settings, seed engine.Seed) seat {
	side := w.species.sit(s, seed).(*speciesSeat)
	side.trace = &weighing{report: w.report}
	side.reads = 1<<len(w.layers) - 1 // whatever the code reads
	side.trace.clear()
	return side
}

// weighing is the choice of a round in the making.
type weighing struct {
	report     func(*engine.Choice)
	choice     engine.Choice
	candidates []candidate
}

// clear begins a round, with the candidate that places nothing.
func (w *weighing) clear() {
	w.candidates = append(w.candidates[:0], candidate{})
	w.choice = engine.Choice{Candidates: []engine.Candidate{{Name: "nothing", Slot: -1}}}
}

// look adds the view of a spot, and the affordable candidates of a set there with their utilities.
func (w *weighing) look(s *speciesSeat, spot int, fits, affordable uint32) {
	site := s.candidate(spot, 0)
	b := s.turn.board
	w.choice.Views = append(w.choice.Views, engine.View{Frame: s.frame.Clone(),
		Place: func(i int) (image.Point, bool) {
			y, x := site.cell(cell{int32(i/side - reach), int32(i%side - reach)})
			return image.Pt(x, y), b.contains(y, x)
		}})
	for _, u := range s.worth[:bits.OnesCount32(fits)] {
		lane := bits.TrailingZeros32(fits)
		c, slot := s.candidate(spot, lane), s.lanes[lane].slot
		if fits &= fits - 1; affordable>>lane&1 == 0 {
			continue
		}
		c.utility = u
		name := fmt.Sprintf("%s at %d, %d", c.stamp.name, c.x, c.y)
		if s.stamps[slot].turns > 1 {
			name += ", turned " + strconv.Itoa(c.turns)
		}
		w.candidates = append(w.candidates, c)
		w.choice.Candidates = append(w.choice.Candidates, engine.Candidate{Name: name,
			At: image.Pt(c.x, c.y), Slot: slot, Turn: c.turns, View: len(w.choice.Views) - 1,
			Utility: u})
	}
}

// end reports the round, in which best is taken unless it has no stamp.
func (w *weighing) end(best *candidate) {
	c := &w.choice
	if best.stamp != nil {
		c.Chosen = slices.Index(w.candidates, *best)
	}
	c.Actor = c.Candidates[c.Chosen].At
	if c.Chosen == 0 && len(w.candidates) > 1 {
		c.Actor = c.Candidates[1].At
	}
	w.report(c)
	w.clear()
}

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
