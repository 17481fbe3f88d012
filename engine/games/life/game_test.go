package life

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func mustGame(t testing.TB, o settings) *game {
	t.Helper()
	g := proof.Must(New().(*game).With(&o))(t)
	return g.(*game)
}

// sloppy replies the same every turn, and forfeits from a generation on in spite of its reply.
type sloppy struct {
	cells   []cell
	forfeit int
}

func (s sloppy) sit(*settings, engine.Seed) seat { return s }

func (s sloppy) choose(v *view, dst []cell) ([]cell, bool) {
	return append(dst, s.cells...), v.generation < s.forfeit
}

// TestOnlyTheFirstEntriesCount: those without effect use up the cells of a turn, what follows is
// dropped, and a forfeited turn places nothing.
func TestOnlyTheFirstEntriesCount(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations, o.Cells = 20, 20, 2, 6
	block := []cell{{5, 5}, {5, 6}, {6, 5}, {6, 6}}
	for _, c := range []struct {
		reply  []cell
		placed float32
	}{
		{block, 4},
		{append([]cell{{-1, 0}, {0, 20}}, append(block, cell{10, 10})...), 4},
		{append([]cell{{-1, 0}, {0, 20}, {20, 0}}, block...), 3},
		{append([]cell{{5, 5}, {5, 5}, {5, 5}}, block...), 3},
		{append([]cell{{9, 1}, {9, 5}, {9, 9}, {13, 1}, {13, 5}, {13, 9}}, block...), 6},
	} {
		r := mustGame(t, o).Play([]engine.Player{sloppy{c.reply, 1}, sloppy{nil, 9}}, 1, nil)
		if r.Marks[0][0] != c.placed || r.Marks[0][1] != 1 || r.Marks[1][1] != 0 {
			t.Errorf("%v: placed %v, forfeited %v; want %v and 1", c.reply, r.Marks[0][0],
				r.Marks[0][1], c.placed)
		}
	}
}

// TestSeedSaysWhoIsFirst: about half of the seeds let either seat place first.
func TestSeedSaysWhoIsFirst(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 9, 9, 1
	g := mustGame(t, o)
	first := 0
	for seed := range uint64(200) { // both want the same cells, and the first side gets them
		r := g.Play([]engine.Player{sloppy{[]cell{{1, 1}, {1, 2}, {2, 1}}, 9},
			sloppy{[]cell{{1, 1}, {1, 2}, {2, 1}}, 9}}, seed, nil)
		if r.Winner() == 0 {
			first++
		}
	}
	if first < 70 || first > 130 {
		t.Errorf("seat 0 was the first side with %d of 200 seeds", first)
	}
}

// TestSameGameOnEveryKernel plays some games on all kernels. The numbers change only with Version.
func TestSameGameOnEveryKernel(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 300, 1100, 60
	for _, c := range []struct {
		first, second string
		fingerprint   uint64
		scores        [2]float64
	}{
		{"interrupting", "patterns", 0x73d253a11b824096, [2]float64{2774, 1210}},
		{"saboteur", "guard", 0x62dcb4fbf6a62fa7, [2]float64{3049, 1452}},
		{"evolved", "grower", 0x3e14e28b36033afd, [2]float64{1338, 3628}},
	} {
		for _, k := range kernels.Available() {
			g := mustGame(t, o)
			g.level = k
			var players []engine.Player
			for _, name := range []string{c.first, c.second} {
				if name == "evolved" {
					players = append(players,
						bind(t, g, "(own (rect 0 0 5 5))",
							"(sub (const 1) (changed (rect 0 0 7 7)))", "(const -1)",
							"(enemyBirths (rect 0 0 2 2))"))
				} else {
					players = append(players, enginetest.Player(t, g, name))
				}
			}
			r := g.Play(players, 7, nil)
			if got := [2]float64{r.Scores[0], r.Scores[1]}; r.Fingerprint != c.fingerprint ||
				got != c.scores {
				t.Errorf("%s against %s, %s: fingerprint %#x and scores %v, want %#x and %v",
					c.first, c.second, k, r.Fingerprint, got, c.fingerprint, c.scores)
			}
		}
	}
}

// TestTournament counts a tournament of built-in players on a small hill, where two that do the
// same tie: a tie is a win for both, as the contest's page has it.
func TestTournament(t *testing.T) {
	o := defaults()
	o.Width, o.Height, o.Generations = 32, 32, 4
	g := mustGame(t, o)
	idle := script(make([][][2]int, o.Generations))
	of := engine.Tournament{Names: []string{"random", "tiles", "idle", "idle"}, Rounds: 3, Seed: 1,
		Players: []engine.Player{enginetest.Player(t, g, "random"), enginetest.Player(t, g, "tiles"),
			idle, idle}}
	lines, err := g.Tournament(t.Context(), of)
	if err != nil || len(lines) != 5 {
		t.Fatal(lines, err)
	}
	wins, ties := 0, 0
	for _, line := range lines[1:] {
		w, err1 := strconv.Atoi(line[2])
		n, err2 := strconv.Atoi(line[5])
		if err1 != nil || err2 != nil || line[4] != "9" {
			t.Errorf("%q: %v, %v", line, err1, err2)
		}
		wins, ties = wins+w, ties+n
	}
	if games := 6 * of.Rounds; ties < 2*of.Rounds || wins != games+ties/2 {
		t.Errorf("%d wins and %d ties in %d games", wins, ties, 6*of.Rounds)
	}
}

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
		proof.Fails(New().(*game).With(&o))(t, want)
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
		proof.Fails(New().(*game).With(&o))(t, fault, "life: ")
	}
}
