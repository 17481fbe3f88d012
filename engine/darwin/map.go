package darwin

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Limits of a map's width and height, in squares.
const (
	minSide = 3
	maxSide = 512
)

// Map is a map as its file draws it, before a rule set forces the border. It is immutable.
//
// The letters of a square:
//
//	' '        empty             f       flytrap
//	X # %      walls             a       apple
//	+          hazard            e       enchanted apple
//	.          mud               *       treasure; a map with one is a maze
//	:          fog               0 to 9  a creature of that seat
//	s          shrine            F A T E flytrap, apple, hazard, enchanted apple in fog
type Map struct {
	Title  string // as in the header; the name where the header has none
	Pack   string // graphics pack named in the header, "" if none; it changes nothing here
	Width  int    // squares
	Height int
	rows   []byte // letters, row by row
}

// letters are all letters that mean something; a lower-case x is read as X, an S as s.
const letters = " X#%+.:sfae*0123456789FATE"

// At returns the letter of a square.
func (m *Map) At(x, y int) byte { return m.rows[y*m.Width+x] }

// Maze tells whether the map is a maze: whether it has a treasure.
func (m *Map) Maze() bool { return bytes.IndexByte(m.rows, '*') >= 0 }

// Seats returns the number of seats that the map has room for: the greatest digit and one.
func (m *Map) Seats() int {
	seats := 0
	for _, c := range m.rows {
		if c >= '0' && c <= '9' {
			seats = max(seats, int(c-'0')+1)
		}
	}
	return seats
}

// ParseMap reads a map file. The name stands in errors, and is the title of a map without one.
//
// The reader is as lenient as the original: the quoted graphics pack may be missing, rows may be
// longer than the width (the rest is dropped) or shorter or missing (the rest is empty), lines may
// end in CR LF, and a letter without a meaning is an empty square. What it cannot make sense of is
// the header.
func ParseMap(name string, text []byte) (*Map, error) {
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	m, err := parseHeader(strings.TrimRight(string(header), "\r"))
	if err != nil {
		return nil, fmt.Errorf("darwin: map %s, line 1: %w", name, err)
	}
	if m.Title == "" {
		m.Title = name
	}
	m.rows = bytes.Repeat([]byte{' '}, m.Width*m.Height)
	for y := range m.Height {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		for x, c := range line[:min(len(line), m.Width)] {
			m.rows[y*m.Width+x] = letter(c)
		}
	}
	return m, nil
}

// letter returns what a byte of a file means.
func letter(c byte) byte {
	switch {
	case c == 'x':
		return 'X'
	case c == 'S':
		return 's'
	case strings.IndexByte(letters, c) >= 0:
		return c
	}
	return ' '
}

// parseHeader reads `"pack" width height title`, where the pack and the title may be missing.
func parseHeader(line string) (*Map, error) {
	m := new(Map)
	rest := strings.TrimSpace(line)
	if strings.HasPrefix(rest, `"`) {
		pack, after, closed := strings.Cut(rest[1:], `"`)
		if !closed || strings.ContainsAny(pack, " \t") {
			return nil, fmt.Errorf(
				`the graphics pack must stand between two quotes without blanks, as in "default.gfx" 29 29 Title`)
		}
		m.Pack, rest = pack, strings.TrimSpace(after)
	}
	for _, side := range []struct {
		name  string
		value *int
	}{{"width", &m.Width}, {"height", &m.Height}} {
		word := rest
		if end := strings.IndexAny(rest, " \t"); end >= 0 {
			word = rest[:end]
		}
		n, err := strconv.Atoi(word)
		if err != nil {
			return nil, fmt.Errorf("the %s is missing where %q stands; a header is: width height "+
				"title", side.name, word)
		}
		if n < minSide || n > maxSide {
			return nil, fmt.Errorf("the %s must be in %d..%d, not %d", side.name, minSide, maxSide,
				n)
		}
		*side.value, rest = n, strings.TrimSpace(rest[len(word):])
	}
	m.Title = rest
	return m, nil
}

// Text returns the map as a file that ParseMap reads back to the same map, unless its title begins
// with a blank or holds a line end.
func (m *Map) Text() []byte {
	var b bytes.Buffer
	if m.Pack != "" {
		fmt.Fprintf(&b, "\"%s\" ", m.Pack)
	}
	fmt.Fprintf(&b, "%d %d %s\n", m.Width, m.Height, m.Title)
	for y := range m.Height {
		b.Write(m.rows[y*m.Width : (y+1)*m.Width])
		b.WriteByte('\n')
	}
	return b.Bytes()
}
