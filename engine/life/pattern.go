package life

import (
	"bytes"
	"fmt"
	"strings"
)

// pattern is a rectangle with live cells.
type pattern struct {
	height, width int
	live          []liveCell // row by row from the top, from left to right
}

// liveCell is a live cell of a pattern, counted from 0 at its upper left.
type liveCell struct {
	y, x int32
	own  colour
}

// maxLive is the greatest number of live cells of a pattern that is read, because a short text can
// demand any number.
const maxLive = 1 << 22

// twoColours is the rule that a pattern with cells of both colours names in its file.
const twoColours = "KingOfTheHill"

// rleLine is the greatest length of a line that is written; the format asks for 70 at most.
const rleLine = 70

// pattern returns the cells of the whole board.
func (b *board) pattern() *pattern {
	p := &pattern{height: b.height, width: b.width}
	b.each(func(y, x int, c colour) { p.live = append(p.live, liveCell{int32(y), int32(x), c}) })
	return p
}

// put places the cells of a pattern with its upper left corner at (y, x) and returns how many came
// alive.
func (b *board) put(p *pattern, y, x int) int {
	n := 0
	for _, l := range p.live {
		if b.place(y+int(l.y), x+int(l.x), l.own) {
			n++
		}
	}
	return n
}

// rle writes the pattern in the run length encoded format of the Life community (conwaylife.com,
// "Run Length Encoded"). A pattern of the first colour alone is plain Life, "b" and "o"; else the
// cells are states: ".", "A" for the first colour and "B" for the second.
func (p *pattern) rle() []byte {
	dead, live, rule := byte('b'), "oo", "B3/S23"
	for _, l := range p.live {
		if l.own == colourB {
			dead, live, rule = '.', "AB", twoColours
		}
	}
	w := &rleWriter{}
	fmt.Fprintf(&w.out, "x = %d, y = %d, rule = %s\n", p.width, p.height, rule)
	var y, x int32
	for i := 0; i < len(p.live); {
		l := p.live[i]
		if l.y > y {
			w.run(int(l.y-y), '$')
			y, x = l.y, 0
		}
		w.run(int(l.x-x), dead)
		n := 1
		for i+n < len(p.live) && p.live[i+n] == (liveCell{l.y, l.x + int32(n), l.own}) {
			n++
		}
		w.run(n, live[l.own])
		x, i = l.x+int32(n), i+n
	}
	w.run(1, '!')
	w.out.WriteByte('\n')
	return w.out.Bytes()
}

type rleWriter struct {
	out  bytes.Buffer
	line int
}

func (w *rleWriter) run(n int, tag byte) {
	if n == 0 {
		return
	}
	item := string(tag)
	if n > 1 {
		item = fmt.Sprint(n, item)
		item = strings.ReplaceAll(item, " ", "")
	}
	if w.line+len(item) > rleLine {
		w.out.WriteByte('\n')
		w.line = 0
	}
	w.out.WriteString(item)
	w.line += len(item)
}

// parseRLE reads a pattern in run length encoded format: comments with "#", a line "x = 3, y = 3,
// rule = B3/S23" of which the rule may be missing, then runs up to "!". "b" and "." are dead, "o"
// and "A" of the first colour, "B" of the second. An error names the file, as given, the line and
// what to write there.
func parseRLE(name string, text []byte) (*pattern, error) {
	r := &rleReader{name: name, line: 1, text: text}
	p, err := r.pattern()
	if err != nil {
		return nil, fmt.Errorf("life: %s:%d: %w", name, r.line, err)
	}
	return p, nil
}

type rleReader struct {
	name string
	line int
	text []byte
	p    pattern
}

func (r *rleReader) pattern() (*pattern, error) {
	for {
		line, rest, _ := bytes.Cut(r.text, []byte("\n"))
		if s := strings.TrimSpace(string(line)); s != "" && s[0] != '#' {
			if err := r.header(s); err != nil {
				return nil, err
			}
			r.text = rest
			r.line++
			break
		}
		if len(rest) == 0 {
			return nil, fmt.Errorf(`no pattern: write a line such as "x = 3, y = 3, rule = B3/S23"`)
		}
		r.text = rest
		r.line++
	}
	if err := r.body(); err != nil {
		return nil, err
	}
	return &r.p, nil
}

// header reads the sizes and checks the rule.
func (r *rleReader) header(line string) error {
	size := map[string]int{}
	for _, part := range strings.Split(line, ",") {
		key, value, ok := strings.Cut(part, "=")
		key, value = strings.ToLower(strings.TrimSpace(key)), strings.TrimSpace(value)
		switch {
		case !ok:
			return fmt.Errorf(`%q has no "=": write a line such as "x = 3, y = 3, rule = B3/S23"`,
				clip(part))
		case key == "rule":
			switch strings.ToLower(value) {
			case "b3/s23", "23/3", "life", strings.ToLower(twoColours):
			default:
				return fmt.Errorf("the rule is %q; only B3/S23 and %s are played here", clip(value),
					twoColours)
			}
		case key == "x" || key == "y":
			var n int
			if _, err := fmt.Sscanf(value, "%d", &n); err != nil || fmt.Sprint(n) != value ||
				n < 0 || n > maxSide {
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
	return nil
}

// body reads the runs.
func (r *rleReader) body() error {
	y, x, n, counted := 0, 0, 0, false
	for i, c := range r.text {
		switch {
		case c == '\n':
			r.line++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			continue
		case c == '#' && (i == 0 || r.text[i-1] == '\n'):
			return fmt.Errorf("a comment among the runs: move it above the line with x and y")
		case c >= '0' && c <= '9':
			n, counted = n*10+int(c-'0'), true
			if n > maxSide {
				return fmt.Errorf("a run is longer than %d", maxSide)
			}
			continue
		}
		if !counted {
			n = 1
		} else if n == 0 {
			return fmt.Errorf("a run of length 0: leave it out")
		}
		switch c {
		case '!':
			if counted {
				return fmt.Errorf(`the number before "!" counts nothing: leave it out`)
			}
			return nil
		case '$':
			y, x = y+n, 0
		case 'b', '.':
			x += n
		case 'o', 'A', 'B':
			if x+n > r.p.width || y >= r.p.height {
				return fmt.Errorf("a live cell at (%d, %d) in a pattern of %d rows and %d "+
					"columns: make y and x of the header greater", y, x+n-1, r.p.height, r.p.width)
			}
			if len(r.p.live)+n > maxLive {
				return fmt.Errorf("more than %d live cells", maxLive)
			}
			own := colourA
			if c == 'B' {
				own = colourB
			}
			for ; n > 0; n-- {
				r.p.live = append(r.p.live, liveCell{int32(y), int32(x), own})
				x++
			}
		default:
			return fmt.Errorf("%q is not a cell: use b, o or ., A, B", rune(c))
		}
		if y > maxSide || x > maxSide {
			return fmt.Errorf("the pattern is larger than %d rows or columns", maxSide)
		}
		n, counted = 0, false
	}
	return fmt.Errorf(`the pattern does not end: write "!" behind the last run`)
}

// clip shortens what is quoted in an error.
func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}
