package amoebas

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is\n%s\nwant\n%s", name, got, want)
	}
}

func entrants(names ...string) (all []Entrant) {
	for i, n := range names {
		all = append(all, Entrant{n, SeatColours()[i]})
	}
	return all
}

// TestTournament plays a small game and compares all that is written of it.
func TestTournament(t *testing.T) {
	g := small(t, func(s *Settings) { s.WorldSize, s.Rounds, s.Order = 8, 12, "classic" })
	dir := filepath.Join(t.TempDir(), "a", "b")
	var console bytes.Buffer
	r, err := NewReport(entrants("red", "blue"), Flags{true, true, true, true, true, true, dir},
		&console)
	if err != nil {
		t.Fatal(err)
	}
	var last engine.Recorder = r
	g.Play([]engine.Player{brainy{10, 40, Weakest}, mindless{}}, 5, last)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"popsize.csv", "energy.csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&console, "%s\n%s", name, text)
	}
	golden(t, "tournament.txt", console.String())
	if frames, _ := filepath.Glob(filepath.Join(dir, "g*.png")); len(frames) != 12 ||
		filepath.Base(frames[11]) != "g00011.png" {
		t.Errorf("frames %v", frames)
	}
	movie, err := os.Open(filepath.Join(dir, "game.gif"))
	if err != nil {
		t.Fatal(err)
	}
	defer movie.Close()
	if m, err := gif.DecodeAll(movie); err != nil || len(m.Image) != 12 || m.Config.Width != 16 {
		t.Errorf("game.gif: %v", err)
	}
	if command, _ := Film(dir); strings.Join(command, " ") != "ffmpeg -i "+dir+"/g%05d.png "+dir+
		"/video.mp4" {
		t.Errorf("%q", command)
	}
}

func TestReportIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		names []string
		flags Flags
		want  string
	}{
		{nil, Flags{}, "1 to 16 species, not 0"},
		{[]string{"a", "a"}, Flags{}, `the name "a" of a species stands twice`},
		{[]string{"a,b"}, Flags{}, "is no word"},
		{[]string{"a"}, Flags{CSVStats: true, Directory: file}, "cannot make the directory"},
	} {
		if _, err := NewReport(entrants(c.names...), c.flags, nil); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v; want %q", err, c.want)
		}
	}
}

// broken is a writer that fails.
type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the pipe is broken") }

func TestReportKeepsTheFirstError(t *testing.T) {
	r, err := NewReport(entrants("red"), Flags{GenerationalStats: true, LastGenStats: true},
		broken{})
	if err != nil {
		t.Fatal(err)
	}
	small(t, nil).Play([]engine.Player{lazy{}}, 1, r)
	if err := r.Close(); err == nil || err.Error() != "amoebas: the pipe is broken" {
		t.Errorf("error %v", err)
	}
}

// TestScene holds the text and the colours of a small world with one amoeba.
func TestScene(t *testing.T) {
	c := DefaultConstants()
	c.WorldSize = 5
	w := newWorld(newGeometry(5))
	w.reset(&c, make([]Function, 1))
	w.setFuel(w.g.cell(1, 0), 0)
	w.put(w.g.cell(0, 1), occupant{50, 10, 0, 0}, 0)
	s := &Scene{w: w}
	golden(t, "scene.txt", s.Text()+"\n")
	red := Entrant{"red", color.NRGBA{255, 0, 0, 255}}
	img := image.NewPaletted(image.Rectangle{Max: s.Size(1)}, nil)
	s.In([]Entrant{red}).Draw(img, 1)
	for i, c := range img.Pix {
		amoeba := i == 5
		if (int(c) >= s.Ground()) != amoeba || (img.Palette[c] == red.Colour) != amoeba {
			t.Errorf("cell %d has palette entry %d, %v", i, c, img.Palette[c])
		}
	}
}
