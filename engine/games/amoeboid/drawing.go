package amoeboid

import (
	"image"

	"clade/engine"
)

// Layers implements engine.Layered.
func (s *scene) Layers() []string { return []string{"graph and die"} }

// Layer implements engine.Layered.
func (s *scene) Layer(int) engine.Scene { return &drawing{s} }

// drawing is a scene drawn as the graph that the board is: a disc for each cell, a line between
// neighbours, and the roll of who is to move as pips in a corner below.
type drawing struct{ *scene }

// Plan implements engine.Planned: it is a picture.
func (d *drawing) Plan() *engine.Plan { return nil }

// Size returns the size of the picture: that of the board and a row for the die.
func (d *drawing) Size(scale int) image.Point {
	return d.m.game.graph.extent().Add(image.Pt(0, 1)).Mul(tile * scale)
}

// Draw draws a piece as a disc in its owner's colour, or in nobody's where it is neutral, with the
// share of the other as a smaller one inside. Discs grow with the size of their pieces.
func (d *drawing) Draw(img *image.Paletted, scale int) {
	g, p := d.m.game.graph, &d.m.t.Position
	img.Palette = d.m.game.palette
	engine.Fill(img, img.Rect, engine.Paper)
	middle := func(c int) image.Point {
		return g.at[c].Mul(tile * scale).Add(image.Pt(tile*scale/2, tile*scale/2))
	}
	for c := range g.n {
		for e := range c {
			if g.adjacent(c, e) {
				line(img, middle(c), middle(e), max(1, scale/4))
			}
		}
	}
	largest := int32(1)
	each(p.filled, func(c int) { largest = max(largest, p.size(c)) })
	for c := range g.n {
		piece := p.cells[c]
		disc(img, middle(c), tile*scale*20/100, engine.Grid)
		if piece.Size() == 0 {
			disc(img, middle(c), tile*scale*20/100-max(1, scale/4), engine.Paper)
			continue
		}
		r := tile * scale * (20 + 22*int(piece.Size())/int(largest)) / 100
		seat := A
		if piece[B] > piece[A] {
			seat = B
		}
		ink := uint8(engine.Seats + seat)
		if piece[A] == piece[B] {
			ink = engine.Veil
		}
		disc(img, middle(c), r, ink)
		if less := piece[1-seat]; less > 0 {
			disc(img, middle(c), r*int(less)/int(piece.Size()), uint8(engine.Seats+1-seat))
		}
	}
	if p.Verdict() == Open && d.m.forfeit < 0 {
		d.die(img, scale)
	}
}

// die draws the roll as so many pips, in the colour of who has rolled.
func (d *drawing) die(img *image.Paletted, scale int) {
	p := &d.m.t.Position
	at := image.Pt(tile*scale/2, (2*d.m.game.graph.extent().Y+1)*tile*scale/2)
	for range d.m.t.Roll {
		disc(img, at, tile*scale*12/100, uint8(engine.Seats+p.Turn()))
		at.X += tile * scale * 3 / 10
	}
}

// disc fills a circle.
func disc(img *image.Paletted, at image.Point, r int, ink uint8) {
	for y := -r; y <= r; y++ {
		for x := -r; x <= r; x++ {
			if x*x+y*y <= r*r && (image.Pt(at.X+x, at.Y+y).In(img.Rect)) {
				img.SetColorIndex(at.X+x, at.Y+y, ink)
			}
		}
	}
}

// line draws a line in the colour of grids.
func line(img *image.Paletted, from, to image.Point, wide int) {
	d := to.Sub(from)
	n := max(d.X, -d.X, d.Y, -d.Y, 1)
	for i := range n + 1 {
		at := from.Add(image.Pt(d.X*i/n, d.Y*i/n))
		engine.Fill(img, image.Rectangle{at, at.Add(image.Pt(wide, wide))}, engine.Veil)
	}
}
