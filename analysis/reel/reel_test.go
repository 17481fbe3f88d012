package reel

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"image"
	"io"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/antwars"
	"clade/engine/enginetest"
)

// decode is what a page does with a reel: it returns the pixels of each picture.
func decode(t testing.TB, f *Film, r *Reel) (pictures [][]byte) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(r.Data)))
	if err != nil {
		t.Fatal(err)
	}
	in := bytes.NewReader(raw)
	number := func() int {
		n, err := binary.ReadUvarint(in)
		if err != nil {
			t.Fatal(err)
		}
		return int(n)
	}
	now := make([]byte, f.Size.X*f.Size.Y)
	for range r.Frames {
		at := 0
		for {
			skip, run := number(), number()
			if run == 0 {
				break
			}
			colour, err := in.ReadByte()
			if err != nil {
				t.Fatal(err)
			}
			at += skip
			for range run {
				now[at] = colour
				at++
			}
		}
		pictures = append(pictures, slices.Clone(now))
	}
	if in.Len() > 0 {
		t.Fatalf("%d bytes stand behind the last picture", in.Len())
	}
	return pictures
}

// gallery draws every scene.
type gallery struct{ pictures [][]byte }

func (g *gallery) Decide(int, uint64) {}

func (g *gallery) Step(s engine.Scene) {
	img := image.NewPaletted(image.Rectangle{Max: s.Size(2)}, nil)
	s.Draw(img, 2)
	g.pictures = append(g.pictures, img.Pix)
}

func TestFilm(t *testing.T) {
	for _, g := range []engine.Game{antwars.New(), enginetest.Number(0)} {
		players := g.(engine.Roster).Players()
		p, err := players[0].New("")
		if err != nil {
			t.Fatal(err)
		}
		var all gallery
		seated := []engine.Player{p, p}
		g.Play(seated, 3, &all)
		for _, every := range []int{1, 3} {
			c := Camera{Scale: 2, Take: func(i int) bool { return i%every == 0 }}
			g.Play(seated, 3, &c)
			f := c.Film()
			if c.Scenes() != len(all.pictures) ||
				len(f.Frames) != (c.Scenes()+every-1)/every || f.Cut {
				t.Fatalf("%d frames of %d scenes", len(f.Frames), c.Scenes())
			}
			n := 0
			for i := range f.Reels {
				if f.Reels[i].First != n {
					t.Errorf("reel %d begins at %d, not %d", i, f.Reels[i].First, n)
				}
				for _, picture := range decode(t, f, &f.Reels[i]) {
					if !bytes.Equal(picture, all.pictures[f.Frames[n].Scene]) {
						t.Fatalf("%s: picture %d is another one", g.Info().Name, n)
					}
					n++
				}
			}
			if n != len(f.Frames) {
				t.Errorf("%d pictures of %d frames", n, len(f.Frames))
			}
		}
		c := Camera{Scale: 2, Limit: 1}
		g.Play(seated, 3, &c)
		if f := c.Film(); f.Cut != (len(all.pictures) >= reelFrames) {
			t.Errorf("cut: %v after %d frames", f.Cut, len(f.Frames))
		}
	}
}

func ExampleCamera() {
	g := enginetest.Number(0)
	var c Camera
	c.Scale = Scale(image.Pt(16, 2), 100)
	g.Play([]engine.Player{enginetest.Constant(g, 1), enginetest.Constant(g, 2)}, 1, &c)
	f := c.Film()
	fmt.Println(f.Size, len(f.Frames), f.Frames[3].Scores)
	// Output: (96,12) 4 [3 6]
}
