package santafe

import (
	"fmt"
	"image"
	"strings"

	"clade/engine"
)

// scene is a moment of an ant's life, with its path.
type scene struct {
	world world
	been  [side]uint32
}

func (s *scene) show(w *world) {
	s.world = *w
	s.been[w.row] |= 1 << w.col
}

func (s *scene) Step() int { return s.world.time }

func (s *scene) Scores(dst []float64) []float64 { return append(dst, float64(s.world.eaten)) }

// cellSize is the side of a cell in pixels at scale 1.
const cellSize = 12

func (s *scene) Size(scale int) image.Point {
	n := side * cellSize * scale
	return image.Pt(n, n)
}

// Tile returns the side of a cell.
func (s *scene) Tile(scale int) int { return cellSize * scale }

// Draw implements engine.Scene.
func (s *scene) Draw(img *image.Paletted, _ int) { engine.Paint(img, s.Plan(), s.Pieces(nil)) }

// Kinds of pieces.
const (
	kindGap = iota
	kindPath
	kindFood
	kindAnt
)

// Plan implements engine.Planned.
func (s *scene) Plan() *engine.Plan {
	return &engine.Plan{Columns: side, Rows: side, Torus: true, Kinds: []engine.Kind{
		kindGap:  {Name: "gap in the trail", Form: engine.Filled, Colour: engine.Grid},
		kindPath: {Name: "where the ant has been", Form: engine.Wash},
		kindFood: {Name: "food", Form: engine.Grain, Colour: engine.Goods},
		kindAnt:  {Name: "ant", Form: engine.Ant},
	}}
}

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece {
	for row := range side {
		for col := range side {
			switch s.ink(row, col) {
			case engine.Goods:
				dst = append(dst, engine.Nobodys(kindFood, col, row))
			case engine.Tints:
				dst = append(dst, engine.Owned(kindPath, 0, col, row))
			case engine.Grid:
				dst = append(dst, engine.Nobodys(kindGap, col, row))
			}
		}
	}
	ant := engine.Owned(kindAnt, 0, s.world.col, s.world.row)
	h := headings[s.world.heading]
	ant.Facing = map[[2]int]int8{{0, -1}: 0, {1, 0}: 2, {0, 1}: 4, {-1, 0}: 6}[h]
	return append(dst, ant)
}

func (s *scene) ink(row, col int) uint8 {
	bit := uint32(1) << col
	switch {
	case row == s.world.row && col == s.world.col:
		return engine.Seats
	case s.world.food[row]&bit != 0:
		return engine.Goods
	case s.been[row]&bit != 0:
		return engine.Tints
	case gaps[row]&bit != 0:
		return engine.Grid
	default:
		return engine.Paper
	}
}

// Text prints the torus: food as #, gaps of the trail as dots, the path as : and the ant as an
// arrow.
func (s *scene) Text() string {
	var t strings.Builder
	fmt.Fprintf(&t, "action %d of %d, eaten %d of %d\n", s.world.time, actions, s.world.eaten, pieces)
	for row := range side {
		for col := range side {
			t.WriteByte(s.letter(row, col))
		}
		t.WriteByte('\n')
	}
	return t.String()
}

func (s *scene) letter(row, col int) byte {
	switch s.ink(row, col) {
	case engine.Seats:
		return ">v<^"[s.world.heading]
	case engine.Goods:
		return '#'
	case engine.Tints:
		return ':'
	case engine.Grid:
		return '.'
	default:
		return ' '
	}
}

// Inspect says what is in the cell under a pixel.
func (s *scene) Inspect(at image.Point, scale int) string {
	size := cellSize * scale
	if !at.In(image.Rect(0, 0, side*size, side*size)) {
		return "outside"
	}
	row, col := at.Y/size, at.X/size
	what := fmt.Sprintf("row %d, column %d", row, col)
	switch s.ink(row, col) {
	case engine.Seats:
		return what + ", the ant"
	case engine.Goods:
		return what + ", food"
	case engine.Tints:
		return what + ", visited"
	case engine.Grid:
		return what + ", a gap in the trail"
	default:
		return what
	}
}
