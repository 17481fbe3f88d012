package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/engine/enginetest"
	"clade/experiments/player"
	"clade/gp"
	"clade/gp/proof"
)

// TestGamePage watches a game between bred ants with keys and mouse, asks why, changes a tree, and
// saves all of it as one file that works without a server.
func TestGamePage(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	pictures := t.TempDir()
	b.downloads(pictures)
	b.open("/game?game=antwars&players=brilliant&players=brilliant&seed=3")
	b.wait(`document.querySelectorAll(".candidate").length === 8`)
	b.wait(`document.querySelector(".uplot")`)
	b.wait(`document.querySelectorAll(".node.idle").length > 5 &&
		document.querySelector(".why").textContent.includes("decisions of 20 games of these players")`)
	b.wait(`/^takes \w+ of 8, [\d.]+ before \w+/.
		test(document.querySelector(".sentence").textContent)`)
	b.wait(`/^margins of \d+ decisions, \d+ of them close$/.test(
		document.querySelector(".strip")?.ariaLabel)`)
	b.looks("game")
	if n := evaluate[int](b, `document.querySelectorAll(".node.faint").length`); n < 5 {
		t.Errorf("%d nodes stand in branches that were not taken", n)
	}
	step := func(keys string, want string) {
		t.Helper()
		b.do(keys, chromedp.KeyEvent(keys))
		b.wait(`document.querySelector(".where").textContent.startsWith("step ` + want + ` ")`)
	}
	// the strip's line moves, and its thousands of bars are not drawn again
	line := `document.querySelector(".margins .now").offsetLeft`
	at := evaluate[float64](b, line)
	evaluate[bool](b, `Boolean(document.querySelector(".strip").getContext("2d").fillRect =
		() => document.body.classList.add("again"))`)
	step(kb.ArrowRight, "1")
	step(kb.ArrowRight, "2")
	if to := evaluate[float64](b, line); to <= at {
		t.Errorf("the line of the strip stands at %v and then at %v", at, to)
	}
	if evaluate[bool](b, `document.body.classList.contains("again")`) {
		t.Error("a step draws the bars of the strip again")
	}
	step(kb.ArrowLeft, "1")
	b.wait(`location.search.includes("step=1")`)
	// the pointer on a sensor draws its area; a tree that was asked for before may take the place
	// of the one that the pointer was on, so it enters again
	before := evaluate[string](b, `document.querySelector(".board").toDataURL()`)
	b.wait(`document.querySelector(".node.area")?.dispatchEvent(new PointerEvent("pointerenter")) &&
		document.querySelector(".board").toDataURL() !== ` + jsonText(t, before))
	evaluate[bool](b, `document.activeElement.blur() || true`) // space would press its button
	b.do("play", chromedp.KeyEvent(" "))
	b.wait(`Number(document.querySelector(".scrubber").value) > 3`)
	b.do("pause", chromedp.KeyEvent(" "))

	b.do("food only", chromedp.SetValue(`//label[contains(., "jump to")]//select`, "food"))
	b.wait(`location.search.includes("events=food") &&
		/^Events: food \([1-9]/.test(document.querySelector(".events summary").textContent)`)
	b.do("first", chromedp.KeyEvent(kb.Home))
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ") &&
		document.querySelector(".why:not([aria-busy]) .node button.text")`)
	evaluate[bool](b, `(scrollTo(0, 0), true)`)
	b.do("change", chromedp.Click(".node button.text"))
	b.wait(`document.querySelector("textarea.code")`)
	b.do("to a constant", chromedp.SendKeys("textarea.code", "(const 0.5)\r"))
	b.wait(`document.querySelector(".edits h3")?.textContent.match(/^[1-9]\d* of \d+ decisions/)`)
	b.wait(`document.querySelector(".trial")`)
	b.wait(`/^Worse against [^:]+: −[\d.]+ percentage points of wins \(95 % interval −[\d.]+ to −/.
		test(document.querySelector(".verdict")?.textContent)`)
	b.picture("game-changed")
	b.press("Save picture")
	if png, err := os.ReadFile(b.saved(pictures, "antwars-3-step-0.png")); err != nil ||
		!bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("the saved picture begins with %.8q, %v", png, err)
	}
	b.do("as bred", chromedp.Click(`.edits .bar button:last-child`))
	b.wait(`!document.querySelector(".edits")`)

	// a rectangle is dragged by its middle and by its corner: the cells that the server then says are
	// sensed lie one to the right, and reach one farther
	evaluate[bool](b, `import("clade/app.js").then(({ page }) => {
		const { why, board } = window.watch = page().watch;
		const box = (cells) => [0, 1].map((i) => cells.map((at) => at[i])).
			map((all) => [Math.min(...all), Math.max(...all)]);
		window.cells = () => why.told.tree.find((n) => n.index === window.node).cells;
		const fits = (n) => n.cells && box(n.cells).every(([a, b]) => a > 12 && b < 100 && b - a < 60) &&
			n.code.match(/rect (\S+) (\S+) (\d+) (\d+)/)?.slice(1).every((v) => Math.abs(v) < 3);
		window.node = why.told.tree.find(fits).index;
		window.on = ([x, y]) => {
			const { left, top } = board.canvas.getBoundingClientRect();
			return [left + x * board.factor * board.look.scale, top + y * board.factor * board.look.scale];
		};
		window.middle = () => box(cells()).map(([a, b]) => (a + b) / 2);
		// as far as the cells go along x and y of the rectangle
		window.reach = () => ["x", "y"].map((name) => Math.max(...cells().map((at) =>
			at.reduce((sum, v, i) => sum + (v - why.told.actor[i]) * why.told.rects[name][i] / 144, 0))));
		window.corner = (more) => why.told.actor.map((v, i) => v +
			(reach()[0] + more + 0.5) * why.told.rects.x[i] + (reach()[1] + 0.5) * why.told.rects.y[i]);
		document.querySelector(".node[data-index='" + node + "'] button").click();
		scrollTo(0, 0);
		return true;
	})`)
	point := func(what string) [2]float64 { return evaluate[[2]float64](b, "on("+what+")") }
	was := evaluate[string](b, `(window.before = cells().join(" "), cells().
		map(([x, y]) => [x + 12, y]).sort().join(" "))`)
	b.drag(point("middle()"), point("[middle()[0] + 12, middle()[1]]"))
	b.wait(`cells().join(" ") !== before && document.querySelector("textarea.code")`)
	proof.Is(t, evaluate[string](b, `cells().sort().join(" ")`), was, "a dragged rectangle senses")
	far := evaluate[[2]float64](b, `(window.before = cells().join(" "), reach())`)
	b.drag(point("corner(0)"), point("corner(1)"))
	b.wait(`cells().join(" ") !== before && document.querySelector("textarea.code")`)
	proof.Is(t, evaluate[[2]float64](b, `reach()`), [2]float64{far[0] + 1, far[1]},
		"the reach after a corner was dragged")
	b.do("as bred", chromedp.Click(`.edits .bar button:last-child`))
	b.wait(`!document.querySelector(".edits")`)

	evaluate[bool](b, `(async () => {
		const { page } = await import("clade/app.js");
		const { fileOf } = await import("clade/save.js");
		await page().watch.gather();
		window.file = await fileOf(page());
	})() && true`)
	b.wait(`window.file`)
	text := evaluate[string](b, `window.file`)
	if len(text) > 5<<20 {
		t.Errorf("the file has %d bytes, more than 5 MB", len(text))
	}
	t.Logf("a game of Ant Wars as one file: %d bytes", len(text))
	path := filepath.Join(t.TempDir(), "game.html")
	proof.OK(t, os.WriteFile(path, []byte(text), 0o666))
	b.do("the file", chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	b.wait(`document.querySelectorAll(".candidate").length === 8 && document.querySelector(".uplot")`)
	step(kb.ArrowRight, "1")
	b.wait(`document.querySelectorAll(".candidate").length === 8 &&
		document.querySelectorAll(".node.taken").length > 5`)
	b.picture("game-file")
}

// TestGamePageOfTheToy shows a game that offers no more than the template of a new one.
func TestGamePageOfTheToy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	g := enginetest.Number(0)
	species := filepath.Join(dir, "three.species")
	proof.OK(t, os.WriteFile(species, []byte("(species number 1 (slot number (constint 3)))"), 0o666))
	scope := player.Scope{Games: append(allGames().Games, g), Trust: player.Files}
	b := browse(t, site.Options{Paths: []string{dir}, Scope: scope})
	b.open("/game?game=number&players=" + url.QueryEscape(species) + "&players=always(2)")
	b.wait(`document.querySelector(".candidate")?.textContent.includes("say it")`)
	b.do("last", chromedp.KeyEvent(kb.End))
	b.wait(`document.querySelector(".where").textContent === "step 3 of 3"`)
	if text := evaluate[string](b,
		`document.querySelector(".seats").textContent`); !strings.Contains(text,
		"three9") {
		t.Errorf("the scores say %q", text)
	}
	b.picture("game-toy")
	b.do("first", chromedp.KeyEvent(kb.Home))
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ") &&
		document.querySelector(".why:not([aria-busy]) > :not([inert]) button.text")`)
	b.do("one more by its handle", chromedp.Click(".node button.text"),
		chromedp.Focus(".edit input[type=range]"), chromedp.KeyEvent(kb.ArrowRight))
	b.wait(`document.querySelector(".node button.text")?.textContent === "(constint 4)" &&
		document.querySelector(".edits h3")`)
	// it says less than always(2): it won every game, and wins none
	evaluate[bool](b, `document.querySelector(".node button.text").click() || true`)
	b.do("too little", chromedp.SetValue("textarea.code", "(constint 1)"),
		chromedp.SendKeys("textarea.code", "\r"))
	b.wait(`document.querySelector(".verdict")?.textContent ===
		"Worse against always(2): −100.0 percentage points of wins " +
		"(on every one of 500 boards, which both played)."`)
	b.open("/game")
	b.wait(`document.querySelector(".chooser select")`)
	b.looks("game-chooser")
	b.do("watch", chromedp.Click(".chooser button.main"))
	b.wait(`document.querySelector(".board")`)
}

