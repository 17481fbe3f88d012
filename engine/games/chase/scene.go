package chase

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"clade/engine"
)

var names = [seats]string{"fox", "hen", "viper"}

// scene is a position, or what one of the three knows of it.
type scene struct {
	engine.Board
	game  *round // a copy
	knows int    // whose knowledge is drawn; -1 for all
}

// Scene returns the position.
func (r *round) Scene() engine.Scene {
	game := *r
	return game.drawn(-1)
}

// drawn draws a position as a seat knows it, -1 for all of it. Letters: f, h and v for the
// creatures, F, H and V for their tracks, o for a grain, # for thicket, O for a grain in one, - for
// what is out of view.
func (r *round) drawn(knows int) *scene {
	s := &scene{game: r, knows: knows, Board: engine.Board{At: r.step, Columns: side,
		Letters: make([]byte, cells), Kinds: []string{"grain", "catch", "caught"},
		Names: map[byte]string{'o': "grain", '#': "thicket", 'O': "grain in a thicket",
			'-': "out of view"},
		Forms: map[byte]engine.Form{'f': engine.Fox, 'h': engine.Hen, 'v': engine.Viper,
			'#': engine.Thicket, 'O': engine.Thicket + "+" + engine.Grain},
		Torus: true, Colours: map[byte]uint8{'.': engine.Paper, '-': engine.Veil,
			'o': engine.Goods, '#': engine.Ramp + 8, 'O': engine.Ramp + 20}}}
	for seat, name := range names {
		c := &r.each[seat]
		s.Colours[name[0]] = uint8(engine.Seats + seat)
		s.Colours[name[0]-'a'+'A'] = uint8(engine.Tints + seat)
		s.Names[name[0]], s.Names[name[0]-'a'+'A'] = name, "tracks of the "+name
		s.Points = append(s.Points, float64(c.points()))
		s.Counts = append(s.Counts, []int{c.eaten, c.catches, c.caught})
	}
	for cell := range s.Letters {
		s.Letters[cell] = r.letter(cell, knows)
	}
	return s
}

// letter returns what is drawn on a cell.
func (r *round) letter(cell, knows int) byte {
	grain, wood, seen := r.grain, r.wood, true
	if knows >= 0 {
		grain, wood = r.each[knows].known, r.each[knows].wood
		seen = r.inView(&r.each[knows], cell)
	}
	if seat := r.whoseAt(cell); seat >= 0 && (knows < 0 || knows == seat || r.sees(knows, seat)) {
		return names[seat][0]
	}
	switch {
	case grain.Has(cell) && wood.Has(cell):
		return 'O'
	case grain.Has(cell):
		return 'o'
	case wood.Has(cell):
		return '#'
	case !seen:
		return '-'
	}
	for seat := range r.each {
		if r.each[seat].tracks.Has(cell) {
			return names[seat][0] - 'a' + 'A'
		}
	}
	return '.'
}

// whoseAt returns the seat of the creature on a cell, -1 if there is none.
func (r *round) whoseAt(cell int) int {
	return slices.IndexFunc(r.each[:], func(c creature) bool { return c.at == cell })
}

// Layers implements engine.Layered.
func (s *scene) Layers() []string {
	return []string{"what the fox knows", "what the hen knows", "what the viper knows"}
}

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene { return s.game.drawn(i) }

// Known implements engine.Knower.
func (r *round) Known(seat int) (engine.Planned, image.Point) {
	at := r.each[seat].at
	return r.drawn(seat), image.Pt(at%side, at/side)
}

// Inspect says what is on the cell under a pixel.
func (s *scene) Inspect(at image.Point, scale int) string {
	tile := s.Tile(scale)
	row, column := at.Y/tile, at.X/tile
	if at.X < 0 || at.Y < 0 || row >= side || column >= side {
		return "outside"
	}
	cell := row*side + column
	what := []string{fmt.Sprintf("row %d, column %d", row, column)}
	seen := s.knows < 0 || s.game.inView(&s.game.each[s.knows], cell)
	for seat, name := range names {
		switch c := &s.game.each[seat]; {
		case c.at == cell && (s.knows < 0 || s.knows == seat || s.game.sees(s.knows, seat)):
			what = append(what, fmt.Sprintf("%s with %d points", name, c.points()))
		case c.tracks.Has(cell) && (s.knows < 0 || seen && !s.game.wood.Has(cell)):
			what = append(what, "tracks of the "+name)
		}
	}
	grain, wood := s.game.grain, s.game.wood
	if s.knows >= 0 {
		grain, wood = s.game.each[s.knows].known, s.game.each[s.knows].wood
	}
	if grain.Has(cell) {
		what = append(what, "a grain")
	}
	if wood.Has(cell) {
		what = append(what, "thicket")
	}
	if !seen {
		what = append(what, "out of view")
	}
	return strings.Join(what, ", ")
}

// Tell returns what a creature sees and remembers, itself in the middle.
func (r *round) Tell(seat int) string {
	c := &r.each[seat]
	var text strings.Builder
	for y := -side / 2; y <= side/2; y++ {
		for x := -side / 2; x <= side/2; x++ {
			at, _ := r.torus.Cell(c.at, x, y)
			fmt.Fprintf(&text, " %c", r.letter(at, seat))
		}
		text.WriteByte('\n')
	}
	fmt.Fprintf(&text, "\nmove %d of %d: you are the %s (%c), points %d; you hunt the %s (%c), "+
		"the %s (%c) hunts you\ncapitals are tracks, o grains, # thicket, O both, - is out of "+
		"view\n", r.step+1, steps,
		names[seat], names[seat][0], c.points(), names[preyOf(seat)], names[preyOf(seat)][0],
		names[hunterOf(seat)], names[hunterOf(seat)][0])
	return text.String()
}
