package view

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/enginetest"
	"clade/evolve"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// toys is a scope that knows the toy game alone: what pages show of it they show of any game.
func toys() player.Scope {
	return player.Scope{Games: []engine.Game{enginetest.Number(1)}, Trust: player.Files}
}

// breed breeds numbers in a directory.
func breed(t *testing.T, dir string, seed, generations int, o runner.Options) {
	t.Helper()
	breedOf(t, toys(), "number", "zero", dir, seed, generations, o, "figures.panels=[]")
}

// breedOf breeds players of a game that are measured against a player, and draws one panel of all
// the figures.
func breedOf(t *testing.T, scope player.Scope, game, against, dir string, seed, generations int,
	o runner.Options, overrides ...string) {
	t.Helper()
	s, err := study.Parse(scope, "numbers.toml", []byte(numbers(game, against, seed, generations)),
		overrides...)
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := runner.Start(t.Context(), dir, s, o); err != nil {
		t.Error(err)
	}
}

// numbers is the text of a small study.
func numbers(game, against string, seed, generations int) string {
	return fmt.Sprintf(`
name = "numbers"
game = %q
seed = %d
[evolve]
population = 20
generations = %d
tournament = 2
[evolve.champion]
every = 2
[measure]
against = [%q]
games = 20
every = 2
final = 20
[figures]
panels = ["size"]
`, game, seed, generations, against)
}

// kill makes a run that is over look as after a kill.
func kill(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"done.json", "summary.json", "checkpoints"} {
		proof.OK(t, os.RemoveAll(filepath.Join(dir, name)))
	}
}

func TestRunsPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	for seed := 1; seed <= 3; seed++ {
		breed(t, filepath.Join(dir, fmt.Sprint("run-", seed)), seed, 12, runner.Options{})
	}
	kill(t, filepath.Join(dir, "run-3"))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/")
	b.wait(`document.querySelectorAll("tbody tr").length === 3`)
	b.wait(`document.querySelectorAll(".state.killed").length === 1`)
	b.wait(`/%\s+against zero$/.test(document.querySelector('tr[data-run$="run-1"]').textContent)`)
	b.looks("runs")

	b.do("sort by seed, downward", chromedp.Click(`//th//button[text()="Seed"]`),
		chromedp.Click(`//th//button[text()="Seed"]`))
	if first := evaluate[string](b, `document.querySelector("tbody tr").dataset.run`); !strings.
		HasSuffix(first, "run-3") {
		t.Errorf("sorted by seed downward, the first run is %s", first)
	}
	b.wait(`document.querySelector("th[aria-sort=descending]")`)
	b.do("filter with a key", chromedp.KeyEvent("/"))
	b.wait(`document.activeElement.type === "search"`)
	b.do("filter", chromedp.KeyEvent("run-2"))
	b.wait(`document.querySelectorAll("tbody tr").length === 1 && location.search.includes("run-2")`)
	b.do("reload", chromedp.Reload())
	b.wait(`document.querySelectorAll("tbody tr").length === 1`)
	for _, c := range []struct{ expression, rows string }{{"seed >= 2 and state = done", "1"},
		{"seed = 1 or seed = 3", "2"}, {"nobody > 1", "3"}} {
		b.do("another filter", chromedp.SetValue(`input[type=search]`, c.expression))
		b.wait(`document.querySelectorAll("tbody tr").length === ` + c.rows)
	}
	b.wait(`document.querySelector(".refused").textContent.includes("is called nobody")`)
	b.open("/")
	evaluate[bool](b, `document.querySelector('tr[data-run$="run-1"]').stays = true`)
	b.do("a star", chromedp.Click(`tr[data-run$="run-2"] .star`))
	b.wait(`document.activeElement.matches('tr[data-run$="run-2"] .star[aria-pressed="true"]') &&
		document.querySelector('tr[data-run$="run-1"]').stays`) // who points at it still does
	proof.Is(t, proof.Must(runner.ReadNote(filepath.Join(dir, "run-2")))(t), "★",
		"the note of run 2")
	b.open("/?games=number") // written by hand: the key is game
	b.wait(`document.querySelector(".toast").textContent.includes('says "games", which this page')`)
	b.open("/?q=star+%3D+1")
	b.wait(`document.querySelectorAll("tbody tr").length === 1`)
	b.open("/")
	b.do("group with a key", chromedp.KeyEvent("g"))
	b.wait(`document.querySelectorAll("tr.group").length === 1`)
	if text := evaluate[string](b, `document.querySelector("tr.group").textContent`); !strings.
		Contains(text, "3 runs, 2 done") {
		t.Errorf("the group says %q", text)
	}

	// a run that is being bred moves, without a reload
	b.open("/")
	bred, next := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(bred)
		breed(t, filepath.Join(dir, "run-4"), 4, 12, runner.Options{
			Progress: func(evolve.Progress) { <-next }})
	}()
	next <- struct{}{}
	b.wait(`document.querySelectorAll("tbody tr").length === 4`)
	row := `document.querySelector("tr[data-run$=run-4]")`
	b.wait(row + `.querySelector(".state.running")`)
	was := evaluate[float64](b, row+`.querySelector("progress").value`)
	for range 3 {
		next <- struct{}{}
	}
	b.wait(fmt.Sprintf(`%s.querySelector("progress")?.value > %v`, row, was))
	close(next)
	<-bred
	b.wait(row + `.querySelector(".state.done")`)
}

func TestRunPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	for seed := 1; seed <= 2; seed++ {
		breed(t, filepath.Join(dir, fmt.Sprint("run-", seed)), seed, 12, runner.Options{})
	}
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	b.wait(`document.querySelector(".drawing img")?.complete`)
	b.do("an older champion with a key", chromedp.KeyEvent("j"))
	b.wait(`location.search.includes("generation=10")`)
	b.looks("run")
	b.do("what is new", chromedp.Click(".drawing input"))
	b.wait(`(({ src, naturalWidth }) => src.includes("since=%408&") && naturalWidth > 0)(
		document.querySelector(".drawing img"))`)
	b.wait(`getComputedStyle(document.querySelector(".drawing img")).filter === "none"`)
	b.theme("dark") // no lamp on a dark page
	b.wait(`getComputedStyle(document.querySelector(".drawing img")).filter.startsWith("invert")`)
	b.theme("light")

	b.do("play the champions", chromedp.KeyEvent("m"), chromedp.Click(`//button[text()="Play them"]`))
	b.wait(`document.querySelectorAll("canvas.matrix").length === 2`)
	b.do("descent with a key", chromedp.KeyEvent("d"))
	b.wait(`document.querySelector("canvas.descent")?.width > 300`)
	b.wait(`/individuals whose lines/.test(document.querySelector("main").textContent)`)
	b.do("an individual", chromedp.Click(`canvas.descent`))
	b.wait(`document.querySelector(".individual h3")`)
	b.picture("run-descent")
	b.do("the log with a key", chromedp.KeyEvent("l"))
	b.wait(`/"generation":11/.test(document.querySelector("pre.words").textContent)`)
	b.do("the matrices", chromedp.Focus(`canvas.matrix`))
	b.do("walk to a cell", chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowUp))
	b.picture("run-matrices")
	if text := evaluate[string](b, `document.querySelector("canvas.matrix").parentElement.
		textContent`); !strings.Contains(text, "against") {
		t.Errorf("the keys lead to no cell: %q", text)
	}

	for _, as := range []string{"svg", "png", "pdf", "tex", "csv"} {
		link := evaluate[string](b,
			`[...document.querySelectorAll(".figures .save a")].find(a => a.textContent === "`+
				strings.ToUpper(as)+`").getAttribute("href")`)
		size := evaluate[float64](b, `fetch(`+fmt.Sprintf("%q", link)+
			`).then(r => r.ok ? r.arrayBuffer() : null).then(x => x.byteLength)`)
		if size < 300 {
			t.Errorf("the figure as %s has %v bytes", as, size)
		}
	}
	column := evaluate[string](b, `(() => {
		const save = document.querySelector(".figures .save"), width = save.querySelector("select");
		width.value = "column";
		width.dispatchEvent(new Event("change"));
		return [...save.querySelectorAll("a")].find(a => a.textContent === "SVG with letters").href;
	})()`)
	svg := evaluate[string](b, `fetch(`+fmt.Sprintf("%q", column)+`).then(r => r.text())`)
	if !strings.Contains(svg, `width="240.94pt"`) || !strings.Contains(svg, "</text>") { // 85 mm
		t.Errorf("as wide as a column, with letters, it is\n%.300s", svg)
	}

	b.open("/run?run=" + dir + "/run-1&run=" + dir + "/run-2")
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	thin := evaluate[int](b, `import("clade/app.js").then(({ page }) =>
		Object.values(page().answers)[0].figures[0].thin.length)`)
	if thin < 2 {
		t.Errorf("%d thin curves of two runs", thin)
	}
	// whether the curves have the colour of each run's chip
	drawn := `(async () => {
		await new Promise(requestAnimationFrame);
		const pixels = [...document.querySelectorAll(".panel canvas")].flatMap((c) =>
			[c.getContext("2d").getImageData(0, 0, c.width, c.height).data]);
		return [...document.querySelectorAll(".facts .key")].map((key) => {
			const ink = getComputedStyle(key).backgroundColor.match(/\d+/g).map(Number);
			return pixels.some((p) => p.some((_, i) => i % 4 === 0 && p[i + 3] > 200 &&
				ink.every((v, k) => Math.abs(v - p[i + k]) < 20)));
		}).join();
	})()`
	proof.Is(t, evaluate[string](b, drawn), "true,true",
		"that runs are drawn in the colours of their chips")
	b.do("hide a run", chromedp.Click(`.facts .eye`))
	b.wait(`document.querySelector('.facts .eye[aria-pressed="true"]') &&
		location.search.includes("hide=")`)
	proof.Is(t, evaluate[string](b, drawn), "false,true", "with one hidden, that they are drawn")
	b.looks("run-pooled")
	if chip := evaluate[string](b, `document.querySelector(".facts .chip").textContent`); !strings.
		HasSuffix(chip, "% against zero") {
		t.Errorf("of a pooled run it says %q", chip)
	}
	b.do("their differences", chromedp.Click(`//h2[text()="Differences between the two runs"]`))
	b.wait(`[...document.querySelectorAll("details tbody tr")].some((row) =>
		[...row.children].map((cell) => cell.textContent).join() === "setting,seed,1,2")`)
	// a panel alone is a picture for a slide, dark on a dark page
	saved := t.TempDir()
	b.downloads(saved)
	b.theme("dark")
	b.do("a picture", chromedp.Click(`button[aria-label="Save a slide of Wins against zero"]`))
	f := proof.Must(os.Open(b.saved(saved, "Wins against zero.png")))(t)
	defer f.Close()
	slide := proof.Must(png.Decode(f))(t)
	if size := slide.Bounds().Size(); size != image.Pt(1600, 900) ||
		!slices.Contains([]color.Color{color.RGBA{20, 23, 26, 255}, color.NRGBA{20, 23, 26, 255}},
			slide.At(0, 0)) {
		t.Errorf("the picture is of %v, and %v in its corner", size, slide.At(0, 0))
	}
	b.press("League of the champions")
	b.wait(`["run-1", "run-2"].every((name) => [...document.querySelectorAll("table.list tbody tr")].
		some((row) => row.textContent.includes(name)))`)
}