// TestLogBesideTheGame reads the line of a run's log that is about the champion that plays.
func TestLogBesideTheGame(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 8)
	b.open("/game?run=" + dir + "/run-1&generation=4&players=@4&players=zero")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
	summary := `//summary[text()="The run's log of this champion's generation"]`
	b.do("the log by keys", chromedp.Focus(summary), chromedp.KeyEvent("\r"))
	b.wait(`[...document.querySelectorAll("pre.words")].some((e) => {
		try {
			return JSON.parse(e.textContent).generation === 4;
		} catch {
			return false;
		}
	})`)
	b.looks("game-log")
}

// TestLayers shows the layers of worlds, the position in words, and what a search says of it.
func TestLayers(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	picture := func() string {
		return evaluate[string](b, `document.querySelector(".board").toDataURL()`)
	}
	for _, test := range []struct{ link, name string }{
		{"antwars&players=greedy&players=greedy", "what ant 1 knows"},
		{"amoebas&set=rounds=60", "fuel"},
		{"darwin&set=time-limit=0.2", "from above"},
		{"life&set=generations=60&set=width=100&set=height=100", "territory"},
	} {
		b.open("/game?game=" + test.link)
		b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
		b.do("some steps", chromedp.KeyEvent(kb.PageDown))
		b.wait(`!document.querySelector(".where").textContent.startsWith("step 0 ")`)
		if !evaluate[bool](b, `(async () => {
			const { look, width } = (await import("clade/app.js")).page().watch.board;
			return !look.plan?.dense || look.width === look.plan.columns && width === look.width;
		})()`) {
			t.Error(test.link + ": a cell of a dense board is more than a pixel")
		}
		if strings.HasPrefix(test.link, "darwin") { // 29 x 29 rhombi of 1.6 by 0.8, 1.2 below the top
			for at, cell := range map[[2]float64]string{{23.2 / 46.4, 12.8 / 24.4}: "column 14, row 14",
				{0.8 / 46.4, 12.8 / 24.4}: "column 0, row 28", {23.2 / 46.4, 1.6 / 24.4}: "column 0, row 0"} {
				evaluate[bool](b, fmt.Sprintf(`(() => {
					const board = document.querySelector(".board"), box = board.getBoundingClientRect();
					return board.dispatchEvent(new PointerEvent("pointermove", {
						clientX: box.left + %v * box.width, clientY: box.top + %v * box.height }));
				})()`, at[0], at[1]))
				b.wait(`document.querySelector(".says").textContent.startsWith("` + cell + `")`)
			}
		}
		before := picture()
		b.do("the next layer", chromedp.KeyEvent("v"))
		b.wait(`location.search.includes("layer=1")`)
		evaluate[bool](b, `(async () => {
			const { watch } = (await import("clade/app.js")).page();
			while (watch.at < 0 || watch.busy) await new Promise(requestAnimationFrame);
			return true;
		})()`)
		if picture() == before {
			t.Errorf("%s: the layer looks as the board does", test.link)
		}
		name := evaluate[string](b, `[...document.querySelectorAll(".transport select")].at(-1).
			selectedOptions[0].textContent`)
		proof.Is(t, name, test.name, "%s: the layer", test.link)
		b.picture("layer-" + test.link[:7])
		if name == "fuel" {
			b.looks("game-amoebas")
		}
	}
	b.open("/game?game=amoeboid&players=greedy&players=greedy")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
	b.do("words and search", chromedp.KeyEvent("t"), chromedp.KeyEvent("s"))
	b.wait(`document.querySelectorAll("pre.words")[0].textContent.includes("to roll")`)
	b.wait(`/bounds|best/i.test(document.querySelectorAll("pre.words")[1].textContent)`)
	b.looks("game-solver")
}

