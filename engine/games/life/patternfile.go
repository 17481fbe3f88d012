package life

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"clade/gp/input"
)

// errNoPattern says what a pattern may look like.
var errNoPattern = errors.New(`no pattern: write RLE, a line such as "x = 3, y = 3, rule = ` +
	`B3/S23" and runs such as bob$2bo$3o!, or rows of . and O`)

// parsePattern reads a pattern in the formats of the Life community as Golly does: run length
// encoded, plain text (.cells), Life 1.05 and Life 1.06; their first line shows which. An error
// names the file, the line and what to write there.
func parsePattern(name string, text []byte) (*pattern, error) {
	text, err := input.SkipMark(text)
	if err != nil {
		return nil, fmt.Errorf("life: %s: %w", name, err)
	}
	plain := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(text))
	r := &patternReader{lines: strings.Split(strings.TrimSuffix(plain, "\n"), "\n")}
	p, err := r.pattern()
	if err != nil {
		return nil, fmt.Errorf("life: %s:%d: %w", name, r.line, err)
	}
	return p, nil
}

type patternReader struct {
	lines []string // what is still to be read
	line  int      // of the last that was read, from 1
	p     pattern
}

// next returns the next line without the blanks around it, false behind the last.
func (r *patternReader) next() (line string, ok bool) {
	if len(r.lines) == 0 {
		return "", false
	}
	line, r.lines = r.lines[0], r.lines[1:]
	r.line++
	return strings.TrimSpace(line), true
}

// first skips blank lines and returns the line after them without reading it.
func (r *patternReader) first() string {
	for len(r.lines) > 0 {
		if line := strings.TrimSpace(r.lines[0]); line != "" {
			return line
		}
		r.next()
	}
	return ""
}

// headerless matches runs without a header: rows of plain text have neither numbers nor "!".
var headerless = regexp.MustCompile(`^[bo$\s]*[1-9!]`)

func (r *patternReader) pattern() (*pattern, error) {
	read := r.rle
	switch first := r.first(); {
	case first == "":
		r.line = max(1, r.line)
		return nil, errNoPattern
	case strings.HasPrefix(first, "#Life"), strings.HasPrefix(first, "#P "):
		read = r.life
	case first[0] == '[', strings.HasPrefix(first, "#MCell"):
		r.line++
		return nil, fmt.Errorf("%q begins a format that is not read here: save the pattern as RLE",
			clip(first))
	case first[0] == '!', strings.Trim(first, deadLetters+liveLetters) == "":
		read = r.cells
	case first[0] == '#', isHeader(first), headerless.MatchString(first):
	default:
		r.line++
		return nil, fmt.Errorf("%q begins %w", clip(first), errNoPattern)
	}
	if err := read(); err != nil {
		return nil, err
	}
	return &r.p, nil
}

// isHeader tells whether a line begins as that of RLE with the sizes does.
func isHeader(line string) bool {
	rest := strings.TrimLeft(line, "xX")
	return len(rest) == len(line)-1 && strings.HasPrefix(strings.TrimSpace(rest), "=")
}

// rle reads a pattern in run length encoded format: comments with "#" on any line, a line "x = 3, y
// = 3, rule = B3/S23" all of which may be missing, then runs up to "!" or the end. "b" and "." are
// dead, "o" and "A" of the first colour, "B" of the second. Live cells beyond the written sizes
// make the pattern larger.
func (r *patternReader) rle() error {
	runs := runReader{p: &r.p}
	header := false
	for {
		line, ok := r.next()
		switch {
		case !ok && runs.counted:
			return errors.New("the number at the end counts nothing: leave it out")
		case !ok && !header && !runs.begun:
			return errNoPattern
		case !ok && !runs.begun:
			return errors.New("there are no runs behind the header: write bob$2bo$3o! or others")
		case !ok:
			return nil
		case strings.HasPrefix(line, "#r"):
			if err := checkRule(line[2:]); err != nil {
				return err
			}
		case strings.HasPrefix(line, "#"):
		case !runs.begun && !header && isHeader(line):
			header = true
			if err := r.header(line); err != nil {
				return err
			}
		default:
			if done, err := runs.read(line); done || err != nil {
				return err
			}
		}
	}
}

