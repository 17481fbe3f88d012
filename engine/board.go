package engine

import (
	"image"
	"slices"
	"strings"
)

// Board is a scene of square cells with a letter each, for games that need no pictures of their
// own. It is Planned: letters in the colour of a seat are pieces that move, those in Goods are
// food, those in Tints trails, and all others fill their cells.
type Board struct {
	At      int       // step
	Points  []float64 // score by seat
	Columns int
	Letters []byte          // row by row; whole rows
	Colours map[byte]uint8  // of letters, as indices in Palette; Paper for others
	Names   map[byte]string // what letters stand for, as a legend has it; may be nil
	Forms   map[byte]Form   // of letters whose colour does not decide how they are drawn; may be nil
	Torus   bool            // opposite edges are joined
	Kinds   []string        // of events that are counted, see Chronicler; may be nil
	Counts  [][]int         // of them, by seat
}

// tileSize is the side of a cell in pixels at scale 1, with the lines on its right and lower edge.
const tileSize = 12

// Events implements Chronicler.
func (b *Board) Events() []string { return b.Kinds }

// Happened implements Chronicler.
func (b *Board) Happened(dst []int, seat int) []int {
	if len(b.Kinds) == 0 {
		return dst
	}
	return append(dst, b.Counts[seat]...)
}

// Step returns the step.
func (b *Board) Step() int { return b.At }

// Scores appends the scores.
func (b *Board) Scores(dst []float64) []float64 { return append(dst, b.Points...) }

// Tile returns the side of a cell.
func (b *Board) Tile(scale int) int { return tileSize * scale }

// Size returns the size of the picture.
func (b *Board) Size(scale int) image.Point {
	return image.Pt(b.Columns, len(b.Letters)/b.Columns).Mul(tileSize * scale)
}

// Draw implements Scene.
func (b *Board) Draw(img *image.Paletted, _ int) { Paint(img, b.Plan(), b.Pieces(nil)) }

// Tint implements Tinted.
func (b *Board) Tint(letter rune) uint8 { return b.Colours[byte(letter)] }

// Text returns the letters, a line a row.
func (b *Board) Text() string {
	var lines strings.Builder
	for row := range slices.Chunk(b.Letters, b.Columns) {
		lines.WriteString(strings.Join(strings.Split(string(row), ""), " ") + "\n")
	}
	return lines.String()
}