// TestBoardIsDrawn looks at a board that a page draws itself: it is dark on a dark page, as is the
// picture of a dense one, pieces move unless the reader wants no motion, and rules and marks stand
// beside it.
func TestBoardIsDrawn(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	corner := `(() => {
		const board = document.querySelector(".board");
		const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
		pen.drawImage(board, 9 - board.width, 9 - board.height); // its corner
		const { data } = pen.getImageData(0, 0, 1, 1);
		return data[0] + data[1] + data[2];
	})()`
	for _, link := range []string{"santafe", "life&set=width=90&set=height=90&set=generations=9"} {
		b.open("/game?game=" + link)
		b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
		for theme, is := range map[string]string{"dark": " < 200", "light": " > 700"} {
			b.theme(theme)
			b.wait(corner + is)
		}
	}
	b.open("/game?game=antwars&players=hyper&players=greedy&seed=2")
	b.wait(`document.querySelectorAll(".rules .marks li").length === 7 &&
		document.querySelector(".rules p").textContent.includes("35 times")`)
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
	moved := `(async () => {
		const { watch } = (await import("clade/app.js")).page();
		await watch.show(watch.at + 1);
		return watch.board.moves?.size ?? 0;
	})()`
	proof.Is(t, evaluate[int](b, moved), 1, "pieces that move in a step")
	if _, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
	}); err != nil {
		t.Fatal(err)
	}
	proof.Is(t, evaluate[int](b, moved), 0, "pieces that move where no motion is wanted")
}

