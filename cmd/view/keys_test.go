package view

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp"
	"clade/gp/proof"
)

// TestDescentByKeys zooms into the descent of a run and takes an individual, by keys and by
// buttons, as who has no mouse does; in a narrower window the picture is drawn anew.
func TestDescentByKeys(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 40)
	b.do("resize", chromedp.EmulateViewport(1280, 844))
	b.open("/run?run=" + dir + "/run-1")
	b.do("descent", chromedp.KeyEvent("d"))
	b.wait(`document.activeElement === document.querySelectorAll("summary")[1] &&
		document.querySelector("canvas.descent")?.width > 300`)
	b.wait(`(({ top, bottom }) => top > 0 && bottom < innerHeight)(
		document.querySelector("canvas.descent").getBoundingClientRect())`)
	span := `(() => {
		const [, from, to] = document.querySelector("#main").textContent.
			match(/generations ([\d.]+) to ([\d.]+)/);
		return to - from;
	})()`
	b.wait(span + ` === 40`)
	// the line of the last champion on record goes from where it is shown by its first parents to a
	// founder
	if faults := evaluate[[]string](b, `(async () => {
		const page = (await import("clade/app.js")).page();
		const run = page.query.get("run");
		const { champion, width, height, from, to, low, high } = Object.entries(page.answers).
			find(([link]) => link.startsWith("/api/descent"))[1];
		const { ids: [id] } = await page.get("individuals", { run });
		const faults = [];
		let it = { parents: [id] };
		for (const at of champion) {
			it = await page.get("individual", { run, width, height, from, to, low, high,
				id: it.parents[0] });
			if (Math.hypot(it.x - at[0], it.y - at[1]) > 0.01) faults.push(it.id + " is not at " + at);
		}
		return it.parents.length > 0 ? [...faults, it.id + " is no founder"] : faults;
	})()`); len(faults) > 0 {
		t.Errorf("the champion's line: %q", faults)
	}
	b.do("twice at once", chromedp.Focus(`canvas.descent`), chromedp.KeyEvent("+"),
		chromedp.KeyEvent("+"))
	b.wait(`Math.abs(` + span + ` - 40 * 0.49) < 0.5`)
	b.do("the middle", chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector(".individual h3")`)
	if at := evaluate[string](b, `document.querySelector(".individual h3").textContent`); !strings.
		HasPrefix(at, "Individual ") {
		t.Errorf("Enter shows %q", at)
	}
	b.do("breed again", chromedp.Click(`.individual p button:not(.text)`))
	b.wait(`document.querySelectorAll(".individual figure img").length === 2 &&
		[...document.querySelectorAll(".individual figure img")].every((i) => i.naturalWidth > 50)`)
	b.looks("individual")
	b.do("resize", chromedp.EmulateViewport(1280, 844))
	b.do("by nodes", chromedp.SendKeys(`.bar select`, "nodes"))
	b.wait(`/^nodes: \d+\d+/.test(document.querySelector(".legend:has(.ramp)")?.textContent) &&
		location.search.includes("colour=nodes")`)
	b.do("a button", chromedp.Click(`button[aria-label="All of it"]`))
	b.wait(span + ` === 40`)
	b.do("another", chromedp.Click(`button[aria-label="Zoom in"]`))
	b.wait(span + ` === 20`)
	b.do("resize", chromedp.EmulateViewport(390, 844))
	b.wait(`(({ width, clientWidth }) => clientWidth < 390 && Math.abs(width / devicePixelRatio -
		clientWidth) < 4)(document.querySelector("canvas.descent"))`)
	b.wait(span + ` === 20`)
}

// TestDescentByMeasure colours a descent by what its lineage says, which is read here as CSV, and
// by what only champions have.
func TestDescentByMeasure(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir() + "/run-1"
	breed(t, dir, 1, 12, runner.Options{})
	file := proof.Must(os.Open(dir + "/lineage.csv"))(t)
	defer file.Close()
	rows := proof.Must(csv.NewReader(file).ReadAll())(t)
	var sizes []float64
	for _, row := range rows[1:] {
		size := proof.Must(strconv.ParseFloat(row[6], 64))(t)
		sizes = append(sizes, size)
	}
	s := newServer(t, site.Options{Paths: []string{dir}, Scope: toys()})
	for by, want := range map[string][]float64{
		"nodes": {slices.Min(sizes), slices.Max(sizes)}, "score": nil} {
		status, body := ask(s, "GET", "/api/descent?run="+dir+"&by="+by)
		var now descentNow
		if err := json.Unmarshal([]byte(body), &now); status != 200 || err != nil {
			t.Fatalf("%s: %d: %s", by, status, body)
		}
		switch least, most := now.Across[1], now.Across[shades]; {
		case want == nil && (len(now.Dots) == 0 || len(least) > 0):
			t.Errorf("%s: %d dots and %d runs of colour", by, len(now.Dots), len(least))
		case want != nil && (now.Least != want[0] || now.Most != want[1] || len(least) == 0 ||
			len(most) == 0 || len(now.Dots) > 0):
			t.Errorf("%s from %v to %v, want %v", by, now.Least, now.Most, want)
		}
	}
	if status, body := ask(s, "GET", "/api/descent?run="+dir+"&by=hats"); status != 400 ||
		!strings.Contains(body, `do not differ in \"hats\"`) {
		t.Errorf("by hats: %d: %s", status, body)
	}
	// as of a run that keeps no lineage
	proof.OK(t, rundir.WriteFile(dir, "lineage.csv", []byte(strings.Join(rows[0], ",")+"\n")))
	if status, body := ask(s, "GET", "/api/individual?run="+dir+"&x=3&y=3"); status != 400 ||
		!strings.Contains(body, "keeps no lineage") {
		t.Errorf("%d: %s", status, body)
	}
}

