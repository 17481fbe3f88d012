package cli

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"clade/engine"
	"clade/engine/terminal"
)

// stepKeys is the help line of a stepper.
const stepKeys = "space, backspace: a step on, back   PgDn, PgUp: a hundred   g, G: begin, end   " +
	"arrows: select and follow   q: quit"

// stepThrough shows a recorded game step by step on the terminal, and checks how it ends.
func stepThrough(game engine.Game, record *engine.Record, out io.Writer) error {
	in, screen := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(screen) {
		return misuse("--step needs a terminal for its keys and its picture")
	}
	old, err := term.MakeRaw(in)
	if err != nil {
		return err
	}
	defer term.Restore(in, old)
	// screen buffer; cursor hidden, shown
	const alternate, ordinary = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
	fmt.Fprint(out, alternate)
	defer fmt.Fprint(out, ordinary)
	s := &stepper{keys: bufio.NewReader(os.Stdin), out: out,
		size: func() (int, int, error) { return term.GetSize(screen) }}
	return s.run(game, record)
}

// stepper is a Recorder that shows one step and waits for keys. A scene is only valid during Step,
// so it waits there; to go back, it lets the game run to its end and plays it again.
type stepper struct {
	keys *bufio.Reader
	out  io.Writer
	size func() (columns, rows int, err error) // of the terminal

	step   int  // of the scene that Step was last called with, counted from 0
	target int  // the step to show
	pass   bool // show nothing more in this replay
	quit   bool
	cursor image.Point // in tiles
	placed bool        // whether the cursor has been put into the middle
	moved  bool        // whether the cursor has been moved since the last picture
	number int         // of the creature that the cursor follows
	follow bool        // whether it follows one
	err    error       // the first that the terminal met with
}

// run replays the game as often as it takes.
func (s *stepper) run(game engine.Game, record *engine.Record) error {
	for {
		s.step, s.pass = -1, false
		_, err := engine.Replay(game, record, s)
		if err == nil {
			err = s.err
		}
		if err != nil || s.quit {
			return err
		}
		s.target = min(s.target, s.step)
	}
}

func (s *stepper) Decide(int, uint64) {}

func (s *stepper) Step(scene engine.Scene) {
	s.step++
	if s.quit || s.pass || s.step < s.target {
		return
	}
	s.target = s.step
	for s.target == s.step && !s.quit {
		s.show(scene)
		s.obey()
	}
	s.pass = s.target < s.step
}

// fail ends the show.
func (s *stepper) fail(err error) {
	if s.err == nil {
		s.err = err
	}
	s.quit = true
}

// obey waits for a key and does what it says.
func (s *stepper) obey() {
	key, err := readKey(s.keys)
	switch {
	case err == io.EOF:
		s.quit = true
		return
	case err != nil:
		s.fail(err)
		return
	}
	const far = 1 << 60
	switch key {
	case " ", "\r", "n":
		s.target++
	case "\x7f", "\b", "b":
		s.target--
	case "\x1b[6~":
		s.target += 100
	case "\x1b[5~":
		s.target -= 100
	case "g", "\x1b[H":
		s.target = 0
	case "G", "\x1b[F":
		s.target = far
	case "\x1b[A", "k":
		s.move(0, -1)
	case "\x1b[B", "j":
		s.move(0, 1)
	case "\x1b[C", "l":
		s.move(1, 0)
	case "\x1b[D", "h":
		s.move(-1, 0)
	case "q", "\x03":
		s.quit = true
	}
	s.target = max(0, s.target)
}

// move moves the cursor by hand.
func (s *stepper) move(x, y int) { s.cursor, s.moved = s.cursor.Add(image.Pt(x, y)), true }

// sight puts the cursor into a picture of a number of tiles, and says what is there. Where a
// creature is selected, the cursor goes with it from step to step, until it is moved by hand; while
// that creature is not in the world, the cursor stays.
func (s *stepper) sight(scene engine.Scene, tiles image.Point, tile int) (what string) {
	if !s.placed {
		s.cursor, s.placed, s.moved = tiles.Div(2), true, true
	}
	s.cursor.X, s.cursor.Y = min(max(s.cursor.X, 0), tiles.X-1), min(max(s.cursor.Y, 0), tiles.Y-1)
	at := s.cursor.Mul(tile).Add(image.Pt(tile/2, tile/2))
	t, ok := scene.(engine.Tracker)
	switch {
	case !ok:
	case s.moved:
		s.number, s.follow = t.Creature(at, 1)
	case s.follow:
		if pixel, alive := t.Whereabouts(s.number, 1); alive {
			at, s.cursor = pixel, pixel.Div(tile)
		} else {
			what = fmt.Sprintf("creature %d is not here now; ", s.number)
		}
	}
	s.moved = false
	if i, ok := scene.(engine.Inspector); ok {
		what += i.Inspect(at, 1)
	}
	return what
}

// readKey reads one key: a byte, or the sequence that a terminal sends for a key without one.
func readKey(r *bufio.Reader) (string, error) {
	b, err := r.ReadByte()
	if err != nil || b != '\x1b' {
		return string(rune(b)), err
	}
	key := "\x1b"
	for {
		if b, err = r.ReadByte(); err != nil {
			return key, err
		}
		key += string(rune(b))
		if b != '[' && b != 'O' && (b < '0' || b > '9') && b != ';' {
			return strings.Replace(key, "\x1bO", "\x1b[", 1), nil
		}
	}
}

// show prints the picture, with what is selected inverted, and below it the step, the scores and
// what the selected place holds.
func (s *stepper) show(scene engine.Scene) {
	columns, rows, err := s.size()
	if err != nil {
		s.fail(err)
		return
	}
	img := image.NewPaletted(image.Rectangle{Max: scene.Size(1)}, nil)
	scene.Draw(img, 1)
	tile, ground := 0, 0
	if g, ok := scene.(terminal.Grounded); ok {
		ground = g.Ground()
	}
	if t, ok := scene.(engine.Tiled); ok {
		tile = t.Tile(1)
	}
	const below = 4 // lines under the picture
	thin := terminal.Thinning(img.Rect.Size(), tile, columns, max(1, rows-below))
	if tile == 0 {
		tile = thin
	}
	tiles := img.Rect.Size().Add(image.Pt(tile-1, tile-1)).Div(tile)
	what := s.sight(scene, tiles, tile)
	corner := s.cursor.Mul(tile)
	chosen := image.Rectangle{corner, corner.Add(image.Pt(tile, tile))}

	var b strings.Builder
	b.WriteString("\x1b[H\x1b[2J")
	b.WriteString(strings.ReplaceAll(terminal.HalfBlocks(img, thin, ground, chosen), "\n", "\r\n"))
	lines := []string{fmt.Sprintf("step %d   scores %v", scene.Step(), scene.Scores(nil)), what,
		stepKeys}
	for _, line := range lines {
		if r := []rune(line); len(r) > columns {
			line = string(r[:columns])
		}
		b.WriteString(line + "\r\n")
	}
	if _, err := io.WriteString(s.out, strings.TrimSuffix(b.String(), "\r\n")); err != nil {
		s.fail(err)
	}
}
