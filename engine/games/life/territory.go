package life

import (
	"image"
	"slices"

	"clade/engine"
)

// Layers implements engine.Layered.
func (s scene) Layers() []string { return []string{"territory"} }

// Layer implements engine.Layered.
func (s scene) Layer(int) engine.Scene { return territory{s} }

// territory is a scene in which each dead cell has the tint of the seat whose live cells are
// nearest by steps up, down, left and right; if both are as near, or nothing lives, it is paper.
type territory struct{ scene }

// Plan implements engine.Planned: it is a picture.
func (t territory) Plan() *engine.Plan { return nil }

// Draw draws the live cells in full colour over the tints.
func (t territory) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	b := t.board
	owner := make([]uint8, b.width*b.height) // bits of the seats that are nearest
	var front, next []int
	b.each(func(y, x int, c colour) {
		owner[y*b.width+x] = uint8(1 + t.seat(c))
		front = append(front, y*b.width+x)
	})
	done := make([]bool, len(owner))
	for _, i := range front {
		done[i] = true
	}
	live := len(front)
	order := slices.Clone(front)
	for len(front) > 0 {
		next = next[:0]
		for _, i := range front {
			y, x := i/b.width, i%b.width
			for _, d := range [...][2]int{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				v, u := y+d[0], x+d[1]
				k := v*b.width + u
				if v < 0 || u < 0 || v >= b.height || u >= b.width || done[k] {
					continue
				}
				if owner[k] == 0 {
					next = append(next, k)
				}
				owner[k] |= owner[i]
			}
		}
		for _, k := range next {
			done[k] = true
		}
		order = append(order, next...)
		front, next = next, front
	}
	engine.Fill(img, img.Rect, engine.Paper)
	for n, i := range order {
		ink := uint8(engine.Paper)
		if o := owner[i]; o == 1 || o == 2 {
			ink = engine.Tints + o - 1
			if n < live {
				ink = engine.Seats + o - 1
			}
		}
		at := image.Pt(i%b.width, i/b.width).Mul(scale)
		engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(scale, scale))}, ink)
	}
}
