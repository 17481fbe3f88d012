package darwin

import (
	"image"

	"clade/engine"
)

// known is what the creatures of a species have seen, all of them, also those that are gone: what
// an evolved species with a shared map remembers. It follows from the game alone, so that records
// show it too, with any players.
type known struct {
	mind evolvedMind // learns from what they do; it decides nothing
	now  int64       // time of the creature that acted last
}

func newKnown(g *ground) *known {
	return &known{mind: evolvedMind{memory: newMemory(g.width, g.height)}}
}

// learn takes over what a creature knows at the beginning of its turn.
func (s *scene) learn(b *body) {
	if seat := b.breed.seat(); seat >= 0 {
		s.known[seat].learn(b)
	}
}

// learn takes over what a creature knows at the beginning of its turn.
func (k *known) learn(b *body) {
	if k.mind.last, k.now = b.last, b.clock; b.last == end {
		k.mind.visit(b)
	}
	k.mind.learn(b)
}

// knowledge is a scene as one species knows it.
type knowledge struct {
	*scene
	seat int // of this world; out of range where another one runs the race
}

// Draw draws its creatures as they are, what they have seen, and creatures of others where they
// were seen last; the rest is dark.
func (s *knowledge) Draw(img *image.Paletted, scale int) {
	img.Palette = palette()
	g, size := s.w.ground, cellSize*scale
	var m *memory
	var friends, enemies map[point]bool
	if s.seat >= 0 && s.seat < s.seats {
		k := s.known[s.seat]
		m = k.mind.memory
		friends, enemies = m.sighted(k.now)
	}
	for y := range g.height {
		for x := range g.width {
			i, at := g.cell(x, y), point{int16(x), int16(y)}
			p := painter{img, image.Rect(x*size, y*size, (x+1)*size, (y+1)*size), cellSize}
			own := s.w.cells[i] > 0 && s.seat >= 0 &&
				s.w.bodies[max(0, s.w.cells[i]-1)].breed == seatBreed(s.seat)
			if m == nil || !own && !m.has(boardKnown, at) && !m.has(boardVisited, at) {
				p.box(0, 0, 12, 12, inkClear)
				continue
			}
			p.floor(g.terrain[i], s.lane)
			switch {
			case own:
				p.animal(&s.w.bodies[s.w.cells[i]-1], s.lane+s.seat)
			case m.has(boardWall, at):
				p.box(0, 0, 12, 12, wallInks[0][1])
			case m.has(boardHazard, at):
				p.box(0, 0, 12, 12, inkThorn)
			case m.has(boardApple, at):
				p.ellipse(6, 7, 4, 4, inkApple)
			case m.has(boardFlytrap, at):
				p.ellipse(6, 6, 5, 5, inkLeaf)
			case m.has(boardTreasure, at):
				p.box(1, 3, 11, 11, inkChest)
			case enemies[at]:
				p.ellipse(6, 6, 5, 5, inkPupil)
				p.ellipse(6, 6, 3, 3, inkFloor)
			case friends[at]:
				p.ellipse(6, 6, 5, 5, bodyInk(s.lane+s.seat))
				p.ellipse(6, 6, 3, 3, inkFloor)
			}
		}
	}
}

// Pieces implements engine.Planned.
func (s *knowledge) Pieces(dst []engine.Piece) []engine.Piece {
	g := s.w.ground
	if s.seat < 0 || s.seat >= s.seats {
		for x, y := range g.squares {
			dst = append(dst, engine.Nobodys(pieceUnknown, x, y))
		}
		return dst
	}
	return s.known[s.seat].pieces(dst, s.w, s.seat, s.lane)
}

// pieces appends what a species knows, with its creatures as they are.
func (k *known) pieces(dst []engine.Piece, w *world, seat, lane int) []engine.Piece {
	g, m := w.ground, k.mind.memory
	friends, enemies := m.sighted(k.now)
	for x, y := range g.squares {
		i, at := g.cell(x, y), point{int16(x), int16(y)}
		var own *body
		if what := w.cells[i]; what > 0 && w.bodies[what-1].breed == seatBreed(seat) {
			own = &w.bodies[what-1]
		}
		if own == nil && !m.has(boardKnown, at) && !m.has(boardVisited, at) {
			dst = append(dst, engine.Nobodys(pieceUnknown, x, y))
			continue
		}
		dst = floorPieces(dst, g.terrain[i], lane, x, y)
		switch {
		case own != nil:
			dst = own.pieces(dst, lane+seat)
		case m.has(boardWall, at):
			dst = append(dst, engine.Nobodys(pieceWall, x, y))
		case m.has(boardHazard, at):
			dst = append(dst, engine.Nobodys(pieceThorns, x, y))
		case m.has(boardApple, at):
			dst = append(dst, engine.Nobodys(pieceApple, x, y))
		case m.has(boardFlytrap, at):
			dst = append(dst, engine.Nobodys(pieceFlytrap, x, y))
		case m.has(boardTreasure, at):
			dst = append(dst, engine.Nobodys(pieceChest, x, y))
		case enemies[at]:
			dst = append(dst, engine.Nobodys(pieceSighted, x, y))
		case friends[at]:
			dst = append(dst, engine.Owned(pieceSighted, lane+seat, x, y))
		}
	}
	return dst
}

// seenBy is what a creature whose species is played from outside knows.
type seenBy struct {
	*external
	body *body
	seat int
}

// Plan implements engine.Planned.
func (s *seenBy) Plan() *engine.Plan { return s.body.w.ground.plan() }

// Pieces implements engine.Planned.
func (s *seenBy) Pieces(dst []engine.Piece) []engine.Piece {
	seat := s.body.breed.seat()
	return s.known.pieces(dst, s.body.w, seat, s.seat-seat)
}

// View implements engine.Viewed.
func (d *decision) View(seat int) (engine.Planned, image.Point) {
	p := d.body.position()
	return &seenBy{d.external, d.body, seat}, image.Pt(int(p.x), int(p.y))
}

// sighted returns where friends and enemies were seen lately.
func (m *memory) sighted(now int64) (friends, enemies map[point]bool) {
	friends, enemies = map[point]bool{}, map[point]bool{}
	for _, s := range m.seen[:m.count] {
		if now-s.time <= sightSpan {
			if s.friend {
				friends[s.at] = true
			} else {
				enemies[s.at] = true
			}
		}
	}
	return friends, enemies
}
