package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// dot is a scene with one dot on a white ground.
type dot struct{ step, side int }

func (d dot) Step() int                      { return d.step }
func (d dot) Scores(dst []float64) []float64 { return append(dst, 3, 4.5) }
func (d dot) Size(scale int) image.Point     { return image.Pt(d.side*scale, d.side*scale) }
func (d dot) Draw(img *image.Paletted, _ int) {
	img.Palette = color.Palette{color.White, color.RGBA{10, 20, 30, 255}}
	clear(img.Pix)
	img.SetColorIndex(1, 0, 1)
}

func ExampleViewer() {
	var screen bytes.Buffer
	g := enginetest.Number(0)
	v := &Viewer{Out: &screen, Columns: 40, Rows: 6, Names: []string{"ada", "eve"},
		Key: func(time.Duration) byte { return 0 }} // nobody touches the keyboard
	g.Play([]engine.Player{enginetest.Constant(g, 1), enginetest.Constant(g, 2)}, 1, v)
	_, last, _ := strings.Cut(screen.String(), "step 3")
	fmt.Println(strings.Fields(last)[:6])
	// Output: [1: ada 3 2: eve 6]
}

func ExamplePicture() {
	for _, c := range []Colours{TrueColours, Indexed, NoColours} {
		p := Draw(dot{side: 2}, c, 80, 24)
		fmt.Printf("%q\n", p.Lines(image.Rect(0, 0, 1, 1)))
	}
	// Output:
	// "\x1b[K\x1b[48;2;255;255;255m\x1b[38;2;255;0;200m▀\x1b[38;2;10;20;30m▀\x1b[0m▏\n"
	// "\x1b[K\x1b[48;5;231m\x1b[38;5;200m▀\x1b[38;5;233m▀\x1b[0m▏\n"
	// "\x1b[K\x1b[7m.\x1b[0m 2 \n\x1b[K. . \n"
}

// cells counts the columns that a picture takes in all its lines.
func cells(text string) int {
	return len([]rune(strings.NewReplacer("\n", "", "▏", "").Replace(
		orders.ReplaceAllString(text, ""))))
}

var orders = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

func TestPicturesFitTheTerminal(t *testing.T) {
	for _, c := range []struct{ side, columns, rows, wide, high int }{
		{4, 80, 24, 4, 2}, {5, 80, 24, 5, 3}, {100, 80, 100, 50, 25}, {100, 200, 10, 20, 10},
		{1000, 7, 3, 6, 3}, {1, 1, 1, 1, 1},
	} {
		text := Draw(dot{side: c.side}, TrueColours, c.columns, c.rows+1).
			Lines(image.Rectangle{})
		high := strings.Count(text, "\n")
		if wide := cells(text) / high; wide != c.wide || high != c.high {
			t.Errorf("%+v: %d by %d", c, wide, high)
		}
		if c.side > 1 && !strings.Contains(text, ";10;20;30m") {
			t.Errorf("%+v: the dot is not seen", c)
		}
	}
}

func TestThinning(t *testing.T) {
	for _, c := range []struct{ width, height, tile, columns, rows, want int }{
		{348, 348, 12, 80, 24, 12},
		{348, 348, 12, 400, 400, 1},
		{348, 348, 12, 200, 80, 3},
		{348, 348, 12, 20, 24, 24},
		{100, 50, 0, 30, 24, 4},
	} {
		proof.Is(t, thinning(image.Pt(c.width, c.height), c.tile, c.columns, c.rows), c.want, "%+v",
			c)
	}
}

