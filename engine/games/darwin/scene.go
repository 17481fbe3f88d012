package darwin

import (
	"fmt"
	"image"
	"strings"

	"clade/engine"
)

// scene is a position of a game that is recorded or shown.
type scene struct {
	w     *world
	seats int
	lane  int // of a race: the seat that runs
	of    int // seats of all lanes
	turns int // taken in the lanes before
	iso   bool
	above bool     // a viewer that draws it looks straight down
	known []*known // by seat of this world: what its creatures have seen
}

func newScene(m *match) *scene {
	s := &scene{w: m.world, seats: m.seats, lane: m.lane, of: m.of, turns: m.turns,
		iso: m.world.isometric}
	for range m.seats {
		s.known = append(s.known, newKnown(m.world.ground))
	}
	return s
}

// Step returns the number of turns taken.
func (s *scene) Step() int { return s.turns + s.w.turns }

// Scores appends the number of living creatures of each seat; in a race, only the runner has any.
func (s *scene) Scores(dst []float64) []float64 {
	for seat := range s.of {
		heads := 0
		if k := seat - s.lane; k >= 0 && k < s.seats {
			heads = s.w.population[seatBreed(k)]
		}
		dst = append(dst, float64(heads))
	}
	return dst
}

// seat returns the seat of a breed, also in a race, where every runner is alone in its world;
// negative for a neutral breed.
func (s *scene) seat(b breed) int {
	if b < firstSeat {
		return b.seat()
	}
	return s.lane + b.seat()
}

// Size returns the size of the picture: flat, a square has cellSize pixels; isometric, a tile is
// tileWidth wide and half as high.
func (s *scene) Size(scale int) image.Point {
	g := s.w.ground
	if s.iso {
		return image.Pt((g.width+g.height)*tileWidth/2*scale,
			((g.width+g.height)*tileHeight/2+spriteHeight-tileHeight)*scale)
	}
	return image.Pt(g.width*cellSize*scale, g.height*cellSize*scale)
}

// Draw draws the position, flat or isometric.
func (s *scene) Draw(img *image.Paletted, _ int) {
	if s.iso {
		engine.PaintTilted(img, s.w.ground.plan(), s.Pieces(nil))
	} else {
		engine.Paint(img, s.w.ground.plan(), s.Pieces(nil))
	}
}

// Events implements engine.Chronicler.
func (s *scene) Events() []string { return []string{"capture", "death", "ascension"} }

// Happened implements engine.Chronicler. In a race it counts the runner's events.
func (s *scene) Happened(dst []int, seat int) []int {
	k := seat - s.lane
	if k < 0 || k >= s.seats {
		return append(dst, 0, 0, 0)
	}
	return append(dst, s.w.captures[k], s.w.deaths[k], s.w.ascensions[k])
}

// cellSize is the side of a square in the flat view, in pixels at scale 1.
const cellSize = 12

// Tile returns the side of a square; the isometric view has none.
func (s *scene) Tile(scale int) int {
	if s.iso {
		return 0
	}
	return cellSize * scale
}

// Layers implements engine.Layered: the view from above, and what each species has seen.
func (s *scene) Layers() []string {
	names := []string{"from above"}
	for seat := range s.of {
		names = append(names, fmt.Sprintf("what species %d remembers", seat+1))
	}
	return names
}

// Layer implements engine.Layered.
func (s *scene) Layer(i int) engine.Scene {
	other := *s
	other.iso, other.above = false, i == 0
	if i > 0 {
		return &knowledge{&other, i - 1 - s.lane}
	}
	return &other
}

// Kinds of pieces, in the order in which they are drawn.
const (
	pieceUnknown = iota
	pieceMud
	pieceFog
	pieceShrine
	pieceWall
	pieceThorns
	pieceGlow
	pieceApple
	pieceFlytrap
	pieceChest
	pieceCreature
	pieceSighted
)