// TestFollow plays games on enlarged boards: what lives stays in sight on a dense one, beside a map
// of the whole, and who was chosen on one of pieces. Both leave what was shown at first.
func TestFollow(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	for link, inSight := range map[string]string{
		// an R-pentomino, to which players that place whole patterns have no cells to add any
		"life&players=patterns&players=patterns&set=width=400&set=height=400&set=generations=200" +
			"&set=cells=1&set=start=" +
			url.QueryEscape(`"x = 3, y = 3, rule = KingOfTheHill\n.AA$AA.$.A!"`): `
			[...board.words].every((word, i) => !lives.has(word) ||
				within(i % board.width + 0.5, Math.floor(i / board.width) + 0.5)) && board.map`,
		"antwars&players=hyper&players=greedy&seed=2": `board.pieces.includes(board.chosen) &&
			within(...[board.chosen.x, board.chosen.y].map((n) => (n + 0.5) * board.look.tile))`,
	} {
		b.open("/game?game=" + link)
		b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
		if !strings.HasPrefix(link, "life") {
			b.wait(`document.querySelector(".why:not([aria-busy]) .sentence")`)
			b.do("enlarge", chromedp.KeyEvent("++++"))
		} else {
			b.do("enlarge", chromedp.KeyEvent("f"))
		}
		seen := evaluate[[]float64](b, `(async () => {
			const { watch } = (await import("clade/app.js")).page();
			const { board } = watch;
			const within = (x, y) => x >= board.x && x <= board.x + board.width / board.zoom &&
				y >= board.y && y <= board.y + board.height / board.zoom;
			const lives = { has: (word) => !board.ground.has(word) };
			const was = [board.x, board.y, board.zoom];
			let pictures = 0, lost = 0, other = 0;
			watch.setSpeed(watch.last > 100 ? 60 : 15);
			watch.toggle();
			while (watch.at < watch.last) {
				const { at } = watch;
				await new Promise((done) => setTimeout(done, 5));
				if (watch.at === at) continue;
				pictures++;
				if (!(`+inSight+`)) lost++;
				if (was.some((v, i) => v !== [board.x, board.y, board.zoom][i])) other++;
			}
			return [pictures, lost, other];
		})()`)
		if seen[0] < 20 || seen[1] > 0 || seen[2] == 0 {
			t.Errorf("%s: of %v pictures %v are out of sight, %v not what was shown at first", link,
				seen[0], seen[1], seen[2])
		}
		b.picture("follow-" + link[:4])
	}
}

