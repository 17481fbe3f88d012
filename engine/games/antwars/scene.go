package antwars

import (
	"fmt"
	"image"
	"image/color"
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

// show takes over a position.
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
	n := width*cellSize*scale + scale
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
func (s *scene) Ink(seat int) uint8 { return uint8(inkAnt1 + seat) }

// Colours of the picture, from the Okabe-Ito palette: by number in the paletted image.
const (
	inkGround = iota
	inkGrid
	inkView1
	inkView2
	inkBoth
	inkFood
	inkAnt1
	inkAnt2
	inkDark
)

func palette() color.Palette {
	return color.Palette{
		inkGround: color.RGBA{0xfa, 0xf8, 0xf2, 0xff},
		inkGrid:   color.RGBA{0xdd, 0xd8, 0xcc, 0xff},
		inkView1:  color.RGBA{0xf8, 0xe3, 0xc8, 0xff},
		inkView2:  color.RGBA{0xd2, 0xe6, 0xf4, 0xff},
		inkBoth:   color.RGBA{0xe2, 0xdd, 0xe4, 0xff},
		inkFood:   color.RGBA{0x00, 0x9e, 0x73, 0xff},
		inkAnt1:   color.RGBA{0xd5, 0x5e, 0x00, 0xff},
		inkAnt2:   color.RGBA{0x00, 0x72, 0xb2, 0xff},
		inkDark:   color.RGBA{0x20, 0x20, 0x20, 0xff},
	}
}

// Draw draws the board: fields of view shaded, trails as dots, food as small discs, ants as large
// ones (ant 2 with a ring, so that print tells them apart), dead ants as crosses.
func (s *scene) Draw(img *image.Paletted, scale int) {
	img.Palette = palette()
	p := painter{img, cellSize * scale, scale}
	b := &s.board
	for i := range cells {
		ink := uint8(inkGround)
		in1 := !b.dead[0] && places[b.at[0]].view.Has(i)
		in2 := !b.dead[1] && places[b.at[1]].view.Has(i)
		switch {
		case in1 && in2:
			ink = inkBoth
		case in1:
			ink = inkView1
		case in2:
			ink = inkView2
		}
		p.cell(i, ink)
		if b.food.Has(i) {
			p.disc(i, 0, 28, inkFood)
		}
		for ant := range 2 {
			if s.trails[ant].Has(i) {
				p.dot(i, ant)
			}
		}
	}
	for ant := range 2 {
		at := int(b.at[ant])
		if b.dead[ant] {
			p.cross(at, uint8(inkAnt1+ant))
			continue
		}
		p.disc(at, 0, 42, uint8(inkAnt1+ant))
		if ant == 1 {
			p.disc(at, 20, 30, inkGround)
		}
	}
}

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

// painter draws into cells.
type painter struct {
	img  *image.Paletted
	size int // of a cell
	line int // width of the grid
}

func (p *painter) cell(i int, ink uint8) {
	x0, y0 := i%width*p.size, i/width*p.size
	for y := y0; y < y0+p.size+p.line; y++ {
		for x := x0; x < x0+p.size+p.line; x++ {
			c := ink
			if x < x0+p.line || y < y0+p.line || x >= x0+p.size || y >= y0+p.size {
				c = inkGrid
			}
			p.img.SetColorIndex(x, y, c)
		}
	}
}

// disc fills the ring between two radii, in hundredths of a cell.
func (p *painter) disc(i, inner, outer int, ink uint8) {
	x0, y0 := i%width*p.size+p.line, i/width*p.size+p.line
	n := p.size - p.line
	for y := range n {
		for x := range n {
			dx, dy := 2*x+1-n, 2*y+1-n
			if d := 10000 * (dx*dx + dy*dy); d <= 4*outer*outer*n*n && d >= 4*inner*inner*n*n {
				p.img.SetColorIndex(x0+x, y0+y, ink)
			}
		}
	}
}

// dot marks a visited cell, ant 1's below on the left and ant 2's below on the right.
func (p *painter) dot(i, ant int) {
	d := max(1, p.size/6)
	x0, y0 := i%width*p.size+p.line+d/2, (i/width+1)*p.size-d-d/2
	if ant == 1 {
		x0 += p.size - p.line - 2*d
	}
	for y := range d {
		for x := range d {
			p.img.SetColorIndex(x0+x, y0+y, uint8(inkAnt1+ant))
		}
	}
}

func (p *painter) cross(i int, ink uint8) {
	x0, y0 := i%width*p.size+p.line, i/width*p.size+p.line
	n := p.size - p.line
	for y := n / 6; y < n-n/6; y++ {
		for w := -p.line; w <= p.line; w++ {
			p.img.SetColorIndex(x0+min(n-1, max(0, y+w)), y0+y, ink)
			p.img.SetColorIndex(x0+min(n-1, max(0, n-1-y+w)), y0+y, ink)
		}
	}
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
