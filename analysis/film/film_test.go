package film

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/amoebas"
	"clade/engine/games/antwars"
	"clade/gp/proof"
)

// record plays a game of built-in players.
func record(t testing.TB, g engine.Game, names ...string) *engine.Record {
	t.Helper()
	players := make([]engine.Player, len(names))
	for i, name := range names {
		players[i] = enginetest.Player(t, g, name)
	}
	r, _, err := engine.PlayRecorded(g, names, players, 5, nil)
	proof.OK(t, err)
	return r
}

// still keeps every frame whole.
type still struct{ frames []*image.Paletted }

func (s *still) add(frame *image.Paletted, _ int) { s.frames = append(s.frames, frame) }

// TestGIF holds that a GIF, whose frames hold only what changes, shows what was drawn.
func TestGIF(t *testing.T) {
	proof.Slow(t)
	g := antwars.New()
	r := record(t, g, "greedy", "smart")
	r.Players[1] = strings.Repeat("far too long for a caption ", 9)
	path := filepath.Join(t.TempDir(), "game.gif")
	info := proof.Must(GIF(t.Context(), path, g, r, Options{}))(t)
	content := proof.Must(os.ReadFile(path))(t)
	movie := proof.Must(gif.DecodeAll(bytes.NewReader(content)))(t)
	var want still
	proof.Must(play(t.Context(), g, r, Options{}, 1, want.add))(t)
	if len(movie.Image) != len(want.frames) || info.Frames != r.Steps+1 || info.Every != 1 ||
		info.Size.X < minWidth || info.Bytes != len(content) {
		t.Fatalf("%d frames of %d drawn, %+v", len(movie.Image), len(want.frames), info)
	}
	shown := image.NewRGBA(want.frames[0].Rect)
	for i, part := range movie.Image {
		for y := part.Rect.Min.Y; y < part.Rect.Max.Y; y++ {
			for x := part.Rect.Min.X; x < part.Rect.Max.X; x++ {
				shown.Set(x, y, part.At(x, y))
			}
		}
		for y := range shown.Rect.Dy() {
			for x := range shown.Rect.Dx() {
				if a, b := shown.RGBAAt(x, y), want.frames[i].At(x, y); !same(a, b) {
					t.Fatalf("frame %d shows %v at %d, %d; drawn was %v", i, a, x, y, b)
				}
			}
		}
	}
}

func same(a, b interface{ RGBA() (r, g, b, a uint32) }) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	return ar == br && ag == bg && ab == bb
}

// long returns a game of many steps on a small world.
func long(t testing.TB) (engine.Game, *engine.Record) {
	t.Helper()
	s := amoebas.DefaultSettings()
	s.Rounds, s.WorldSize = 1900, 12
	g := proof.Must(amoebas.New().With(&s))(t)
	return g, record(t, g, "mindless", "mindless")
}

// TestGIFIsShort holds the limits of a GIF, and that what is asked for counts more.
func TestGIFIsShort(t *testing.T) {
	proof.Slow(t)
	g, r := long(t)
	path := filepath.Join(t.TempDir(), "game.gif")
	info, err := GIF(t.Context(), path, g, r, Options{})
	if err != nil || info.Frames > maxFrames+1 || info.Every != 4 || info.Size.X < minWidth {
		t.Errorf("%+v, %v", info, err)
	}
	info, err = GIF(t.Context(), path, g, r, Options{Every: 100, Scale: 1})
	if err != nil || info.Frames != 20 || info.Size.X != minWidth {
		t.Errorf("%+v, %v", info, err)
	}
}

// TestStop holds that a context that has ended leaves no file.
func TestStop(t *testing.T) {
	g, r := long(t)
	ctx, stop := context.WithCancel(t.Context())
	path := filepath.Join(t.TempDir(), "game.gif")
	_, err := GIF(ctx, path, g, r, Options{Progress: func(int, int) { stop() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("a file was written")
	}
}

func ExampleGIF() {
	g := antwars.New()
	players := make([]engine.Player, 2)
	for i, entry := range g.(engine.Roster).Players()[:2] {
		players[i], _ = entry.New("")
	}
	r, _, err := engine.PlayRecorded(g, []string{"left", "right"}, players, 1, nil)
	if err != nil {
		panic(err)
	}
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	made, err := GIF(context.Background(), filepath.Join(dir, "game.gif"), g, r, Options{Every: 10})
	fmt.Println(made.Frames, made.Size, err)
	// Output: 8 (396,434) <nil>
}
