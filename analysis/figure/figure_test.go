package figure

import (
	"bytes"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/image/font/sfnt"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"clade/analysis"
	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// deaths are the marks of Ant Wars.
var deaths = []string{"early-deaths", "sacrifices"}

// plantedRuns returns replicates with smooth trends and noise of a known seed.
func plantedRuns(groups []string, replicates, generations int) []analysis.Run {
	var runs []analysis.Run
	for gi, group := range groups {
		for r := range replicates {
			random := engine.NewRandom(uint64(engine.Seed(7).Num(uint64(gi)).Num(uint64(r))))
			run := analysis.Run{Name: fmt.Sprintf("%s-%d", group, r), Group: group}
			trend := func(m analysis.Measure, trials int, f func(g float64) float64,
				noise float64) {
				s := analysis.Series{Measure: m}
				drift := 0.0
				for g := range generations {
					drift = 0.9*drift + noise*(random.Float()-0.5)
					s.Generation = append(s.Generation, g)
					v := f(float64(g)/float64(generations)) + drift
					if trials > 0 {
						v = math.Max(0, math.Min(1, v))
						s.Trials = append(s.Trials, trials)
					}
					s.Value = append(s.Value, v)
				}
				run.Series = append(run.Series, s)
			}
			lift := 0.05 * float64(gi)
			trend(analysis.Wins, 500,
				func(g float64) float64 { return 0.5 - lift - 0.42*math.Exp(-5*g) }, 0.04)
			trend(analysis.Mark(deaths[0]), 500,
				func(g float64) float64 { return 0.66*math.Exp(-12*g) + lift }, 0.02)
			trend(analysis.Mark(deaths[1]), 500, func(g float64) float64 { return 0.18 * g * g }, 0.02)
			trend(analysis.Score, 0, func(g float64) float64 { return 7 - 4*math.Exp(-6*g) - lift }, 0.3)
			trend(analysis.TreeSize, 0, func(g float64) float64 { return 40 + 160*g }, 20)
			trend(analysis.TreeDepth, 0, func(g float64) float64 { return 5 + 3*(1-math.Exp(-8*g)) }, 0.3)
			trend(analysis.GenotypicDiversity, 0,
				func(g float64) float64 { return 0.3 + 0.65*math.Exp(-6*g) }, 0.05)
			trend(analysis.BehaviouralDiversity, 0,
				func(g float64) float64 { return 0.2 + 0.5*math.Exp(-3*g) }, 0.05)
			runs = append(runs, run)
		}
	}
	return runs
}

// look saves a figure where CLADE_LOOK names a directory, for the eye.
func look(t testing.TB, f *Figure) {
	t.Helper()
	if dir := os.Getenv("CLADE_LOOK"); dir != "" {
		proof.Must(f.Save(dir))(t)
	}
}

// upright collects the texts of a drawing that are not turned, and apart from them the others.
type upright struct {
	*svgCanvas
	turned []bool
	others []svgText
}

func (u *upright) Push() { u.turned = append(u.turned, u.turned[len(u.turned)-1]) }

func (u *upright) Pop() { u.turned = u.turned[:len(u.turned)-1] }

func (u *upright) Rotate(float64) { u.turned[len(u.turned)-1] = true }

func (u *upright) FillString(f font.Face, at vg.Point, s string) {
	if !u.turned[len(u.turned)-1] {
		u.svgCanvas.FillString(f, at, s)
	} else {
		u.others = append(u.others, svgText{text: s, at: at, face: f})
	}
}

// written returns the texts of a figure that are not turned.
func written(t testing.TB, f *Figure) []svgText {
	t.Helper()
	c := &upright{&svgCanvas{Canvas: vgsvg.New(f.Width, f.Height)}, []bool{false}, nil}
	proof.Must(f.render(c, c))(t)
	return c.texts
}

// Between the numbers of a colour bar and the tails of its label's letters there are two points,
// also where the numbers have two digits: the widths are those of the font.
func TestBarLabel(t *testing.T) {
	share := make([]float64, 25)
	share[7] = 0.55
	f := FieldOfView(share, 5)
	c := &upright{&svgCanvas{Canvas: vgsvg.New(f.Width, f.Height)}, []bool{false}, nil}
	proof.Must(f.render(c, c))(t)
	label := c.others[len(c.others)-1]
	if !strings.HasPrefix(label.text, "Rectangles") {
		t.Fatalf("the last text that is turned is %q", label.text)
	}
	// turned by a quarter to the right, so that up and down are right and left
	tails := label.at.Y - label.face.Extents().Descent
	for _, number := range c.texts {
		if end := number.at.X + number.face.Width(number.text); end > tails-2 {
			t.Errorf("%q ends at %v, and the label's tails begin at %v", number.text, end, tails)
		}
	}
}

// checkFigure draws a figure in every format and checks that it has data, and that no text leaves
// it, also as wide as a column and as a page. Formats but PNG, which is slow, are drawn twice and
// must be equal.
func checkFigure(t *testing.T, f *Figure) {
	t.Helper()
	look(t, f)
	heads := map[Format]string{PNG: "\x89PNG", SVG: "<?xml", PDF: "%PDF", TeX: "% A figure"}
	for _, format := range AllFormats() {
		a := encode(t, f, format)
		if !strings.HasPrefix(string(a), heads[format]) {
			t.Errorf("%s: %s starts with %.8q", f.Name, format, a)
		}
		if format != PNG && !bytes.Equal(a, encode(t, f, format)) {
			t.Errorf("%s: two drawings as %s differ", f.Name, format)
		}
	}
	if f.Data == nil || len(f.Data.Rows) == 0 || !strings.HasSuffix(f.Caption, ".") {
		t.Errorf("%s has no data, or no caption", f.Name)
	}
	if !strings.Contains(string(encode(t, f, SVG)), "<desc>"+html.EscapeString(f.Caption)+"</desc>") {
		t.Errorf("%s: its caption is not the description in SVG", f.Name)
	}
	inside(t, f)
	for _, width := range []Width{"column", "page"} {
		fitted, err := f.Fit(width)
		if err != nil {
			t.Logf("%s: %v", f.Name, err) // says what to do
			continue
		}
		if want, _ := width.length(); fitted.Width != want && f.fit != nil {
			t.Errorf("%s in a %s is %v wide", f.Name, width, fitted.Width)
		}
		fitted.Name += "-" + string(width)
		look(t, fitted)
		inside(t, fitted)
	}
}

// inside checks that no text leaves a figure.
func inside(t *testing.T, f *Figure) {
	t.Helper()
	for _, text := range written(t, f) {
		if end := text.at.X + text.face.Width(text.text); text.at.X < 0 || end > f.Width ||
			text.at.Y < 0 || text.at.Y > f.Height-text.face.Font.Size*0.7 {
			t.Errorf("%s: %q stands from %v to %v, at %v, of %v, %v", f.Name, text.text, text.at.X,
				end, text.at.Y, f.Width, f.Height)
		}
	}
}

func encode(t testing.TB, f *Figure, format Format) []byte {
	t.Helper()
	return proof.Must(f.Encode(format))(t)
}

// A figure made anew from the same numbers gives the same bytes in every format.
func TestRepeats(t *testing.T) {
	proof.Slow(t)
	make := func(format Format) []byte {
		f := proof.Must(Dynamics(plantedRuns([]string{"a", "b"}, 3, 50), deaths, "HyperANT", &Look{}))(t)
		return encode(t, f, format)
	}
	for _, format := range AllFormats() {
		proof.Is(t, string(make(format)), string(make(format)), "a second figure as %s", format)
	}
}

// BenchmarkScale pools 500 runs of 1,350 generations and draws and saves Figure 1 and the curves of
// growth and diversity in all formats.
func BenchmarkScale(b *testing.B) {
	runs := plantedRuns([]string{"a", "b", "c", "d", "e"}, 100, 1350)
	dir := b.TempDir()
	b.ResetTimer()
	for b.Loop() {
		for _, make := range []func() (*Figure, error){
			func() (*Figure, error) { return Dynamics(runs, deaths, "HyperANT", &Look{}) },
			func() (*Figure, error) { return Growth(runs, &Look{}) },
			func() (*Figure, error) { return Diversity(runs, &Look{}) },
		} {
			f := proof.Must(make())(b)
			proof.Must(f.Save(dir))(b)
		}
	}
}

func TestRunFigures(t *testing.T) {
	proof.Long(t)
	for _, c := range []struct {
		name   string
		groups []string
		runs   int
	}{{"one", []string{""}, 1}, {"many", []string{"pairs", "tournament of five"}, 5}} {
		t.Run(c.name, func(t *testing.T) {
			runs := plantedRuns(c.groups, c.runs, 300)
			for _, make := range []func() (*Figure, error){
				func() (*Figure, error) { return Dynamics(runs, deaths, "HyperANT", &Look{}) },
				func() (*Figure, error) { return Growth(runs, &Look{}) },
				func() (*Figure, error) { return Diversity(runs, &Look{}) },
			} {
				f := proof.Must(make())(t)
				f.Name += "-" + c.name
				checkFigure(t, f)
			}
		})
	}
}

// No two curves of a figure look alike, as long as there are styles.
func TestStylesDiffer(t *testing.T) {
	for groups := 1; groups <= 14; groups++ {
		for layers := 1; layers <= 3; layers++ {
			var panel CurvePanel
			for l := range layers {
				layer := CurveLayer{Name: fmt.Sprint("layer ", l)}
				for g := range groups {
					layer.Curves = append(layer.Curves, analysis.Curve{Group: fmt.Sprint("group ", g)})
				}
				panel.Layers = append(panel.Layers, layer)
			}
			keys := keyring{look: &Look{}}
			keys.collect([]CurvePanel{panel})
			seen := map[string]string{}
			for _, layer := range panel.Layers {
				for _, c := range layer.Curves {
					s := keys.key(layer.Name, c.Group).style
					look, name := fmt.Sprint(s.colour, s.dash), layer.Name+", "+c.Group
					if other, twice := seen[look]; twice {
						t.Errorf("%d groups in %d layers: %s looks like %s", groups, layers, name, other)
					}
					seen[look] = name
				}
			}
		}
	}
}

// In grey print a higher value is darker.
func TestMapsDarken(t *testing.T) {
	for _, m := range []colourMap{sequential, diverging} {
		for i := range 100 {
			if a, b := grey(m.at(float64(i)/100)), grey(m.at(float64(i+1)/100)); a <= b {
				t.Errorf("at %d %% a map goes from %v to %v", i, a, b)
			}
		}
	}
}

// In grey print boxes of different types differ.
func TestBoxesDiffer(t *testing.T) {
	kinds := []gp.Type{gp.Float, gp.Bool, gp.Area}
	for i, a := range kinds {
		for _, b := range kinds[:i] {
			one, _ := kindLook(a)
			other, _ := kindLook(b)
			if math.Abs(grey(one)-grey(other)) < 15 {
				t.Errorf("boxes of %v and %v have greys %.0f and %.0f", a, b, grey(one), grey(other))
			}
		}
	}
}

// The bar of a map that runs with the root has round numbers, and room for each.
func TestRootTicks(t *testing.T) {
	for _, c := range []struct {
		high float64
		want string
	}{{1, "0 5 20 50 100"}, {0.62, "0 2 10 20 50"}, {0.02, "0 0.05 0.2 0.5 1 2"}} {
		h := &heat{high: c.high, scale: 100, root: true}
		var got []string
		for _, tick := range h.Ticks(0, 100*c.high) {
			got = append(got, tick.Label)
		}
		proof.Is(t, strings.Join(got, " "), c.want, "a bar up to %v", c.high)
	}
}

// A translucent colour keeps its hue.
func TestTranslucent(t *testing.T) {
	f := &Figure{Name: "band", Width: 10, Height: 10, Data: analysis.NewTable("x"),
		Draw: func(c draw.Canvas) {
			c.FillPolygon(styleOf(0).band(), corners(c.Rectangle))
		}}
	if tex, want := string(encode(t, f, TeX)),
		`\color[RGB]{0,114,178}\pgfsetstrokeopacity{0.22}`; !strings.Contains(tex, want) {
		t.Errorf("TeX lacks %s:\n%s", want, tex)
	}
}

// A PNG of 256 colours, read by the standard library, is the picture of all colours as the plotting
// library writes it: nearly every dot is the same, the others are edges a shade lighter or darker.
func TestIndexed(t *testing.T) {
	proof.Slow(t)
	f := proof.Must(Dynamics(plantedRuns([]string{"a", "b", "c", "d", "e", "f"}, 3, 50), deaths,
		"HyperANT",
		&Look{}))(t)
	c := vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(f.dpi()))
	full := proof.Must(f.render(c, vgimg.PngCanvas{Canvas: c}))(t)
	var images [2]image.Image
	for i, data := range [][]byte{full, encode(t, f, PNG)} {
		images[i] = proof.Must(png.Decode(bytes.NewReader(data)))(t)
	}
	_, of256 := images[1].(*image.Paletted)
	if b := images[0].Bounds(); !of256 || b != images[1].Bounds() {
		t.Fatalf("%T of %v, not of %v", images[1], images[1].Bounds(), b)
	}
	other, all := 0, 0
	for y := range images[0].Bounds().Dy() {
		for x := range images[0].Bounds().Dx() {
			all++
			if want, got := images[0].At(x, y), color.RGBAModel.Convert(images[1].At(x, y)); want != got {
				other++
				for i, v := range rgb(want) {
					if d := int(v) - int(rgb(got)[i]); max(d, -d) > 32 {
						t.Fatalf("%v at %d, %d became %v", want, x, y, got)
					}
				}
			}
		}
	}
	if t.Logf("%d of %d dots", other, all); other*50 > all {
		t.Errorf("%d of %d dots have another colour", other, all)
	}
}

