package life

import (
	"fmt"
	"image"
	"math"

	"clade/engine"
)

// thinker is a built-in player, for one game, that tells what it weighs up. Each shape that is
// placed is a choice, and so is each cell by itself. Of the seeds that could be paid for, the
// utility is how many cells one costs grow to by the end; of cells beside the enemy, how many
// births they stop.
type thinker struct {
	builtIn
	tell func(*engine.Choice)
}

func (k *thinker) sit(s *settings, seed engine.Seed) seat {
	side := k.builtIn.sit(s, seed).(*builtInSeat)
	side.turn.told = &thoughts{tell: k.tell}
	return side
}

// thoughts is what a built-in player tells of what it places next.
type thoughts struct {
	tell    func(*engine.Choice)
	note    string
	options []engine.Candidate // that were weighed, without their places
}

// because tells the reason of what is placed from now on.
func (t *turn) because(note string) {
	if t.told != nil {
		t.told.note, t.told.options = note, nil
	}
}

// option tells what something that can be placed next is worth.
func (k *thoughts) option(name string, worth float64) {
	k.options = append(k.options, engine.Candidate{Name: name, Slot: -1, Utility: float32(worth)})
}

// place tells of a shape, or a single cell, that is placed around a cell.
func (t *turn) place(name string, y, x int) {
	if t.told == nil {
		return
	}
	at := image.Pt(x, y)
	c := engine.Choice{Actor: at, Note: t.told.note}
	found := false
	for _, o := range t.told.options {
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
	t.told.tell(&c)
}
