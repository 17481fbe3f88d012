package amoebas

import (
	"fmt"
	"image"
	"image/color"
	"io"
	"strings"
	"time"

	"clade/engine"
)

// HalfBlocks returns a picture as lines for a terminal with true colour: a character is an upper half block and shows two pixels, one above the other.
// A picture of a scene wider than the given columns is thinned evenly; of the cells that one half block stands for it shows an amoeba if there is one. columns must be positive.
func HalfBlocks(img *image.Paletted, columns int) string {
	var b strings.Builder
	size := img.Rect.Size()
	every := (size.X + columns - 1) / columns
	at := func(x0, y0 int) color.NRGBA {
		if y0 >= size.Y {
			return color.NRGBA{} // below the picture
		}
		shown := img.Pix[y0*img.Stride+x0]
		for y := y0; y < min(y0+every, size.Y); y++ {
			for x := x0; x < min(x0+every, size.X); x++ {
				if c := img.Pix[y*img.Stride+x]; c >= greens && shown < greens {
					shown = c
				}
			}
		}
		return color.NRGBAModel.Convert(img.Palette[shown]).(color.NRGBA)
	}
	for y := 0; y < size.Y; y += 2 * every {
		var upper, lower color.NRGBA
		for x := 0; x < size.X; x += every {
			u, l := at(x, y), at(x, y+every)
			if x == 0 || u != upper {
				fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm", u.R, u.G, u.B)
			}
			if x == 0 || l != lower {
				fmt.Fprintf(&b, "\x1b[48;2;%d;%d;%dm", l.R, l.G, l.B)
			}
			upper, lower = u, l
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String()
}

// Watch shows a game on a terminal while it is played: it is the game's engine.Recorder, and stands for the original's window. Keys: + and - change the speed,
// space pauses and goes on, a full stop shows one round while paused, q stops showing. It never changes a game.
type Watch struct {
	Out      io.Writer
	Columns  int           // of the terminal; positive
	Delay    time.Duration // that each round stays; default 50 ms
	Entrants []Entrant     // by seat

	// Key waits for a key for at most so long, forever if the time is negative, and returns 0 when none came.
	Key func(time.Duration) byte

	paused, closed bool
}

// Bounds of the delay that keys can set.
const (
	defaultDelay = 50 * time.Millisecond
	shortest     = time.Millisecond
	longest      = 4 * time.Second
)

// Decide implements engine.Recorder.
func (w *Watch) Decide(int, uint64) {}

// Step implements engine.Recorder. The scene must be one of this game.
func (w *Watch) Step(s engine.Scene) {
	if w.closed {
		return
	}
	if w.Delay == 0 {
		w.Delay = defaultDelay
	}
	scene := s.(*Scene)
	r := Report{entrants: w.Entrants}
	text := "\x1b[H" + HalfBlocks(r.picture(scene, 1), w.Columns) + w.legend(scene)
	if scene.w.round == 0 {
		text = "\x1b[2J" + text
	}
	if _, err := io.WriteString(w.Out, text); err != nil {
		w.closed = true // nobody is watching any more
		return
	}
	w.wait()
}

// legend is a line of what the species have, in their colours.
func (w *Watch) legend(s *Scene) string {
	var b strings.Builder
	fmt.Fprintf(&b, "round %d", s.w.round)
	for i, e := range w.Entrants {
		fmt.Fprintf(&b, "  \x1b[38;2;%d;%d;%dm■\x1b[0m %s %d (%d)", e.Colour.R, e.Colour.G, e.Colour.B, e.Name, s.w.sizes[i], s.w.energies[i])
	}
	b.WriteString("\x1b[K\n")
	return b.String()
}

// wait lets the round stay and obeys keys.
func (w *Watch) wait() {
	for {
		delay := w.Delay
		if w.paused {
			delay = -1
		}
		switch w.Key(delay) {
		case 0, '.':
			return
		case '+':
			w.Delay = max(w.Delay/2, shortest)
		case '-':
			w.Delay = min(w.Delay*2, longest)
		case ' ':
			w.paused = !w.paused
		case 'q':
			w.closed = true
			return
		}
	}
}