// header reads the sizes and checks the rule.
func (r *patternReader) header(line string) error {
	sizes, rule, ruled := line, "", false
	if at := ruleKey.FindStringIndex(line); at != nil {
		sizes, rule, ruled = line[:at[0]], line[at[1]:], true
	}
	size := map[string]int{}
	for part := range strings.SplitSeq(sizes, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case !ok:
			return fmt.Errorf(`%q has no "=": write a line such as "x = 3, y = 3, rule = B3/S23"`,
				clip(part))
		case key == "x" || key == "y":
			n, err := strconv.Atoi(value)
			if err != nil || n < 0 || n > maxSide {
				return fmt.Errorf("%s is %q: write a number in 0..%d", key, clip(value), maxSide)
			}
			size[key] = n
		default:
			return fmt.Errorf("%q does not belong to a header; it has x, y and rule", clip(key))
		}
	}
	for _, key := range []string{"x", "y"} {
		if _, ok := size[key]; !ok {
			return fmt.Errorf(
				`the header lacks %s: write a line such as "x = 3, y = 3, rule = B3/S23"`, key)
		}
	}
	r.p.width, r.p.height = size["x"], size["y"]
	if !ruled {
		return nil
	}
	return checkRule(rule)
}

var (
	ruleKey = regexp.MustCompile(`(?i)\brule\s*=`)
	// Life's rule in the notations that Golly reads, of which the digits are in any order
	lifeRule = regexp.MustCompile(`^(b3/?s(23|32)|s(23|32)/?b3|(23|32)/3(/2)?|life)$`)
)

// checkRule returns an error for a rule that is not played here.
func checkRule(rule string) error {
	rule = strings.TrimSuffix(strings.TrimSpace(rule), ",")
	name := strings.ToLower(rule)
	if lifeRule.MatchString(name) || name == strings.ToLower(twoColours) {
		return nil
	}
	if plane, grid, bounded := strings.Cut(name, ":"); bounded && lifeRule.MatchString(plane) {
		return fmt.Errorf("the rule is %q, of a bounded grid %q; the board here has edges of its "+
			"own: write B3/S23", clip(rule), clip(strings.ToUpper(grid)))
	}
	return fmt.Errorf("the rule is %q; only B3/S23 and %s are played here", clip(rule), twoColours)
}

// runReader reads runs of cells, over any number of lines.
type runReader struct {
	p       *pattern
	y, x    int
	n       int
	counted bool // n is the number that was read for the next run
	begun   bool // there was a run
}

// read reads the runs of a line, and tells whether "!" has ended the pattern.
func (r *runReader) read(line string) (done bool, err error) {
	for _, c := range line {
		switch {
		case c == ' ' || c == '\t':
			continue
		case c >= '0' && c <= '9':
			r.n, r.counted = r.n*10+int(c-'0'), true
			if r.n > maxSide {
				return false, fmt.Errorf("a run is longer than %d", maxSide)
			}
			continue
		}
		if !r.counted {
			r.n = 1
		} else if r.n == 0 {
			return false, fmt.Errorf("a run of length 0: leave it out")
		}
		if c == '!' {
			if r.counted {
				return false, fmt.Errorf(`the number before "!" counts nothing: leave it out`)
			}
			return true, nil
		}
		if err := r.run(c); err != nil {
			return false, err
		}
		r.n, r.counted, r.begun = 0, false, true
	}
	return false, nil
}

// run places a run.
func (r *runReader) run(c rune) error {
	from := r.x
	switch c {
	case '$':
		r.y, r.x = r.y+r.n, 0
	case 'b', '.', 'o', 'A', 'B':
		r.x += r.n
	default:
		return fmt.Errorf("%q is not a cell: use b, o or ., A, B", c)
	}
	if r.y > maxSide || r.x > maxSide {
		return fmt.Errorf("the pattern is larger than %d rows or columns", maxSide)
	}
	own := colourA
	switch c {
	case '$', 'b', '.':
		return nil
	case 'B':
		own = colourB
	}
	for x := from; x < r.x; x++ {
		if err := r.p.add(r.y, x, own); err != nil {
			return err
		}
	}
	return nil
}

