package film

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"clade/engine"
)

// camera is a Recorder that draws scenes with captions.
type camera struct {
	Options
	record *engine.Record
	every  int
	keep   func(frame *image.Paletted, delay int)
	size   image.Point // of a frame
}

// play replays a recorded game before a camera.
func play(ctx context.Context, g engine.Game, r *engine.Record, o Options, every int,
	keep func(frame *image.Paletted, delay int)) (*camera, error) {
	c := &camera{Options: o, record: r, every: every, keep: keep}
	err := engine.Until(ctx, c, func(rec engine.Recorder) error {
		_, err := engine.Replay(g, r, rec)
		return err
	})
	return c, err
}

func (c *camera) Decide(int, uint64) {}

func (c *camera) Step(s engine.Scene) {
	if s.Step()%c.every != 0 && s.Step() != c.record.Steps {
		return
	}
	if c.Progress != nil {
		c.Progress(s.Step(), c.record.Steps)
	}
	c.keep(c.frame(s), cmp.Or(c.Delay, 20))
}

const (
	margin = 4
	line   = 15 // pixels of a line of the caption
)

// frame draws a position below its caption.
func (c *camera) frame(s engine.Scene) *image.Paletted {
	scale := c.Scale
	if scale == 0 {
		for scale = 1; scale < maxScale && s.Size(scale).X < minWidth; {
			scale++
		}
	}
	board := engine.Picture(s, scale)
	head := len(c.record.Players)*line + 2*margin
	c.size = image.Pt(max(board.Rect.Dx(), minWidth), board.Rect.Dy()+head)
	frame := image.NewPaletted(image.Rectangle{Max: c.size}, withInk(board.Palette))
	paper, ink := frame.Palette.Index(color.White), frame.Palette.Index(color.Black)
	for i := range frame.Pix {
		frame.Pix[i] = uint8(paper)
	}
	at := image.Pt((c.size.X-board.Rect.Dx())/2, head)
	for y := range board.Rect.Dy() {
		copy(frame.Pix[frame.PixOffset(at.X, at.Y+y):], board.Pix[y*board.Stride:][:board.Rect.Dx()])
	}
	c.caption(frame, s, frame.Palette[ink])
	return frame
}

// withInk returns a palette that has black and white, if there is room for them.
func withInk(p color.Palette) color.Palette {
	all := append(color.Palette{}, p...)
	for _, c := range []color.Color{color.Black, color.White} {
		if len(all) < 256 && !contains(all, c) {
			all = append(all, c)
		}
	}
	return all
}

func contains(p color.Palette, c color.Color) bool {
	r, g, b, _ := c.RGBA()
	return slices.ContainsFunc(p, func(other color.Color) bool {
		or, og, ob, _ := other.RGBA()
		return or == r && og == g && ob == b
	})
}

// caption writes each seat's player and score, and the step at the right.
func (c *camera) caption(frame *image.Paletted, s engine.Scene, ink color.Color) {
	face := basicfont.Face7x13
	scores := s.Scores(nil)
	step := fmt.Sprintf("step %d", s.Step())
	for seat, name := range c.record.Players {
		score := ""
		if seat < len(scores) {
			score = fmt.Sprintf("%g", scores[seat])
		}
		right := frame.Rect.Dx() - margin - (len(step)+2)*face.Advance
		room := (right-margin)/face.Advance - len(score) - 1
		text := fmt.Sprintf("%d %s", seat+1, name)
		if letters := []rune(text); len(letters) > room && room > 3 {
			text = string(letters[:room-3]) + "..."
		}
		y := margin + seat*line + face.Ascent
		write(frame, ink, margin, y, text)
		write(frame, ink, right-len(score)*face.Advance, y, score)
	}
	write(frame, ink, frame.Rect.Dx()-margin-len(step)*face.Advance, margin+face.Ascent, step)
}

func write(img draw.Image, ink color.Color, x, y int, text string) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(ink), Face: basicfont.Face7x13,
		Dot: fixed.P(x, y)}
	d.DrawString(text)
}