// TestBuiltInPlayersTell asks built-in players why: their utilities are drawn, and their notes
// told.
func TestBuiltInPlayersTell(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	b.open("/game?game=amoeboid&players=greedy&players=expectimax")
	b.wait(`document.querySelectorAll(".candidate").length > 1`)
	b.open("/game?game=antwars&players=hyper&players=greedy")
	b.wait(`document.querySelectorAll(".candidate").length === 8`)
	b.picture("why-built-in")
	b.do("the other's turn", chromedp.KeyEvent(kb.ArrowRight))
	b.wait(`document.querySelector(".whyhead .name")?.textContent === "greedy"`)
	was := evaluate[string](b, `document.querySelector(".candidate[aria-selected=true]").textContent`)
	b.do("another candidate by keys", chromedp.Focus(`.candidate:nth-child(4)`),
		chromedp.KeyEvent(" "))
	b.wait(`document.querySelector(".candidate[aria-selected=true]").textContent !== ` +
		jsonText(t, was))
	b.do("and by mouse", chromedp.Click(`.candidate:nth-child(2)`))
	b.wait(`document.querySelector(".candidate:nth-child(2)[aria-selected=true]")`)
	for _, link := range []string{"amoebas&set=rounds=20", "darwin&set=time-limit=0.05",
		"chase&players=careful&players=bold&players=drunk",
		"life&set=generations=20&set=height=60&set=width=60"} {
		b.open("/game?game=" + link)
		b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
		b.wait(`document.querySelectorAll(".why:not([aria-busy]) .candidate").length > 0`)
		b.picture("why-" + link[:4])
		said := evaluate[string](b, `document.querySelector(".why p").textContent`)
		if !strings.HasPrefix(said, "takes ") || strings.HasSuffix(said, ":") {
			t.Errorf("%s: no notes in %q", link, said)
		}
		t.Log(said)
	}
}

// jsonText writes a text as a script has it.
func jsonText(t *testing.T, text string) string {
	t.Helper()
	j := proof.Must(json.Marshal(text))(t)
	return string(j)
}

