package film

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/antwars"
	"clade/engine/games/chase"
	"clade/gp/proof"
)

// decode is what a page does with a reel: it returns the pixels of each picture of a size.
func decode(t testing.TB, data []byte, size image.Point) (pictures [][]byte) {
	raw := proof.Must(io.ReadAll(flate.NewReader(bytes.NewReader(data))))(t)
	in := bytes.NewReader(raw)
	number := func() int { return int(proof.Must(binary.ReadUvarint(in))(t)) }
	now := make([]byte, size.X*size.Y)
	for in.Len() > 0 {
		at := 0
		for {
			skip, run := number(), number()
			if run == 0 {
				break
			}
			colour := proof.Must(in.ReadByte())(t)
			at += skip
			for range run {
				now[at] = colour
				at++
			}
		}
		pictures = append(pictures, slices.Clone(now))
	}
	return pictures
}

// gallery draws every scene.
type gallery struct {
	size     image.Point
	pictures [][]byte
}

func (g *gallery) look(s engine.Scene) {
	g.size = s.Size(2)
	img := image.NewPaletted(image.Rectangle{Max: g.size}, nil)
	s.Draw(img, 2)
	g.pictures = append(g.pictures, img.Pix)
}

// A film, from whichever reel on it is made, has every picture.
func TestCamera(t *testing.T) {
	proof.Slow(t)
	for _, g := range []engine.Game{antwars.New(), enginetest.Number(0)} {
		players := g.(engine.Roster).Players()
		p := proof.Must(players[0].New(""))(t)
		var all gallery
		seated := []engine.Player{p, p}
		g.Play(seated, 3, engine.OnStep(all.look))
		for _, frames := range []int{1, 3, 64} {
			for from := range min(3, (len(all.pictures)+frames-1)/frames) {
				at := from * frames
				c := Reels{Scale: 2, Frames: frames, From: from, Keep: func(n int, d []byte) bool {
					if n != at/frames {
						t.Fatalf("reel %d comes, not %d", n, at/frames)
					}
					for _, picture := range decode(t, d, all.size) {
						if !bytes.Equal(picture, all.pictures[at]) {
							t.Fatalf("%s: picture %d is another one", g.Info().Name, at)
						}
						at++
					}
					return true
				}}
				g.Play(seated, 3, &c)
				c.End()
				proof.Is(t, at, len(all.pictures), "the end of the film from reel %d", from)
			}
		}
		reels := 0
		c := Reels{Scale: 2, Frames: 1, Keep: func(int, []byte) bool {
			reels++
			return reels < 2
		}}
		g.Play(seated, 3, &c)
		if c.End(); reels != 2 {
			t.Errorf("%d reels came of a film that was to end at the second", reels)
		}
	}
}

// pieces is what a page does with a reel of pieces: it returns those of each scene, sorted.
func pieces(t *testing.T, data []byte) (scenes [][]engine.Piece) {
	var changes [][2][]int
	proof.OK(t, json.NewDecoder(flate.NewReader(bytes.NewReader(data))).Decode(&changes))
	var now []engine.Piece
	for _, change := range changes {
		for _, i := range change[0] {
			now = slices.Delete(now, i, i+1)
		}
		for n := range slices.Chunk(change[1], 6) {
			now = append(now, engine.Piece{Kind: uint8(n[0]), Seat: int8(n[1]), X: int16(n[2]),
				Y: int16(n[3]), Facing: int8(n[4]), Number: int32(n[5])})
		}
		scenes = append(scenes, sorted(now))
	}
	return scenes
}

func sorted(pieces []engine.Piece) []engine.Piece {
	all := slices.Clone(pieces)
	slices.SortFunc(all, func(a, b engine.Piece) int {
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	return all
}

// A film of pieces, from whichever reel on it is made, has those that the scenes had when the game
// was played, facing where they went since its beginning.
func TestPieces(t *testing.T) {
	proof.Slow(t)
	for _, g := range []engine.Game{antwars.New(), chase.New()} {
		var seated []engine.Player
		for range g.Info().MinSeats {
			seated = append(seated, proof.Must(g.(engine.Roster).Players()[0].New(""))(t))
		}
		var all [][]engine.Piece
		var headings engine.Headings
		g.Play(seated, 3, engine.OnStep(func(s engine.Scene) {
			now := s.(engine.Planned).Pieces(nil)
			headings.Turn(s.(engine.Planned).Plan(), now)
			all = append(all, sorted(now))
		}))
		for from := range 3 {
			at := 7 * from
			c := Reels{Frames: 7, From: from, Pieces: true, Keep: func(_ int, d []byte) bool {
				for _, scene := range pieces(t, d) {
					if !slices.Equal(scene, all[at]) {
						t.Fatalf("%s: scene %d has %v, want %v", g.Info().Name, at, scene, all[at])
					}
					at++
				}
				return true
			}}
			g.Play(seated, 3, &c)
			if c.End(); at != len(all) {
				t.Errorf("the film from reel %d ends at %d of %d", from, at, len(all))
			}
		}
	}
}

func ExampleReels() {
	g := enginetest.Number(0)
	c := Reels{Scale: Scale(image.Pt(16, 2), 100), Frames: 3, Keep: func(n int, _ []byte) bool {
		fmt.Println("reel", n)
		return true
	}}
	g.Play([]engine.Player{enginetest.Constant(g, 1), enginetest.Constant(g, 2)}, 1, &c)
	c.End()
	// Output:
	// reel 0
	// reel 1
}
