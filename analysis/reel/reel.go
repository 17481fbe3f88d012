// Package reel keeps the pictures of a game as what changes from one to the next, small enough to
// be sent to a page or kept in one. It shows nothing.
package reel

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"image"
	"image/color"

	"clade/engine"
)

// Bounds of a reel, which is decoded as a whole.
const (
	reelFrames = 64
	reelBytes  = 1 << 20 // before compression
)

// Film is a sequence of pictures of the same size and palette.
type Film struct {
	Size    image.Point
	Palette color.Palette
	Frames  []Frame
	Reels   []Reel
	Cut     bool // it became too long: the rest is missing
}

// Frame is what is known of a picture besides its pixels.
type Frame struct {
	Scene  int // its number in the game, from 0
	Step   int // Scene.Step
	Scores []float64
}

// Reel is a run of pictures that can be decoded without others.
type Reel struct {
	First  int // its first frame
	Frames int
	// Data is compressed (RFC 1951). Inside stands picture after picture, each as the runs of
	// pixels, row by row, that differ from the picture before; of the first, from colour 0. A run
	// is the number of pixels that are passed over, the number that follow, both as unsigned
	// varints, and their colour. A run of no pixels, without a colour, ends the picture.
	Data []byte
}

// Camera is an engine.Recorder that makes a film.
type Camera struct {
	Scale int                  // of the pictures, positive
	Take  func(scene int) bool // which scenes are taken; nil for all
	Limit int                  // bytes of all reels, at which it stops; 0 for no limit

	film      Film
	scenes    int
	size      int // of the reels so far
	last, now *image.Paletted
	raw       []byte // of the reel being made
	frames    int    // in it
}

// Decide implements engine.Recorder.
func (c *Camera) Decide(int, uint64) {}

// Step implements engine.Recorder.
func (c *Camera) Step(s engine.Scene) {
	scene := c.scenes
	c.scenes++
	if c.film.Cut || c.Take != nil && !c.Take(scene) {
		return
	}
	if c.now == nil {
		c.film.Size = s.Size(c.Scale)
		c.now = image.NewPaletted(image.Rectangle{Max: c.film.Size}, nil)
		c.last = image.NewPaletted(c.now.Rect, nil)
	}
	s.Draw(c.now, c.Scale)
	c.film.Palette = c.now.Palette
	if c.frames == 0 {
		clear(c.last.Pix)
	}
	c.raw = appendChanges(c.raw, c.last.Pix, c.now.Pix)
	c.now, c.last = c.last, c.now
	c.frames++
	c.film.Frames = append(c.film.Frames, Frame{scene, s.Step(), s.Scores(nil)})
	if c.frames == reelFrames || len(c.raw) >= reelBytes {
		c.wind()
		c.film.Cut = c.Limit > 0 && c.size > c.Limit
	}
}

// Film ends the film and returns it.
func (c *Camera) Film() *Film {
	if c.frames > 0 {
		c.wind()
	}
	return &c.film
}

// Scenes returns the number of scenes that the camera has seen, taken or not.
func (c *Camera) Scenes() int { return c.scenes }

// wind ends a reel.
func (c *Camera) wind() {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		_, err = w.Write(c.raw)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("reel: " + err.Error()) // a buffer takes everything
	}
	c.film.Reels = append(c.film.Reels,
		Reel{len(c.film.Frames) - c.frames, c.frames, b.Bytes()})
	c.size += b.Len()
	c.raw, c.frames = c.raw[:0], 0
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

// Scale returns the scale at which a picture of a size at scale 1 comes near to a number of pixels
// on its longer side, without being larger unless it is so at scale 1.
func Scale(size image.Point, pixels int) int {
	return max(1, pixels/max(1, size.X, size.Y))
}
