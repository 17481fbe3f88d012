package darwin

import (
	"image"

	"clade/engine"
)

// known is what all creatures of a species have seen, also those that are gone: the memory of an
// evolved species with a shared map. It follows from the game alone, so that it can be shown of a
// record with any players.
type known struct {
	mind evolvedMind // learns from their actions and decides nothing
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

// seenBy is what a creature of an external species knows.
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