var pieceKinds = []engine.Kind{
	pieceUnknown:  {Name: "never seen", Form: engine.Filled, Colour: engine.Veil},
	pieceMud:      {Name: "mud: steps take longer", Form: engine.Mud},
	pieceFog:      {Name: "fog: nobody sees in", Form: engine.Fog, Colour: engine.Veil},
	pieceShrine:   {Name: "shrine", Form: engine.Shrine, Colour: engine.Veil},
	pieceWall:     {Name: "wall", Form: engine.Wall},
	pieceThorns:   {Name: "hazard", Form: engine.Thorns, Colour: engine.Hazard},
	pieceGlow:     {Name: "enchanted", Form: engine.Filled, Colour: engine.Seats + 4},
	pieceApple:    {Name: "apple", Form: engine.Apple},
	pieceFlytrap:  {Name: "flytrap", Form: engine.Flytrap},
	pieceChest:    {Name: "treasure", Form: engine.Chest},
	pieceCreature: {Name: "creature", Form: engine.Walker},
	pieceSighted:  {Name: "creature when last seen", Form: engine.Disc, Colour: engine.Veil},
}

// Plan implements engine.Planned; the isometric view, which films show, has none.
func (s *scene) Plan() *engine.Plan {
	if s.iso {
		return nil
	}
	plan := s.w.ground.plan()
	plan.Tilted = !s.above
	return plan
}

// squares calls a function with the column and the row of each square of the map.
func (g *ground) squares(yield func(x, y int) bool) {
	for y := range g.height {
		for x := range g.width {
			if !yield(x, y) {
				return
			}
		}
	}
}

func (g *ground) plan() *engine.Plan {
	return &engine.Plan{Columns: g.width, Rows: g.height, Kinds: pieceKinds}
}

// Pieces implements engine.Planned.
func (s *scene) Pieces(dst []engine.Piece) []engine.Piece {
	g := s.w.ground
	for x, y := range g.squares {
		i := g.cell(x, y)
		dst = floorPieces(dst, g.terrain[i], s.lane, x, y)
		switch what := s.w.cells[i]; {
		case what > 0:
			b := &s.w.bodies[what-1]
			dst = b.pieces(dst, s.seat(b.breed))
		case what == hazard:
			dst = append(dst, engine.Nobodys(pieceThorns, x, y))
		case what < 0:
			dst = append(dst, engine.Nobodys(pieceWall, x, y))
		}
	}
	return dst
}

// floorPieces appends what lies on a square's floor; first is the seat of the first species.
func floorPieces(dst []engine.Piece, t terrain, first, x, y int) []engine.Piece {
	if t&mud != 0 {
		dst = append(dst, engine.Nobodys(pieceMud, x, y))
	}
	if t&fog != 0 {
		dst = append(dst, engine.Nobodys(pieceFog, x, y))
	}
	if t&shrine != 0 {
		seat := -1
		if owner := t.owner(); owner != none {
			seat = first + owner.seat()
		}
		dst = append(dst, engine.Owned(pieceShrine, seat, x, y))
	}
	return dst
}

// pieces appends a creature of a seat, and its enchantment.
func (b *body) pieces(dst []engine.Piece, seat int) []engine.Piece {
	p := b.position()
	x, y := int(p.x), int(p.y)
	if b.enchanted {
		dst = append(dst, engine.Nobodys(pieceGlow, x, y))
	}
	one := engine.Owned(pieceCreature, seat, x, y)
	if b.breed < firstSeat {
		one = engine.Nobodys([...]int{pieceApple, pieceFlytrap, pieceChest}[b.breed], x, y)
	}
	one.Facing = [4]int8{0, 6, 4, 2}[b.facing]
	return append(dst, one)
}

// Text prints the map: creatures as arrows, in rows of the map, and beside the rows a list of the
// species.
func (s *scene) Text() string {
	var t strings.Builder
	w, g := s.w, s.w.ground
	fmt.Fprintf(&t, "%s  turn %d  clock %.4f s\n", g.title, s.Step(),
		float64(w.clock)/float64(second))
	for y := range g.height {
		for x := range g.width {
			t.WriteByte(s.letter(g.cell(x, y)))
		}
		if y < s.seats {
			fmt.Fprintf(&t, "  %d: %d creatures, %d ascensions", s.lane+y,
				w.population[seatBreed(y)], w.ascensions[y])
		}
		t.WriteByte('\n')
	}
	return t.String()
}

