package amoebas

import (
	"fmt"
	"image"
	"image/color"
	"math/bits"
	"slices"
	"strings"

	"clade/engine"
)

// scene is a position of a game: an engine.Scene that also speaks and explains its cells.
type scene struct {
	w       *world
	palette color.Palette
}

// Step implements engine.Scene: rounds played.
func (s *scene) Step() int { return s.w.round }

// Scores implements engine.Scene: the energy of each seat.
func (s *scene) Scores(dst []float64) []float64 {
	for _, e := range s.w.energies[:s.w.seats] {
		dst = append(dst, float64(e))
	}
	return dst
}

// Size implements engine.Scene: one pixel a cell at scale 1. The original draws at scale 4.
func (s *scene) Size(scale int) image.Point { return image.Pt(s.w.g.size*scale, s.w.g.size*scale) }

// Tile returns the side of a cell.
func (s *scene) Tile(scale int) int { return scale }

// Events implements engine.Chronicler.
func (s *scene) Events() []string { return []string{"birth", "death", "kill"} }

// Happened implements engine.Chronicler.
func (s *scene) Happened(dst []int, seat int) []int {
	return append(dst, s.w.births[seat], s.w.deaths[seat], s.w.kills[seat])
}

// Ink implements engine.Inked.
func (s *scene) Ink(seat int) uint8 { return grounds + uint8(seat) }

// grounds is the number of palette entries for fuel; those of the seats follow. If there are more
// amounts of fuel, neighbouring ones share a colour.
const grounds = 239

// look is the colours of a picture: of cells without fuel and with the most, and of the seats.
type look struct {
	empty, full color.NRGBA
	seats       []color.NRGBA
}

// sharedLook has the colours that all games share, which colour-blind people tell apart.
func sharedLook() look {
	l := look{empty: color.NRGBA{252, 250, 244, 255}, full: color.NRGBA{176, 168, 148, 255}}
	for _, c := range engine.Palette()[engine.Seats : engine.Seats+engine.MaxSeats] {
		l.seats = append(l.seats, color.NRGBAModel.Convert(c).(color.NRGBA))
	}
	return l
}

// originalLook has the colours of the original, whose native output is drawn in them: green for
// fuel, and first the colours of its examples (red, blue, yellow, white, gray, orange, magenta,
// cyan), then others.
func originalLook() look {
	return look{color.NRGBA{A: 255}, color.NRGBA{G: 255, A: 255}, []color.NRGBA{
		{255, 0, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}, {255, 255, 255, 255},
		{128, 128, 128, 255}, {255, 128, 0, 255}, {255, 0, 255, 255},
		{0, 255, 255, 255}, {128, 0, 0, 255}, {0, 0, 128, 255}, {128, 0, 128, 255},
		{255, 128, 128, 255}, {128, 128, 255, 255}, {160, 96, 32, 255},
		{64, 64, 64, 255}, {255, 220, 160, 255},
	}}
}

// Ground returns the number of palette entries of free cells, which come before those of the seats.
func (s *scene) Ground() int { return grounds }

// palette returns the colours of Draw: free cells by their share of the greatest fuel, then the
// seats.
func (l look) palette(maxFuel int) color.Palette {
	p := make(color.Palette, 0, grounds+len(l.seats))
	for i := range grounds {
		fuel := min(i, maxFuel)
		if maxFuel >= grounds {
			fuel = i * maxFuel / (grounds - 1)
		}
		mix := func(a, b uint8) uint8 {
			return uint8(int(a) + (int(b)-int(a))*fuel/max(maxFuel, 1))
		}
		p = append(p, color.NRGBA{mix(l.empty.R, l.full.R), mix(l.empty.G, l.full.G),
			mix(l.empty.B, l.full.B), 255})
	}
	for _, c := range l.seats {
		p = append(p, c)
	}
	return p
}

// Draw implements engine.Scene.
func (s *scene) Draw(img *image.Paletted, scale int) {
	img.Palette = s.palette
	w := s.w
	for y := range w.g.size {
		row := img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y*scale):]
		for x := range w.g.size {
			index := w.paint(w.g.cell(x, y))
			for i := range scale {
				row[x*scale+i] = index
			}
		}
		for i := 1; i < scale; i++ {
			copy(img.Pix[img.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y*scale+i):],
				row[:w.g.size*scale])
		}
	}
}

