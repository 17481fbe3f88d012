package cli

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"clade/analysis/why"
	"clade/engine"
	"clade/engine/system/terminal"
)

// Help lines of a stepper, within 80 columns: without and with a bred player in the game, and on
// the page of reasons.
const (
	stepKeys = "space/bksp step  PgDn/PgUp 100  g/G ends  arrows, HJKL x10: cell  q quit"
	bredKeys = "space/bksp step  PgDn/PgUp 100  g/G ends  arrows, HJKL x10: cell  w why  q quit"
	whyKeys  = "arrows, PgDn/PgUp scroll   n/p decision   tab candidate   w back   q quit"
)

// stepThrough shows a recorded game step by step on the terminal, and checks how it ends. seats
// holds the players whose decisions can be computed again.
func stepThrough(game engine.Game, record *engine.Record, seats []why.Seat, out io.Writer) error {
	in, screen := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !term.IsTerminal(in) || !drawable(os.Stdout) {
		return misuse("--step needs a terminal for its keys and its picture, whose cursor moves")
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
	s := &stepper{seats: seats, keys: bufio.NewReader(os.Stdin), out: out,
		colours: terminal.ColoursOf(os.Getenv),
		size:    func() (int, int, error) { return term.GetSize(screen) }}
	return s.run(game, record)
}

// stepper is a Recorder that shows one step and waits for keys. A scene is only valid during Step,
// so it waits there; to go back, it lets the game run to its end and plays it again.
type stepper struct {
	seats   []why.Seat // whose decisions can be computed again
	keys    *bufio.Reader
	out     io.Writer
	colours terminal.Colours
	size    func() (columns, rows int, err error) // of the terminal

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
	reasons
}

// run replays the game as often as it takes.
func (s *stepper) run(game engine.Game, record *engine.Record) error {
	s.bred = slices.ContainsFunc(s.seats, func(seat why.Seat) bool { return seat.Tells(game) })
	adjusted, err := record.Adjust(game)
	if err != nil {
		return err
	}
	s.grammar, s.names = adjusted.Grammar(), record.Players
	for {
		s.step, s.pass, s.shown = -1, false, 0
		if s.bred {
			err = why.Replay(game, record, s.seats, s.hear, s)
		} else {
			_, err = engine.Replay(game, record, s)
		}
		if err == nil {
			err = s.err
		}
		if err == nil && s.wanted {
			s.argue() // it was about the last decision of the game
		}
		if err != nil || s.quit {
			return err
		}
		s.target = min(s.target, s.step)
	}
}

func (s *stepper) Decide(int, uint64) {}

func (s *stepper) Step(scene engine.Scene) {
	s.step, s.shown = s.step+1, scene.Step()
	if s.wanted {
		s.argue() // about the decisions since the picture, to which it then goes back
	}
	if s.quit || s.pass || s.step < s.target {
		return
	}
	s.target = s.step
	for s.target == s.step && !s.quit && !s.wanted {
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

// obey waits for a key and carries it out.
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
	case "K":
		s.move(0, -10)
	case "J":
		s.move(0, 10)
	case "L":
		s.move(10, 0)
	case "H":
		s.move(-10, 0)
	case "w":
		s.wanted = s.bred
	case "q", "\x03":
		s.quit = true
	}
	s.target = max(0, s.target)
}

// move moves the cursor by hand.
func (s *stepper) move(x, y int) { s.cursor, s.moved = s.cursor.Add(image.Pt(x, y)), true }

// sight keeps the cursor within a picture of a number of tiles, and returns what is there. If the
// cursor is on a creature it follows that one from step to step until the user moves it; it stays
// where it is while the creature is not in the world.
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

// show prints the picture, with what is selected, and below it the step, the scores and
// what the selected place holds.
func (s *stepper) show(scene engine.Scene) {
	columns, rows, err := s.size()
	if err != nil {
		s.fail(err)
		return
	}
	const below = 3 // lines under the caption: the inspector's two, and the keys
	p := terminal.Draw(scene, s.colours, columns, max(1, rows-below))
	what := s.sight(scene, p.Tiles(), p.Tile)
	corner := s.cursor.Mul(p.Tile)
	chosen := image.Rectangle{corner, corner.Add(image.Pt(p.Tile, p.Tile))}
	s.at = chosen
	keys := stepKeys
	if s.bred {
		keys = bredKeys
	}
	what, s.note = s.note+what, ""
	names := make([]string, len(s.names))
	for i := range names {
		names[i] = called(s.names[i])
	}
	picture := "\x1b[H\x1b[2J" + p.Lines(chosen) + p.Caption(terminal.Scored(scene, names), "")
	lines := strings.Split(terminal.Wrap(terminal.Printable(what), columns), "\n")
	lines = append(lines[:min(len(lines), below-1)], keys)
	s.print(strings.ReplaceAll(picture, "\n", "\r\n")+"\r\n", columns, lines...)
}

// print prints a picture, if any, and lines below it, cut to the terminal's width.
func (s *stepper) print(picture string, columns int, lines ...string) {
	for i, line := range lines {
		r := []rune(terminal.Printable(line)) // names come from the record
		lines[i] = string(r[:min(len(r), columns)])
	}
	if _, err := io.WriteString(s.out, picture+strings.Join(lines, "\r\n")); err != nil {
		s.fail(err)
	}
}
