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
	site       candidate // without a stamp
}

// clear begins a round with the candidate to place nothing.
func (w *weighing) clear() {
	w.candidates = append(w.candidates[:0], candidate{})
	w.choice = engine.Choice{Candidates: []engine.Candidate{{Name: "nothing", Slot: -1}}}
}

// look adds what is seen of a site.
func (w *weighing) look(f *gp.Frame, b *board, site candidate) {
	w.site = site
	w.choice.Views = append(w.choice.Views, engine.View{Frame: f.Clone(),
		Place: func(i int) (image.Point, bool) {
			y, x := site.cell(cell{int32(i/side - reach), int32(i%side - reach)})
			return image.Pt(x, y), b.contains(y, x)
		}})
}

// note adds those candidates of a stamp at the site that fit, by their turns.
func (w *weighing) note(s *speciesSeat, slot int, fitting uint8, utilities *gp.Quad) {
	c := w.site
	stamp := &s.stamps[slot]
	c.stamp = stamp.stamp
	for ; fitting != 0; fitting &= fitting - 1 {
		k := bits.TrailingZeros8(fitting)
		c.turns, c.utility = k, utilities[k]
		name := fmt.Sprintf("%s at %d, %d", c.stamp.name, c.x, c.y)
		if stamp.turns > 1 {
			name += ", turned " + strconv.Itoa(k)
		}
		w.candidates = append(w.candidates, c)
		w.choice.Candidates = append(w.choice.Candidates, engine.Candidate{Name: name,
			At: image.Pt(c.x, c.y), Slot: slot, Turn: k, View: len(w.choice.Views) - 1,
			Utility: c.utility})
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
