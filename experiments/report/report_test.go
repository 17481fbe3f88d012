package report_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// scope is the games, with the trust that files of this machine have.
var scope = runnertest.Scope()

// smallReport reports on two groups of two small runs.
func smallReport(t *testing.T) *report.Report {
	t.Helper()
	dir := t.TempDir()
	runnertest.Replicates(dir, "two-", 2, "evolve.tournament=2", "figures.panels=[]",
		`question="Is <k = 2> & \"k = 3\" alike?"`)
	runnertest.Replicates(dir, "three-", 2, "figures.panels=[]")
	dirs, err := report.FindRuns([]string{dir})
	if err == nil { // as a sweep and a run that workers share write it
		err = errors.Join(sweep.RecordShutOut(dir, sweep.ShutOut{Worker: "liar", Host: "<h>",
			Run: "key", Differs: "fingerprint"}),
			sweep.RecordShutOut(dirs[0], sweep.ShutOut{Worker: "cheat", Run: "two"}))
	}
	proof.OK(t, err)
	r := proof.Must(report.Make(context.Background(), scope, dirs,
		report.Options{Games: 4, Seed: 1, Command: []string{"clade", "report", "two 1"}}))(t)
	return r
}

// A report has all its sections, needs nothing from outside, and is good LaTeX as far as that can
// be told without it. Chromium, where there is one, shows it without a complaint.
func TestReport(t *testing.T) {
	proof.Costly(t)
	r := smallReport(t)
	page := proof.Must(r.HTML())(t)
	text := string(page)
	for _, want := range []string{
		`Is &lt;k = 2&gt; &amp; &#34;k = 3&#34; alike?`, "evolve.tournament", `id="settings"`,
		`id="curves"`, `id="records"`, `id="league"`, `id="tests"`, `id="coevolution"`,
		`id="champions"`, `id="again"`,
		"<svg role=", "data:text/csv;base64,", "data:image/png;base64,", "Mann and Whitney",
		"fingerprint", "clade report &#39;two 1&#39;",
		"shut out: worker liar on &lt;h&gt;", "shut out: worker cheat:", "(species antwars",
	} {
		proof.Holds(t, text, want)
	}
	for _, wrong := range []string{"<script", "@import", "<link", "ZgotmplZ", "NaN", "<?xml"} {
		if strings.Contains(text, wrong) {
			t.Errorf("the page has %s", wrong)
		}
	}
	for _, m := range regexp.MustCompile(`(?:src|href)="([^"]{0,40})`).FindAllStringSubmatch(text,
		-1) {
		if !strings.HasPrefix(m[1], "data:") && !strings.HasPrefix(m[1], "#") {
			t.Errorf("the page refers to %s", m[1])
		}
	}
	// what each run cost stands in its row, and of four runs by one program the paths stand there only
	if latex := string(r.LaTeX(false)); !strings.Contains(latex,
		"Run & Seed & Generations & Games & Race games & CPU time & Fingerprint") ||
		!strings.Contains(latex, "\nall 4 & ") {
		t.Error("the tables of runs and versions are\n", latex[strings.LastIndex(latex, "tab:runs"):])
	}
	checkLaTeX(t, string(r.LaTeX(false)))
	dir := os.Getenv("CLADE_LOOK") // for the eye
	if dir == "" {
		dir = t.TempDir()
	}
	path := filepath.Join(dir, "report.html")
	proof.OK(t, os.WriteFile(path, page, 0o666))
	t.Run("chromium", func(t *testing.T) { lookInBrowser(t, path) })
	t.Run("pdflatex", func(t *testing.T) {
		compileTables(t, r.LaTeX(false), "onecolumn")
		compileTables(t, r.LaTeX(true), "twocolumn")
	})
}

// A report that is broken off while it monitors coevolution keeps what was played, and the next one
// says the same as one that was not.
func TestReportGoesOn(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := t.TempDir()
	runnertest.Replicates(dir, "three-", 1)
	dirs := proof.Must(report.FindRuns([]string{dir}))(t)
	s := report.Options{Games: 4, Seed: 1, Command: []string{"clade", "report"}}
	whole := proof.Must(report.Make(context.Background(), scope, dirs, s))(t)
	want := proof.Must(whole.HTML())(t)
	s.Keep = true
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.Stage = func(at runner.Stage) {
		if at.Name == "champions against the panel" {
			stop()
		}
	}
	proof.Fails(report.Make(ctx, scope, dirs, s))(t, "goes on from what was played")
	kept, _ := filepath.Glob(filepath.Join(dir, "*", "monitor", "played"))
	proof.Is(t, len(kept), 1, "files kept, %q", kept)
	s.Stage = nil
	r := proof.Must(report.Make(context.Background(), scope, dirs, s))(t)
	proof.Is(t, string(proof.Must(r.HTML())(t)), string(want), "the report of what was broken off")
}

