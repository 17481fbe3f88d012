package view

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// press clicks on a button or link by its words.
func (b *browser) press(words string) {
	b.t.Helper()
	is := `//*[self::button or self::a][normalize-space()="` + words + `"]`
	b.do(words, chromedp.Click(is))
}

// TestLoop goes from a game to another board, with seats swapped, to playing against who wins
// there, and to the played game with its reasons, by clicks alone. The players are built in.
func TestLoop(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(),
		History: filepath.Join(t.TempDir(), "games.jsonl")})
	b.do("size", chromedp.EmulateViewport(1440, 900))
	b.open("/game?game=antwars&players=hyper&players=greedy&seed=5")
	b.press("Next board")
	b.wait(`new URL(location).searchParams.get("seed") === "6" &&
		document.querySelector(".seat .name")?.textContent === "hyper"`)
	b.press("Swap seats")
	b.wait(`document.querySelector(".seat .name")?.textContent === "greedy"`)
	b.looks("game-ways")
	b.press("Other players")
	b.wait(`document.querySelector("dialog select") && [...document.querySelectorAll(
		"dialog .chooser select")].some((s) => s.value === "greedy")`)
	b.do("watch", chromedp.Click(`dialog button.main`))
	b.wait(`!document.querySelector("dialog") && document.querySelector(".seat .name")`)
	b.press("Play against it")
	b.wait(`document.querySelectorAll(".actions.pad button").length === 8`)
	b.do("a step", chromedp.KeyEvent("8"))
	b.wait(`document.querySelector("[role=status]").textContent.startsWith("Decision 2:")`)
	b.resign()
	b.press("Watch it, with reasons")
	b.wait(`location.pathname === "/game" && document.querySelector(".where")?.
		textContent.startsWith("step 0 ")`)
	b.do("a step on", chromedp.KeyEvent(kb.ArrowRight)) // the rival's, which tells why
	b.wait(`document.querySelector(".why > :not([inert]) > .candidate")`)
	b.do("another", chromedp.KeyEvent(kb.ArrowRight)) // one's own
	b.wait(`document.querySelector(".ago")?.textContent.endsWith("of 1 step ago.") &&
		document.querySelector(".why > [inert] > .candidate")`)
	b.looks("watch-own")
}

