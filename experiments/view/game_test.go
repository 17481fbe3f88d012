package view

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestGamePage watches a game between bred ants with keys and mouse.
func TestGamePage(t *testing.T) {
	b := browse(t, Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/game?game=antwars&players=brilliant&players=hyper&seed=3")
	b.wait(`document.querySelectorAll(".candidate").length === 8`)
	b.wait(`document.querySelector(".uplot")`)
	b.looks("game")
	b.do("keys", chromedp.KeyEvent("w"))
	b.quiet()
}