// TestNewRunPage opens the page of a run that has no curves yet.
func TestNewRunPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir, bred, next := t.TempDir(), make(chan struct{}), make(chan struct{})
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	go func() {
		defer close(bred)
		breed(t, filepath.Join(dir, "run-1"), 1, 4, runner.Options{
			Progress: func(evolve.Progress) { <-next }})
	}()
	next <- struct{}{}
	b.open("/run?run=" + dir + "/run-1")
	b.quiet()
	close(next)
	<-bred
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
}

// TestZoomIsKept looks at a part of a run's curves while they are drawn anew.
func TestZoomIsKept(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 24)
	b.open("/")
	evaluate[bool](b, `(window.EventSource = class extends EventSource {
		constructor(url) {
			super(url);
			if (url.includes("run/live")) window.live = this;
		}
	}) && true`)
	b.lead("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	// what the pointer reads at the left of the first curve
	evaluate[bool](b, `(() => {
		window.mouse = (what, share) => {
			const over = document.querySelector(".u-over"), box = over.getBoundingClientRect();
			over.dispatchEvent(new MouseEvent(what, { bubbles: true, movementX: 1, button: 0,
				clientX: box.left + share * box.width, clientY: box.top + box.height / 2 }));
		};
		window.left = () => {
			mouse("mousemove", 0.01);
			return document.querySelector(".reading").textContent;
		};
		return true;
	})()`)
	b.wait(`left().startsWith("@0:")`)
	evaluate[bool](b, `(mouse("mousedown", 0.5), mouse("mousemove", 0.7), mouse("mousemove", 0.95),
		mouse("mouseup", 0.95), true)`)
	b.wait(`/^@1\d:/.test(left())`)
	was := evaluate[string](b, `(window.old = document.querySelector(".uplot"), left())`)
	// the run is told to have gone on
	evaluate[bool](b, `import("clade/app.js").then(({ page }) => {
		const { runs } = Object.values(page().answers).find((a) => a.figures);
		const rows = runs.map((r) => ({ ...r, generation: r.generation + 1 }));
		return live.dispatchEvent(new MessageEvent("rows", { data: JSON.stringify(rows) }));
	})`)
	b.wait(`!old.isConnected && document.querySelectorAll(".uplot").length >= 6`)
	b.wait(`left() === ` + jsonText(t, was))
}

