package antwars

import (
	"image"
	"strings"

	"clade/engine"
	"clade/gp"
)

// Weigh implements engine.Weigher. The utility of a direction is, for greedy, the distance from
// there to the nearest known food, negated; for smart, the food around the best piece that it leads
// to; for super and hyper, what the best route that begins there and the cells around it are worth.
func (g *game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *species:
		w := &weigher{species: p, sense: newSense(g), report: report}
		w.code.Load(w.sense.frame)
		return w
	case greedy, smart, super, hyper:
		return &tracer{decider: p.(decider), report: report}
	}
	return nil
}

// weigher is an evolved ant, for one game, that reports its choices.
type weigher struct {
	*species
	sense  *sense
	report func(*engine.Choice)
	judge  judge
}

// Move moves as the species does, and implements decider.
func (w *weigher) Move(m *memory) int {
	chances := w.judge.chances(m)
	chosen := w.move(m, w.sense)
	straight, diagonal := w.utilities(m, w.sense)
	hopes := w.sense.frame.Clone() // foodHope differs between the slots
	w.sense.hope(slotStraight)
	frames := [2]*gp.Frame{slotStraight: w.sense.frame, slotDiagonal: hopes}
	c := engine.Choice{Actor: pixel(int(m.at)), Views: make([]engine.View, 2), Undefined: true,
		Chosen: chosen, Prospects: func() []float32 { return chances([]int{0, 1, 2, 3, 4, 5, 6, 7}) }}
	at := m.at
	place := func(cell int) (image.Point, bool) { return pixel(offCentre(cell, at)), true }
	for slot, f := range frames {
		c.Views[slot] = engine.View{Frame: f, Place: place}
	}
	for d, to := range places[m.at].next {
		slot, u := slotDiagonal, diagonal[d/2]
		if d&1 != 0 {
			slot, u = slotStraight, straight[d/2]
		}
		c.Candidates = append(c.Candidates, engine.Candidate{Name: strings.ToUpper(compass[d]),
			At: pixel(int(to)), Slot: slot, Turn: d / 2, View: slot, Utility: u})
	}
	if chosen != c.Best(func(i int) float32 { return c.Candidates[i].Utility }) {
		c.Note = "a search finds this move better than that of the trees"
	}
	w.report(&c)
	return chosen
}

// pixel returns the middle of a cell in the picture of scale 1.
func pixel(cell int) image.Point {
	return image.Pt(cell%width, cell/width).Mul(cellSize).Add(image.Pt(cellSize/2, cellSize/2))
}
