package life

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"clade/engine"
)

// scene is the present position of a match.
type scene struct{ *match }

func (m *match) scene() scene { return scene{m} }

// Step returns the number of generations that have run.
func (s scene) Step() int { return s.generation }

// Scores appends the live cells of each seat.
func (s scene) Scores(dst []float64) []float64 {
	n := s.live()
	return append(dst, float64(n[0]), float64(n[1]))
}

// Size returns the size of a picture in which a cell is scale pixels wide and high.
func (s scene) Size(scale int) image.Point {
	return image.Pt(s.board.width*scale, s.board.height*scale)
}

// Tile returns the side of a cell.
func (s scene) Tile(scale int) int { return scale }

// Events implements engine.Chronicler.
func (s scene) Events() []string { return []string{"placed cell", "forfeit"} }

// Happened implements engine.Chronicler.
func (s scene) Happened(dst []int, seat int) []int {
	return append(dst, s.placed[seat], s.forfeits[seat])
}

// seat returns the seat that plays a colour.
func (s scene) seat(c colour) int { return s.first ^ int(c) }

// Draw draws the board, a cell as a square of its seat's colour.
func (s scene) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	engine.Fill(img, img.Rect, engine.Paper)
	s.board.each(func(y, x int, c colour) {
		if scale == 1 { // large boards
			img.Pix[y*img.Stride+x] = uint8(engine.Seats + s.seat(c))
			return
		}
		at := image.Pt(x, y).Mul(scale)
		engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(scale, scale))},
			uint8(engine.Seats+s.seat(c)))
	})
}

// Plan implements engine.Planned.
func (s scene) Plan() *engine.Plan { return s.board.Plan() }

// Pieces implements engine.Planned.
func (s scene) Pieces(dst []engine.Piece) []engine.Piece { return dst }

// Plan implements engine.Planned: boards are dense.
func (b *board) Plan() *engine.Plan {
	return &engine.Plan{Columns: b.width, Rows: b.height, Dense: true,
		Kinds: []engine.Kind{{Name: "live cell", Form: engine.Filled}}}
}

// Pieces implements engine.Planned.
func (b *board) Pieces(dst []engine.Piece) []engine.Piece { return dst }

// Sizes of the text, in characters.
const (
	textWidth  = 78
	textHeight = 36
)

// Text shows the board, shrunk to a terminal's size. Each character stands for a block of cells: x
// or o for the seat with more live cells there, * for equal numbers. A capital letter says that at
// least a quarter of the block is alive.
func (s scene) Text() string {
	h, w := s.board.height, s.board.width
	// columns of cells a character
	cell := max(1, (w+textWidth-1)/textWidth, (h+2*textHeight-1)/(2*textHeight))
	tall := cell
	if cell > 1 {
		tall = 2 * cell // characters are about twice as high as wide
	}
	columns, rows := (w+cell-1)/cell, (h+tall-1)/tall
	blocks := make([][2]int, columns*rows)
	s.board.each(func(y, x int, c colour) { blocks[y/tall*columns+x/cell][s.seat(c)]++ })
	live := s.live()
	var b strings.Builder
	fmt.Fprintf(&b, "generation %d of %d   x %d   o %d\n", s.generation, s.settings.Generations,
		live[0], live[1])
	for i, n := range blocks {
		mark := byte('.')
		switch dense := 4*(n[0]+n[1]) >= cell*tall; {
		case n[0]+n[1] == 0:
		case n[0] == n[1]:
			mark = '*'
		case n[0] > n[1] && dense:
			mark = 'X'
		case n[0] > n[1]:
			mark = 'x'
		case dense:
			mark = 'O'
		default:
			mark = 'o'
		}
		b.WriteByte(mark)
		if i%columns == columns-1 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Export returns the board run length encoded; see pattern.rle. The first colour is that of the
// side which places first.
func (s scene) Export() (text []byte, extension string) { return s.board.pattern().rle(), ".rle" }

// Inspect says what is at a pixel.
func (s scene) Inspect(at image.Point, scale int) string {
	y, x := at.Y/scale, at.X/scale
	if at.Y < 0 || at.X < 0 || !s.board.contains(y, x) {
		return "off the board"
	}
	var near [2]int
	for c := range near {
		for dy := -1; dy <= 1; dy++ {
			for dx := -1; dx <= 1; dx++ {
				if (dy != 0 || dx != 0) && s.board.at(y+dy, x+dx) == colour(s.first^c) {
					near[c]++
				}
			}
		}
	}
	owner := "dead"
	if c := s.board.at(y, x); c != dead {
		owner = fmt.Sprintf("alive for seat %d", s.seat(c))
	}
	return fmt.Sprintf("cell (%d, %d): %s; %d neighbours of seat 0, %d of seat 1", y, x, owner,
		near[0], near[1])
}

// Layers implements engine.Layered.
func (s scene) Layers() []string { return []string{"territory"} }

// Layer implements engine.Layered.
func (s scene) Layer(int) engine.Scene { return territory{s} }

// territory is a scene in which each dead cell has the tint of the seat whose live cells are
// nearest by steps up, down, left and right; if both are as near, or nothing lives, it is paper.
type territory struct{ scene }

// Plan implements engine.Planned: it is a picture.
func (t territory) Plan() *engine.Plan { return nil }

// Draw draws the live cells in full colour over the tints.
func (t territory) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	b := t.board
	owner := make([]uint8, b.width*b.height) // bits of the seats that are nearest
	var front, next []int
	b.each(func(y, x int, c colour) {
		owner[y*b.width+x] = uint8(1 + t.seat(c))
		front = append(front, y*b.width+x)
	})
	done := make([]bool, len(owner))
	for _, i := range front {
		done[i] = true
	}
	live := len(front)
	order := slices.Clone(front)
	for len(front) > 0 {
		next = next[:0]
		for _, i := range front {
			y, x := i/b.width, i%b.width
			for _, d := range [...][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				v, u := y+d[0], x+d[1]
				k := v*b.width + u
				if v < 0 || u < 0 || v >= b.height || u >= b.width || done[k] {
					continue
				}
				if owner[k] == 0 {
					next = append(next, k)
				}
				owner[k] |= owner[i]
			}
		}
		for _, k := range next {
			done[k] = true
		}
		order = append(order, next...)
		front, next = next, front
	}
	engine.Fill(img, img.Rect, engine.Paper)
	for n, i := range order {
		ink := uint8(engine.Paper)
		if o := owner[i]; o == 1 || o == 2 {
			ink = engine.Tints + o - 1
			if n < live {
				ink = engine.Seats + o - 1
			}
		}
		at := image.Pt(i%b.width, i/b.width).Mul(scale)
		engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(scale, scale))}, ink)
	}
}
