// Package terminal shows the scenes of any game on a terminal with true colour while it is played
// or replayed. It reads no keyboard and sets no terminal up; its caller does both. It never changes
// a game.
package terminal

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"clade/engine"
)

// Viewer is an engine.Recorder that shows each step. Keys: + and - change the speed, space pauses
// and goes on, a full stop shows one step while paused, q stops showing.
type Viewer struct {
	Out     io.Writer
	Columns int           // of the terminal; positive
	Rows    int           // of the terminal; at least 2
	Names   []string      // of the players by seat, for the line below the picture
	Delay   time.Duration // that each step stays; default 50 ms
	Every   int           // only every n-th step is shown; default 1

	// Legend returns the line below the picture, whose line feed would scroll a full terminal; nil
	// means the step, the scores by name and the keys.
	Legend func(engine.Scene) string

	// Key waits for a key for at most the given time, forever if it is negative, and returns 0 when
	// none came.
	Key func(time.Duration) byte

	started, paused, closed bool
	picture                 *image.Paletted
	scores                  []float64
}

// Grounded is a Scene whose palette tells the ground from what stands on it, which a thinned
// picture shows.
type Grounded interface {
	engine.Scene
	Ground() int // palette entries below this one are ground
}

// Bounds of the delay that keys can set.
const (
	defaultDelay = 50 * time.Millisecond
	shortest     = time.Millisecond
	longest      = 4 * time.Second
)

// Decide implements engine.Recorder.
func (v *Viewer) Decide(int, uint64) {}

// Step implements engine.Recorder.
func (v *Viewer) Step(s engine.Scene) {
	if v.closed || v.Every > 1 && s.Step()%v.Every != 0 {
		return
	}
	start := "\x1b[H"
	if !v.started {
		v.started, start = true, "\x1b[2J\x1b[H"
		if v.Delay == 0 {
			v.Delay = defaultDelay
		}
	}
	size := s.Size(1)
	if v.picture == nil || v.picture.Rect.Max != size {
		v.picture = image.NewPaletted(image.Rectangle{Max: size}, nil)
	}
	s.Draw(v.picture, 1)
	ground, tile := 0, 0
	if g, ok := s.(Grounded); ok {
		ground = g.Ground()
	}
	if t, ok := s.(engine.Tiled); ok {
		tile = t.Tile(1)
	}
	legend := v.legend
	if v.Legend != nil {
		legend = v.Legend
	}
	picture := HalfBlocks(v.picture, Thinning(size, tile, v.Columns, v.Rows-1), ground,
		image.Rectangle{})
	if _, err := io.WriteString(v.Out, start+picture+legend(s)+"\x1b[K"); err != nil {
		v.closed = true
		return
	}
	v.wait()
}

// legend is a line with the scores, cut to the terminal's width. It ends without a line feed, which
// would scroll a full terminal.
func (v *Viewer) legend(s engine.Scene) string {
	text := fmt.Sprintf("step %d", s.Step())
	v.scores = s.Scores(v.scores[:0])
	for i, score := range v.scores {
		name := fmt.Sprint("seat ", i+1)
		if i < len(v.Names) {
			name = v.Names[i]
		}
		text += fmt.Sprintf("   %s %g", strings.Map(printed, name), score)
	}
	text += fmt.Sprintf("   %v a step; + - space . q", v.Delay)
	if runes := []rune(text); len(runes) > v.Columns {
		text = string(runes[:v.Columns])
	}
	return text
}

// printed replaces control characters, which a terminal obeys, by spaces: names come from files and
// commands.
func printed(r rune) rune {
	if unicode.IsControl(r) {
		return ' '
	}
	return r
}

// wait lets the step stay and obeys keys.
func (v *Viewer) wait() {
	for {
		delay := v.Delay
		if v.paused {
			delay = -1
		}
		switch v.Key(delay) {
		case 0:
			return
		case '.':
			if v.paused {
				return
			}
		case '+':
			v.Delay = max(v.Delay/2, shortest)
		case '-':
			v.Delay = min(v.Delay*2, longest)
		case ' ':
			v.paused = !v.paused
		case 'q':
			v.closed = true
			return
		}
	}
}