func rgb(c color.Color) [3]uint8 {
	v := color.RGBAModel.Convert(c).(color.RGBA)
	return [3]uint8{v.R, v.G, v.B}
}

func TestSave(t *testing.T) {
	f := proof.Must(Growth(plantedRuns([]string{"a"}, 2, 10), &Look{}))(t)
	dir := filepath.Join(t.TempDir(), "figures")
	paths := proof.Must(f.Save(dir))(t)
	if len(paths) != 5 || filepath.Base(paths[4]) != "growth.csv" {
		t.Errorf("saved %v", paths)
	}
	files := proof.Must(os.ReadDir(dir))(t)
	proof.Is(t, len(files), len(paths), "files in the directory")
	proof.Fails(f.Save(dir, "gif"))(t, `no format "gif"`)
	proof.Fails(f.Save(filepath.Join(paths[0], "below-a-file")))(t, "figure: mkdir")
}

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		v      float64
		digits int
		want   string
	}{{0, 0, "0"}, {-0.001, 1, "0.0"}, {123, 0, "123"}, {1234, 0, "1,234"}, {12345, 0, "12,345"},
		{-1234567.5, 1, "−1,234,567.5"}, {2.5, 1, "2.5"}} {
		proof.Is(t, number(c.v, c.digits), c.want, "number(%v, %d)", c.v, c.digits)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"}, {0, 1350, "0 500 1,000"}, {-1, 1, "−1.0 −0.5 0.0 0.5 1.0"},
		{0, 0.11, "0.000 0.025 0.050 0.075 0.100"}, {3, 3, "3"}, {0, 45, "0 10 20 30 40"}} {
		var got []string
		for _, tick := range (niceTicks{about: 5}).Ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		proof.Is(t, strings.Join(got, " "), c.want, "ticks of %v..%v", c.low, c.high)
	}
	for _, whole := range []bool{false, true} { // beyond 2^53, where n+1 is n
		if ticks := (niceTicks{5, whole}).Ticks(1e16, 1e16+2); len(ticks) > 7 {
			t.Errorf("%d ticks", len(ticks))
		}
	}
	// the greatest number that fits is there, and the next would be outside
	for low := -20; low < 20; low++ {
		for high := low + 1; high < 40; high++ {
			ticks := niceTicks{about: 5}.Ticks(float64(low)/7, float64(high)/7)
			if step, last := ticks[1].Value-ticks[0].Value, ticks[len(ticks)-1].Value; last+
				step <= float64(high)/7 || ticks[0].Value-step >= float64(low)/7 {
				t.Errorf("%d/7 to %d/7: ticks from %v to %v by %v", low, high, ticks[0].Value, last, step)
			}
		}
	}
	for high := 1; high <= 300; high++ { // 11 and 12 once had ticks at 2.5 and 7.5
		ticks := (niceTicks{about: 5, whole: true}).Ticks(0, float64(high))
		if len(ticks) < 2 || len(ticks) > 7 {
			t.Errorf("counts up to %d have %d ticks", high, len(ticks))
		}
		for _, tick := range ticks {
			if tick.Value != math.Floor(tick.Value) || tick.Label != number(tick.Value, 0) {
				t.Errorf("counts up to %d have a tick %q at %v", high, tick.Label, tick.Value)
			}
		}
	}
}

