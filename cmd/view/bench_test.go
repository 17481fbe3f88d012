package view

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"clade/analysis"
	"clade/cmd/view/site"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/collect"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// manyRuns copies a bred run into a number of directories, each with a seed of its own.
func manyRuns(t testing.TB, from, dir string, n int) {
	t.Helper()
	for i := range n {
		to := filepath.Join(dir, fmt.Sprintf("run-%04d", i))
		proof.OK(t, os.CopyFS(to, os.DirFS(from)))
		manifest, err := os.ReadFile(filepath.Join(to, "manifest.json"))
		if err == nil {
			err = rundir.WriteFile(to, "manifest.json", []byte(strings.Replace(string(manifest),
				`seed = 1\n`, fmt.Sprintf(`seed = %d\n`, i+1), 1)))
		}
		proof.OK(t, err)
	}
}

// allDone asks a server for its runs, so many, and holds that each is sound and has ended. It
// returns what came.
func allDone(t *testing.T, s *site.Site, n int) string {
	t.Helper()
	status, body := ask(s, "GET", "/api/runs")
	if done := strings.Count(body, `"state":"done"`); status != 200 || done != n {
		t.Fatalf("status %d, and %d of %d runs are done", status, done, n)
	}
	return body
}

// The runs that TestMeasures measures by are sound: three of them, in every test.
func TestManyRuns(t *testing.T) {
	proof.Slow(t)
	one, dir := filepath.Join(t.TempDir(), "run"), t.TempDir()
	breedOf(t, allGames(), "antwars", "greedy", one, 1, 2, runner.Options{})
	manyRuns(t, one, dir, 3)
	body := allDone(t, newServer(t, site.Options{Paths: []string{dir}}), 3)
	for seed := 1; seed <= 3; seed++ {
		if !strings.Contains(body, fmt.Sprintf(`"seed":"%d"`, seed)) {
			t.Errorf("no run has the seed %d", seed)
		}
	}
}

// lineage makes a phylogeny of a number of individuals as a run leaves them: most lines end soon.
func lineage(n int) *analysis.Phylogeny {
	random := rand.New(rand.NewPCG(1, 2))
	const alive = 500
	p := &analysis.Phylogeny{Taxa: make([]analysis.Taxon, n)}
	for i := range p.Taxa {
		generation := i / alive
		p.Taxa[i] = analysis.Taxon{ID: i, Origin: float64(generation),
			Destruction: float64(generation + 1)}
		if generation > 0 {
			p.Taxa[i].Parents = []int{(generation-1)*alive + random.IntN(alive)}
		}
	}
	return p
}

// manyIndividuals gives a run another lineage.
func manyIndividuals(t *testing.T, run string, n int) {
	t.Helper()
	var text strings.Builder
	text.WriteString("id,ancestor_list,origin_time,destruction_time\n")
	for _, one := range lineage(n).Taxa {
		parents := "none"
		if len(one.Parents) > 0 {
			parents = fmt.Sprint(one.Parents[0])
		}
		fmt.Fprintf(&text, "%d,\"[%s]\",%g,%g\n", one.ID, parents, one.Origin, one.Destruction)
	}
	err := os.WriteFile(filepath.Join(run, rundir.LineageFile), []byte(text.String()), 0o666)
	if err == nil {
		err = rundir.Record(run, rundir.LineageFile)
	}
	proof.OK(t, err)
}

