package amoebas

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

func entrants(names ...string) (all []entrant) {
	for i, n := range names {
		all = append(all, entrant{n, "", originalLook().seats[i]})
	}
	return all
}

// TestTournament plays a small game and compares all that is written of it.
func TestTournament(t *testing.T) {
	g := small(t, func(s *Settings) { s.WorldSize, s.Rounds, s.Order = 8, 12, "classic" })
	dir := filepath.Join(t.TempDir(), "a", "b")
	var console bytes.Buffer
	r := proof.Must(newReport(entrants("red", "blue"),
		output{true, true, true, true, true, true, dir, nil}, &console, io.Discard))(t)
	result := g.Play([]engine.Player{brainy{10, 40, weakest}, mindless{}}, 5, r)
	proof.Must(r.Close(result))(t)
	for _, name := range []string{"popsize.csv", "energy.csv"} {
		text := proof.Must(os.ReadFile(filepath.Join(dir, name)))(t)
		fmt.Fprintf(&console, "%s\n%s", name, text)
	}
	proof.Golden(t, "testdata/tournament.txt", console.String())
	if frames, _ := filepath.Glob(filepath.Join(dir, "g*.png")); len(frames) != 12 ||
		filepath.Base(frames[11]) != "g00011.png" {
		t.Errorf("frames %v", frames)
	}
	movie := proof.Must(os.Open(filepath.Join(dir, "game.gif")))(t)
	defer movie.Close()
	if m, err := gif.DecodeAll(movie); err != nil || len(m.Image) != 12 || m.Config.Width != 16 {
		t.Errorf("game.gif: %v", err)
	}
}

func TestReportIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	proof.OK(t, os.WriteFile(file, nil, 0o666))
	for _, c := range []struct {
		names  []string
		output output
		want   string
	}{
		{nil, output{}, "1 to 16 species, not 0"},
		{[]string{"a", "a"}, output{}, `the name "a" of a species stands twice`},
		{[]string{"a,b"}, output{}, "is not a word"},
		{[]string{"a"}, output{csvStats: true, directory: file}, "cannot make the directory"},
	} {
		proof.Fails(newReport(entrants(c.names...), c.output, nil, nil))(t, c.want)
	}
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

func TestReportKeepsTheFirstError(t *testing.T) {
	r := proof.Must(newReport(entrants("red"), output{generationalStats: true, lastGenStats: true},
		broken{}, io.Discard))(t)
	small(t, nil).Play([]engine.Player{lazy{}}, 1, r)
	if _, err := r.Close(engine.Result{}); err == nil || err.Error() != "amoebas: the pipe is broken" {
		t.Errorf("error %v", err)
	}
}

// TestScene holds the text and the colours of a small world with one amoeba.
func TestScene(t *testing.T) {
	c := defaultConstants()
	c.WorldSize = 5
	w := newWorld(newGeometry(5))
	w.reset(&c, make([]decider, 1))
	w.setFuel(w.g.cell(1, 0), 0)
	w.put(w.g.cell(0, 1), occupant{50, 10, 0, 0}, 0)
	s := &scene{w: w}
	proof.Golden(t, "testdata/scene.txt", s.Text()+"\n")
	red := entrant{colour: color.NRGBA{255, 0, 0, 255}}
	shown, _ := (&report{entrants: []entrant{red}}).Show(s)
	img := engine.Picture(shown, 1)
	for i, c := range img.Pix {
		amoeba := i == 5
		if (int(c) >= s.Ground()) != amoeba || (img.Palette[c] == red.colour) != amoeba {
			t.Errorf("cell %d has palette entry %d, %v", i, c, img.Palette[c])
		}
	}
}

// frames draws the same game from its scenes alone, as the rules of the output say: four pixels a
// cell, green by fuel, amoebas in their species' colours.
type frames struct {
	t    *testing.T
	dir  string
	seen int
}

func (f *frames) step(s engine.Scene) {
	if s.Step() == 0 {
		return
	}
	w := s.(*scene).w
	name := fmt.Sprintf("g%05d.png", s.Step()-1)
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		f.t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		f.t.Fatal(err)
	}
	f.seen++
	n := w.size()
	if img.Bounds() != image.Rect(0, 0, 4*n, 4*n) {
		f.t.Fatalf("%s has the bounds %v", name, img.Bounds())
	}
	colours := []color.NRGBA{{255, 0, 0, 255}, {0, 0, 255, 255}, {0, 255, 0, 255}}
	for y := range 4 * n {
		for x := range 4 * n {
			want := color.NRGBA{0, uint8(255 * w.fuelAt(x/4, y/4) / 100), 0, 255}
			if o, ok := w.occupantAt(x/4, y/4); ok {
				want = colours[o.Species]
			}
			if got := color.NRGBAModel.Convert(img.At(x, y)); got != want {
				f.t.Fatalf("%s has %v at %d, %d, not %v", name, got, x, y, want)
			}
		}
	}
}

// TestFrames plays a game as a command does, and holds its frames against the scenes.
func TestFrames(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "here")
	g := small(t, func(s *Settings) { s.WorldSize, s.Rounds, s.Order = 9, 25, "classic" })
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	n := g.NativeMatch(flags)
	proof.OK(t, flags.Parse([]string{"-save-graphics", "-directory", dir, "-colour", "green=#00ff00"}))
	names := []string{"red", "blue", "green"}
	players := []engine.Player{caesar{}, mindless{}, theroots{}}
	r := proof.Must(n.Begin(names, names, io.Discard, io.Discard))(t)
	proof.Must(r.Close(g.Play(players, 1, r)))(t)
	f := &frames{t: t, dir: dir}
	g.Play(players, 1, engine.OnStep(f.step))
	proof.Is(t, f.seen, 25, "frames")
}
