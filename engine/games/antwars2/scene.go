package antwars2

import (
	"fmt"
	"image"

	"clade/engine"
)

// letters holds those of the ants, by side.
const letters = "aAbB"

var meanings = map[byte]string{'a': "ant 1 of side 0", 'A': "ant 2 of side 0",
	'b': "ant 1 of side 1", 'B': "ant 2 of side 1", 'o': "food", '*': "a fight", '-': "never seen",
	'.': "nothing"}

// scene is a position, or what a side knows of it.
type scene struct {
	engine.Board
	game *round // a copy
}

// Scene returns the position.
func (r *round) Scene() engine.Scene {
	game := *r
	return game.drawn(-1)
}

// drawn draws a position as a side knows it, -1 for all of it.
func (r *round) drawn(knows int) *scene {
	s := &scene{game: r, Board: engine.Board{At: r.steps, Columns: side,
		Letters: make([]byte, cells), Kinds: []string{"food", "kill", "rescue", "walked over"},
		Names: meanings, Forms: map[byte]engine.Form{'a': engine.Ant, 'A': engine.Ant,
			'b': engine.Ant, 'B': engine.Ant},
		Colours: map[byte]uint8{'.': engine.Paper, '-': engine.Veil, 'o': engine.Goods,
			'*': engine.Hazard}}}
	for seat := range r.each {
		c := &r.each[seat]
		s.Points = append(s.Points, float64(c.points))
		s.Counts = append(s.Counts, []int{c.points, c.kills, c.rescues, c.stuck})
		for i := range c.ants {
			s.Colours[letters[2*seat+i]] = uint8(engine.Seats + seat)
		}
	}
	for cell := range s.Letters {
		s.Letters[cell] = r.letter(cell, knows)
	}
	return s
}

// letter returns what is drawn on a cell.
func (r *round) letter(cell, knows int) byte {
	food := &r.food
	if knows >= 0 {
		food = &r.each[knows].food
	}
	for seat := range r.each {
		for i := range r.each[seat].ants {
			a := &r.each[seat].ants[i]
			if a.dead || a.at != cell || knows == 1-seat && !r.each[knows].enemies[i] {
				continue
			}
			if a.foe > 0 {
				return '*'
			}
			return letters[2*seat+i]
		}
	}
	switch {
	case food.has(cell):
		return 'o'
	case knows >= 0 && r.each[knows].unseen.has(cell):
		return '-'
	}
	return '.'
}

// Layers implements engine.Layered.
func (s *scene) Layers() []string { return []string{"what side 0 knows", "what side 1 knows"} }

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene { return s.game.drawn(i) }

// Known implements engine.Knower.
func (r *round) Known(seat int) (engine.Planned, image.Point) {
	at := r.each[seat].ants[r.asked].at
	return r.drawn(seat), image.Pt(at%side, at/side)
}

// Inspect says what is on the cell under a pixel, as far as it is drawn.
func (s *scene) Inspect(at image.Point, scale int) string {
	column, row := at.X/s.Tile(scale), at.Y/s.Tile(scale)
	if at.X < 0 || at.Y < 0 || row >= side || column >= side {
		return "outside"
	}
	return fmt.Sprintf("row %d, column %d: %s", row, column, meanings[s.Letters[row*side+column]])
}

// Tell returns what a side knows, and which ant is asked.
func (r *round) Tell(seat int) string {
	c := &r.each[seat]
	return fmt.Sprintf("%s\nturn %d of %d, points %d, for ant %c in row %d, column %d: enemies "+
		"are %s, o food, * a fight, - never seen\n", r.drawn(seat).Text(), r.turn/2+1, r.Turns,
		c.points, letters[2*seat+r.asked], c.ants[r.asked].at/side, c.ants[r.asked].at%side,
		letters[2-2*seat:4-2*seat])
}