// TestSweepPage shows the cells of a sweep as a grid, with links to the runs of each.
func TestSweepPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	s, err := study.Parse(toys(), "numbers.toml", []byte(numbers("number", "zero", 1, 4)+`
[sweep]
seeds = [1, 2]
[sweep.settings]
"evolve.tournament" = [2, 4]
"evolve.population" = [20, 24]
`))
	proof.OK(t, err)
	g, err := sweep.Create(dir, s)
	proof.OK(t, err)
	proof.OK(t, sweep.Run(t.Context(), g, dir, sweep.Options{Cells: g.Cells[:7]}))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/")
	b.do("the sweep of the table", chromedp.Click(`a[href^="/sweep"]`))
	b.wait(`document.querySelectorAll("table.grid td").length === 4`)
	b.wait(`document.querySelector("[role=status]").textContent === "7 of 8 runs done"`)
	proof.Is(t, evaluate[int](b, `document.querySelectorAll(".grid .signs > a").length`), 7,
		"runs that the grid links to")
	// a line for each run through all settings to its wins, and the differences of the groups
	if n := evaluate[int](b, `new Set([...document.querySelectorAll(".thread")].
		map((e) => e.getAttribute("d").split("L").length + e.parentElement.ariaLabel)).size`); n != 7 {
		t.Errorf("%d lines of 7 runs", n)
	}
	b.do("differences", chromedp.Click(`//h2[text()="Differences between groups"]`))
	b.wait(`[...document.querySelectorAll("details table caption")].
		some((c) => c.textContent.startsWith("Pairs of groups"))`)
	b.looks("sweep")
	b.fits("the charts of a sweep", 390, ".plots section")
	rows := `document.querySelector("table.grid thead th").textContent`
	was := evaluate[string](b, rows)
	b.do("turn it", chromedp.SetValue(`//label[contains(., "Rows")]//select`, g.Keys[1]))
	b.wait(rows + " !== " + jsonText(t, was))
	proof.OK(t, sweep.Run(t.Context(), g, dir, sweep.Options{}))
	b.wait(`document.querySelector("[role=status]").textContent === "8 of 8 runs done"`)
	// which is best, as the wins in the summaries say
	best, most := "", -1.0
	for _, c := range g.Cells {
		sum := proof.Must(runner.ReadSummary(c.Directory(dir)))(t)
		points := 0.0
		for _, m := range sum.Final {
			points += 100 * (float64(m.Wins) + float64(m.Games-m.Wins)/2 - float64(m.Losses)/2) /
				float64(m.Games) / float64(len(sum.Final))
		}
		if name := c.Directory(dir); points > most || points == most && name < best {
			best, most = name, points
		}
	}
	b.wait(fmt.Sprintf(`document.querySelector(".best a").title === %s &&
		document.querySelector(".best").textContent.includes("with %.1f %%") &&
		/ [\d.]+ percentage points less \(−?[\d.]+ to [\d.]+\)/.test(
			document.querySelector(".best").textContent)`, jsonText(t,
		filepath.ToSlash(best)), most))
	b.do("the runs of a cell, by keys", chromedp.Focus(`.grid td > a`), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	// a page is printed as it is laid out for the window, on narrower paper: by hand
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia,
		emulation.SetEmulatedMediaParams{Media: "print"})
	proof.OK(t, err)
	if !evaluate[bool](b, `[...document.querySelectorAll(".uplot")].every((plot) => {
		const wrap = plot.querySelector(".u-wrap"), was = wrap.style.width;
		wrap.style.width = "2000px";
		const wide = plot.querySelector("canvas").getBoundingClientRect().width;
		wrap.style.width = was;
		return wide > 100 && wide <= plot.parentElement.clientWidth;
	})`) {
		t.Error("curves are wider than their place on paper")
	}
	_, err = chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{})
	proof.OK(t, err)
	b.press("Watch its champion")
	b.wait(`document.querySelectorAll(".seat").length === 2`)
}