// TestRunLeadsToItsChampion sits a person against the champion of a run, as its page offers it.
func TestRunLeadsToItsChampion(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	breedOf(t, allGames(), "antwars", "greedy", filepath.Join(dir, "run-1"), 1, 4, runner.Options{})
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelector('.champions a[href^="/play?"]')`)
	b.do("play", chromedp.Click(`.champions a[href^="/play?"]`))
	b.wait(`document.querySelector("main").textContent.includes("run-1")`)

	// a position asked of all champions: the last one, who plays, does what it did in the game
	b.open("/game?run=" + dir + "/run-1&generation=3&seed=4")
	b.wait(`document.querySelector(".why:not([aria-busy]) .sentence")`)
	b.wait(`document.querySelector(".margins")`) // which comes later, and moves the button away
	takes := evaluate[string](b, `document.querySelector(".sentence b").textContent`)
	b.press("When did it learn this?")
	b.wait(`document.querySelectorAll(".era").length === 3`)
	proof.Is(t, evaluate[string](b, `[...document.querySelectorAll(".era")].at(-1).title`),
		"@3 takes "+takes, "of champion 3, who takes %s", takes)
	b.looks("learnt")
	b.do("the film", chromedp.Click(`button[aria-label="Play the champions"]`))
	b.wait(`document.querySelector(".era.now:first-child")`)

	// of an early champion's decisions, those are blunders that a search sees far behind its own
	b.open("/game?run=" + dir + "/run-1&generation=0&seed=1")
	b.wait(`document.querySelector(".margins")?.textContent.includes("blunders to a search")`)
	b.do("the next blunder", chromedp.KeyEvent("b"))
	b.wait(`!document.querySelector(".where").textContent.startsWith("step 0 ")`)

	b.wait(`/A search would take \w+, and expects \d\d % of a win more/.test(
		document.querySelector(".why:not([aria-busy]) .sentence")?.textContent)`)

	// and where there is no search, the last champion, when it is asked about each
	breedOf(t, allGames(), "antwars2", "nose", filepath.Join(dir, "run-2"), 1, 4, runner.Options{})
	b.open("/game?run=" + dir + "/run-2&generation=0&seed=1")
	b.wait(`document.querySelector(".strip")`)
	if faults := evaluate[[]string](b, `(async () => {
		const page = (await import("clade/app.js")).page();
		const { params, game } = page.watch;
		const seat = game.players.findIndex((name) => name.startsWith("run:"));
		const faults = [];
		let blunders = 0;
		for (const m of await page.get("why/margins", params)) {
			if (m.seat !== seat) continue;
			const ask = { ...params, seat, at: m.step, number: m.number };
			const [all, v] = [await page.get("why/champions", ask), await page.get("why", ask)];
			const u = all.at(-1).utilities;
			const lost = (Math.max(...u) - u[v.chosen]) / (Math.max(...u) - Math.min(...u) || 1);
			if (Math.abs(lost - (m.lost ?? 0)) > 1e-5) faults.push(m.step + ": " + m.lost + ", not " + lost);
			if (lost > 0.3) blunders++;
		}
		const said = document.querySelector(".strip").ariaLabel;
		if (blunders === 0 || !said.endsWith(", " + blunders + " blunders")) faults.push(said);
		return faults;
	})()`); len(faults) > 0 {
		t.Errorf("blunders: %q", faults)
	}
	b.do("the next blunder", chromedp.KeyEvent("b"))
	b.wait(`!document.querySelector(".where").textContent.startsWith("step 0 ")`)
}

// TestServerGone stops the server while the table of runs is open: the page says so, and since
// when, and a click does.
func TestServerGone(t *testing.T) {
	t.Parallel()
	b, _ := browseRun(t, 8)
	b.open("/")
	b.wait(`document.querySelector("tr[data-run]")`)
	b.stop()
	b.wait(`/^No connection to clade view since \d\d:\d\d:\d\d/.test(
		document.querySelector(".lost")?.textContent)`)
	b.picture("server-gone")
	evaluate[bool](b, `document.querySelector("tr[data-run] a").click() || true`)
	b.wait(`document.querySelector(".fault")?.textContent.includes("see whether it still runs")`)
}

// TestLiveChampions opens the page of a run before its later champions are bred: they come, and
// with each checkpoint the descent until then.
func TestLiveChampions(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	there, on, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		breed(t, filepath.Join(dir, "run-1"), 1, 24, runner.Options{Progress: func(p evolve.Progress) {
			if p.Line.Generation == 10 || p.Line.Generation == 20 {
				there <- struct{}{}
				<-on
			}
		}})
	}()
	<-there
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelector('.champions [data-generation="10"]')`)
	if evaluate[bool](b, `document.querySelector('.champions [data-generation="12"]') !== null`) {
		t.Error("a champion is there before it is bred")
	}
	b.do("descent", chromedp.KeyEvent("d"))
	b.wait(`document.querySelector("main").textContent.includes("generations 0 to 10")`)
	on <- struct{}{}
	<-there
	b.wait(`document.querySelector('.champions [data-generation="20"]')`)
	b.wait(`document.querySelector("main").textContent.includes("generations 0 to 20")`)
	on <- struct{}{}
	<-ended
	b.wait(`document.querySelector('.champions [data-generation="22"]')`)
	b.wait(`document.querySelector(".facts .state.done")`)
	b.wait(`document.querySelector("main").textContent.includes("generations 0 to 24")`)
}

