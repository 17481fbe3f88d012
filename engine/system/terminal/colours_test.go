package terminal

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// Contrast of letters as the guidelines of the web ask for, whatever the terminal's ground: it does
// not show behind a chip.
func TestChipsAreRead(t *testing.T) {
	colours := append(engine.Palette(), color.White, color.Black)
	for i := range 16 * 16 * 16 {
		colours = append(colours, color.NRGBA{uint8(i >> 8 * 17), uint8(i >> 4 & 15 * 17),
			uint8(i & 15 * 17), 255})
	}
	for _, c := range colours {
		for kind := Indexed; kind <= TrueColours; kind++ {
			text := kind.Chip("x", c)
			letter, back := written(t, text, 38), written(t, text, 48)
			if n := contrast(letter, back); n < 4.5 {
				t.Errorf("%v in colours %d: %.2f for %v on %v", c, kind, n, letter, back)
			}
			if !strings.HasSuffix(text, "mx\x1b[0m") {
				t.Errorf("%q goes on", text)
			}
		}
	}
	proof.Is(t, NoColours.Chip("x", color.Black), "x", "without colours")
}

// written returns a colour that a text asks for.
func written(t *testing.T, text string, layer int) color.NRGBA {
	t.Helper()
	order := regexp.MustCompile(fmt.Sprintf("\x1b\\[%d;(2|5);([0-9;]+)m", layer))
	m := order.FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("%q has no colour %d", text, layer)
	}
	var parts []int
	for part := range strings.SplitSeq(m[2], ";") {
		n, err := strconv.Atoi(part)
		if err != nil || n > 255 {
			t.Fatalf("%q: %v", text, err)
		}
		parts = append(parts, n)
	}
	if m[1] == "2" {
		return color.NRGBA{uint8(parts[0]), uint8(parts[1]), uint8(parts[2]), 255}
	}
	if parts[0] < 16 {
		t.Fatalf("%q asks for a colour that themes change", text)
	}
	return table[parts[0]-16]
}

// contrast is that of WCAG 2, from 1 to 21.
func contrast(a, b color.NRGBA) float64 {
	bright := func(c color.NRGBA) float64 {
		part := func(v uint8) float64 {
			if v := float64(v) / 255; v > 0.03928 {
				return math.Pow((v+0.055)/1.055, 2.4)
			}
			return float64(v) / 255 / 12.92
		}
		return 0.05 + 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
	}
	n := bright(a) / bright(b)
	return max(n, 1/n)
}

// Where there are 256 colours, too, all things of a game are told apart, and eight seats.
func TestIndexedColoursDiffer(t *testing.T) {
	palette := append(engine.Palette()[:engine.Ramp], color.NRGBA{156, 107, 74, 255},
		color.NRGBA{184, 155, 114, 255}) // a wall and mud
	seen := map[color.NRGBA]int{}
	for entry, c := range Indexed.shown(palette, []uint8{engine.Seats},
		func(entry int) bool { return entry == engine.Ink }) {
		if other, twice := seen[c]; twice && (entry < engine.Seats+8 || entry >= engine.Ramp) {
			t.Errorf("entries %d and %d are both %v", other, entry, c)
		}
		seen[c] = entry
		proof.Is(t, table[nearest(c, nil)-16], c, "entry %d", entry)
	}
}

func TestColoursOf(t *testing.T) {
	for _, c := range []struct {
		term, colorterm, no string
		want                Colours
	}{
		{"xterm-256color", "truecolor", "", TrueColours}, {"xterm-direct", "", "", TrueColours},
		{"xterm", "24bit", "", TrueColours}, {"", "", "", TrueColours},
		{"xterm-256color", "", "", Indexed}, {"linux", "", "", Indexed},
		{"xterm-256color", "truecolor", "1", NoColours}, {"dumb", "truecolor", "", NoColours},
		{"vt220", "", "", NoColours}, {"xterm-mono", "", "", NoColours},
	} {
		env := map[string]string{"TERM": c.term, "COLORTERM": c.colorterm, "NO_COLOR": c.no}
		proof.Is(t, ColoursOf(func(key string) string { return env[key] }), c.want, "%+v", c)
	}
}

// A picture leaves nothing behind, cuts nothing off and puts nothing below: where a terminal would
// clear the rest of a full line, it clears its last letter.
func TestPictureFillsItsLines(t *testing.T) {
	for kind := NoColours; kind <= TrueColours; kind++ {
		p := Draw(dot{side: 9}, kind, 9*[]int{2, 1, 1}[kind], 24)
		lines := strings.Split(strings.TrimSuffix(p.Lines(image.Rectangle{}), "\n"), "\n")
		for i, line := range lines {
			if !strings.HasPrefix(line, "\x1b[K") || strings.Count(line, "\x1b[K") != 1 {
				t.Errorf("colours %d: line %d is %q", kind, i, line)
			}
		}
		last := lines[len(lines)-1]
		if kind != NoColours && strings.Contains(last, "48;") {
			t.Errorf("colours %d: half of the last line lies below the picture: %q", kind, last)
		}
	}
}

// Seats are told apart by the same colours, or letters, in the picture and below it.
func TestCaption(t *testing.T) {
	for kind, want := range []string{"\x1b[Kstep 3  1: ada  2: eve, cut off a",
		"\x1b[Kstep 3  \x1b[38;5;231m\x1b[48;5;25m ada \x1b[0m  \x1b[38;5;16m\x1b[48;5;166m eve " +
			"\x1b[0m, cut off at",
	} {
		p := Draw(seats{dot{3, 2}}, Colours(kind), 33-kind, 24)
		proof.Is(t, p.Caption([]string{"ada", "eve"}, ", cut off at the edge"), want, "colours %d",
			kind)
	}
	proof.Is(t, Draw(seats{dot{3, 2}}, NoColours, 80, 24).Lines(image.Rectangle{}),
		"\x1b[K1 e \n\x1b[K2 . \n", "a picture without colours")
}

// many is a scene of seven seats.
type many struct{ seats }

func (many) Scores(dst []float64) []float64 { return append(dst, 1, 2, 3, 4, 5, 6, 7) }

// Seven seats are all named, in two lines, for which the picture leaves room.
func TestCaptionOfMany(t *testing.T) {
	for kind := NoColours; kind <= TrueColours; kind++ {
		s := many{seats{dot{100, 99}}}
		p := Draw(s, kind, 80, 20)
		caption := p.Caption(Scored(s, []string{"lions", "leopards", "tigers", "pumas", "lynxes",
			"servals", "cats"}), "")
		lines := strings.Split(orders.ReplaceAllString(caption, ""), "\n")
		if len(lines) != 2 || !strings.Contains(caption, "cats 7") {
			t.Errorf("colours %d: %q", kind, caption)
		}
		for _, line := range lines {
			if len([]rune(line)) > 80 {
				t.Errorf("colours %d: %q", kind, line)
			}
		}
		proof.Is(t, strings.Count(p.Lines(image.Rectangle{}), "\n"), 17,
			"colours %d: lines of a picture", kind)
	}
}

// seats is a scene with the colours of all games.
type seats struct{ dot }

func (seats) Draw(img *image.Paletted, _ int) {
	img.Palette = engine.Palette()
	copy(img.Pix, []uint8{engine.Seats, engine.Goods, engine.Seats + 1, engine.Paper})
}

// Ground implements grounded.
func (seats) Ground() int { return engine.Veil }
