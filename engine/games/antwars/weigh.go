package antwars

import (
	"image"
	"strings"

	"clade/engine"
	"clade/gp"
)

// Weigh implements engine.Weigher. To a greedy ant a direction is worth less the farther the
// nearest known food is from there; to a smart one, the food around the best piece it leads to; to
// a super one, that of the best route that begins there; to a hyper one, what is expected from it.
func (g *game) Weigh(p engine.Player, tell func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *species:
		w := &weigher{species: p, sense: newSense(g), tell: tell}
		w.code.Load(w.sense.frame)
		return w
	case greedy, smart, super, hyper:
		return &thinker{decider: p.(decider), tell: tell}
	}
	return nil
}

// weigher is an evolved ant, for one game, that tells what it weighs up.
type weigher struct {
	*species
	sense *sense
	tell  func(*engine.Choice)
	judge judge
}

// Move moves as the species does, and implements decider.
func (w *weigher) Move(m *memory) int {
	chances := w.judge.chances(m)
	chosen := w.move(m, w.sense)
	straight, diagonal := w.utilities(m, w.sense)
	hopes := w.sense.frame.Clone() // the two slots hope for different food
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
	w.tell(&c)
	return chosen
}

// pixel returns the middle of a cell in the picture of scale 1.
func pixel(cell int) image.Point {
	return image.Pt(cell%width, cell/width).Mul(cellSize).Add(image.Pt(cellSize/2, cellSize/2))
}
