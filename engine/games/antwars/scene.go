package antwars

import (
	"fmt"
	"image"
	"strings"

	"clade/engine"
	"clade/gp"
)

// scene is a position with the trails that led to it.
type scene struct {
	board  board
	step   int
	mover  int // ant that moved last
	trails [2]gp.Bits
	known  [2]gp.Bits // food as each ant knew it when it was last to move
}

// show sets the scene to the position after a move.
func (s *scene) show(b *board, mover, step int) {
	s.trails[mover].Set(int(s.board.at[mover]))
	s.board, s.mover, s.step = *b, mover, step
	for ant := range s.known {
		if view := places[b.at[ant]].view; step == 0 || ant != mover {
			s.known[ant] = s.known[ant].AndNot(view).Or(b.food.And(view))
		}
	}
}

func (s *scene) Step() int { return s.step }

func (s *scene) Scores(dst []float64) []float64 {
	return append(dst, float64(s.board.score[0]), float64(s.board.score[1]))
}

// cellSize is the side of a cell in pixels at scale 1.
const cellSize = 12

func (s *scene) Size(scale int) image.Point {
	n := width * cellSize * scale
	return image.Pt(n, n)
}

// Tile returns the side of a cell.
func (s *scene) Tile(scale int) int { return cellSize * scale }

// Events implements engine.Chronicler.
func (s *scene) Events() []string { return []string{"food", "death"} }

// Happened implements engine.Chronicler.
func (s *scene) Happened(dst []int, seat int) []int {
	deaths := 0
	if s.board.dead[seat] {
		deaths = 1
	}
	return append(dst, int(s.board.score[seat]), deaths)
}

// Ink returns the colour of an ant.
func (s *scene) Ink(seat int) uint8 { return uint8(engine.Seats + plan.Seats[seat]) }

// Draw implements engine.Scene.
func (s *scene) Draw(img *image.Paletted, _ int) { engine.Paint(img, plan, s.Pieces(nil)) }

// Kinds of pieces.
const (
	kindOutside = iota
	kindView
	kindTrail
	kindFood
	kindRemembered
	kindAnt
	kindDead
)

// Plan implements engine.Planned.
func (s *scene) Plan() *engine.Plan { return plan }

var plan = &engine.Plan{Columns: width, Rows: width, Torus: true, Seats: []int{1, 0},
	Kinds: []engine.Kind{
		kindOutside:    {Name: "out of sight", Form: engine.Filled, Colour: engine.Veil},
		kindView:       {Name: "what an ant sees", Form: engine.Wash},
		kindTrail:      {Name: "where an ant has been", Form: engine.Dot},
		kindFood:       {Name: "food", Form: engine.Grain, Colour: engine.Goods},
		kindRemembered: {Name: "food when last seen", Form: engine.Grain, Colour: engine.Tints + 2},
		kindAnt:        {Name: "ant", Form: engine.Ant, Turns: true},
		kindDead:       {Name: "dead ant", Form: engine.Cross},
	}}

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece {
	b := &s.board
	dst = putAll(dst, kindFood, -1, &b.food)
	for ant := range 2 {
		dst = putAll(dst, kindTrail, ant, &s.trails[ant])
		kind := kindAnt
		if b.dead[ant] {
			kind = kindDead
		} else {
			dst = putAll(dst, kindView, ant, &places[b.at[ant]].view)
		}
		dst = append(dst, pieceAt(kind, ant, int(b.at[ant])))
	}
	return dst
}

// putAll appends a piece on each cell of a set.
func putAll(dst []engine.Piece, kind, seat int, at *gp.Bits) []engine.Piece {
	for cell := range cells {
		if at.Has(cell) {
			dst = append(dst, pieceAt(kind, seat, cell))
		}
	}
	return dst
}

func pieceAt(kind, seat, cell int) engine.Piece {
	return engine.Owned(kind, seat, cell%width, cell/width)
}

// Text prints the board: ants 1 and 2 (x when dead), food as o, trails as : and the fields of view
// as dots.
func (s *scene) Text() string {
	var t strings.Builder
	b := &s.board
	fmt.Fprintf(&t, "move %d  ant 1: %d  ant 2: %d\n", s.step, b.score[0], b.score[1])
	for i := range cells {
		t.WriteByte(' ')
		t.WriteByte(s.letter(i))
		if i%width == width-1 {
			t.WriteByte('\n')
		}
	}
	return t.String()
}

func (s *scene) letter(i int) byte {
	b := &s.board
	for ant := range 2 {
		if int(b.at[ant]) == i && !b.dead[ant] {
			return byte('1' + ant)
		}
	}
	for ant := range 2 {
		if int(b.at[ant]) == i { // the living have been seen to
			return 'x'
		}
	}
	switch {
	case b.food.Has(i):
		return 'o'
	case s.trails[0].Has(i) || s.trails[1].Has(i):
		return ':'
	}
	for ant := range 2 {
		if !b.dead[ant] && places[b.at[ant]].view.Has(i) {
			return '.'
		}
	}
	return ' '
}

// Inspect says what is in the cell under a pixel.
func (s *scene) Inspect(at image.Point, scale int) string {
	size := cellSize * scale
	row, col := at.Y/size, at.X/size
	if at.X < 0 || at.Y < 0 || row >= width || col >= width {
		return "outside"
	}
	i := row*width + col
	what := []string{fmt.Sprintf("row %d, column %d", row, col)}
	if s.board.food.Has(i) {
		what = append(what, "food")
	}
	for ant := range 2 {
		if int(s.board.at[ant]) == i {
			state := "ant"
			if s.board.dead[ant] {
				state = "dead ant"
			}
			what = append(what, fmt.Sprintf("%s %d with %d points", state, ant+1, s.board.score[ant]))
		} else if s.trails[ant].Has(i) {
			what = append(what, fmt.Sprintf("trail of ant %d", ant+1))
		}
	}
	return strings.Join(what, ", ")
}
