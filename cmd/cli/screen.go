package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"clade/engine/system/terminal"
)

// screen shows a game on a terminal in raw mode: keys arrive one by one, and the cursor is hidden.
type screen struct {
	io.Writer
	*terminal.Viewer
	keys    chan byte
	restore func() error
}

// drawable reports whether a file is a terminal in which the cursor can be moved.
func drawable(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// sizeOf returns a function that reads the size of a terminal.
func sizeOf(f *os.File) func() (columns, rows int, err error) {
	return func() (int, int, error) { return term.GetSize(int(f.Fd())) }
}

// drawInPlace returns a function that draws lines over the last ones, as many as the terminal has
// rows.
func drawInPlace(w io.Writer,
	size func() (columns, rows int, err error)) func(lines func(columns, rows int) []string) {
	drawn := 0
	return func(of func(columns, rows int) []string) {
		columns, rows, err := size()
		if err != nil || columns < 1 || rows < 2 {
			columns, rows = terminal.Width, 24 // a terminal that does not know
		}
		lines := of(columns, rows)
		lines = lines[:min(len(lines), rows-1)]
		if drawn > 0 { // back to the first line
			fmt.Fprintf(w, "\x1b[%dA", drawn)
		}
		// the rest of each line is cleared, and what is below; a screen that is cleared from its
		// first line on would scroll away in tmux
		fmt.Fprint(w, strings.Join(lines, "\x1b[K\n"), "\x1b[K\n\x1b[J")
		drawn = len(lines)
	}
}

// linesOf returns the lines of a text written for a terminal of so many columns.
func linesOf(columns int, write func(w io.Writer)) []string {
	var text strings.Builder
	write(terminal.Sized(&text, columns))
	return strings.Split(terminal.Wrap(terminal.Printable(strings.TrimSuffix(text.String(), "\n")),
		columns), "\n")
}

// ctrlC is the key that would interrupt a program outside raw mode.
const ctrlC = 3

// openScreen prepares the terminal to show every n-th step of a game between players with names. It
// calls interrupt when the user asks for the program's end.
func openScreen(out io.Writer, interrupt func(), names []string, every int) (*screen, error) {
	in := int(os.Stdin.Fd())
	stdout, ok := out.(*standardOutput)
	if !ok || !drawable(stdout.file) || !term.IsTerminal(in) {
		return nil, errors.New("--watch needs a terminal for input and output, whose cursor moves")
	}
	columns, rows, err := term.GetSize(int(stdout.Fd()))
	if err != nil {
		return nil, fmt.Errorf("the terminal's size is unknown: %w", err)
	}
	if columns < 1 || rows < 2 {
		columns, rows = 80, 24 // a terminal that does not know
	}
	state, err := term.MakeRaw(in)
	if err != nil {
		return nil, fmt.Errorf("the terminal does not give single keys: %w", err)
	}
	s := &screen{Writer: raw{stdout}, keys: make(chan byte),
		restore: func() error { return term.Restore(in, state) }}
	s.Viewer = &terminal.Viewer{Out: s, Columns: columns, Rows: rows, Names: names, Every: every,
		Key: s.key, Colours: terminal.ColoursOf(os.Getenv)}
	_, err = io.WriteString(s, "\x1b[?25l")
	go s.read(os.Stdin, interrupt)
	return s, err
}

// read passes keys on until input ends. It does not end before the program: a read from a terminal
// cannot be called back.
func (s *screen) read(in io.Reader, interrupt func()) {
	var b [1]byte
	for {
		if _, err := in.Read(b[:]); err != nil || b[0] == ctrlC {
			interrupt()
			return
		}
		s.keys <- b[0]
	}
}

// key waits for a key for at most a given time, forever if it is negative, and returns 0 when none
// came.
func (s *screen) key(wait time.Duration) byte {
	var alarm <-chan time.Time
	if wait >= 0 {
		t := time.NewTimer(wait)
		defer t.Stop()
		alarm = t.C
	}
	select {
	case k := <-s.keys:
		return k
	case <-alarm:
		return 0
	}
}

// close gives the terminal back as it was.
func (s *screen) close() {
	_, _ = io.WriteString(s, "\x1b[0m\x1b[?25h") // a terminal that goes away needs no cursor
	_ = s.restore()
}

// raw writes to a terminal in raw mode, where a line feed does not go back to the first column.
type raw struct{ io.Writer }

func (r raw) Write(b []byte) (int, error) {
	if _, err := r.Writer.Write(bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n"))); err != nil {
		return 0, err
	}
	return len(b), nil
}
