// Package film makes moving pictures of games: GIFs, each frame with the players' names, their
// scores and the step above the board, and reels for a page, which are changes from one picture to
// the next. It displays nothing.
package film

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"image"
	"image/gif"

	"clade/engine"
	"clade/engine/system/durable"
)

// Limits of a film whose options leave them open.
const (
	minWidth  = 320      // pixels
	maxFrames = 600      // of a GIF
	maxBytes  = 10 << 20 // of a GIF
	maxScale  = 16
)

// Options are the settings of a film. Zero fields have defaults.
type Options struct {
	Scale int // of the board; 0 means the least that makes it 320 pixels wide, up to 16
	// Every is the number of steps from one frame to the next. 0 means as many as keep the GIF to
	// 600 frames and 10 MB.
	Every    int
	Delay    int                   // hundredths of a second a frame; 0 means 20
	Progress func(done, total int) // if not nil, called with the number of steps drawn
}

// Info describes a written film.
type Info struct {
	Frames, Every int
	Size          image.Point // in pixels
	Bytes         int         // of the file
}

// GIF replays a recorded game and writes it as a moving picture, whole or not at all.
func GIF(ctx context.Context, path string, g engine.Game, r *engine.Record, o Options) (Info,
	error) {
	every := o.Every
	every = cmp.Or(every, 1+r.Steps/maxFrames)
	for {
		m := &movie{}
		c, err := play(ctx, g, r, o, every, m.add)
		if err != nil {
			return Info{}, err
		}
		if len(m.Image) == 0 {
			return Info{}, fmt.Errorf("film: the game has no steps to show")
		}
		m.Delay[len(m.Delay)-1] *= 10 // the last frame stays
		var content bytes.Buffer
		if err := gif.EncodeAll(&content, &m.GIF); err != nil {
			return Info{}, err
		}
		if content.Len() <= maxBytes || o.Every > 0 || every >= r.Steps {
			return Info{len(m.Image), every, c.size, content.Len()},
				durable.WriteFile(path, content.Bytes(), 0o666)
		}
		every *= 2
	}
}

// movie is a GIF whose frames hold only the rectangle that has changed since the one before.
type movie struct {
	gif.GIF
	last *image.Paletted
}

func (m *movie) add(frame *image.Paletted, delay int) {
	part := frame.Rect
	if m.last != nil {
		part = changed(m.last, frame)
	}
	m.last = frame
	piece := image.NewPaletted(part, frame.Palette)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		copy(piece.Pix[piece.PixOffset(part.Min.X, y):][:part.Dx()],
			frame.Pix[frame.PixOffset(part.Min.X, y):])
	}
	m.Image, m.Delay = append(m.Image, piece), append(m.Delay, delay)
	m.Disposal = append(m.Disposal, gif.DisposalNone)
}

// changed returns the smallest rectangle around all pixels in which two frames differ; at least one
// pixel, because a frame cannot be empty.
func changed(a, b *image.Paletted) image.Rectangle {
	var all image.Rectangle
	for y := range a.Rect.Dy() {
		was, is := a.Pix[y*a.Stride:][:a.Stride], b.Pix[y*b.Stride:][:b.Stride]
		if bytes.Equal(was, is) {
			continue
		}
		first, last := 0, len(is)-1
		for was[first] == is[first] {
			first++
		}
		for was[last] == is[last] {
			last--
		}
		all = all.Union(image.Rect(first, y, last+1, y+1))
	}
	if all.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return all
}
