package darwin

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"clade/engine/system/durable"
	"clade/gp/input"
)

// Limits of a map's width and height, in squares.
const (
	minSide = 3
	maxSide = 512
)

// rawMap is a map as its file has it, before a rule set closes the border. Games never change it.
//
// The letters of a square:
//
//	' '        empty             f       flytrap
//	X # %      walls             a       apple
//	+          hazard            e       enchanted apple
//	.          mud               *       treasure; a map with one is a maze
//	:          fog               0 to 9  a creature of that seat
//	s          shrine            F A T E flytrap, apple, hazard, enchanted apple in fog
type rawMap struct {
	title  string // as in the header; the name where the header has none
	width  int    // squares
	height int
	rows   []byte // letters, row by row
}

// letters are all letters with a meaning; a lower-case x is read as X, an S as s.
const letters = " X#%+.:sfae*0123456789FATE"

// at returns the letter of a square.
func (m *rawMap) at(x, y int) byte { return m.rows[y*m.width+x] }

// maze tells whether the map is a maze: whether it has a treasure.
func (m *rawMap) maze() bool { return bytes.IndexByte(m.rows, '*') >= 0 }

// seats returns the number of seats of the map: its greatest digit plus 1.
func (m *rawMap) seats() int {
	seats := 0
	for _, c := range m.rows {
		if c >= '0' && c <= '9' {
			seats = max(seats, int(c-'0')+1)
		}
	}
	return seats
}

// parseMap reads a map file. The name is for errors, and is the title of a map without one.
//
// The reader is as lenient as the original. The quoted graphics pack may be missing, and is
// ignored. Rows may be longer than the width (the rest is dropped), shorter or missing (the rest is
// empty). Lines may end in CR LF. A letter without a meaning is an empty square. Only a faulty
// header is an error.
func parseMap(name string, text []byte) (*rawMap, error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, fmt.Errorf("darwin: map %s: %w", name, err)
	}
	header, rest, _ := bytes.Cut(text, []byte("\n"))
	m, err := parseHeader(strings.TrimRight(string(header), "\r"))
	if err != nil {
		return nil, fmt.Errorf("darwin: map %s, line 1: %w", name, err)
	}
	if m.title == "" {
		m.title = name
	}
	m.rows = bytes.Repeat([]byte{' '}, m.width*m.height)
	for y := range m.height {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		for x, c := range line[:min(len(line), m.width)] {
			m.rows[y*m.width+x] = letter(c)
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
func parseHeader(line string) (*rawMap, error) {
	m := new(rawMap)
	rest := strings.TrimSpace(line)
	if strings.HasPrefix(rest, `"`) {
		pack, after, closed := strings.Cut(rest[1:], `"`)
		if !closed || strings.ContainsAny(pack, " \t") {
			return nil, errors.New("the graphics pack must stand between two quotes without " +
				`blanks, as in "default.gfx" 29 29 Title`)
		}
		rest = strings.TrimSpace(after)
	}
	for _, side := range []struct {
		name  string
		value *int
	}{{"width", &m.width}, {"height", &m.height}} {
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
	m.title = rest
	return m, nil
}

// mapSuffix ends the name of a map file.
const mapSuffix = ".map"

// files holds the built-in maps, one for every name of the handbook's index. Their names, numbers
// of species and kinds of ground are the original's; their plans are this package's own.
//
//go:embed maps/*.map
var files embed.FS

// mapNames lists the built-in maps in alphabetical order, the mazes first.
func mapNames() []string {
	return namesOf(must(files.ReadDir("maps")))
}

// namesOf returns the names of the maps among files.
func namesOf(entries []fs.DirEntry) (names []string) {
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), mapSuffix); ok {
			names = append(names, name)
		}
	}
	return names
}

// loadMap returns a built-in map.
func loadMap(name string) (*rawMap, error) {
	text, err := files.ReadFile("maps/" + name + mapSuffix)
	if err != nil {
		known := append(mapNames(), "maze", "arena")
		return nil, fmt.Errorf("darwin: map: %s (a map file's name must end in .map)",
			input.Unknown("map", name, known))
	}
	return parseMap(name, text)
}

// readMap reads the map's file.
func (s *settings) readMap() (*rawMap, error) {
	text, err := durable.ReadFile(s.File(), durable.MaxText)
	switch {
	case err == nil:
		return parseMap(s.File(), text)
	case s.Maps == "":
		return nil, input.Faultf("map", "darwin: map: %w", err)
	}
	entries, folder := os.ReadDir(s.Maps)
	switch names := namesOf(entries); {
	case folder != nil:
		return nil, input.Faultf("maps", "darwin: maps: %w", folder)
	case len(names) == 0:
		return nil, input.Faultf("maps", "darwin: maps: %s has no file that ends in %s", s.Maps,
			mapSuffix)
	case errors.Is(err, fs.ErrNotExist):
		return nil, input.Faultf("map", "darwin: map: %s in %s", input.Unknown("map",
			strings.TrimSuffix(s.Map, mapSuffix), names), s.Maps)
	}
	return nil, input.Faultf("map", "darwin: map: %w", err)
}
