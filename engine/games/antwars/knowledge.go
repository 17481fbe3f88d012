package antwars

import (
	"image"

	"clade/engine"
)

// Layers implements engine.Layered: what each ant sees and remembers.
func (s *scene) Layers() []string { return []string{"what ant 1 knows", "what ant 2 knows"} }

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene { return &knowledge{s, i} }

// knowledge is a scene as one ant knows it: what it sees, where it has been, and food that it saw
// before.
type knowledge struct {
	*scene
	ant int
}

// Draw draws food in sight as discs and remembered food as rings; what is out of sight is dark.
func (s *knowledge) Draw(img *image.Paletted, scale int) {
	img.Palette = palette()
	p := painter{img, cellSize * scale, scale}
	b := &s.board
	view := &places[b.at[s.ant]].view
	for i := range cells {
		seen := view.Has(i) && !b.dead[s.ant]
		switch {
		case seen:
			p.cell(i, inkGround)
		default:
			p.cell(i, inkGrid)
		}
		switch known := s.known[s.ant].Has(i); {
		case known && seen:
			p.disc(i, 0, 28, inkFood)
		case known:
			p.disc(i, 16, 28, inkFood)
		}
		if s.trails[s.ant].Has(i) {
			p.dot(i, s.ant)
		}
	}
	for ant := range 2 {
		at := int(b.at[ant])
		switch {
		case ant != s.ant && (!view.Has(at) || b.dead[s.ant]):
		case b.dead[ant]:
			p.cross(at, uint8(inkAnt1+ant))
		default:
			p.disc(at, 0, 42, uint8(inkAnt1+ant))
		}
	}
}
