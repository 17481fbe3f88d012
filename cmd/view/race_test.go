package view

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// hold makes the pages that are opened from now on wait with events of the server that have a name,
// and with replies of a route, until release of it is called.
func (b *browser) hold() {
	b.t.Helper()
	evaluate[bool](b, `(() => {
		window.held = [];
		window.asked = []; // routes, in order
		window.holding = (what) => false;
		window.release = () => {
			window.holding = () => false;
			for (const act of held.splice(0)) act();
		};
		const Source = window.EventSource;
		window.EventSource = class extends Source {
			addEventListener(name, act) {
				super.addEventListener(name, (e) => holding(name) ? held.push(() => act(e)) : act(e));
			}
		};
		const plain = window.fetch;
		window.fetch = async (url, options) => {
			const route = new URL(url, location.href).pathname;
			asked.push(route);
			const response = await plain(url, options);
			if (holding(route)) await new Promise((done) => held.push(done));
			return response;
		};
		return true;
	})()`)
}

// lead opens a link without loading the page anew.
func (b *browser) lead(link string) {
	b.t.Helper()
	evaluate[bool](b, `import("clade/app.js").then((app) => app.go(`+
		jsonText(b.t, link)+`)).then(() => true)`)
}

// TestOneAnswerATurn presses a key again while the other side thinks: the answer would count for a
// turn that nobody has seen.
func TestOneAnswerATurn(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "games.jsonl")
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(), History: history})
	b.open("/")
	b.hold()
	b.lead("/play?game=antwars&players=greedy&seed=5")
	turn := `document.querySelector("[role=status]").textContent`
	b.wait(turn + `.startsWith("Decision 1:")`)
	evaluate[bool](b, `(holding = (what) => what === "turn") && true`)
	b.do("an answer", chromedp.KeyEvent("6"))
	b.wait(`held.length === 1 && performance.getEntriesByType("resource").
		some((e) => e.name.includes("play/act"))`) // replied to, and the next turn on its way
	b.do("again", chromedp.KeyEvent("6"), chromedp.KeyEvent("4"))
	answers := `asked.filter((route) => route === "/api/play/act").length`
	proof.Is(t, evaluate[int](b, answers), 1, "answers to one turn")
	evaluate[bool](b, `release() || true`)
	b.wait(turn + `.startsWith("Decision 2:")`)
	b.do("the next answer", chromedp.KeyEvent("4"))
	b.wait(turn + `.startsWith("Decision 3:")`)
	b.resign()
	b.wait(turn + `.startsWith("You lose")`)
}

// TestAskedWhileALayerComes asks for words, the search and what is at a pixel while no scene stands
// there, because another layer is on its way.
func TestAskedWhileALayerComes(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/game?game=amoeboid&players=greedy&players=greedy&set=size=3")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
	evaluate[bool](b, `(async () => {
		const { watch } = (await import("clade/app.js")).page();
		for (const key of ["v", "t", "s"]) dispatchEvent(new KeyboardEvent("keydown", { key }));
		await watch.point(9, 9);
		return true;
	})()`)
	b.wait(`[...document.querySelectorAll("details[open] pre.words")].
		filter((e) => e.textContent.length > 20).length === 2`)
}

// TestPlayedOnce presses space thrice within a picture: the game goes on once, not twice as fast.
func TestPlayedOnce(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/game?game=antwars&players=greedy&players=greedy")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ")`)
	n := evaluate[int](b, `(() => {
		const real = window.requestAnimationFrame;
		let waiting = [];
		window.requestAnimationFrame = (act) => waiting.push(act);
		for (let i = 0; i < 3; i++) dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
		const now = waiting.splice(0);
		for (const act of now) act(performance.now());
		const n = waiting.length;
		window.requestAnimationFrame = real;
		dispatchEvent(new KeyboardEvent("keydown", { key: " " }));
		return n;
	})()`)
	proof.Is(t, n, 1, "loops of one game")
}

// TestLateReasons steps on while the server works at a change of a tree: what stands there is about
// the step that is shown, with the change.
func TestLateReasons(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/")
	b.hold()
	b.lead("/game?game=antwars&players=brilliant&players=brilliant&seed=3")
	ready := `document.querySelectorAll(".candidate").length === 8 &&
		document.querySelector(".why:not([aria-busy]) .node button.text")`
	b.wait(ready)
	evaluate[bool](b, `(holding = (what) => what === "/api/why/idle") && true`)
	b.do("a candidate by keys", chromedp.Focus(`.candidate:nth-child(3)`), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector(".candidate:nth-child(3)[aria-selected=true]")`)
	b.wait(`document.activeElement === document.querySelector(".candidate:nth-child(3)")`)
	evaluate[bool](b, `release() || true`)
	b.do("change", chromedp.Click(".node button.text"))
	b.wait(`document.querySelector("textarea.code")`)
	evaluate[bool](b, `(holding = (what) => what === "/api/why/change") && true`)
	b.do("to a constant", chromedp.SendKeys("textarea.code", "(const 0.5)\r"))
	b.wait(`held.length === 1`)
	evaluate[bool](b, `document.activeElement.blur() || true`)
	b.do("and on", chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	b.wait(`document.querySelector(".where").textContent.startsWith("step 2 ")`)
	evaluate[bool](b, `release() || true`)
	b.wait(`document.querySelector(".edits h3")?.textContent.match(/^[1-9]\d* of \d+ decisions/)`)
	b.wait(`document.querySelector(".why:not([aria-busy])")`)
	at := evaluate[int](b, `import("clade/app.js").then(({ page }) =>
		page().watch.why.told.step ?? page().watch.why.step)`)
	proof.Is(t, at, 2, "the reasons are those of step")
}

// TestCalm keeps what the pointer presses, and what has the focus, while runs move on.
func TestCalm(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 4)
	b.do("size", chromedp.EmulateViewport(1280, 900))
	b.open("/runs")
	b.wait(`document.querySelectorAll("tbody tr").length === 1`)
	b.do("sort by keys", chromedp.Focus(`th:nth-child(5) button`), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector("th:nth-child(5)[aria-sort=ascending]")`)
	if !evaluate[bool](b,
		`document.activeElement === document.querySelector("th:nth-child(5) button")`) {
		t.Error("the focus is lost where rows are sorted by keys")
	}
	evaluate[bool](b, `(window.pressed = document.querySelector("tbody a")).
		dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`)
	breed(t, filepath.Join(dir, "run-0"), 2, 4, runner.Options{})
	evaluate[bool](b, `(new EventSource("/api/runs/live").addEventListener("runs", (e) => {
		if (e.data.includes("run-0")) window.told = true;
	}), true)`)
	b.wait(`window.told`)
	if !evaluate[bool](b, `pressed.isConnected`) {
		t.Error("a link goes away while the pointer is down on it")
	}
	evaluate[bool](b, `pressed.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }))`)
	b.wait(`document.querySelectorAll("tbody tr").length === 2`)
}
