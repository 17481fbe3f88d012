// Package terminal shows the scenes of any game on a terminal while it is played or replayed. It
// reads no keyboard and sets no terminal up; its caller does both. It never changes a game.
package terminal

import (
	"fmt"
	"image"
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
	Columns int      // of the terminal; positive
	Rows    int      // of the terminal; at least 2
	Names   []string // of the players by seat, for the line below the picture
	Every   int      // only every n-th step is shown; default 1
	Colours Colours  // of the terminal

	// Words returns the text for each seat in the line below the picture; nil means names and
	// scores.
	Words func(engine.Scene) []string
	End   string // written after that line

	// Key waits for a key for at most the given time, forever if it is negative, and returns 0 when
	// none came.
	Key func(time.Duration) byte

	delay                   time.Duration // how long each step is shown, 50 ms before any key
	started, paused, closed bool
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
		v.delay = defaultDelay
	}
	p := Draw(s, v.Colours, v.Columns, v.Rows)
	words := v.Words
	if words == nil {
		words = func(s engine.Scene) []string { return Scored(s, v.Names) }
	}
	keys := fmt.Sprintf("   %v a step; + - space . q", v.delay)
	if _, err := io.WriteString(v.Out, start+p.Lines(image.Rectangle{})+p.Caption(words(s), keys)+
		v.End); err != nil {
		v.closed = true
		return
	}
	v.wait()
}

// wait shows the step for its delay and handles keys.
func (v *Viewer) wait() {
	for {
		delay := v.delay
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
			v.delay = max(v.delay/2, shortest)
		case '-':
			v.delay = min(v.delay*2, longest)
		case ' ':
			v.paused = !v.paused
		case 'q':
			v.closed = true
			return
		}
	}
}

// Printable returns a text of foreign origin in a form that is safe to show on a terminal: control
// characters, and those that change the direction of writing and so can disguise a text, are
// escaped as in JSON. Line feeds and tabs stay.
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

// Plain returns a writer that passes texts through Printable to w.
func Plain(w io.Writer) io.Writer { return plain{w} }

type plain struct{ to io.Writer }

func (p plain) Write(text []byte) (int, error) {
	if _, err := io.WriteString(p.to, Printable(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}
