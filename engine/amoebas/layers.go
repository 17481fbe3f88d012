package amoebas

import (
	"image"

	"clade/engine"
)

// Layers implements engine.Layered: what the cells hold and what the amoebas have, from pale for
// nothing to dark for the most that there can be.
func (s *scene) Layers() []string { return []string{"fuel", "energy", "health"} }

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene { return &layer{s, i} }

// layer is a scene drawn by one of its amounts.
type layer struct {
	*scene
	what int // index in Layers
}

// Ink returns the colour of a seat in pictures of other scenes: here amounts alone are drawn.
func (l *layer) Ink(seat int) uint8 { return uint8(engine.Seats + seat) }

// Draw draws a shade for each cell; where there is no amoeba to have anything, it is paper.
func (l *layer) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	w := l.w
	most := [...]int{w.constants.MaxCellEnergy, w.constants.MaxAmoebaEnergy,
		w.constants.MaxAmoebaHealth}[l.what]
	for y := range w.g.size {
		for x := range w.g.size {
			cell := w.g.cell(x, y)
			o := &w.who[cell]
			amount := int(w.fuel[cell])
			switch l.what {
			case 1:
				amount = int(o.energy)
			case 2:
				amount = int(o.health)
			}
			ink := uint8(engine.Paper)
			if l.what == 0 || o.species != free {
				shade := max(0, min(amount, most)) * (engine.RampLen - 1) / max(most, 1)
				ink = uint8(engine.Ramp + shade)
			}
			at := img.Rect.Min.Add(image.Pt(x, y).Mul(scale))
			engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(scale, scale))}, ink)
		}
	}
}
