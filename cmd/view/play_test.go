package view

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/cmd/view/site"
	"clade/experiments/match"
	"clade/gp/proof"
)

// resign gives a game up, which takes a second click.
func (b *browser) resign() {
	b.t.Helper()
	b.do("resign", chromedp.Click(`//button[text()="Resign"]`),
		chromedp.Click(`//button[text()="Resign: sure?"]`))
}

// TestPlayPage plays a whole game of Ant Wars with the keyboard, and finds it in the history.
func TestPlayPage(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "games.jsonl")
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(), History: history})
	b.open("/play?game=antwars&players=greedy&seed=5")
	b.wait(`document.querySelectorAll(".actions.pad button").length === 8`)
	b.looks("play")
	// presses a key for each turn until the end
	evaluate[bool](b, `(async () => {
		const told = () => document.querySelector("[role=status]").textContent;
		const over = () => document.querySelector(".actions a.button");
		for (let i = 0; !over(); i++) {
			const was = told();
			dispatchEvent(new KeyboardEvent("keydown", { key: "698741236"[i % 9] }));
			while (told() === was && !over()) await new Promise(requestAnimationFrame);
		}
		window.played = true;
	})() && true`)
	b.wait(`window.played && document.querySelector(".actions a.button")`)
	b.picture("play-over")
	games, err := match.ReadGames(history)
	if err != nil || len(games) != 1 || games[0].Opponent != "greedy" || games[0].Steps < 35 ||
		games[0].Resigned {
		t.Errorf("the history holds %+v, %v", games, err)
	}
	b.open("/play?game=antwars&players=greedy&seed=6&seat=2")
	b.wait(`document.querySelectorAll(".actions.pad button").length === 8`)
	b.do("to the ant's right", chromedp.Click(`.spot[aria-label="e"]`))
	b.wait(`document.querySelector("[role=status]").textContent.startsWith("Decision 2:")`)
	b.wait(`document.querySelector(".ladder .next a").textContent === "random"`)
	// a swipe to the upper left, far from the ant; no sound is made before somebody wants it
	evaluate[bool](b, `(() => {
		const { fetch } = window;
		window.fetch = (to, how) => {
			window.sent = how?.body ?? window.sent;
			return fetch(to, how);
		};
		window.tones = 0;
		const { createOscillator } = AudioContext.prototype;
		AudioContext.prototype.createOscillator = function () {
			window.tones++;
			return createOscillator.call(this);
		};
		return true;
	})()`)
	board := evaluate[[2]float64](b, `(({ left, top }) => [left, top])(
		document.querySelector(".board").getBoundingClientRect())`)
	b.drag([2]float64{board[0] + 90, board[1] + 90}, [2]float64{board[0] + 40, board[1] + 40})
	b.wait(`document.querySelector("[role=status]").textContent.startsWith("Decision 3:")`)
	proof.Is(t, evaluate[string](b, `[sent, tones].join()`), `{"action":"nw"},0`, "a swipe sends")
	b.press("Sound: off")
	b.wait(`tones === 1`)
	b.resign()
	b.wait(`document.querySelector("[role=status]").textContent.startsWith("You lose")`)
	if games, err = match.ReadGames(history); err != nil || len(games) != 2 || !games[1].Resigned ||
		games[1].Seat != 2 {
		t.Errorf("the history holds %+v, %v", games, err)
	}

	// who cannot be played leaves nothing to resign from
	b.open("/play?game=antwars&players=nobody")
	b.wait(`document.querySelector(".fault")?.textContent.includes("unknown player") &&
		!document.querySelector(".playboard").checkVisibility() && ![...document.
			querySelectorAll("button")].some((b) => b.checkVisibility() && b.textContent === "Resign")`)
}

