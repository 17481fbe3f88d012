package view

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"clade/cmd/view/site"
	"clade/engine"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// TestChooseAGame chooses games with three seats, with settings, of a record below the folders, of
// a record that is dropped, and of a species that is dropped.
func TestChooseAGame(t *testing.T) {
	t.Parallel()
	dir, history := t.TempDir(), filepath.Join(t.TempDir(), "games.jsonl")
	record := filepath.Join(dir, "one.record")
	s := newServer(t, site.Options{Paths: []string{dir}})
	game := keptRecord(t, s, "game=antwars&players=greedy&players=random&seed=12")
	proof.OK(t, os.WriteFile(record, []byte(game), 0o666))
	b := browse(t, site.Options{Paths: []string{dir}, Scope: allGames(), History: history})
	pick := func(label, value string) {
		t.Helper()
		b.do(label, chromedp.SetValue(`//label[starts-with(., "`+label+`")]//select`, value))
	}
	b.open("/play")
	b.named("play-chooser")
	pick("game", "chase")
	b.wait(`document.querySelectorAll(".chooser label select").length === 4`)
	pick("your seat", "1")
	pick("seat 1", "bold")
	pick("seat 3", "drunk")
	b.picture("play-chooser")
	b.do("play", chromedp.Click(`.chooser button.main`))
	b.wait(`document.querySelector("[role=status]")?.textContent.startsWith("Decision 1:")`)
	proof.Is(t, evaluate[string](b, `document.querySelector(".bar .quiet").textContent`),
		"bold – you – drunk", "the players of the game")
	b.resign()
	b.wait(`document.querySelector(".actions a.button")`)

	b.open("/game")
	pick("game", "amoeboid")
	b.wait(`document.querySelector(".chooser select").value === "amoeboid" &&
		document.querySelector(".chooser button.main:not(:disabled)")`)
	b.do("settings", chromedp.SendKeys(`.chooser input.code`, "board=path; size=4"),
		chromedp.Click(`.chooser button.main`))
	b.wait(`location.search.includes("set=board%3Dpath&set=size%3D4") &&
		document.querySelector(".where")?.textContent.startsWith("step 0 ")`)

	b.open("/game")
	b.fits("the choice of a game", 390)
	pick("or a recorded game", record)
	shown := `location.search.includes("record=") &&
		document.querySelector(".where")?.textContent.startsWith("step 0 ") &&
		document.querySelector(".seats").textContent.startsWith("greedy0random0")`
	b.wait(shown)
	b.open("/game")
	b.do("drop the record", chromedp.SetUploadFiles(`input[type=file]`, []string{record}))
	b.wait(shown + ` && location.search.includes("dropped")`)

	species := filepath.Join(dir, "run-1", "champion.species")
	breedOf(t, allGames(), "antwars", "greedy", filepath.Dir(species), 1, 2, runner.Options{})
	b.open("/game?")
	b.do("drop a species", chromedp.SetUploadFiles(`input[type=file]`, []string{species}))
	b.wait(`document.querySelector(".chooser .bar + p + .bar select").
		selectedOptions[0].textContent === "champion.species"`)
	b.do("watch", chromedp.Click(`.chooser button.main`))
	b.wait(`document.querySelectorAll(".why:not([aria-busy]) .candidate").length === 8`)
}

// keptRecord returns the record of the game of a link.
func keptRecord(t *testing.T, s *site.Site, link string) string {
	t.Helper()
	var answer struct{ Text string }
	status, body := ask(s, "GET", "/api/game/record?"+link)
	if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil {
		t.Fatal(status, body, err)
	}
	return answer.Text
}

// TestRecordNamesChampions saves a game of a run: who reads the record has no link beside it.
func TestRecordNamesChampions(t *testing.T) {
	proof.Slow(t)
	dir := filepath.Join(t.TempDir(), "run-1")
	breedOf(t, allGames(), "antwars", "greedy", dir, 1, 3, runner.Options{})
	s := newServer(t, site.Options{Paths: []string{dir}})
	text := keptRecord(t, s, url.Values{"run": {dir}, "generation": {"2"},
		"players": {"@2", "greedy"}}.Encode())
	record := proof.Must(engine.ParseRecord("it", []byte(text)))(t)
	for seat, name := range record.Players {
		g, err := allGames().Game("antwars")
		if err == nil {
			_, err = allGames().Find(g, name)
		}
		if err != nil {
			t.Errorf("seat %d: %v", seat, err)
		}
	}
	if !strings.HasSuffix(record.Players[0], "run-1@2") {
		t.Errorf("the record names %q", record.Players)
	}
}

// TestSavedSpecies changes a tree on the page, saves it, and plays it as clade match does.
func TestSavedSpecies(t *testing.T) {
	t.Parallel()
	saved := t.TempDir()
	b := browse(t, site.Options{Paths: []string{t.TempDir()}, Scope: allGames()})
	b.downloads(saved)
	b.open("/game?game=antwars&players=brilliant&players=random&seed=3")
	b.wait(`document.querySelector(".why:not([aria-busy]) .node button.text")`)
	b.do("change by keys", chromedp.Focus(`.node button.text`), chromedp.KeyEvent("\r"))
	b.wait(`document.querySelector("textarea.code")`)
	b.do("to a constant", chromedp.SendKeys("textarea.code", "(const 0.5)\r"))
	b.wait(`document.querySelector(".why:not([aria-busy]) .edits h3")`)
	// by keys, since what comes of a thousand games moves what stands below it
	b.do("save it", chromedp.Focus(`//button[text()="Save species"]`), chromedp.KeyEvent("\r"))
	path := b.saved(saved, "changed-antwars.species")
	g := proof.Must(allGames().Game("antwars"))(t)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "(const 0.5)") {
		t.Fatalf("the file holds %s (%v)", text, err)
	}
	names := []string{path, "random"}
	players := proof.Must(allGames().FindAll(g, names))(t)
	record, _, err := engine.PlayRecorded(g, names, players, 3, nil)
	if err != nil || record.Steps == 0 {
		t.Fatal(record, err)
	}
}
