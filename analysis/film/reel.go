package film

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"encoding/json"
	"image"
	"slices"

	"clade/engine"
)

// PlanFrames is the number of scenes in a reel of pieces.
const PlanFrames = 64

// ReelFrames returns the number of pictures in a reel, by their size at scale 1: fewer if they are
// large, because a reel is decoded as a whole.
func ReelFrames(size image.Point) int { return min(64, max(8, 4<<20/max(1, size.X*size.Y))) }

// large is the length in bytes from which a reel is compressed fast rather than well.
const large = 1 << 18

// Reels is an engine.Recorder that films a game as reels: runs of pictures that can be decoded
// without others. Reel n holds the scenes from n*Frames on.
//
// The data of a reel is compressed (RFC 1951). It is one picture after the other, each as the runs
// of pixels, row by row, that differ from the picture before, or from colour 0 in the first. A run
// is the number of pixels that are skipped and its length, both unsigned varints, and its colour. A
// run of length 0, without a colour, ends the picture.
//
// A reel of pieces is JSON instead: for each scene two lists of changes since the one before, or
// since an empty board. The first has the indices of the pieces that are gone in the list of
// pieces, the last first. The second has the pieces that are added to the end of that list, six
// numbers each: kind, seat, x, y, facing, number.
type Reels struct {
	Scale  int                              // of the pictures, positive
	Frames int                              // of a reel, positive; the last one may have fewer
	From   int                              // the first reel that is made
	Look   func(engine.Scene) engine.Scene  // returns what is filmed; nil for the scene itself
	Pieces bool                             // of scenes, which are Planned, instead of pictures
	Keep   func(reel int, data []byte) bool // takes each reel; false ends the film

	scenes    int
	over      bool
	last, now *image.Paletted
	raw       []byte // of the reel being made
	frames    int    // in it

	plan     *engine.Plan
	headings engine.Headings
	stands   []engine.Piece // what stands on the board, in the order of the reel
	came     []engine.Piece
}

// Decide implements engine.Recorder.
func (c *Reels) Decide(int, uint64) {}

// Step implements engine.Recorder.
func (c *Reels) Step(s engine.Scene) {
	scene := c.scenes
	c.scenes++
	early := scene < c.From*c.Frames
	if c.over || early && !c.Pieces {
		return
	}
	if c.Look != nil {
		s = c.Look(s)
	}
	if c.Pieces {
		if c.place(s.(engine.Planned), early); early {
			return
		}
		if c.frames++; c.frames == c.Frames {
			c.wind(scene / c.Frames)
		}
		return
	}
	if c.now == nil {
		c.now = image.NewPaletted(image.Rectangle{Max: s.Size(c.Scale)}, nil)
		c.last = image.NewPaletted(c.now.Rect, nil)
	}
	s.Draw(c.now, c.Scale)
	if c.frames == 0 {
		clear(c.last.Pix)
	}
	c.raw = appendChanges(c.raw, c.last.Pix, c.now.Pix)
	c.now, c.last = c.last, c.now
	if c.frames++; c.frames == c.Frames {
		c.wind(scene / c.Frames)
	}
}

// place appends the changes of the pieces since the scene before. Of scenes before the first reel
// it only keeps the pieces.
func (c *Reels) place(s engine.Planned, early bool) {
	if c.plan == nil {
		c.plan = s.Plan()
	}
	turns := slices.ContainsFunc(c.plan.Kinds, func(k engine.Kind) bool { return k.Turns })
	if early && !turns {
		return
	}
	c.came = s.Pieces(c.came[:0])
	c.headings.Turn(c.plan, c.came)
	if early {
		return
	}
	if c.frames == 0 {
		c.stands = c.stands[:0]
	}
	left := map[engine.Piece]int{} // number of each in the scene
	for _, p := range c.came {
		left[p]++
	}
	gone := []int{}
	for i, p := range slices.Backward(c.stands) {
		if left[p]--; left[p] < 0 {
			gone = append(gone, i)
			c.stands = slices.Delete(c.stands, i, i+1)
		}
	}
	added := []int{}
	for _, p := range c.came {
		if left[p]--; left[p] >= 0 {
			added = AppendPiece(added, p)
			c.stands = append(c.stands, p)
		}
	}
	text, err := json.Marshal([2][]int{gone, added})
	if err != nil {
		panic("film: " + err.Error()) // numbers can be encoded
	}
	between := byte(',')
	if c.frames == 0 {
		between = '['
	}
	c.raw = append(append(c.raw, between), text...)
}

// AppendPiece appends the six numbers of a piece in a reel.
func AppendPiece(dst []int, p engine.Piece) []int {
	return append(dst, int(p.Kind), int(p.Seat), int(p.X), int(p.Y), int(p.Facing), int(p.Number))
}

// End ends the film: it passes the last reel, if one is begun, to Keep.
func (c *Reels) End() {
	if c.frames > 0 && !c.over {
		c.wind((c.scenes - 1) / c.Frames)
	}
}

// wind ends a reel.
func (c *Reels) wind(reel int) {
	if c.Pieces {
		c.raw = append(c.raw, ']')
	}
	level := flate.DefaultCompression
	if len(c.raw) > large {
		level = flate.BestSpeed
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(c.raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("film: " + err.Error()) // a buffer never fails
	}
	c.raw, c.frames = c.raw[:0], 0
	c.over = !c.Keep(reel, b.Bytes())
}

// appendChanges appends the runs of pixels that differ.
func appendChanges(dst, last, now []byte) []byte {
	behind := 0 // the end of the last run
	for i := 0; i < len(now); {
		if i+8 <= len(now) && binary.NativeEndian.Uint64(last[i:]) ==
			binary.NativeEndian.Uint64(now[i:]) {
			i += 8
			continue
		}
		if last[i] == now[i] {
			i++
			continue
		}
		first, colour := i, now[i]
		for i < len(now) && now[i] == colour && last[i] != now[i] {
			i++
		}
		dst = binary.AppendUvarint(dst, uint64(first-behind))
		dst = binary.AppendUvarint(dst, uint64(i-first))
		dst = append(dst, colour)
		behind = i
	}
	return append(dst, 0, 0)
}

// Scale returns the greatest scale at which the longer side of a picture, given by its size at
// scale 1, has at most a number of pixels; at least 1.
func Scale(size image.Point, pixels int) int { return max(1, pixels/max(1, size.X, size.Y)) }
