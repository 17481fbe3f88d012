package life

import (
	"fmt"
	"image"
	"math/bits"
	"slices"
	"strconv"

	"clade/engine"
	"clade/gp"
)

// Weigh implements engine.Weigher. Each round of a species' turn is a choice.
func (g *game) Weigh(p engine.Player, tell func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *species:
		return &weigher{p, tell}
	case builtIn:
		return &thinker{p, tell}
	}
	return nil
}

// weigher is an evolved program, for one game, that tells what it weighs up.
type weigher struct {
	*species
	say func(*engine.Choice)
}

func (w *weigher) sit(s *settings, seed engine.Seed) seat {
	side := w.species.sit(s, seed).(*speciesSeat)
	side.told = &weighing{say: w.say}
	side.reads = 1<<len(w.layers) - 1 // whatever the code reads
	side.told.clear()
	return side
}

// weighing is the choice of a round while it is made.
type weighing struct {
	say        func(*engine.Choice)
	choice     engine.Choice
	candidates []candidate
}

// clear begins a round with the candidate to place nothing.
func (w *weighing) clear() {
	w.candidates = append(w.candidates[:0], candidate{})
	w.choice = engine.Choice{Candidates: []engine.Candidate{{Name: "nothing", Slot: -1}}}
}

// look adds what is seen of a spot, and the candidates of a set there with what they are worth.
func (w *weighing) look(s *speciesSeat, spot int, fits uint32) {
	site := s.candidate(spot, 0)
	b := s.turn.board
	w.choice.Views = append(w.choice.Views, engine.View{Frame: s.frame.Clone(),
		Place: func(i int) (image.Point, bool) {
			y, x := site.cell(cell{int32(i/side - reach), int32(i%side - reach)})
			return image.Pt(x, y), b.contains(y, x)
		}})
	for _, u := range s.worth[:bits.OnesCount32(fits)] {
		c, slot := s.candidate(spot, bits.TrailingZeros32(fits)), bits.TrailingZeros32(fits)/gp.Lanes
		fits &= fits - 1
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

// tell tells of the round, of which best is taken unless it has no stamp.
func (w *weighing) tell(best *candidate) {
	c := &w.choice
	if best.stamp != nil {
		c.Chosen = slices.Index(w.candidates, *best)
	}
	c.Actor = c.Candidates[c.Chosen].At
	if c.Chosen == 0 && len(w.candidates) > 1 {
		c.Actor = c.Candidates[1].At
	}
	w.say(c)
	w.clear()
}
