package view

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"clade/engine/enginetest"
	"clade/experiments/player"
)

// TestGamePage watches a game between bred ants with keys and mouse, asks why, changes a tree, and
// saves all of it as one file that works without a server.
func TestGamePage(t *testing.T) {
	b := browse(t, Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/game?game=antwars&players=brilliant&players=brilliant&seed=3")
	b.wait(`document.querySelectorAll(".candidate").length === 8`)
	b.wait(`document.querySelector(".uplot")`)
	b.wait(`document.querySelectorAll(".node.idle").length > 5`)
	b.looks("game")
	if n := evaluate[int](b, `document.querySelectorAll(".node.faint").length`); n < 5 {
		t.Errorf("%d nodes stand in branches that were not taken", n)
	}
	step := func(keys string, want string) {
		t.Helper()
		b.do(keys, chromedp.KeyEvent(keys))
		b.wait(`document.querySelector(".where").textContent.startsWith("step ` + want + ` ")`)
	}
	step(kb.ArrowRight, "1")
	step(kb.ArrowRight, "2")
	step(kb.ArrowLeft, "1")
	b.wait(`location.search.includes("step=1")`)
	// the pointer on a sensor draws its area
	before := evaluate[string](b, `document.querySelector(".board").toDataURL()`)
	evaluate[bool](b, `document.querySelector(".node.area").dispatchEvent(new PointerEvent("pointerenter"))`)
	b.wait(`document.querySelector(".board").toDataURL() !== ` + jsonText(t, before))
	evaluate[bool](b, `document.activeElement.blur() || true`) // space would press its button
	b.do("play", chromedp.KeyEvent(" "))
	b.wait(`Number(document.querySelector(".scrubber").value) > 3`)
	b.do("pause", chromedp.KeyEvent(" "))

	b.do("first", chromedp.KeyEvent(kb.Home))
	b.wait(`document.querySelector(".where").textContent.startsWith("step 0 ") && document.querySelector(".node button.text")`)
	b.do("change", chromedp.Click(".node button.text"))
	b.wait(`document.querySelector("textarea.code")`)
	b.do("to a constant", chromedp.SendKeys("textarea.code", "(const 0.5)\r"))
	b.wait(`document.querySelector(".edits h3")?.textContent.match(/^[1-9]\d* of \d+ decisions/)`)
	b.wait(`document.querySelector(".trial")`)
	time.Sleep(time.Second)
	b.picture("game-changed")
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
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	b.do("the file", chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	b.wait(`document.querySelectorAll(".candidate").length === 8 && document.querySelector(".uplot")`)
	step(kb.ArrowRight, "1")
	b.wait(`document.querySelectorAll(".candidate").length === 8 && document.querySelectorAll(".node.taken").length > 5`)
	b.picture("game-file")
	b.quiet()
}

// TestGamePageOfTheToy shows a game that offers no more than the template of a new one.
func TestGamePageOfTheToy(t *testing.T) {
	dir := t.TempDir()
	g := enginetest.Number(0)
	species := filepath.Join(dir, "three.species")
	if err := os.WriteFile(species, []byte("(species number 1 (slot number (constint 3)))"),
		0o666); err != nil {
		t.Fatal(err)
	}
	scope := player.Scope{Games: append(allGames().Games, g), Trust: player.Files}
	b := browse(t, Options{Paths: []string{dir}, Scope: scope})
	b.open("/game?game=number&players=" + url.QueryEscape(species) + "&players=always(2)")
	b.wait(`document.querySelector(".candidate")?.textContent.includes("say it")`)
	b.do("last", chromedp.KeyEvent(kb.End))
	b.wait(`document.querySelector(".where").textContent === "step 3 of 3"`)
	if text := evaluate[string](b, `document.querySelector(".seats").textContent`); !strings.Contains(text,
		"three.species9") {
		t.Errorf("the scores say %q", text)
	}
	b.picture("game-toy")
	b.open("/game")
	b.wait(`document.querySelector(".chooser select")`)
	b.picture("game-chooser")
	b.do("watch", chromedp.Click(".chooser button.main"))
	b.wait(`document.querySelector(".board")`)
	b.quiet()
}

// jsonText writes a text as a script has it.
func jsonText(t *testing.T, text string) string {
	t.Helper()
	j, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(j)
}
