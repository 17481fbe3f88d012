package darwin

import (
	"slices"

	"clade/engine"
)

// dice draws the random outcomes of a game from its seed.
type dice struct{ random engine.Random }

func (d *dice) startTime(int) int64 { return int64(d.random.Below(1000)) }

func (d *dice) facing() direction { return direction(d.random.Below(4)) }

func (d *dice) newborn(maker direction) direction {
	switch back := maker.back(); d.random.Below(5) {
	case 0:
		return back.left()
	case 1:
		return back.right()
	default:
		return back
	}
}

// applePlace tries 40 squares. The last inner column and row come up twice as often as the others,
// as in the original.
func (d *dice) applePlace(w *world) (int, bool) {
	g := w.ground
	for range 40 {
		x := min(g.width-2, 1+d.random.Below(g.width-1))
		y := min(g.height-2, 1+d.random.Below(g.height-1))
		if cell := g.cell(x, y); w.cells[cell] == 0 && g.terrain[cell]&shrine == 0 {
			return cell, true
		}
	}
	return 0, false
}

// drawClasses gives every seat's species a class of its own.
func (w *world) drawClasses() {
	random := engine.NewRandom(uint64(w.seed.Name("classes")))
	w.classes[apple], w.classes[flytrap], w.classes[treasure] = appleClass, flytrapClass,
		treasureClass
	for i := int(firstSeat); i < numBreeds; {
		w.classes[i] = firstClass + class(random.Below(int(lastClass-firstClass)+1))
		if !w.drawn(i) {
			i++
		}
	}
}

// drawn tells whether an earlier seat has the class of breed i.
func (w *world) drawn(i int) bool {
	return slices.Contains(w.classes[firstSeat:i], w.classes[i])
}
