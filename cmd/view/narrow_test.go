package view

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"clade/cmd/view/site"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// TestNarrowRuns shows runs of a study with a long name, of which one was killed and has other
// settings, in windows of many widths.
func TestNarrowRuns(t *testing.T) {
	t.Parallel()
	chromium(t)
	dir := t.TempDir()
	for _, run := range []string{"run-1", "run-2"} {
		text := strings.Replace(numbers("number", "zero", 1, 12), `name = "numbers"`,
			`name = "numbers-population-400-tournament-5-of-many"`, 1)
		if run == "run-2" {
			text = strings.NewReplacer("tournament = 2", "tournament = 4\nelites = 1",
				"population = 20", "population = 1000", "seed = 1", "seed = 1137552276754393336").
				Replace(text)
		}
		s := proof.Must(study.Parse(toys(), "long.toml", []byte(text)))(t)
		proof.Must(runner.Start(t.Context(), filepath.Join(dir, run), s, runner.Options{}))(t)
	}
	kill(t, filepath.Join(dir, "run-2"))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: toys()})
	b.open("/")
	b.wait(`document.querySelectorAll(".state.killed").length === 1`)
	for _, width := range []int{1600, 1440, 1280, 1200, 1101, 1100, 900, 641, 640, 390, 360} {
		b.fits("the table of runs", width)
	}
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelector(".drawing img")?.complete`)
	for _, width := range []int{1280, 390} {
		b.fits("the list of champions", width, ".tall")
	}
}

// TestMatrixOnATelephone reads the last cell of a matrix that has less room than it wants.
func TestMatrixOnATelephone(t *testing.T) {
	t.Parallel()
	b, dir := browseRun(t, 12)
	b.do("resize", chromedp.EmulateViewport(320, 844))
	b.open("/run?run=" + dir + "/run-1")
	b.wait(`document.querySelectorAll(".uplot").length >= 6 &&
		document.querySelector(".drawing img")?.complete`) // nothing moves under the pointer
	b.do("play the champions", chromedp.KeyEvent("m"), chromedp.Click(`//button[text()="Play them"]`))
	b.wait(`document.querySelectorAll("canvas.matrix").length === 2`)
	said := evaluate[string](b, `(() => {
		const [, master] = document.querySelectorAll("canvas.matrix");
		const box = master.getBoundingClientRect();
		master.dispatchEvent(new PointerEvent("pointermove",
			{ clientX: box.right - 9, clientY: box.top + 9 }));
		return master.parentElement.textContent;
	})()`)
	if !strings.Contains(said, "@11 takes 50.0 % of the points against @11") {
		t.Errorf("the last cell of the first row says %q", said)
	}
}

// TestCursorOfScores changes the window beside a game that stands in the middle.
func TestCursorOfScores(t *testing.T) {
	t.Parallel()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.open("/game?game=antwars&players=greedy&players=greedy&seed=3&step=20")
	b.wait(`document.querySelector(".where").textContent.startsWith("step 20 ")`)
	for _, width := range []int64{1280, 1000, 390} {
		b.do("resize", chromedp.EmulateViewport(width, 844))
		b.wait(`(() => {
			const over = document.querySelector(".u-over");
			const at = new DOMMatrix(getComputedStyle(over.querySelector(".u-cursor-x")).transform).e;
			const [, of] = document.querySelector(".where").textContent.match(/of (\d+)/);
			return over.clientWidth > 100 && over.clientWidth < innerWidth &&
				Math.abs(at - over.clientWidth * 20 / of) < 3;
		})()`)
	}
	// scores of six digits are not cut at the left: nothing is drawn at the edge
	b.open("/game?game=amoebas&seed=3&set=world-size=150&set=rounds=200")
	b.wait(`document.querySelector(".chart canvas")?.width > 300`)
	if ink := evaluate[int](b, `(async () => {
		const canvas = document.querySelector(".chart canvas");
		await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
		const { data } = canvas.getContext("2d").getImageData(0, 0, 2, canvas.height);
		return data.filter((v) => v > 0).length;
	})()`); ink > 0 {
		t.Errorf("%d values of ink at the left edge of scores", ink)
	}
}