// add adds a live cell, and makes the pattern large enough for it.
func (p *pattern) add(y, x int, own colour) error {
	if y >= maxSide || x >= maxSide {
		return fmt.Errorf("the pattern is larger than %d rows or columns", maxSide)
	}
	if len(p.live) == maxLive {
		return fmt.Errorf("more than %d live cells", maxLive)
	}
	p.live = append(p.live, liveCell{int32(y), int32(x), own})
	p.height, p.width = max(p.height, y+1), max(p.width, x+1)
	return nil
}

// The letters of rows in plain text: those of LifeWiki and Life 1.05, and others in use.
const (
	deadLetters = "., \t"
	liveLetters = "Oo*X@"
)

// cells reads plain text: a row a line, comments with "!".
func (r *patternReader) cells() error {
	y := 0
	for len(r.lines) > 0 {
		row := r.lines[0]
		r.next()
		if strings.HasPrefix(row, "!") {
			continue
		}
		row = strings.TrimRight(row, " \t")
		if y >= maxSide && row != "" {
			return fmt.Errorf("the pattern is larger than %d rows or columns", maxSide)
		}
		for x, c := range row {
			switch {
			case strings.ContainsRune(liveLetters, c):
				if err := r.p.add(y, x, colourA); err != nil {
					return err
				}
			case !strings.ContainsRune(deadLetters, c):
				return fmt.Errorf("%q is not a cell: use . and O", c)
			}
		}
		if y++; row != "" {
			if len(row) > maxSide {
				return fmt.Errorf("the pattern is larger than %d rows or columns", maxSide)
			}
			r.p.height, r.p.width = max(r.p.height, y), max(r.p.width, len(row))
		}
	}
	if r.p.height == 0 {
		return errNoPattern
	}
	return nil
}

// life reads Life 1.05, blocks of rows at "#P x y", and Life 1.06, an "x y" for each live cell.
func (r *patternReader) life() error {
	var all []liveCell
	var left, y int32 // of the row that comes next
	for {
		line, ok := r.next()
		if !ok {
			return r.place(all)
		}
		switch {
		case strings.HasPrefix(line, "#P"):
			if left, y, ok = coordinates(line[2:]); !ok {
				return fmt.Errorf("%q is no place: write such as #P -1 -1", clip(line))
			}
		case strings.HasPrefix(line, "#R"):
			if err := checkRule(line[2:]); err != nil {
				return err
			}
		case line == "" || line[0] == '#':
		case line[0] == '.' || line[0] == '*':
			for i, c := range line {
				if c == '*' {
					all = append(all, liveCell{y, left + int32(i), colourA})
				} else if c != '.' {
					return fmt.Errorf("%q is not a cell: use . and *", c)
				}
			}
			y++
		default:
			column, row, ok := coordinates(line)
			if !ok {
				return fmt.Errorf("%q is no cell: write its column and row, such as 1 -2",
					clip(line))
			}
			all = append(all, liveCell{row, column, colourA})
		}
		if len(all) > maxLive {
			return fmt.Errorf("more than %d live cells", maxLive)
		}
	}
}

// coordinates reads a column and a row, which are limited so that adding rows cannot overflow.
func coordinates(text string) (x, y int32, ok bool) {
	const farthest = 1 << 30
	var at [2]int32
	words := strings.Fields(text)
	if len(words) != 2 {
		return 0, 0, false
	}
	for i, word := range words {
		n, err := strconv.ParseInt(word, 10, 32)
		if err != nil || n < -farthest || n > farthest {
			return 0, 0, false
		}
		at[i] = int32(n)
	}
	return at[0], at[1], true
}

// place sets the pattern to cells at any coordinates, moved to its upper left corner.
func (r *patternReader) place(all []liveCell) error {
	if len(all) == 0 {
		return errors.New("no cell is alive: write a column and a row, or rows of . and *")
	}
	slices.SortFunc(all, func(a, b liveCell) int {
		return cmp.Or(cmp.Compare(a.y, b.y),
			cmp.Compare(a.x, b.x))
	})
	all = slices.Compact(all)
	least := slices.MinFunc(all, func(a, b liveCell) int { return cmp.Compare(a.x, b.x) }).x
	for _, c := range all {
		if err := r.p.add(int(c.y)-int(all[0].y), int(c.x)-int(least), c.own); err != nil {
			return err
		}
	}
	return nil
}