func TestViewerObeysKeys(t *testing.T) {
	for name, c := range map[string]struct {
		keys  string // pressed at the first step; 0 is none
		shown int    // of 3 steps
		delay time.Duration
	}{
		"none":   {"", 3, defaultDelay},
		"faster": {"++", 3, defaultDelay / 4},
		"slower": {"-", 3, 2 * defaultDelay},
		"limits": {strings.Repeat("-", 20), 3, longest},
		"speed":  {strings.Repeat("+", 20), 3, shortest},
		"pause":  {" ...", 3, defaultDelay},
		"resume": {"  ", 3, defaultDelay},
		"quit":   {"q", 1, defaultDelay},
		"others": {".xyz", 3, defaultDelay},
	} {
		var out bytes.Buffer
		keys := []byte(c.keys)
		w := &Viewer{Out: &out, Columns: 30, Rows: 10, Names: []string{"ada"},
			Key: func(d time.Duration) byte {
				if len(keys) == 0 {
					if d < 0 {
						t.Fatalf("%s: waits for ever", name)
					}
					return 0
				}
				k := keys[0]
				keys = keys[1:]
				return k
			}}
		for i := range 3 {
			w.Step(dot{i, 4})
		}
		if n := strings.Count(out.String(), "step "+"0") + strings.Count(out.String(), "step 1") +
			strings.Count(out.String(), "step 2"); n != c.shown || w.delay != c.delay {
			t.Errorf("%s: %d steps, delay %v", name, n, w.delay)
		}
		proof.Is(t, strings.Count(out.String(), "\x1b[H"), c.shown,
			"%s: how often the cursor goes home", name)
		if !strings.Contains(out.String(), "ada 3") || strings.Count(out.String(), "\x1b[2J") != 1 {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// TestLegendIsOneLine holds that a name, which may come from a file, does nothing to the terminal.
func TestLegendIsOneLine(t *testing.T) {
	var out bytes.Buffer
	w := &Viewer{Out: &out, Columns: 80, Rows: 10,
		Names: []string{"a\nb\x1b[2Jc\u009bd", "e\u202eve"},
		Key:   func(time.Duration) byte { return 0 }}
	w.Step(dot{0, 4})
	legend := out.String()[strings.LastIndexByte(out.String(), '\n')+1:]
	proof.Is(t, legend, "\x1b[Kstep 0  1: a b [2Jc d 3  2: e ve 4.5   50ms a step; + - space . q",
		"the legend")
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestViewerEndsWithItsTerminal(t *testing.T) {
	w := &Viewer{Out: broken{}, Columns: 5, Rows: 5,
		Key: func(time.Duration) byte { t.Fatal("a key is awaited"); return 0 }}
	w.Step(dot{0, 4})
	w.Step(dot{1, 4})
	if !w.closed {
		t.Error("still showing")
	}
}

func TestViewerSkipsSteps(t *testing.T) {
	n := 0
	w := &Viewer{Out: new(bytes.Buffer), Columns: 5, Rows: 5, Every: 5,
		Key: func(time.Duration) byte { n++; return 0 }}
	for i := range 11 {
		w.Step(dot{i, 4})
	}
	proof.Is(t, n, 3, "steps shown of 0, 5 and 10")
}

// TestViewerFollowsTheSize holds that a scene may be greater than the one before, as a game's may
// that grows.
func TestViewerFollowsTheSize(t *testing.T) {
	var out bytes.Buffer
	w := &Viewer{Out: &out, Columns: 20, Rows: 10, Colours: TrueColours,
		Key: func(time.Duration) byte { return 0 }}
	for step, blocks := range []int{2 * 1, 4 * 2, 3 * 2} {
		out.Reset()
		w.Step(dot{step, []int{2, 4, 3}[step]})
		picture := out.String()[:strings.LastIndexByte(out.String(), '\n')]
		proof.Is(t, cells(picture), blocks, "half blocks of step %d", step)
	}
}

// shades is a scene of ground in many shades, entries 0..99, with two things that stand on it,
// entries 100 and 101.
type shades struct{ dot }

func (shades) Ground() int { return 100 }
func (s shades) Draw(img *image.Paletted, _ int) {
	img.Palette = nil
	for i := range 102 {
		img.Palette = append(img.Palette, color.RGBA{uint8(i), uint8(i), uint8(i), 255})
	}
	for i := range img.Pix {
		img.Pix[i] = uint8(i % 100)
	}
	img.SetColorIndex(3, 2, 100)
	img.SetColorIndex(17, 13, 101)
}

// TestThinningKeepsWhatStands shows a large scene on a small terminal, with a legend of its own.
func TestThinningKeepsWhatStands(t *testing.T) {
	var out bytes.Buffer
	w := &Viewer{Out: &out, Columns: 6, Rows: 4, Colours: TrueColours, End: "\n",
		Key:   func(time.Duration) byte { return 0 },
		Words: func(engine.Scene) []string { return []string{"who", "is who"} }}
	w.Step(shades{dot{0, 20}})
	proof.Holds(t, out.String(), ";100;100;100m", ";101;101;101m", "step 0\n")
}

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"a table\twith\nlines · ñ": "a table\twith\nlines · ñ", "": "",
		"\x1b]0;title\x07": `\u001b]0;title\u0007`,
		"\u009b2J\r\x7f\b": `\u009b2J\u000d\u007f\u0008`,
		"\xff\x1b[2J":      "\uFFFD\\u001b[2J",
	} {
		var b strings.Builder
		n, err := Plain(&b).Write([]byte(text))
		if b.String() != want || n != len(text) || err != nil {
			t.Errorf("%q is written as %q (%d, %v), want %q", text, b.String(), n, err, want)
		}
	}
}

func ExampleTable() {
	Table(os.Stdout, [][]string{{"player", "games", "share"}, {"grün", "10", "5.0 %"}, {},
		{"a", "1000", "12.5 %"}})
	// Output:
	// player  games   share
	// grün       10   5.0 %
	//
	// a        1000  12.5 %
}