// compileTables lets LaTeX make a paper of so many columns of the tables.
func compileTables(t *testing.T, tables []byte, columns string) {
	latex, err := exec.LookPath("pdflatex")
	if err != nil || proof.Quick() {
		t.Skip("no pdflatex is installed here, or the test should be quick: nothing compiles the " +
			"tables")
	}
	dir := t.TempDir()
	paper := "\\documentclass[" + columns + "]{article}\n\\usepackage{booktabs,array}\n" +
		"\\begin{document}\n\\input{tables}\n\\end{document}\n"
	for name, text := range map[string]string{"paper.tex": paper, "tables.tex": string(tables)} {
		proof.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	c := exec.CommandContext(ctx, latex, "-interaction=nonstopmode", "-halt-on-error",
		"-no-shell-escape", "paper.tex")
	c.Dir = dir
	out, err := c.CombinedOutput()
	log := string(out)
	if err != nil || strings.Contains(log, "Missing character") {
		t.Fatalf("%v\n%s", err, log)
	}
	for _, m := range regexp.MustCompile(`Overfull \\hbox \((\d+)\.`).FindAllStringSubmatch(log, -1) {
		if len(m[1]) > 1 { // ten points and more
			t.Errorf("a table is %s points too wide:\n%s", m[1], log)
		}
	}
	if copy := os.Getenv("CLADE_LOOK"); copy != "" {
		pdf, err := os.ReadFile(filepath.Join(dir, "paper.pdf"))
		if err == nil {
			err = os.WriteFile(filepath.Join(copy, columns+".pdf"), pdf, 0o666)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// checkLaTeX holds tables to balanced braces, equal numbers of cells and escaped characters.
func checkLaTeX(t *testing.T, text string) {
	t.Helper()
	if strings.Count(text, `\begin{`) != strings.Count(text, `\end{`) ||
		strings.Count(text, `\toprule`) < 6 {
		t.Errorf("environments or tables are missing:\n%s", text)
	}
	bare := regexp.MustCompile(`~?\\[\\{}%&_#$]`)
	cells := 0
	for n, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "%") {
			continue
		}
		escaped := bare.ReplaceAllString(line, "")
		if strings.Count(escaped, "{") != strings.Count(escaped, "}") ||
			strings.ContainsAny(escaped, "#%_^~") {
			t.Errorf("line %d is no good LaTeX: %s", n+1, line)
		}
		if strings.HasPrefix(line, `\toprule`) {
			cells = 0
		}
		if strings.HasSuffix(line, ` \\`) {
			here := strings.Count(escaped, "&") + 1
			if cells != 0 && here != cells {
				t.Errorf("line %d has %d cells, those before it %d", n+1, here, cells)
			}
			cells = here
		}
	}
}

// lookInBrowser opens a page in headless Chromium, without a network, and looks at what it makes of
// it.
func lookInBrowser(t *testing.T, page string) {
	browser, err := proof.Chromium()
	if err != nil || proof.Quick() {
		t.Skip("no Chromium is installed here, or the test should be quick: nothing looks at the " +
			"page")
	}
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	run := func(args ...string) (string, string) {
		args = append([]string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
			"--no-first-run", "--disable-background-networking", "--disable-component-update",
			"--disable-sync",
			"--host-resolver-rules=MAP * ~NOTFOUND", "--hide-scrollbars", "--enable-logging=stderr",
			"--user-data-dir=" + t.TempDir()}, args...)
		c := exec.CommandContext(ctx, browser, append(args, "file://"+page)...)
		var out, log bytes.Buffer
		c.Stdout, c.Stderr = &out, &log
		if err := c.Run(); err != nil {
			t.Fatalf("%v\n%s", err, log.String())
		}
		return out.String(), log.String()
	}
	dom, log := run("--dump-dom")
	if !strings.Contains(dom, "How to make this again") || strings.Count(dom, "<figure") < 20 ||
		!strings.HasSuffix(strings.TrimSpace(dom), "</html>") {
		t.Errorf("Chromium reads %d figures in\n%.2000s", strings.Count(dom, "<figure"), dom)
	}
	if strings.Contains(log, "CONSOLE") {
		t.Errorf("Chromium complains:\n%s", log)
	}
	shot := filepath.Join(t.TempDir(), "page.png")
	run("--screenshot="+shot, "--window-size=1000,1600")
	file := proof.Must(os.Open(shot))(t)
	defer file.Close()
	img := proof.Must(png.Decode(file))(t)
	colours, inked := map[[3]uint32]bool{}, 0
	for y := 0; y < 1600; y += 2 {
		for x := 0; x < 1000; x += 2 {
			r, g, b, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, b}] = true
			if r+g+b < 3*0xf000 {
				inked++
			}
		}
	}
	if len(colours) < 50 || inked < 2000 {
		t.Errorf("the page looks empty: %d colours, %d dark points", len(colours), inked)
	}
}