// TestEveryGameIsShown plays a bred species in each game by the server's routes, and asks it why.
func TestEveryGameIsShown(t *testing.T) {
	proof.Slow(t)
	dir := t.TempDir()
	s := newServer(t, site.Options{Paths: []string{dir}})
	small := map[string]string{"life": "&set=generations=20&set=height=60&set=width=60",
		"amoebas": "&set=rounds=20", "darwin": "&set=time-limit=0.05", "amoeboid": "&set=limit=40"}
	for _, g := range allGames().Games {
		info := g.Info()
		species := filepath.Join(dir, info.Name+".species")
		ge := g.Grammar().Ramped(rand.New(rand.NewPCG(1, 2)), 2, 4)
		text := g.Grammar().PrintSpecies(&gp.Species{Game: info.Name, Version: info.Version, Genome: ge})
		proof.OK(t, os.WriteFile(species, []byte(text), 0o666))
		link := "?game=" + info.Name + small[info.Name]
		for range max(info.MinSeats, 1) {
			link += "&players=" + url.QueryEscape(species)
		}
		read := func(route string, into any) {
			t.Helper()
			status, body := ask(s, "GET", "/api/"+route)
			if status != 200 || json.Unmarshal([]byte(body), into) != nil {
				t.Fatalf("%s: %d: %.300s", route, status, body)
			}
		}
		var game struct {
			Scenes  int
			Scores  [][]float64
			Players []string
			Tells   []bool
			Looks   []struct {
				Name                  string
				Width, Height, Frames int
				SeatColours           []string
			}
		}
		read("game"+link, &game)
		if game.Scenes < 2 || len(game.Scores) != len(game.Players) {
			t.Errorf("%s: %d scenes, %d scores", info.Name, game.Scenes, len(game.Scores))
		}
		for i, l := range game.Looks {
			if len(l.SeatColours) != len(game.Players) || l.Width < 1 {
				t.Errorf("%s: %+v", info.Name, l)
			}
			last := (game.Scenes - 1) / l.Frames
			status, reel := ask(s, "GET", fmt.Sprint("/api/game/reel", link, "&layer=", i, "&reel=", last))
			if status != 200 || len(reel) == 0 {
				t.Errorf("%s: the last reel of %s: %d %.200s", info.Name, l.Name, status, reel)
			}
		}
		var told struct{ Text string }
		read("game/inspect"+link+"&scene=1&x=3&y=3", &told)
		if !game.Tells[0] {
			if status, body := ask(s, "GET", "/api/why/idle"+link); status != 400 {
				t.Errorf("%s cannot be asked why: %d: %s", info.Name, status, body)
			}
			continue
		}
		var choice struct {
			Candidates []struct{ Name string }
			Tree       []struct{ Text string }
			Chosen     int
		}
		read("why"+link+"&at=0", &choice)
		if len(choice.Candidates) == 0 {
			t.Errorf("%s: nothing was weighed at the first step", info.Name)
		}
		var idle struct{ Idle [][]int }
		read("why/idle"+link, &idle)
		proof.Is(t, len(idle.Idle), len(ge), "%s: trees", info.Name)
	}
	for link, want := range map[string]string{
		"game?game=antwars&players=greedy": "Ant Wars is for 2 players, and the link names 1",
		"game?game=antwars&seed=x":         "not a whole number",
		"game":                             "no game is named",
		"sweep":                            "no name is given",
		"game?record=/etc/passwd":          "outside the folders",
		"game?game=darwin&set=map=/etc/passwd.map":                   "over the network",
		"game?game=darwin&set=maps=/etc":                             "over the network",
		"game?game=amoeboid&set=board=file&set=graph=/etc/passwd":    "over the network",
		"game?game=antwars&players=exec:true&players=greedy":         "",
		"game/reel?game=antwars&players=greedy&players=super&reel=9": "not a whole number in 0..",
		"why/idle?game=antwars&players=greedy&players=super": "no bred player sits in " +
			"seat 1",
	} {
		if status, body := ask(s, "GET", "/api/"+link); status != 400 || !strings.Contains(body, want) {
			t.Errorf("%s: %d %s, want %q", link, status, body, want)
		}
	}
}