// TestBranchAndShelf changes an ant, keeps it on the shelf, plays a league of it with the ant as it
// was, and lets the game go on with it: up to the decision that it makes otherwise all is the same.
func TestBranchAndShelf(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1440, 900))
	change := func() {
		b.open("/game?game=antwars&players=brilliant&players=hyper&seed=3")
		b.wait(`document.querySelector(".why:not([aria-busy]) .node button.text")`)
		evaluate[bool](b, `document.querySelector(".node button.text").click() || true`)
		b.wait(`document.querySelector("textarea.code")`)
		b.do("to a constant", chromedp.SendKeys("textarea.code", "(const 0.5)\r"))
		b.wait(`document.querySelector(".edits .changes button")`)
	}
	change()
	b.press("Keep on the shelf")
	b.wait(`document.querySelector("dialog input")`)
	b.do("a name", chromedp.SetValue("dialog input", "half-an-ant"),
		chromedp.SendKeys("dialog input", "\r"))
	b.wait(`document.querySelector("dialog [role=status] a")`)
	b.picture("shelf")
	proof.Must(os.Stat(filepath.Join(dir, "shelf", "half-an-ant.species")))(t)
	b.press("League with the one as bred")
	b.wait(`[...document.querySelectorAll("table.list tbody tr")].some((row) =>
		row.textContent.includes("half-an-ant") && new URLSearchParams(row.querySelector(
			"a[href^='/play?']").search).get("players").endsWith("half-an-ant.species")) &&
		!document.querySelector("dialog")`)
	b.wait(`[...document.querySelectorAll(".choices .chip")].some((chip) =>
		chip.textContent === "half-an-ant")`)

	change()
	from := evaluate[int](b, `Number(/step (\d+)/.exec(
		document.querySelector(".changes").textContent)[1])`)
	moves := func() []string { // of the ant, which decides at every second step
		text := evaluate[string](b, `(async () => {
			const { watch } = (await import("clade/app.js")).page();
			return (await watch.page.get("game/record", watch.params)).text;
		})()`)
		_, text, _ = strings.Cut(text, "seat ")
		_, text, _ = strings.Cut(text, "\n")
		text, _, _ = strings.Cut(text, "seat ")
		return strings.Fields(text)
	}
	was := moves()
	b.press("Go on with it")
	b.wait(`new URL(location).searchParams.getAll("players")[0].startsWith("dropped:") &&
		document.querySelector(".where")?.textContent.startsWith("step ` + strconv.Itoa(from) + ` ")`)
	n := from / 2
	if is := moves(); !slices.Equal(is[:n], was[:n]) || is[n] == was[n] {
		t.Errorf("the ant goes %v, and went %v before it was changed at step %d", is, was, from)
	}
}

// TestWall shows two boards of three players side by side; a game that is over is followed by the
// next one, on another board.
func TestWall(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	s, err := study.Parse(allGames(), "ants.toml", []byte(strings.Replace(
		numbers("antwars", "greedy", 1, 3), "tournament", "islands = 3\ntournament", 1)))
	proof.OK(t, err)
	_, err = runner.Start(t.Context(), filepath.Join(dir, "run-1"), s, runner.Options{})
	proof.OK(t, err)
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	b.do("size", chromedp.EmulateViewport(1440, 900))
	b.open("/run?run=" + dir + "/run-1")
	b.press("On a wall") // a board for each island, which the next one comes to
	b.wait(`[...document.querySelectorAll(".frame .seats")].map((e) =>
		e.textContent.match(/island \d/g).join()).join(" ") ===
		"island 1,island 2 island 2,island 3 island 3,island 1"`)
	b.looks("wall")
	b.press("QR code")
	b.do("on a telephone", chromedp.EmulateViewport(390, 844), chromedp.Reload())
	b.wait(`document.querySelectorAll(".frame .board").length === 3`)
	b.wait(`((code) => {
		const box = code?.getBoundingClientRect();
		return code?.naturalWidth > 0 && document.elementFromPoint(box.left + 9, box.top + 9) === code;
	})(document.querySelector(".code"))`) // over the boards
	b.open("/wall?game=antwars&players=hyper&players=greedy&players=random&boards=2")
	b.wait(`document.querySelectorAll(".frame .board").length === 2 &&
		document.querySelector(".frame .seats").textContent.includes("greedy")`)
	b.wait(`document.querySelector(".frame .seat.best")`)
	b.wait(`document.querySelector(".frame a").href.includes("seed=3")`)
}