// counted counts the games of Ant Wars.
type counted struct {
	engine.Game
	engine.Roster
	games *atomic.Int64
}

func (c counted) Play(players []engine.Player, seed uint64, rec engine.Recorder) engine.Result {
	c.games.Add(1)
	return c.Game.Play(players, seed, rec)
}

// A second report plays the games of its pictures only, and monitors find what a report has played,
// with the same numbers.
func TestReportPlaysNothingTwice(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := t.TempDir()
	runnertest.Replicates(dir, "run", 2)
	var games atomic.Int64
	g := proof.Must(study.NewGame(scope, "antwars"))(t)
	counting := player.Scope{Trust: player.Files,
		Games: []engine.Game{counted{g, g.(engine.Roster), &games}}}
	dirs := proof.Must(report.FindRuns([]string{dir}))(t)
	options := report.Options{Games: 4, Seed: 1, Monitor: 2, Keep: true}
	var first []byte
	for again := range 2 {
		r := proof.Must(report.Make(t.Context(), counting, dirs, options))(t)
		page := proof.Must(r.HTML())(t)
		switch n := games.Swap(0); {
		case again == 0:
			first = page
		case n != 2: // one group has one strip, which is played to count its steps, too
			t.Errorf("%d games in the second report", n)
		case !bytes.Equal(page, first):
			t.Error("the second report differs")
		}
	}
	fresh := 0
	for _, d := range dirs { // the report monitors the better run
		r := proof.Must(runner.Open(counting, d))(t)
		c := proof.Must(report.Monitor(t.Context(), r, report.MonitorOptions{Games: 4, Seed: 2,
			Cache: report.MonitorCachePath(r)}))(t)
		if games.Swap(0) > 0 {
			fresh++
			continue
		}
		for _, f := range c.Findings() {
			value := strings.NewReplacer(" %", "\u00a0%", "(-", "(−").Replace(f.Value)
			if !bytes.Contains(first, []byte(value)) {
				t.Errorf("the report does not tell %v", f)
			}
		}
	}
	proof.Is(t, fresh, 1,
		"runs that were monitored anew, of two of which the report had monitored one")
}

// TestReportAfterMonitor: from two runs whose games have other settings, as a sweep over such a
// setting breeds them. The league, which is played by the settings of the first, took games of the
// second's settings for its own where clade monitor had kept some, and so had other ratings then.
func TestReportAfterMonitor(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := t.TempDir()
	runnertest.Replicates(dir, "long-", 1)
	runnertest.Replicates(dir, "short-", 1, "settings.moves=9")
	dirs := proof.Must(report.FindRuns([]string{dir}))(t)
	league := func() string {
		r := proof.Must(report.Make(t.Context(), scope, dirs, report.Options{Games: 10, Seed: 1,
			Monitor: 2, Keep: true, Folder: t.TempDir()}))(t)
		_, text, _ := strings.Cut(string(r.LaTeX(false)), "Ratings of champions")
		text, _, _ = strings.Cut(text, `\end{table}`)
		return text
	}
	before := league()
	r := proof.Must(runner.Open(scope, dirs[1]))(t)
	proof.Must(report.Monitor(t.Context(), r, report.MonitorOptions{Games: 10, Seed: 2,
		Cache: report.MonitorCachePath(r)}))(t)
	proof.Is(t, league(), before, "the league after clade monitor")
	proof.Holds(t, before, "by the game's settings of moves 0")
	// the game in pictures of the second's champion is by its own settings
	seed := uint64(engine.Seed(1).Name("strip"))
	page := string(proof.Must(proof.Must(report.Make(t.Context(), scope, dirs, report.Options{Games: 2,
		Seed: 1}))(t).HTML())(t))
	_, rival, _ := strings.Cut(page, "moves 9 against ")
	rival, scores, _ := strings.Cut(rival, fmt.Sprintf(", seed %d: ", seed))
	players := proof.Must(scope.FindAll(r.Game, []string{"run:" + dirs[1], rival}))(t)
	result := r.Game.Play(players, seed, nil)
	proof.Holds(t, scores[:20], fmt.Sprintf("%g to %g,", result.Scores[0], result.Scores[1]))
}
