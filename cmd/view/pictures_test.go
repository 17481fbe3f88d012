package view

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"clade/cmd/view/site"
)

// TestPictures makes the pictures of results/view/README.md, which says how to breed the three runs
// in the folder that CLADE_RUNS names, and where to write: CLADE_PICTURES.
func TestPictures(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("CLADE_RUNS")
	if dir == "" || os.Getenv("CLADE_PICTURES") == "" {
		t.Skip("set CLADE_RUNS to a folder of runs and CLADE_PICTURES to one for pictures of them")
	}
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames()})
	run := func(seed string) string {
		return "run=" + url.QueryEscape(filepath.Join(dir, "quick-"+seed))
	}

	b.do("size", chromedp.EmulateViewport(1280, 860))
	b.open("/run?" + run("1") + "&" + run("2") + "&" + run("3"))
	b.wait(`document.querySelectorAll(".uplot").length >= 6`)
	b.picture("run")

	b.do("size", chromedp.EmulateViewport(1280, 900))
	b.open("/run?" + run("1"))
	b.wait(`document.querySelectorAll(".uplot").length >= 6 &&
		document.querySelector(".drawing img")?.complete`) // nothing moves any more
	b.do("play the champions", chromedp.KeyEvent("m"), chromedp.Click(`//button[text()="Play them"]`))
	b.wait(`document.querySelectorAll("canvas.matrix").length === 2`)
	b.do("look at them", chromedp.KeyEvent("m"), chromedp.KeyEvent("m"))
	b.picture("matrices")

	b.open("/run?" + run("1") + "&descent=1&colour=nodes")
	b.wait(`document.querySelector(".ramp") && document.querySelector(".drawing img")?.complete`)
	b.do("look at it", chromedp.KeyEvent("d"))
	b.picture("descent")

	b.do("size", chromedp.EmulateViewport(1280, 1000))
	b.open("/game?" + run("1") + "&generation=299&seed=7&step=12")
	b.wait(`document.querySelectorAll(".candidate").length === 8 && document.querySelector(".strip")`)
	b.picture("game")
}