// letter is how a cell is printed: as in a map file, a shrine with its owner's letter A to J.
func (s *scene) letter(i int) byte {
	g := s.w.ground
	what := s.w.cells[i]
	if what < 0 {
		return "X#%+"[-what-1]
	}
	if what > 0 {
		switch b := &s.w.bodies[what-1]; {
		case b.breed == apple && b.enchanted:
			return 'e'
		case b.breed < firstSeat:
			return "af*"[b.breed]
		default:
			return '0' + byte(s.seat(b.breed))
		}
	}
	switch t := g.terrain[i]; {
	case t.owner() != none:
		return 'A' + byte(s.seat(t.owner()))
	case t&shrine != 0:
		return 's'
	case t&fog != 0:
		return ':'
	case t&mud != 0:
		return '.'
	}
	return ' '
}

// cellAt returns the cell under a pixel, and false outside the map.
func (s *scene) cellAt(at image.Point, scale int) (cell int, ok bool) {
	g := s.w.ground
	x, y := floorDiv(at.X, cellSize*scale), floorDiv(at.Y, cellSize*scale)
	if s.iso {
		x, y = s.tileAt(at, scale)
	}
	if x < 0 || y < 0 || x >= g.width || y >= g.height {
		return 0, false
	}
	return g.cell(x, y), true
}

// Creature returns the number of the creature on the square under a pixel.
func (s *scene) Creature(at image.Point, scale int) (number int, ok bool) {
	if i, inside := s.cellAt(at, scale); inside && s.w.cells[i] > 0 {
		return int(s.w.bodies[s.w.cells[i]-1].id), true
	}
	return 0, false
}

// Whereabouts returns the pixel in the middle of the square on which a creature stands.
func (s *scene) Whereabouts(number, scale int) (at image.Point, ok bool) {
	for i := range s.w.bodies {
		b := &s.w.bodies[i]
		if !b.alive || int(b.id) != number {
			continue
		}
		return s.middle(b.position()).Mul(scale), true
	}
	return image.Point{}, false
}

// middle returns the pixel in the middle of a square's ground, at scale 1.
func (s *scene) middle(p point) image.Point {
	if s.iso {
		return s.tileMiddle(int(p.x), int(p.y))
	}
	return image.Pt(int(p.x), int(p.y)).Mul(cellSize).Add(image.Pt(cellSize/2, cellSize/2))
}

// Inspect describes the square under a pixel, and of a creature the facing, the last action and the
// time spent.
func (s *scene) Inspect(at image.Point, scale int) string {
	i, ok := s.cellAt(at, scale)
	if !ok {
		return "outside"
	}
	g := s.w.ground
	parts := []string{fmt.Sprintf("column %d, row %d", g.point(i).x, g.point(i).y)}
	switch what := s.w.cells[i]; {
	case what > 0:
		parts = append(parts, s.describe(&s.w.bodies[what-1]))
	case what == hazard:
		parts = append(parts, "hazard")
	case what < 0:
		parts = append(parts, "wall")
	}
	t := g.terrain[i]
	if t&mud != 0 {
		parts = append(parts, "mud")
	}
	if t&fog != 0 {
		parts = append(parts, "fog")
	}
	if owner := t.owner(); owner != none {
		parts = append(parts, fmt.Sprintf("shrine of species %d", s.seat(owner)))
	} else if t&shrine != 0 {
		parts = append(parts, "shrine without an owner")
	}
	if s.w.scents != nil && s.w.scents[i] != 0 {
		parts = append(parts, fmt.Sprintf("text %q", scentText(s.w.scents[i])))
	}
	return strings.Join(parts, ", ")
}

// describe describes a creature.
func (s *scene) describe(b *body) string {
	name := fmt.Sprintf("creature %d of species %d", b.id, s.seat(b.breed))
	if b.breed < firstSeat {
		name = fmt.Sprintf("%s %d", [...]string{"apple", "flytrap", "treasure"}[b.breed], b.id)
	}
	charm := ""
	if b.enchanted {
		charm = ", enchanted"
	}
	return fmt.Sprintf("%s%s, faces %s, %s, has spent %.4f ms", name, charm,
		[...]string{"north", "west", "south", "east"}[b.facing], b.deed(),
		float64(b.clock)/float64(millisecond))
}

// deed describes a creature's last action.
func (b *body) deed() string {
	deed := [numVerbs]string{
		"is idle", "went forward", "went backward", "turned left", "turned right", "attacked",
		"looked ahead", "waited", "left a text",
	}[b.last]
	if !b.done {
		deed += " in vain"
	}
	return deed
}

// floorDiv divides and rounds down.
func floorDiv(a, b int) int {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
