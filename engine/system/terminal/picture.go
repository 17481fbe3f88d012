package terminal

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"clade/engine"
)

// grounded is a Scene whose palette separates the ground from pieces, which a reduced picture shows
// first.
type grounded interface {
	engine.Scene
	Ground() int // palette entries below this one are ground
}

// Picture is a scene drawn for a terminal in squares of one or more pixels a side. A square has the
// most frequent colour of its pixels that is not ground, so that the few live cells of a large
// board are visible.
type Picture struct {
	Tile int // pixels by which a cursor moves: the side of a tile, else of a square

	colours Colours
	columns int // of the terminal
	scene   engine.Scene
	img     *image.Paletted
	every   int                  // pixels a side of a square
	ground  func(entry int) bool // of the palette
	seats   []uint8              // palette entries by seat
	palette []color.NRGBA        // as it is shown
}

// Draw draws a scene with its caption for a terminal of columns and rows, both positive.
func Draw(s engine.Scene, c Colours, columns, rows int) *Picture {
	p := &Picture{colours: c, columns: columns, scene: s, img: engine.Picture(s, 1)}
	if t, ok := s.(engine.Tiled); ok {
		p.Tile = t.Tile(1)
	}
	if g, ok := s.(grounded); ok {
		p.ground = func(entry int) bool { return entry < g.Ground() }
	} else if plan, ok := s.(engine.Planned); ok && plan.Plan() != nil && !plan.Plan().Dense {
		p.ground = engine.IsGround
	} else {
		most := int(commonest(p.img))
		p.ground = func(entry int) bool { return entry == most }
	}
	for seat := range s.Scores(nil) {
		ink := uint8((engine.Seats + seat) % len(p.img.Palette))
		if own, ok := s.(engine.Inked); ok {
			ink = own.Ink(seat)
		}
		p.seats = append(p.seats, ink)
	}
	rows = max(1, rows-p.captionLines())
	if c == NoColours { // a square takes two letters in one line
		columns, rows = max(1, columns/2), max(1, rows/2)
	}
	p.every = thinning(p.img.Rect.Size(), p.Tile, columns, rows)
	p.Tile = cmp.Or(p.Tile, p.every)
	p.palette = c.shown(p.img.Palette, p.seats, p.ground)
	return p
}

// Tiles returns how many tiles, or squares, the picture has each way.
func (p *Picture) Tiles() image.Point {
	return p.img.Rect.Size().Add(image.Pt(p.Tile-1, p.Tile-1)).Div(p.Tile)
}

// thinning returns the side in pixels of the square that one half block stands for, so that a
// picture fits into columns and rows, both positive. It divides the side of a tile or is a multiple
// of it; without tiles (0) it is the least that fits.
func thinning(size image.Point, tile, columns, rows int) int {
	least := max(1, (size.X+columns-1)/columns, (size.Y+2*rows-1)/(2*rows))
	if tile == 0 {
		return least
	}
	if least > tile {
		return (least + tile - 1) / tile * tile
	}
	for tile%least != 0 {
		least++
	}
	return least
}