// TestSeedsPage shows a sweep that varies the seed alone.
func TestSeedsPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	s, err := study.Parse(toys(), "numbers.toml",
		[]byte(numbers("number", "zero", 1, 4)+"\n[sweep]\nseeds = [1, 2]\n"))
	proof.OK(t, err)
	proof.Must(sweep.Create(dir, s))(t)
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/sweep?sweep=" + dir)
	b.wait(`document.querySelector("[role=status]").textContent === "0 of 2 runs done"`)
	b.wait(`document.querySelectorAll(".grid .signs > span").length === 2`)
}

func TestSavedPage(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir, saved := t.TempDir(), t.TempDir()
	breed(t, filepath.Join(dir, "run-1"), 1, 12, runner.Options{})
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.downloads(saved)
	b.open("/run?run=" + dir + "/run-1")
	b.do("save", chromedp.Click(`//button[text()="Save as one file"]`))
	file := b.saved(saved, "numbers-1.html")
	info := proof.Must(os.Stat(file))(t)
	if info.Size() > 5<<20 {
		t.Errorf("the saved page has %d bytes", info.Size())
	}
	b.do("open the file", chromedp.Navigate("file://"+file))
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	b.wait(`document.querySelectorAll(".champions tbody tr").length >= 6`)
	b.wait(`document.querySelector(".drawing img")?.naturalWidth > 0`)
	b.do("an older champion", chromedp.KeyEvent("j"))
	b.wait(`/generation 10/.test(document.querySelector(".drawing h3").textContent) &&
		document.querySelector(".drawing img")?.naturalWidth > 0`)
	b.wait(`document.querySelector("canvas.descent")?.width > 300`)
	b.do("an individual", chromedp.Click(`canvas.descent`))
	b.wait(`document.querySelector(".individual img")?.naturalWidth > 0`)
	b.picture("saved")
}