// An SVG asks the viewer for no face: its texts are outlines, as wide as was reckoned with.
func TestOutlines(t *testing.T) {
	svg := string(encode(t, Staircase([]int{0, 5}, 9), SVG))
	if strings.Contains(svg, "<text") || strings.Contains(svg, "font") ||
		!strings.Contains(svg, `aria-label="Generation"`) {
		t.Error("the file names a face, or no text")
	}
	face := plot.DefaultTextHandler.Cache().Lookup(sans(textSize), textSize)
	const text = "AVATo −1 Ty."
	outlines := (svgText{face: face, text: text}).outlined("", map[sfnt.GlyphIndex]string{})
	last := regexp.MustCompile(`x="(\d+)"/></g>`).FindSubmatch(outlines)
	if last == nil {
		t.Fatalf("no letters in %s", outlines)
	}
	units := proof.Must(strconv.Atoi(string(last[1])))(t)
	got := vg.Length(units) * textSize / vg.Length(face.Face.UnitsPerEm())
	if want := face.Width(text) - face.Width("."); !(math.Abs(float64(got-want)) <= 0.5) {
		t.Errorf("the last letter stands at %v and should at %v", got, want)
	}
}

// A PDF embeds the letters that occur and no more, and a minus sign is one.
func TestSmallPDF(t *testing.T) {
	f := proof.Must(Growth(plantedRuns([]string{"a"}, 2, 50), &Look{}))(t)
	page := encode(t, f, PDF)
	if n := len(page); n > 40_000 {
		t.Errorf("the figure of two curves takes %d bytes", n)
	}
	if !regexp.MustCompile(`/BaseFont /[A-Z]{6}\+LiberationSans-Regular\s`).Match(page) ||
		bytes.Contains(page, []byte("/utf8")) {
		t.Error("the face does not say that it is a subset")
	}
}

// Letters that the face lacks, here of the Unicode standard, are boxes in a PNG as in the other
// forms: a label is not taken for an empty one.
func TestMissingLettersPNG(t *testing.T) {
	for _, label := range []string{"日", "\U0001F600"} {
		c := newPNGCanvas(20, 20, pngDPI)
		canvas := draw.New(c)
		canvas.FillText(textStyle(tickSize, ink), vg.Point{X: 5, Y: 5}, label)
		img := c.Image().(*image.RGBA)
		if bytes.Count(img.Pix, []byte{0xff}) == len(img.Pix) {
			t.Errorf("%s is drawn as nothing", label)
		}
	}
}

// A label may have letters above U+FFFF, such as an emoji, which the library of PDFs does not number.
func TestEmojiPDF(t *testing.T) {
	f := proof.Must(Growth(plantedRuns([]string{"keen \U0001F600"}, 2, 5), &Look{}))(t)
	if page := encode(t, f, PDF); !bytes.Contains(page, []byte("%%EOF")) {
		t.Errorf("a page of %d bytes without an end", len(page))
	}
}
