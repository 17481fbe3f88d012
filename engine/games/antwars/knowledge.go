package antwars

import (
	"image"

	"clade/engine"
	"clade/gp"
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

// Pieces implements engine.Planned.
func (s *knowledge) Pieces(dst []engine.Piece) []engine.Piece {
	b := &s.board
	var view gp.Bits
	if !b.dead[s.ant] {
		view = places[b.at[s.ant]].view
	}
	dst = known(dst, s.ant, &view, &s.known[s.ant], &s.trails[s.ant])
	for ant := range 2 {
		if at := int(b.at[ant]); b.dead[ant] && (ant == s.ant || view.Has(at)) {
			dst = append(dst, pieceAt(kindDead, ant, at))
		} else if ant == s.ant || view.Has(at) {
			dst = append(dst, pieceAt(kindAnt, ant, at))
		}
	}
	return dst
}

// known appends what an ant sees and remembers, without ants.
func known(dst []engine.Piece, ant int, view, food, been *gp.Bits) []engine.Piece {
	for cell := range cells {
		kind := kindFood
		if !view.Has(cell) {
			dst = append(dst, pieceAt(kindOutside, -1, cell))
			kind = kindRemembered
		}
		if food.Has(cell) {
			dst = append(dst, pieceAt(kind, -1, cell))
		}
	}
	return putAll(dst, kindTrail, ant, been)
}

// seen is what the memory of an ant holds.
type seen struct {
	*memory
	seat int
}

// Plan implements engine.Planned.
func (s *seen) Plan() *engine.Plan { return plan }

// Pieces implements engine.Planned.
func (s *seen) Pieces(dst []engine.Piece) []engine.Piece {
	dst = known(dst, s.seat, &s.view, &s.food, &s.visited)
	if s.enemy >= 0 {
		dst = append(dst, pieceAt(kindAnt, 1-s.seat, s.enemy))
	}
	return append(dst, pieceAt(kindAnt, s.seat, int(s.at)))
}

// View implements engine.Viewed.
func (d *decision) View(seat int) (engine.Planned, image.Point) {
	at := int(d.memory.at)
	return &seen{d.memory, seat}, image.Pt(at%width, at/width)
}
