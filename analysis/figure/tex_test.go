package figure

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"clade/analysis"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// The commands are those of the LaTeX Companion. TestLaTeX sets some of the letters.
func TestTeXText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"plain, é ß 5", "plain, é ß 5"},
		{`50 % a_b #1 $ & {} ~ ^ \`,
			`50 \% a\_b \#1 \$ \& \{\} \textasciitilde{} \textasciicircum{} \textbackslash{}`},
		{`−1 – 2 × 3 ≤ 4 ≥ <5> |"`, `$-$1 -- 2 $\times$ 3 $\le$ 4 $\ge$ $<$5$>$ $|$''`},
		{"μ+λ, ε, Δ → ≠ ≈ ∞", `$\mu$+$\lambda$, $\varepsilon$, $\Delta$ $\to$ $\ne$ $\approx$ $\infty$`},
		{"Jaśkowski, Łódź, Ğ č ő ů ž", "Jaśkowski, Łódź, Ğ č ő ů ž"},
		{"ę đ Ω 漢 \xff", `? ? $\Omega$ ? ?`},
	} {
		proof.Is(t, TeXText(c.in), c.want, "%q", c.in)
	}
}

func TestTeXNumber(t *testing.T) {
	for _, c := range []struct {
		v    float64
		want string
	}{{0, "0"}, {-1e-14, "0"}, {1e-7, "0"}, {240.94488188976376, "240.945"}, {-0.0015, "-0.002"},
		{1e5, "100000"}} {
		proof.Is(t, texNumber(c.v), c.want, "%v", c.v)
	}
}

// What TeX cannot hold is refused, not written.
func TestTeXTooLarge(t *testing.T) {
	f := &Figure{Name: "huge", Width: 10, Height: texMost + 1, Data: analysis.NewTable("x"),
		Draw: func(draw.Canvas) {}}
	proof.Fails(f.Encode(TeX))(t, "more than TeX can hold")
}

// The canvas writes settings once, closes outlines, keeps arcs' ends, and cuts long strokes.
func TestTeXCanvas(t *testing.T) {
	c := newTexCanvas(100, 50)
	c.SetLineWidth(2)
	var box, arc, long vg.Path
	box.Move(vg.Point{})
	box.Line(vg.Point{X: 1e-9, Y: 3})
	box.Close()
	arc.Arc(vg.Point{X: 10, Y: 10}, 5, math.Pi/2, math.Pi)
	for i := range 2 * texPiece {
		long.Move(vg.Point{X: vg.Length(i)})
		long.Line(vg.Point{X: vg.Length(i), Y: 1})
	}
	for _, p := range []vg.Path{box, arc, long} {
		c.Stroke(p)
	}
	text := c.String()
	for want, times := range map[string]int{
		`\pgfsetlinewidth{2bp}`: 1, `\color[RGB]{0,0,0}`: 1, `\pgfpathlineto{\pgfpoint{0bp}{3bp}}` +
			"\n" + `\pgfpathclose`: 1,
		`\pgfpathmoveto{\pgfpoint{10bp}{15bp}}\pgfpatharc{90}{270}{5bp}`: 1,
		`\pgfusepath{stroke}`: 2 + 4,
	} {
		proof.Is(t, strings.Count(text, want), times, "how often %s stands", want)
	}
	c.Push()
	c.SetLineWidth(1)
	c.Stroke(box)
	c.Pop()
	before := c.Len()
	c.Stroke(box)
	if after := c.String()[before:]; strings.Contains(after, "setlinewidth") {
		t.Errorf("the scope's end brings the width back, and yet there is\n%s", after)
	}
}

// LaTeX, where it is installed, takes every kind of figure into a paper, each as large as it is
// here, and makes one page of a figure alone.
func TestLaTeX(t *testing.T) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil || proof.Quick() {
		t.Skip("no pdflatex is installed here, or the test should be quick: nobody compiles the " +
			"figures")
	}
	dir := t.TempDir()
	write := func(name, text string) {
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	figures := oneOfEach(t)
	paper := "\\documentclass{article}\n\\usepackage{pgf}\n\\begin{document}\n"
	for _, f := range figures {
		write(f.Name+".tex", string(encode(t, f, TeX)))
		paper += fmt.Sprintf("\\setbox0=\\hbox{\\input{%[1]s.tex}}\\typeout{SIZE %[1]s "+
			"\\the\\wd0,\\the\\ht0}\\shipout\\box0\n", f.Name)
	}
	write("paper.tex", paper+"\\end{document}\n")
	log := compile(t, latex, dir, "paper")
	for _, f := range figures {
		const points = 72.27 / 72 // TeX's in one of ours
		want := [2]float64{float64(f.Width) * points, float64(f.Height) * points}
		var got [2]float64
		if size := regexp.MustCompile(`SIZE ` + f.Name +
			` ([\d.]+)pt,([\d.]+)pt`).FindStringSubmatch(log); size != nil {
			for i := range got {
				got[i], _ = strconv.ParseFloat(size[i+1], 64)
			}
		}
		if !(math.Abs(got[0]-want[0]) <= 0.1) || !(math.Abs(got[1]-want[1]) <= 0.1) {
			t.Errorf("%s is %v large, want %v; LaTeX says\n%s", f.Name, got, want, log)
		}
	}
	if log := compile(t, latex, dir, figures[0].Name); !strings.Contains(log, "(1 page") {
		t.Errorf("a figure alone is not one page:\n%s", log)
	}
}

// compile runs LaTeX on a file and returns what it says.
func compile(t *testing.T, latex, dir, name string) string {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, latex, "-interaction=nonstopmode", "-halt-on-error",
		"-no-shell-escape", name+".tex")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if text := string(out); err != nil || strings.Contains(text, "Missing character") ||
		strings.Contains(text, "Overfull") {
		t.Fatalf("%s.tex: %v\n%s", name, err, text)
	}
	return string(out)
}

// oneOfEach draws a small figure of each kind that draws in a way of its own, the first with names
// that are hard on TeX.
func oneOfEach(t *testing.T) []*Figure {
	t.Helper()
	league := proof.Must(rating.Rate(3, plantedLeague(3, 20), 0.95, 20, 1))(t)
	dynamics := proof.Must(Dynamics(plantedRuns([]string{"k_1 & 2", "50 %"}, 2, 20), deaths,
		`C:\x{}^~`,
		&Look{}))(t)
	lineage := proof.Must(analysis.ReadPhylogeny(strings.NewReader(plantedLineage(6, 12)),
		"planted"))(t)
	ciao := proof.Must(monitor.Master([]int{0, 10, 20},
		func(a, b int) (float64, error) { return 0.5 + float64(a-b)/50, nil }))(t)
	g := antGrammar()
	r := engine.NewRandom(11)
	return []*Figure{
		Ratings([]string{`<&"%_$#\{}~^>|`, "−é–×≤", "α 漢 ś Ł ő ň ū Ů ĺ"}, league), dynamics,
		RoundRobin(many(3), scores(t, 3, 20)), Ancestry("ciao", "A caption.", ciao),
		Phylogeny(lineage, nil, false),
		Staircase([]int{0, 5}, 9),
		Disc(many(3), monitor.Disc{X: []float64{1, 2, 3}, Y: []float64{1, -1, 0}, Share: 0.9}),
		CriticalDifference(many(3), []float64{1, 2, 3}, 1.2),
		Genome("genome", g, []Program{{"slot", grow(g, gp.Float, 3, &r), []int{1}}}, "never changed a decision"),
	}
}
