package amoebas

import (
	"fmt"
	"image"
	"math/bits"
	"slices"

	"clade/engine"
)

// Layers implements engine.Layered: what the cells hold and what the amoebas have, from pale for
// nothing to dark for the most that there can be, and what each species sees.
func (s *scene) Layers() []string {
	names := slices.Clone(amounts[:])
	for seat := range s.w.seats {
		names = append(names, fmt.Sprintf("what species %d sees", seat+1))
	}
	return names
}

// The amounts that have a layer.
var amounts = [...]string{"fuel", "energy", "health", "memory"}

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene { return &layer{s, i} }

// layer is a scene drawn by one of its amounts, or as far as the amoebas of a seat see it.
type layer struct {
	*scene
	what int // index in Layers
}

// Ink returns the colour of a seat in pictures of other scenes: here amounts alone are drawn.
func (l *layer) Ink(seat int) uint8 { return uint8(engine.Seats + seat) }

// Plan implements engine.Planned: layers are pictures.
func (l *layer) Plan() *engine.Plan { return nil }

// Draw draws a shade for each cell, and paper where there is no amoeba to have the amount. The
// layer of a seat shows the amoebas and the fuel that it sees; the rest is veiled.
func (l *layer) Draw(img *image.Paletted, scale int) {
	img.Palette = engine.Palette()
	w := l.w
	most := [...]int{w.constants.MaxCellEnergy, w.constants.MaxAmoebaEnergy,
		w.constants.MaxAmoebaHealth, dataBits, w.constants.MaxCellEnergy}[min(l.what, len(amounts))]
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
			case 3: // by powers of two: what it means is the species' own
				data := int(w.data[cell])
				amount = bits.Len(uint(max(data, -data)))
			}
			ink := uint8(engine.Paper)
			switch seat := l.what - len(amounts); {
			case seat >= 0 && w.window(w.species[seat], cell)&w.sight == 0:
				ink = engine.Veil
			case seat >= 0 && o.species != free:
				ink = engine.Seats + o.species
			case l.what == 0 || seat >= 0 || o.species != free:
				shade := max(0, min(amount, most)) * (engine.RampLen - 1) / max(most, 1)
				ink = uint8(engine.Ramp + shade)
			}
			at := img.Rect.Min.Add(image.Pt(x, y).Mul(scale))
			engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(scale, scale))}, ink)
		}
	}
}