// Lines returns the picture. The chosen rectangle is filled with a colour of its own, or only
// outlined if it is large enough, so that its content stays visible. A line is cleared before it is
// written: a terminal that clears after the last column would clear that column.
func (p *Picture) Lines(chosen image.Rectangle) string {
	if p.colours == NoColours {
		return p.letters(chosen)
	}
	var b strings.Builder
	size := p.img.Rect.Size()
	for y := 0; y < size.Y; y += 2 * p.every {
		var front, back color.NRGBA // nothing yet
		b.WriteString("\x1b[K")
		for x := 0; x < size.X; x += p.every {
			// a half block shows two squares, one above the other
			upper, lower := p.colour(x, y, chosen), p.colour(x, y+p.every, chosen)
			if lower != back {
				b.WriteString(p.colours.ground(lower))
				back = lower
			}
			if upper == lower {
				b.WriteByte(' ')
				continue
			}
			if upper != front {
				b.WriteString(p.colours.letter(upper))
				front = upper
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m")
		if (size.X-1)/p.every+1 < p.columns {
			b.WriteString("▏") // marks the edge of the paper, which is invisible on a light terminal
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// colour returns the colour of a square, the zero colour below the picture.
func (p *Picture) colour(x, y int, chosen image.Rectangle) color.NRGBA {
	switch {
	case y >= p.img.Rect.Max.Y:
		return color.NRGBA{}
	case p.edge(x, y, chosen):
		return color.NRGBA{255, 0, 200, 255} // in no game's palette
	}
	return p.palette[p.at(x, y)]
}

// edge tells whether a square shows that it is chosen.
func (p *Picture) edge(x, y int, chosen image.Rectangle) bool {
	square := image.Rect(x, y, x+p.every, y+p.every)
	return square.Overlaps(chosen) && !square.In(chosen.Inset(p.every))
}

// letters returns the picture without colours: digits are seats, small letters other pieces, dots
// the ground, and chosen squares are reversed.
func (p *Picture) letters(chosen image.Rectangle) string {
	var b strings.Builder
	size := p.img.Rect.Size()
	for y := 0; y < size.Y; y += p.every {
		b.WriteString("\x1b[K")
		for x := 0; x < size.X; x += p.every {
			mark := string(p.mark(p.at(x, y)))
			if p.edge(x, y, chosen) {
				mark = "\x1b[7m" + mark + "\x1b[0m"
			}
			b.WriteString(mark + " ")
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// at returns the palette entry of the square from (x0, y0) on. A seat's colour that fills an eighth
// of it comes first; a square of ground alone shows its first pixel.
func (p *Picture) at(x0, y0 int) uint8 {
	size := p.img.Rect.Size()
	var counts [256]uint16
	shown, most := p.img.Pix[y0*p.img.Stride+x0], uint16(0)
	for y := y0; y < min(y0+p.every, size.Y); y++ {
		for _, c := range p.img.Pix[y*p.img.Stride+x0 : y*p.img.Stride+min(x0+p.every, size.X)] {
			if p.ground(int(c)) {
				continue
			}
			if counts[c]++; counts[c] > most {
				shown, most = c, counts[c]
			}
		}
	}
	most = uint16(p.every * p.every / 8)
	for _, ink := range p.seats {
		if counts[ink] > most {
			shown, most = ink, counts[ink]
		}
	}
	return shown
}

// mark returns the letter of a palette entry.
func (p *Picture) mark(entry uint8) rune {
	if p.ground(int(entry)) {
		return '.'
	}
	if seat := slices.Index(p.seats, entry); seat >= 0 {
		return digit(seat)
	}
	return rune('a' + entry%26)
}

// digit returns the letter of a seat: 1 to 9, then capitals.
func digit(seat int) rune { return rune("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[seat]) }

// perLine is the number of seats in a line of a caption.
const perLine = 4

func (p *Picture) captionLines() int { return max(1, (len(p.seats)+perLine-1)/perLine) }

// Caption returns the text below the picture, for the rows that Draw has left free: the step, the
// words for each seat in its colour, and more, cut to the terminal's width. It ends without a line
// feed, which would scroll a full terminal.
func (p *Picture) Caption(words []string, more string) string {
	room, lines := p.columns, p.captionLines()
	cut := func(text string) string {
		r := []rune(strings.Map(printed, text))
		r = r[:min(len(r), room)]
		room -= len(r)
		return string(r)
	}
	b := "\x1b[K" + cut(fmt.Sprintf("step %d", p.scene.Step()))
	for seat, word := range words {
		word = " " + word + " "
		if p.colours == NoColours {
			word = fmt.Sprintf("%c:%s", digit(seat), strings.TrimRight(word, " "))
		}
		if 2+utf8.RuneCountInString(word) > room && lines > 1 {
			b += "\n\x1b[K"
			room, lines = p.columns, lines-1
		}
		b += cut("  ")
		b += p.colours.Chip(cut(word), p.palette[p.seats[seat]])
	}
	return b + cut(more)
}

// Scored returns the names of the seats with their scores.
func Scored(s engine.Scene, names []string) []string {
	var words []string
	for i, score := range s.Scores(nil) {
		name := fmt.Sprint("seat ", i+1)
		if i < len(names) {
			name = names[i]
		}
		words = append(words, fmt.Sprintf("%s %g", name, score))
	}
	return words
}

// printed replaces control characters by spaces: names come from files and commands.
func printed(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
		return ' '
	}
	return r
}

// commonest returns the index of a picture's most frequent colour.
func commonest(img *image.Paletted) uint8 {
	var counts [256]int
	best := uint8(0)
	for _, c := range img.Pix {
		if counts[c]++; counts[c] > counts[best] {
			best = c
		}
	}
	return best
}
