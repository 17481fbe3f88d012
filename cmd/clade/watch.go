package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"clade/engine/terminal"
)

// watching shows a game on the terminal.
type watching struct {
	*terminal.Viewer
	screen *screen
}

// openWatch prepares the terminal to show every n-th step of a game. Interrupt is called when the
// user asks for the program's end.
func openWatch(out io.Writer, interrupt func(), names []string, every int) (*watching, error) {
	s, err := openScreen(out, interrupt)
	if err != nil {
		return nil, err
	}
	_, rows, err := term.GetSize(int(os.Stdout.Fd()))
	if err != nil {
		s.close()
		return nil, fmt.Errorf("the terminal's size is unknown: %w", err)
	}
	if rows < 2 {
		rows = 24 // a terminal that does not know
	}
	return &watching{&terminal.Viewer{Out: s, Columns: s.columns, Rows: rows, Names: names,
		Every: every, Key: s.key}, s}, nil
}