// TestPlayWorlds takes a turn in each other world in which a person can take a seat, as its game
// offers it. One opponent takes all other seats.
func TestPlayWorlds(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "games.jsonl")
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(), History: history})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	turn := `document.querySelector("[role=status]").textContent`
	for _, world := range []string{"darwin", "amoebas", "chase"} {
		b.open("/play?game=" + world + map[string]string{
			"chase": "&players=bold"}[world])
		b.wait(turn + `.startsWith("Decision 1:") && document.querySelector(".actions button")`)
		b.picture("play-" + world)
		b.do("an action",
			chromedp.KeyEvent(map[string]string{"darwin": "4", "amoebas": ".", "chase": "n"}[world]))
		b.wait(turn + `.startsWith("Decision 2:")`)
		b.do("by mouse", chromedp.Click(`.actions button`))
		b.wait(turn + `.startsWith("Decision 3:")`)
		if world == "darwin" {
			b.do("end, by a key of its own", chromedp.KeyEvent("e"))
			b.wait(turn + `.startsWith("Decision 4:")`)
		}
		if world == "chase" {
			b.do("down, by its arrow", chromedp.KeyEvent(kb.ArrowDown))
			b.wait(turn + `.startsWith("Decision 4:")`)
		}
		b.resign()
		b.wait(`document.querySelector(".actions a.button")`)
	}
	games, err := match.ReadGames(history)
	if err != nil || len(games) != 3 || games[2].Game != "chase" || games[2].Opponent != "bold" {
		t.Errorf("the history holds %+v, %v", games, err)
	}
	b.open("/play?game=life&set=width=60&set=height=60&set=generations=20")
	b.wait(turn + `.startsWith("Decision 1:") && document.querySelector("canvas.board") &&
		document.querySelector(".rules .marks").textContent === "live cell"`)
	drawn := `document.querySelector("canvas.board").toDataURL()`
	light := evaluate[string](b, drawn)
	b.theme("dark")
	b.wait(drawn + " !== " + jsonText(t, light))
	b.theme("light")
	b.do("a cell by mouse", chromedp.Click(`canvas.board`))
	b.wait(`/ 1 of /.test(document.querySelector(".playboard p").textContent)`)
	b.do("and two by keys", chromedp.Focus(`canvas.board`), chromedp.KeyEvent(kb.ArrowRight),
		chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(" "))
	b.wait(`/ 3 of /.test(document.querySelector(".playboard p").textContent)`)
	b.picture("play-life")
	b.do("wake them", chromedp.Click(`.actions button.main`))
	b.wait(turn + `.startsWith("Decision 2:")`)
	b.wait(`document.querySelector(".playboard p").textContent.startsWith("3 cells are yours")`)
	// the next turn by keys alone: the board keeps the focus
	evaluate[bool](b, `document.querySelector("canvas.board").focus() || true`)
	b.do("one further up", chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.ArrowUp),
		chromedp.KeyEvent(" "))
	b.wait(`/ 1 of /.test(document.querySelector(".playboard p").textContent)`)
	// nearer: the same cell is under the same key, and the turn after shows the same part
	from := `document.querySelector("canvas.board").toDataURL()`
	whole := evaluate[string](b, from)
	b.do("nearer", chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	b.wait(from + " !== " + jsonText(t, whole))
	b.do("and farther", chromedp.Click(`button[aria-label="Zoom out"]`),
		chromedp.Click(`button[aria-label="Zoom out"]`))
	b.wait(from + " === " + jsonText(t, whole))
	at := func() string {
		return evaluate[string](b,
			`document.querySelector(".playboard p").textContent.match(/at row.*/)[0]`)
	}
	was := at()
	b.do("nearer", chromedp.Focus(`canvas.board`), chromedp.KeyEvent("+"), chromedp.KeyEvent("+"))
	evaluate[bool](b, `(() => {
		const board = document.querySelector("canvas.board"), box = board.getBoundingClientRect();
		for (const times of [1, 2]) board.dispatchEvent(new MouseEvent("click",
			{ clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));
		return true;
	})()`)
	if is := at(); is == was {
		t.Errorf("the middle of what is shown is where the cursor was, %s", is)
	}
	b.wait(`/ 1 of /.test(document.querySelector(".playboard p").textContent)`)
	evaluate[bool](b, `document.querySelector("canvas.board").focus() || true`)
	b.do("wake it", chromedp.KeyEvent("\r"))
	b.wait(turn + `.startsWith("Decision 3:")`)
	if !evaluate[bool](b, `document.activeElement === document.querySelector("canvas.board")`) {
		t.Error("the board has lost the focus")
	}
	b.do("pass", chromedp.KeyEvent("p"))
	b.wait(turn + `.startsWith("Decision 4:")`)
}