// paint returns the palette entry of a cell.
func (w *world) paint(cell int) uint8 {
	if o := w.who[cell]; o.species != free {
		return grounds + o.species
	}
	if w.constants.MaxCellEnergy >= grounds {
		return uint8(int(w.fuel[cell]) * (grounds - 1) / w.constants.MaxCellEnergy)
	}
	return w.fuel[cell]
}

// Plan implements engine.Planned: boards are dense.
func (s *scene) Plan() *engine.Plan {
	return &engine.Plan{Columns: s.w.g.size, Rows: s.w.g.size, Torus: true, Dense: true,
		Kinds: pieceKinds}
}

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece { return dst }

// Kinds of pieces of what an amoeba sees, and of the legend.
const (
	kindFuel = iota
	kindAmoeba
)

var pieceKinds = []engine.Kind{
	kindFuel:   {Name: "fuel, a stronger shade for more", Form: engine.Amount},
	kindAmoeba: {Name: "amoeba", Form: engine.Blob},
}

// seen is what an amoeba sees: it stands in the middle.
type seen struct{ *view }

// Plan implements engine.Planned.
func (s seen) Plan() *engine.Plan {
	side := 2*s.constants().ViewDistance + 1
	return &engine.Plan{Columns: side, Rows: side, Kinds: pieceKinds}
}

// Pieces implements engine.Planned. An amoeba's number is its energy.
func (s seen) Pieces(dst []engine.Piece) []engine.Piece {
	c := s.constants()
	far := c.ViewDistance
	for y := -far; y <= far; y++ {
		for x := -far; x <= far; x++ {
			fuel := engine.Nobodys(kindFuel, x+far, y+far)
			fuel.Number = int32(100 * s.fuel(x, y) / max(c.MaxCellEnergy, 1))
			dst = append(dst, fuel)
			one, ok := s.occupant(x, y)
			if x == 0 && y == 0 {
				one.Species, one.Energy, ok = s.Species, s.Energy, true
			}
			if ok {
				amoeba := engine.Owned(kindAmoeba, one.Species, x+far, y+far)
				amoeba.Number = int32(one.Energy)
				dst = append(dst, amoeba)
			}
		}
	}
	return dst
}

// View implements engine.Viewed.
func (d *decision) View(int) (engine.Planned, image.Point) {
	far := d.view.constants().ViewDistance
	return seen{d.view}, image.Pt(far, far)
}

// Text implements engine.Speaker: a letter for an amoeba of each seat, A first, a digit for the
// tenths of fuel in a free cell, then a line a seat.
func (s *scene) Text() string {
	var b strings.Builder
	w := s.w
	for y := range w.g.size {
		for x := range w.g.size {
			cell := w.g.cell(x, y)
			if o := w.who[cell]; o.species != free {
				b.WriteByte('A' + o.species)
			} else {
				b.WriteByte("0123456789"[int(w.fuel[cell])*9/max(w.constants.MaxCellEnergy, 1)])
			}
		}
		b.WriteByte('\n')
	}
	for i := range w.seats {
		fmt.Fprintf(&b, "%c: %d amoebas, energy %d\n", 'A'+i, w.sizes[i], w.energies[i])
	}
	return b.String()
}

// Inspect implements engine.Inspector.
func (s *scene) Inspect(at image.Point, scale int) string {
	x, y := at.X/max(scale, 1), at.Y/max(scale, 1)
	w := s.w
	if at.X < 0 || at.Y < 0 || x >= w.g.size || y >= w.g.size {
		return ""
	}
	text := fmt.Sprintf("cell %d, %d: fuel %d", x, y, w.fuelAt(x, y))
	if o, ok := w.occupantAt(x, y); ok {
		text += fmt.Sprintf("; amoeba of seat %d: energy %d, health %d, data %d", o.Species+1,
			o.Energy, o.Health, o.Data)
	}
	return text
}

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