// TestBredAgain breeds a run again up to a child of a champion: the genome that the champion had is
// that of the file which the run has written.
func TestBredAgain(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir() + "/run-1"
	breed(t, dir, 1, 12, runner.Options{})
	lineage := proof.Must(os.ReadFile(dir + "/lineage.csv"))(t)
	all := proof.Must(champions(dir))(t)
	s := newServer(t, site.Options{Paths: []string{dir}, Scope: toys()})
	for _, c := range all {
		child := regexp.MustCompile(fmt.Sprintf(`(?m)^(\d+),"\[%d[,\]]`, c.ID)).
			FindSubmatch(lineage)
		if child == nil || c.Generation < 4 {
			continue
		}
		link := "?run=" + dir + "&id=" + string(child[1])
		if status, body := ask(s, "GET", "/api/individual/breed"+link); status != 200 ||
			!strings.Contains(body, "event: bred") {
			t.Fatalf("%d: %s", status, body)
		}
		_, body := ask(s, "GET", "/api/individual"+link)
		var it individualNow
		proof.OK(t, json.Unmarshal([]byte(body), &it))
		if !strings.HasPrefix(it.Player, "dropped:") || !strings.HasPrefix(it.Parent, "dropped:") {
			t.Fatalf("the trees are not there: %s", body)
		}
		tree := func(of string) string {
			_, body := ask(s, "GET", "/api/figure?kind=tree&as=csv&run="+dir+"&players="+of)
			return body
		}
		if is, want := tree(it.Parent), tree(fmt.Sprint("@", c.Generation)); is != want ||
			!strings.Contains(is, "number") {
			t.Errorf("bred again:\n%s\nwritten by the run:\n%s", is, want)
		}
		return
	}
	t.Fatal("no champion has a child on record")
}

// TestCurvesByKeys reads curves, zooms into them and opens the champion of a point, without a
// mouse.
func TestCurvesByKeys(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 24)
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	nodes := `[...document.querySelectorAll(".panel")].
		find((e) => e.textContent.startsWith("Nodes"))`
	reading := nodes + `.querySelector(".reading").textContent`
	evaluate[bool](b, nodes+`.querySelector(".u-over").focus() || true`)
	for _, c := range []struct{ keys, want string }{{kb.ArrowRight, "@0:"},
		{kb.ArrowRight + kb.ArrowRight, "@2:"}, {kb.ArrowLeft, "@1:"}, {kb.End, "@23:"},
		{"+" + kb.ArrowLeft, "@22:"}, {"0" + kb.Home, "@0:"}} {
		for _, key := range c.keys {
			b.do("a key", chromedp.KeyEvent(string(key)))
		}
		b.wait(reading + `.startsWith("` + c.want + `")`)
	}
	for range 4 {
		b.do("on", chromedp.KeyEvent(kb.ArrowRight))
	}
	b.wait(reading + `.startsWith("@4:")`)
	b.do("open it", chromedp.KeyEvent("\r"))
	b.wait(`location.search.includes("generation=4")`)
}