// move makes some move on a graph: it clicks on cells until there is how much can move.
func (b *browser) move() {
	b.t.Helper()
	for !evaluate[bool](b, `document.querySelector(".units .main") !== null`) {
		b.do("a cell", chromedp.Click(`.spot[aria-pressed="false"]`))
	}
	b.do("the move", chromedp.Click(`.units .main`))
}

// TestPieces moves a piece of Amoeboid from cell to cell by keys, and part of another by the
// slider and the wheel.
// The first move goes from the only piece there is, so that it is chosen already.
func TestPieces(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(),
		History: filepath.Join(t.TempDir(), "games.jsonl")})
	b.do("size", chromedp.EmulateViewport(1280, 900))
	turn := `document.querySelector("[role=status]").textContent`
	for _, board := range []string{"", "&set=board=path"} {
		b.open("/play?game=amoeboid&players=random&seed=4&set=size=3" + board)
		b.wait(`document.querySelectorAll(".spot").length >= 2`)
		b.named("play-amoeboid")
		b.picture("play-amoeboid" + board)
		b.do("a cell", chromedp.Focus(`.spot[aria-pressed="false"]`), chromedp.KeyEvent("\r"))
		b.wait(`document.querySelectorAll('.spot[aria-pressed="true"]').length === 2 &&
			document.activeElement.getAttribute("aria-pressed") === "true"`)
		whole := evaluate[string](b, `document.querySelector(".units output").textContent`)
		b.do("less", chromedp.Focus(`.units input`), chromedp.KeyEvent(kb.ArrowLeft))
		b.wait(`document.querySelector(".units output").textContent !== ` + jsonText(t, whole))
		less := evaluate[string](b, `document.querySelector(".units output").textContent`)
		evaluate[bool](b, `document.querySelector(".board").dispatchEvent(
			new WheelEvent("wheel", { deltaY: -100, bubbles: true, cancelable: true }))`)
		b.wait(`document.querySelector(".units output").textContent === ` + jsonText(t, whole))
		evaluate[bool](b, `document.querySelector(".board").dispatchEvent(
			new WheelEvent("wheel", { deltaY: 100, bubbles: true, cancelable: true }))`)
		b.wait(`document.querySelector(".units output").textContent === ` + jsonText(t, less))
		b.do("the move", chromedp.Click(`.units .main`))
		b.wait(turn + `.startsWith("Decision 2:") || document.querySelector(".actions a.button")`)
	}
}

// TestPlayOnATelephone shows what a person sees in each world, in a narrow window.
func TestPlayOnATelephone(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(),
		History: filepath.Join(t.TempDir(), "games.jsonl")})
	for _, link := range []string{"antwars", "amoebas", "darwin", "amoeboid",
		"chase&players=bold&players=bold", "life&set=width=60&set=height=60"} {
		b.open("/play?game=" + link)
		b.wait(`document.querySelector(".actions button, .spot")`)
		b.fits("play "+link, 390, ".playboard", ".playboard pre")
		b.named("play " + link)
		b.picture("play-phone-" + link[:5])
	}
}

// TestTakeBack takes a move back: the same position and roll stand there again.
func TestTakeBack(t *testing.T) {
	t.Parallel()
	history := filepath.Join(t.TempDir(), "games.jsonl")
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames(), History: history})
	b.open("/play?game=amoeboid&players=random&seed=4")
	turn := `document.querySelector("[role=status]").textContent`
	b.wait(turn + `.startsWith("Decision 1:")`)
	seen := `document.querySelector(".stage").textContent + document.querySelector(".words").
		textContent`
	before := evaluate[string](b, seen)
	b.move()
	b.wait(turn + `.startsWith("Decision 2:")`)
	b.picture("play-back")
	b.do("take back", chromedp.KeyEvent(kb.Backspace))
	b.wait(turn + `.startsWith("Decision 1:")`)
	proof.Is(t, evaluate[string](b, seen), before, "what stands after a move was taken back")
	b.move()
	b.wait(turn + `.startsWith("Decision 2:")`)
	b.resign()
	b.wait(turn + `.startsWith("You lose")`)
	games, err := match.ReadGames(history)
	if err != nil || len(games) != 1 || games[0].Undone != 1 {
		t.Errorf("the history holds %+v, %v", games, err)
	}
}