// TestMeasures prints what results/view/README.md says: with CLADE_MEASURE set, because it takes a
// minute.
func TestMeasures(t *testing.T) {
	if os.Getenv("CLADE_MEASURE") == "" {
		t.Skip("set CLADE_MEASURE=1 to measure 1,000 runs and 500,000 individuals")
	}
	one, dir := filepath.Join(t.TempDir(), "run"), t.TempDir()
	breedOf(t, allGames(), "antwars", "greedy", one, 1, 40, runner.Options{})
	manyRuns(t, one, dir, 1000)

	s := newServer(t, site.Options{Paths: []string{dir}})
	for _, what := range []string{"first", "second"} {
		start, used := time.Now(), parallel.ProcessorTime()
		body := allDone(t, s, 1000)
		fmt.Printf("%s look at 1,000 runs: %v, %v of processors, %d bytes\n", what,
			time.Since(start), parallel.ProcessorTime()-used, len(body))
		time.Sleep(2 * collect.Freshness)
	}

	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.do("start", chromedp.Navigate("about:blank"))
	start := time.Now()
	b.do("open", chromedp.Navigate(b.link+"/"))
	b.wait(`document.querySelectorAll("tbody tr").length > 50`) // a window has 20
	told := func(what string) {
		fmt.Printf("%s after %v, first paint after %.0f ms, heap %.1f MB\n", what,
			time.Since(start).Round(time.Millisecond), evaluate[float64](b,
				`performance.getEntriesByName("first-contentful-paint")[0].startTime`),
			evaluate[float64](b, `performance.memory.usedJSHeapSize / 1e6`))
	}
	told("1,000 runs in the browser: rows")

	manyIndividuals(t, one, 500_000)
	b = browse(t, site.Options{Paths: []string{one}, Scope: allGames()})
	b.do("start", chromedp.Navigate("about:blank"))
	start = time.Now()
	b.do("open", chromedp.Navigate(b.link+"/run?descent=1&run="+one))
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	told("the page of a run of 500,000 individuals: curves")
	b.wait(`/^500,000 individuals/.test(document.querySelector("canvas.descent + .bar")?.textContent)`)
	told("the page of a run of 500,000 individuals: descent")
	for _, what := range []string{"Zoom in", "Zoom in", "Zoom out", "All of it"} {
		was := evaluate[string](b, `document.querySelector("canvas.descent").toDataURL()`)
		start = time.Now()
		b.do(what, chromedp.Click(`button[aria-label="`+what+`"]`))
		b.wait(`document.querySelector("canvas.descent").toDataURL() !== ` + jsonText(t, was))
		told(what)
	}
	start = time.Now()
	b.do("an individual", chromedp.Click(`canvas.descent`))
	b.wait(`document.querySelector(".individual h3")`)
	told("an individual of them")

	start = time.Now()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d := analysis.LayOut(lineage(500_000))
	runtime.GC()
	runtime.ReadMemStats(&after)
	fmt.Printf("500,000 individuals laid out: %v, %.0f MB\n", time.Since(start),
		float64(after.HeapAlloc-before.HeapAlloc)/1e6)
	start = time.Now()
	now := collapse(d, frame{0, d.End, -1, float64(d.Leaves), 1240, 420}, survival(d))
	fmt.Printf("and collapsed to 1240 x 420 pixels: %v, %d runs of pixels\n", time.Since(start),
		(len(now.Across[0])+len(now.Across[1])+len(now.Down[0])+len(now.Down[1]))/3)
}

// soup returns the record of a game of Life on a square board of some cells a side, which a random
// pattern fills, with as many generations.
func soup(t *testing.T, side, generations int) []byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var pattern strings.Builder
	fmt.Fprintf(&pattern, "x = %d, y = %d, rule = KingOfTheHill\n", side, side)
	for range side {
		for range side {
			pattern.WriteByte("....AB"[random.IntN(6)])
		}
		pattern.WriteByte('$')
	}
	pattern.WriteByte('!')
	g, err := study.NewGame(allGames(), "life", fmt.Sprint("width=", side),
		fmt.Sprint("height=", side), fmt.Sprint("generations=", generations),
		fmt.Sprintf("start=%q", pattern.String()))
	proof.OK(t, err)
	p := proof.Must(allGames().Find(g, "random"))(t)
	record, _, err := engine.PlayRecorded(g, []string{"random", "random"},
		[]engine.Player{p, p}, 1, nil)
	proof.OK(t, err)
	text := proof.Must(record.Encode())(t)
	return text
}