func TestLeaguePage(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 12)
	// a link to one player, which said nothing of why it could not be played
	b.open("/league?game=number&players=always(0.5)&go=1")
	b.wait(`/Choose 1 more player$/.test(document.querySelector(".chips [role=status]")?.textContent)`)
	b.do("choose a player", chromedp.Click(`//button[text()="zero"]`))
	b.do("drop a species", chromedp.SetUploadFiles(`input[type=file]`,
		[]string{filepath.Join(dir, "run-1", "champion.species")}))
	b.wait(`document.querySelectorAll("span.chip").length === 3`)
	b.do("play", chromedp.Click(`//button[text()="Play"]`))
	b.wait(`/512 games of each pair/.test(document.querySelector("main").textContent)`)
	b.wait(`document.querySelectorAll("figure table tbody tr").length === 3`)
	b.looks("league")
	// numbers are read on every colour of a matrix, on light and on dark paper
	if n := evaluate[float64](b, `import("clade/matrix.js").then(({ shade, inkOn }) => {
		const light = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) => sum + share *
			(c[i] <= 10 ? c[i] / 3294.6 : ((c[i] / 255 + 0.055) / 1.055) ** 2.4), 0.05);
		const contrast = (c) => inkOn(c) === "#fff" ? 1.05 / light(c) : light(c) / 0.05;
		const papers = [[40, 45, 51], [247, 247, 247]];
		return Math.min(...Array.from({ length: 101 }, (_, i) =>
			papers.map((paper) => contrast(shade(i / 100, paper)))).flat());
	})`); n < 4.5 {
		t.Errorf("a number of a matrix has a contrast of %.2f to its cell", n)
	}
	b.do("the game of the cell in the middle of the picture", chromedp.Click(`canvas.matrix`))
	b.wait(`document.querySelectorAll(".seat").length === 2`)
	// with settings, which the link keeps
	b.open("/league?game=number&boards=32&players=always(0.5)&players=zero")
	b.do("settings", chromedp.SendKeys(`input.code`, "rounds=1\r"))
	b.wait(`location.search.includes("set=rounds%3D1")`)
	b.do("play", chromedp.Click(`//button[text()="Play"]`))
	b.wait(`/64 games of each pair$/.test(document.querySelector("p[role=status]").textContent)`)
	b.do("a cell", chromedp.Focus(`canvas.matrix`), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector(".where")?.textContent === "step 0 of 1"`)
	// and all of it by keys
	b.open("/league?game=number&boards=32&players=always(0.5)")
	b.do("choose by keys", chromedp.Focus(`.choices button.chip`), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelectorAll("span.chip").length === 2`)
	b.do("play by keys", chromedp.Focus(`button.main`), chromedp.KeyEvent("\r"))
	b.wait(`/64 games of each pair$/.test(document.querySelector("p[role=status]").textContent)`)
	b.do("a cell by keys", chromedp.Focus(`canvas.matrix`), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent("\r"))
	b.wait(`document.querySelectorAll(".seat").length === 2`)
}

// TestFreeForAll plays a league of games for three, and opens a game of two of the players.
func TestFreeForAll(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()},
		Scope: player.Scope{Games: []engine.Game{enginetest.Gather()}, Trust: player.Files}})
	b.open("/league?game=gather&boards=32&players=nose&players=drunk&players=drunk")
	b.do("a free-for-all", chromedp.SetValue(`//label[contains(., "Players of a game")]//select`, "3"))
	b.do("play", chromedp.Click(`//button[text()="Play"]`))
	b.wait(`/^96 games of each table$/.test(document.querySelector("p[role=status]").textContent)`)
	b.picture("league-free-for-all")
	b.do("a cell's game", chromedp.Focus(`canvas.matrix`), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent("\r"))
	b.wait(`document.querySelectorAll(".seat").length === 3`)
}