// Thinning returns how many pixels a side one half block must stand for, so that a picture of a
// size in pixels fits into columns and rows, which are positive. It is a divisor or a multiple of
// the side of a tile in pixels, or the least that fits where there are no tiles (0).
func Thinning(size image.Point, tile, columns, rows int) int {
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

// HalfBlocks returns a picture as lines for a terminal with true colour. A character is an upper
// half block and shows two squares, one above the other, of every pixels a side (see Thinning). A
// square has the commonest colour of its pixels that is not ground, so that the few live cells of a
// large board are seen. Palette entries below ground are ground; with 0 it is the commonest colour
// of the picture. The chosen pixels are drawn in a colour of their own, or, where they are large
// enough, their edge, so that one sees what is inside.
func HalfBlocks(img *image.Paletted, every, ground int, chosen image.Rectangle) string {
	size := img.Rect.Size()
	t := thinner{img: img, every: every, behind: ground, chosen: chosen}
	if ground == 0 {
		t.first = int(commonest(img))
		t.behind = t.first + 1
	}
	var b strings.Builder
	for y := 0; y < size.Y; y += 2 * every {
		var upper, lower color.NRGBA
		for x := 0; x < size.X; x += every {
			u, l := t.at(x, y), t.at(x, y+every)
			if x == 0 || u != upper {
				fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm", u.R, u.G, u.B)
			}
			if x == 0 || l != lower {
				fmt.Fprintf(&b, "\x1b[48;2;%d;%d;%dm", l.R, l.G, l.B)
			}
			upper, lower = u, l
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\x1b[K\n")
	}
	return b.String()
}

// commonest returns the index of a picture's commonest colour.
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

// thinner finds the colour of squares of pixels.
type thinner struct {
	img           *image.Paletted
	every         int
	first, behind int // palette entries of the ground, from the first to before the last
	chosen        image.Rectangle
}

// at returns the colour of the square from (x0, y0) on, black below the picture. A square of ground
// alone shows its first pixel.
func (t *thinner) at(x0, y0 int) color.NRGBA {
	size := t.img.Rect.Size()
	if y0 >= size.Y {
		return color.NRGBA{}
	}
	var counts [256]uint16
	shown, most := t.img.Pix[y0*t.img.Stride+x0], uint16(0)
	for y := y0; y < min(y0+t.every, size.Y); y++ {
		for _, c := range t.img.Pix[y*t.img.Stride+x0 : y*t.img.Stride+min(x0+t.every, size.X)] {
			if int(c) >= t.first && int(c) < t.behind {
				continue
			}
			if counts[c]++; counts[c] > most {
				shown, most = c, counts[c]
			}
		}
	}
	c := color.NRGBAModel.Convert(t.img.Palette[shown]).(color.NRGBA)
	square := image.Rect(x0, y0, x0+t.every, y0+t.every)
	if square.Overlaps(t.chosen) && !square.In(t.chosen.Inset(t.every)) {
		c = color.NRGBA{255, 0, 200, 255} // in no game's palette
	}
	return c
}

// Printable returns a text that came from elsewhere as a terminal may show it: control characters,
// which a terminal obeys, and those that turn the direction of writing, which hide what a text
// says, are written as JSON escapes them. Line feeds and tabs stay.
func Printable(text string) string {
	obeyed := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	}
	if !strings.ContainsFunc(text, obeyed) && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		if obeyed(r) {
			fmt.Fprintf(&b, "\\u%04x", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Plain returns a writer that writes texts to w as Printable returns them.
func Plain(w io.Writer) io.Writer { return plain{w} }

type plain struct{ to io.Writer }

func (p plain) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.to, Printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