// TestFrames prints how fluently dense boards are played and moved, and what a picture costs in
// processor time, which other work on the machine does not change: with CLADE_MEASURE set.
func TestFrames(t *testing.T) {
	if os.Getenv("CLADE_MEASURE") == "" {
		t.Skip("set CLADE_MEASURE=1 to measure dense boards")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "soup.record")
	proof.OK(t, os.WriteFile(path, soup(t, 1000, 400), 0o666))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1280, 1000))
	if _, err := chromedp.Call(b.ctx, performance.Enable,
		performance.EnableParams{TimeDomain: "threadTicks"}); err != nil {
		t.Fatal(err)
	}
	busy := func() (page, server float64) { // seconds of processor time
		m := proof.Must(chromedp.Call(b.ctx, performance.GetMetrics, cdp.Empty{}))(t)
		for _, one := range m.Metrics {
			if one.Name == "TaskDuration" {
				page = one.Value
			}
		}
		return page, parallel.ProcessorTime().Seconds()
	}
	for _, board := range []struct {
		name, link string
		from       []int
	}{
		{"Life of 1,000 x 1,000", "record=" + url.QueryEscape(path), []int{0, 200}},
		{"AMOEBAS of 200 x 200", "game=amoebas&set=world-size=200&set=rounds=600", []int{0, 400}},
	} {
		b.open("/game?" + board.link + "&speed=60")
		b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
		for _, what := range []string{"playing", "playing and panning, zoomed in", "panning alone"} {
			for _, from := range board.from {
				evaluate[bool](b, fmt.Sprintf(`(async () => {
					const { watch } = (await import("clade/app.js")).page();
					watch.jump(%d);
					await new Promise((done) => setTimeout(done, 3000)); // the first reels are made
					return true;
				})()`, from))
				page, server := busy()
				v := evaluate[map[string]float64](b, fmt.Sprintf(`(async () => {
					const { watch } = (await import("clade/app.js")).page();
					const what = %q, pan = what.includes("panning"), play = what.includes("playing");
					if (pan) watch.board.zoomBy(3);
					if (play) watch.toggle();
					const gaps = [], begun = performance.now(), from = watch.at;
					let last = await new Promise(requestAnimationFrame);
					while (performance.now() - begun < 4000) {
						if (pan) { watch.board.x += 1; watch.board.clamp(); }
						const now = await new Promise(requestAnimationFrame);
						gaps.push(now - last);
						last = now;
					}
					const seconds = (performance.now() - begun) / 1000, shown = watch.at - from;
					watch.pause();
					watch.board.fit();
					gaps.sort((a, b) => a - b);
					const n = gaps.length;
					return { n, rate: n / seconds, scenes: shown / seconds,
						late: gaps[Math.floor(n * 0.95)], heap: performance.memory.usedJSHeapSize / 1e6 };
				})()`, what))
				page2, server2 := busy()
				fmt.Printf("%s from step %d, %s: %.1f pictures a second (19 of 20 within %.1f ms), "+
					"%.1f steps a second, processor time for a picture: %.1f ms in the page, %.1f ms in "+
					"the server; heap %.0f MB\n", board.name, from, what, v["rate"], v["late"],
					v["scenes"], 1000*(page2-page)/v["n"], 1000*(server2-server)/v["n"], v["heap"])
			}
		}
		b.picture("frames-" + board.name[:4])
	}
}

// BenchmarkCollapse draws a random descent of 500,000 taxa.
func BenchmarkCollapse(b *testing.B) {
	d := analysis.LayOut(lineage(500_000))
	for b.Loop() {
		collapse(d, frame{0, d.End, -1, float64(d.Leaves), 1240, 420}, survival(d))
	}
}

// The picture of a part is the same as that part of the picture of all.
func TestCollapse(t *testing.T) {
	d := analysis.LayOut(lineage(2_000))
	all := collapse(d, frame{0, 4, 0, 400, 400, 400}, survival(d))
	part := collapse(d, frame{0, 2, 0, 400, 200, 400}, survival(d))
	count := func(runs []int, columns int) (pixels int) {
		for i := 0; i < len(runs); i += 3 {
			pixels += max(0, min(columns, runs[i+1]+runs[i+2])-runs[i+1])
		}
		return pixels
	}
	for kind := range 2 {
		if a, p := count(all.Across[kind], 200), count(part.Across[kind], 200); a != p ||
			kind == 1 &&
				a == 0 {
			t.Errorf("kind %d: %d pixels of the left half of all, %d of the half alone", kind, a, p)
		}
	}
	proof.Is(t, all.Individuals, 2_000, "individuals")
}