// TestWhyByKeys draws the area of a node that has the focus, goes through candidates and tree by
// arrows, and moves an enlarged board.
func TestWhyByKeys(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.do("resize", chromedp.EmulateViewport(1280, 900))
	b.open("/game?game=antwars&players=brilliant&players=brilliant&seed=3")
	b.wait(`document.querySelector(".why:not([aria-busy]) .node.area button") &&
		document.querySelector(".node.idle")`)
	drawn := `document.querySelector(".board").toDataURL()`
	was := evaluate[string](b, drawn)
	b.do("focus", chromedp.Focus(`.node.area button`))
	b.wait(drawn + ` !== ` + jsonText(t, was))
	b.do("away", chromedp.Focus(`.scrubber`))
	b.wait(drawn + ` === ` + jsonText(t, was))
	// candidates and tree are a stop of Tab each, the arrows go on within, and no step is made
	for _, c := range []struct{ list, items, keys, at string }{
		{".candidates", ".candidate", kb.Home + kb.ArrowDown + kb.ArrowDown + kb.ArrowUp, "1"},
		{".candidates", ".candidate", kb.End, "7"},
		{".tree", ".node .text", kb.Home + kb.ArrowDown, "1"},
		{".tree", ".node .text", kb.Home + kb.ArrowRight + kb.ArrowLeft, "0"},
	} {
		b.do("focus", chromedp.Focus(c.list+` [tabindex="0"]`))
		for _, key := range c.keys {
			b.do("a key", chromedp.KeyEvent(string(key)))
		}
		is := evaluate[string](b, `(() => {
			const all = [...document.querySelectorAll("`+c.list+` `+c.items+`")];
			return [all.indexOf(document.activeElement), all.filter((e) => e.tabIndex === 0).length,
				document.querySelector(".where").textContent.split(" ")[1]].join();
		})()`)
		proof.Is(t, is, c.at+",1,0", "after %q in %s: item, stops and step", c.keys, c.list)
	}
	evaluate[bool](b, `document.activeElement.blur() || true`)
	place := `import("clade/app.js").then(({ page }) => {
		const { zoom, x, y } = page().watch.board;
		return [zoom > 2, Math.sign(x - window.x), Math.sign(y - window.y)].join();
	})`
	b.do("closer", chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	evaluate[bool](b, `import("clade/app.js").then(({ page }) => {
		({ x: window.x, y: window.y } = page().watch.board);
		return true;
	})`)
	for _, c := range []struct{ key, want string }{{"6", "true,1,0"}, {"4", "true,0,0"},
		{"8", "true,0,-1"}, {"2", "true,0,0"}} {
		b.do(c.key, chromedp.KeyEvent(c.key))
		proof.Is(t, evaluate[string](b, place), c.want, "after %q the board is at", c.key)
	}
}

// TestDecisionOfWhoIsClicked asks why of an amoeba among many, by a click on it. Bred ones come
// first.
func TestDecisionOfWhoIsClicked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	species := filepath.Join(dir, "bred.species")
	g := proof.Must(study.NewGame(allGames(), "amoebas"))(t)
	text := g.Grammar().PrintSpecies(&gp.Species{Game: "amoebas", Version: g.Info().Version,
		Genome: g.Grammar().Ramped(rand.New(rand.NewPCG(1, 2)), 2, 4)})
	proof.OK(t, os.WriteFile(species, []byte(text), 0o666))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.do("resize", chromedp.EmulateViewport(1280, 900))
	b.open("/game?game=amoebas&set=rounds=20&players=untitled&players=" + url.QueryEscape(species) +
		"&seed=3&step=9")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 9 ")`)
	whose := `document.querySelector(".why:not([aria-busy]) .whyhead .name")?.textContent`
	b.wait(whose + `.endsWith("bred")`)
	// where one of the others decides
	at := evaluate[map[string]float64](b, `(async () => {
		const { watch } = (await import("clade/app.js")).page();
		const { others } = watch.why.reason;
		const { seat, number } = others.findLast((o) => o.seat === 0);
		const v = await watch.page.get("why", watch.why.params({ at: 9, seat, number }));
		const box = watch.board.canvas.getBoundingClientRect();
		const factor = box.width * watch.game.looks[0].scale / watch.game.looks[0].width;
		return { x: box.left + v.actor[0] * factor, y: box.top + v.actor[1] * factor, seat, number };
	})()`)
	b.do("click", chromedp.MouseClickXY(at["x"], at["y"]))
	b.wait(whose + ` === "untitled"`)
	number := evaluate[float64](b,
		`import("clade/app.js").then(({ page }) => page().watch.why.reason.number)`)
	proof.Is(t, number, at["number"], "a click shows decision")
	// its ring is in the middle of its cell, which is a pixel
	if ring := evaluate[[]float64](b, `import("clade/app.js").then(({ page }) => {
		let from = [0, 0], ring;
		page().watch.board.marks(new Proxy({}, { set: () => true, get: (_, name) => (...at) => {
			if (name === "translate") from = at;
			if (name === "arc") ring = from.map((v, i) => (v + at[i]) % 1);
			return { width: 0 };
		} }), 1, 1);
		return ring;
	})`); !slices.Equal(ring, []float64{0.5, 0.5}) {
		t.Errorf("the ring of who decides is %v of a cell beside it", ring)
	}
	// enlarged, the board has a map, on which a click goes to the upper left, and who decides comes
	// into sight
	b.do("closer", chromedp.KeyEvent("+"), chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	on := evaluate[map[string]float64](b, `import("clade/app.js").then(({ page }) => {
		({ board: window.board, why: window.why } = page().watch);
		const { left, top } = board.canvas.getBoundingClientRect();
		return { x: left + board.map.x + 2, y: top + board.map.y + 2 };
	})`)
	b.do("on the map", chromedp.MouseClickXY(on["x"], on["y"]))
	b.wait(`board.x === 0 && board.y === 0`)
	b.do("the next decision", chromedp.KeyEvent("w"))
	b.wait(`why.reason.number !== ` + fmt.Sprint(number) + ` && board.zoom > 3 &&
		["x", "y"].every((side, i) => why.reason.actor[i] * board.look.scale >= board[side] &&
			why.reason.actor[i] * board.look.scale <= board[side] + board.width / board.zoom)`)
}
