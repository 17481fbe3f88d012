package life

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// TestStart puts a pattern into the middle, and takes it out again as the scene exports it.
func TestStart(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Start = 20, 30, 1, "x = 2, y = 2\n2A$2B!"
	g := mustGame(t, o)
	var boards []string
	r := g.play([]engine.Player{script{{}}, script{{}}}, 1, 0, engine.OnStep(func(s engine.Scene) {
		text, _ := s.(engine.Exporter).Export()
		boards = append(boards, string(text))
	}))
	if !strings.Contains(boards[0], "9$14.2A$14.2B!") {
		t.Errorf("the board starts as\n%s", boards[0])
	}
	if r.Scores[0] != 0 || r.Scores[1] != 0 { // no cell has two friends
		t.Errorf("scores %v", r.Scores[:2])
	}
	proof.Is(t, len(proof.Must(parsePattern("board", []byte(boards[0])))(t).live), 4,
		"cells that live")
	for start, want := range map[string]string{
		"x = 31, y = 1\n31o!": "start has 1 rows and 31 columns, the board 20 and 30",
		"x = 3, y = 1\n3q!":   `start:2: 'q' is not a cell`,
		"@nothing/here.rle":   "life: start: open nothing/here.rle: no such file",
		"@":                   "life: start: read .: is a directory",
	} {
		o.Start = start
		if _, err := New().(*game).With(&o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("start %q: %v, want %s", start, err, want)
		}
	}
}

// TestStartFile puts what a file holds in the place of its name, so that the settings of the game
// make it again without the file.
func TestStartFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "glider.cells")
	write := func(text string) {
		proof.OK(t, os.WriteFile(file, []byte(text), 0o666))
	}
	o := defaults()
	o.Height, o.Width, o.Generations, o.Start = 20, 30, 1, "@"+file
	write("!Name: Glider\n.O\n..O\nOOO\n")
	g := mustGame(t, o)
	want := "#N glider.cells\nx = 3, y = 3, rule = B3/S23\nbo$2bo$3o!\n"
	if got := g.Settings().(*settings); got.Start != want || got.File() != "" || o.File() != file {
		t.Errorf("the settings hold %q", got.Start)
	}
	write("")
	again := g.Settings().(*settings)
	proof.Is(t, len(proof.Must(New().(*game).With(again))(t).(*game).start.live), 5,
		"cells that live without the file")
	for text, fault := range map[string]string{"": ":1: no pattern", "!x": ":1: no pattern",
		"x = 31, y = 1\n31o!": "31 columns", "x\x00": "UTF-16"} {
		write(text)
		if _, err := New().(*game).With(&o); err == nil || !strings.Contains(err.Error(), fault) ||
			!strings.Contains(err.Error(), "life: ") {
			t.Errorf("%q: %v, want %s", text, err, fault)
		}
	}
}
