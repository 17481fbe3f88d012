package life

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// film draws every scene of a game.
type film struct {
	live   [][2]float64 // by generation and seat
	frames []*image.Paletted
	last   string
	found  string
}

func (f *film) look(s engine.Scene) {
	var live [2]float64
	s.Scores(live[:0])
	f.live = append(f.live, live)
	size := s.Size(2)
	img := image.NewPaletted(image.Rectangle{Max: size}, engine.Palette())
	s.Draw(img, 2)
	f.frames = append(f.frames, img)
	f.last = s.(engine.Speaker).Text()
	f.found = s.(engine.Inspector).Inspect(image.Pt(10*2, 20*2+1), 2)
}

func TestScenes(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 40, 50, 6
	g := mustGame(t, o)
	// The second seat goes first here: the scenes must still show seats.
	block, blinker := script{{{20, 10}, {20, 11}, {21, 10}, {21, 11}}, {}, {}, {}, {}, {}},
		script{{{5, 30}, {5, 31}, {5, 32}}, {}, {}, {}, {}, {}}
	var f film
	g.play([]engine.Player{block, blinker}, 1, 1, engine.OnStep(f.look))
	proof.Is(t, fmt.Sprint(f.live), "[[0 0] [4 3] [4 3] [4 3] [4 3] [4 3] [4 3]]", "the curve")
	end := f.frames[len(f.frames)-1]
	if end.ColorIndexAt(21, 41) != engine.Seats || end.ColorIndexAt(62, 11) != engine.Seats+1 ||
		end.ColorIndexAt(0, 0) != engine.Paper {
		t.Errorf("the picture shows %d and %d", end.ColorIndexAt(21, 41), end.ColorIndexAt(62, 11))
	}
	want := "cell (20, 10): alive for seat 0; 3 neighbours of seat 0, 0 of seat 1"
	proof.Is(t, f.found, want, "Inspect")
	lines := strings.Split(strings.TrimSuffix(f.last, "\n"), "\n")
	if len(lines) != 41 || lines[0] != "generation 6 of 6   x 4   o 3" ||
		lines[21] != strings.Repeat(".", 10)+"XX"+strings.Repeat(".", 38) ||
		strings.Count(lines[6], "O") != 3 {
		t.Errorf("the text is\n%s", f.last)
	}
	var out bytes.Buffer
	if err := gif.EncodeAll(&out,
		&gif.GIF{Image: f.frames, Delay: make([]int, len(f.frames))}); err != nil {
		t.Errorf("the frames make no GIF: %v", err)
	}
}

func TestTextFitsATerminal(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {128, 128}, {1000, 1000}, {50, 3000}, {3000, 50}} {
		o := defaults()
		o.Height, o.Width, o.Generations = size[0], size[1], 1
		text := ""
		mustGame(t, o).play([]engine.Player{builtIn(playRandom), builtIn(playRandom)}, 1, 0,
			engine.OnStep(func(s engine.Scene) { text = s.(engine.Speaker).Text() }))
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 75 || len(lines[1]) > textWidth {
			t.Errorf("%v: %d lines of %d characters", size, len(lines), len(lines[1]))
		}
	}
}

func TestEndOnElimination(t *testing.T) {
	o := defaults()
	o.Height, o.Width, o.Generations = 20, 20, 9
	late := make(script, 9)
	late[3] = [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}}
	for _, end := range []bool{false, true} {
		o.EndOnElimination = end
		r := mustGame(t, o).Play([]engine.Player{late, make(script, 9)}, 1, nil)
		if want := map[bool]int{false: 9, true: 4}[end]; r.Steps != want || r.Winner() != 0 {
			t.Errorf("end_on_elimination = %v: %d generations, winner %d; want %d and 0", end,
				r.Steps, r.Winner(), want)
		}
	}
	// A pattern of one colour at the start eliminates no side: the other side has its turn first.
	o.Start, o.EndOnElimination = "x = 2, y = 2\n2o$2o!", true
	block := make(script, 9)
	block[0] = [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}}
	if r := mustGame(t, o).play([]engine.Player{make(script, 9), block}, 1, 0, nil); r.Steps != 9 ||
		r.Scores[1] != 4 {
		t.Errorf("with a start: %d generations, score %v; want 9 and 4", r.Steps, r.Scores[1])
	}
}

// TestFaultOfTheEnvironment holds that no player can be made where the environment names kernels
// that do not exist.
func TestFaultOfTheEnvironment(t *testing.T) {
	g := New().(*game)
	_, g.fault = kernels.Choose("mmx")
	_, err := g.Bind(nil)
	proof.Is(t, err, g.fault, "Bind")
	_, err = g.With(g.Settings())
	proof.Is(t, err, g.fault, "With")
	for _, e := range g.Players() {
		_, err := e.New("")
		proof.Is(t, err, g.fault, "%s", e.Name)
	}
}
