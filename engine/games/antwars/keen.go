package antwars

import (
	"errors"
	"fmt"

	"clade/engine"
	"clade/gp"
)

// settings are the parameters of the game. Unset ones are left out of files, so that studies and
// records from before there were any keep their hashes.
type settings struct {
	KeenSenses bool `toml:"keen-senses,omitempty"`
	Foresight  bool `toml:"foresight,omitempty"`
	Moves      int  `toml:"moves,omitempty"`

	Rings  bool   `toml:"rings,omitempty"`
	Sight  string `toml:"sight,omitempty"`
	Search int    `toml:"search,omitempty"`
}

// Values of Sight other than "", the contest's view.
const (
	sightOpponent = "opponent"
	sightBoard    = "board"
)

// mostMoves is how many moves of an ant a game has at most.
const mostMoves = 70

// beyond returns how many moves of an ant a game has more than the contest's, or fewer below 0.
func (s *settings) beyond() int {
	if s.Moves == 0 {
		return 0
	}
	return s.Moves - rounds
}

// Table implements engine.Settings.
func (s *settings) Table() []engine.Setting {
	return []engine.Setting{
		engine.Switch("keen-senses", &s.KeenSenses, "evolved ants perceive more than the contest's "+
			"winner did: where they have never looked, where the opponent may be, how much food "+
			"has not been found, and the best route over food they know of, as hand-written ants "+
			"plan it"),
		engine.Switch("foresight", &s.Foresight, "foodRoute of keen ants counts food by the chance "+
			"that it is still there, and with it what may be found where the route ends; they "+
			"also perceive which bite wins the game; needs keen-senses"),
		engine.Whole("moves", &s.Moves, 0, mostMoves, "moves",
			"of each ant in a game; 0 for the contest's 35"),
		engine.Switch("rings", &s.Rings, "foodRoute of keen ants is no plan, but what a look at the "+
			"rings of cells around where the move ends tells: food, and what is to be expected where "+
			"they have never looked; needs keen-senses"),
		engine.Word("sight", &s.Sight, "what evolved ants see beyond the 5 x 5 cells of the rules: "+
			"where the opponent is, or all of the board; needs keen-senses", "", sightOpponent,
			sightBoard),
		engine.Whole("search", &s.Search, 0, 1e6, "moves", "that an evolved ant plays out before each "+
			"of its own, and leaves its own where another is better beyond chance; 0 for none"),
	}
}

// Settings returns a pointer to a copy of the settings.
func (g *game) Settings() engine.Settings {
	s := g.settings
	return &s
}

// With returns the game with other parameters, a *settings.
func (g *game) With(other any) (engine.Game, error) {
	s, ok := other.(*settings)
	if !ok {
		return nil, fmt.Errorf("antwars: the settings must be a %T, not a %T", s, other)
	}
	if err := engine.CheckSettings("antwars", s); err != nil {
		return nil, err
	}
	if s.Foresight && !s.KeenSenses {
		return nil, errors.New("antwars: foresight needs keen-senses = true")
	}
	if (s.Rings || s.Sight != "") && !s.KeenSenses {
		return nil, errors.New("antwars: rings and sight need keen-senses = true")
	}
	with := makeGame(g.level, *s)
	with.fault = g.fault
	return with, nil
}

// How a route is planned: its moves, and what a piece is worth for each move until it is eaten.
const (
	routeReach = 5
	routeDelay = 0.7
)

// perceive draws what only keen ants perceive.
func (s *sense) perceive(m *memory) {
	f, b := s.frame, &m.belief
	f.Layers[layerUnseen] = recentre(b.unseen(), m.at)
	f.Layers[layerHunter] = recentre(b.hunter, m.at)
	s.expect(m)
}

// expect computes what each move is worth, if the genome reads it.
func (s *sense) expect(m *memory) {
	switch {
	case !s.plans():
	case s.rings:
		s.look(m)
	case s.ants == foresighted:
		s.foresee(m)
	default:
		s.plan(m)
	}
}

// plan sets foodRoute to what the best route is worth.
func (s *sense) plan(m *memory) {
	routes := &s.hidden.lookahead
	routes.begin(m.at, min(routeReach, m.left()))
	each(m.food, func(c int) {
		piece, value := routes.add(c), m.certainty(c)
		for made := range routes.moves {
			routes.worth[made][piece] = value
			value *= routeDelay
		}
	})
	for d, worth := range routes.plan([len(compass)]float32{}) {
		s.ahead[routeAhead][slotOf(d)][d/2] = worth
	}
}

// look sets foodRoute to what the rings of cells around the end of a move hold: remembered food
// and, for each cell never seen, a share of the food not found. A ring counts less the farther it
// is.
func (s *sense) look(m *memory) {
	unseen := m.belief.unseen()
	density := float32(pieces-m.belief.found) / max(1, float32(unseen.Count()))
	for d, to := range places[m.at].next {
		slot, worth := slotOf(d), float32(0)
		for i, ring := range rings[to] {
			hidden := float32(density * float32(ring.And(unseen).Count()))
			worth += float32((float32(ring.And(m.food).Count()) + hidden) * unseenWorth[i])
		}
		s.ahead[routeAhead][slot][d/2] = worth
	}
	s.decide(m)
}

// slotOf returns the slot of a direction.
func slotOf(direction int) int {
	if direction&1 != 0 {
		return slotStraight
	}
	return slotDiagonal
}

// decide sets foodDecides: all of the food for a bite that makes more than half of it, else 0.
func (s *sense) decide(m *memory) {
	s.ahead[winAhead] = [2]gp.Quad{}
	if m.points != decisive-1 {
		return
	}
	for d, to := range places[m.at].next {
		if m.food.Has(int(to)) {
			s.ahead[winAhead][slotOf(d)][d/2] = pieces
		}
	}
}

// unseenWorth is what food on cells never in view counts at the end of a route, by its distance
// from there: 0.6 to that power.
var unseenWorth = [batchSize]float32{1, 0.6, 0.36, 0.216, 0.1296, 0.07776}

// worthApart is unseenWorth by the difference of rows or columns, to which the board's width was
// added: 0 to 21.
var worthApart = func() (t [2 * batchSize]float32) {
	for i := range t {
		t[i] = unseenWorth[min(i%width, width-i%width)]
	}
	return t
}()

// hidden is the food that may lie where an ant has never looked, and the routes that end where it
// counts: after the pieces of the routes come other cells that may be ends. The generator of its
// kernel reads its layout. It has no pointers, so that its vectors lie on lines of the cache.
type hidden struct {
	// Of the kernel: what food counts for sixteen ends, by its row and by its column; for each
	// piece what it is worth and what is behind it, by the number of moves made before; the routes;
	// and how far away each piece is from where each move leads.
	apart  [2][width][batchSize]float32
	pieces [mostPlanned][2]route
	routes [mostPlanned << (mostPlanned - 1)]route
	first  [mostPlanned][len(compass)]uint32

	chance [8 * batchSize]float32 // that food lies there; of the kernel: by cell
	lookahead
	unseen  gp.Bits
	density float32 // the chance that a cell never seen held food at the start
	hides   int
	where   [cells]uint8          // of the cells never seen
	after   [len(compass)]float32 // what each move is worth

	between [mostPlanned * (mostPlanned - 1) / 2][8]uint32 // of the kernel: see planner2.pair
}

// route is what a route is worth, by the number of moves made before.
type route [8]float32

// mostPlanned is for how many pieces a kernel plans all routes.
const mostPlanned = 6

// maxEnds is the greatest number of ends, of pieces of food and neighbours: a multiple of a vector.
const maxEnds = (pieces + 8 + batchSize - 1) / batchSize * batchSize

// totals sets what is added where a route ends that begins with its end, the terms in order of the
// cells. On a cell never seen food lies by the density times the chance that it has been kept.
func (h *hidden) totals(keep *[cells]float32, ends int) {
	h.hides = 0
	for left := h.unseen; !left.Empty(); left = left.Rest() { // each calls a function
		c := left.First()
		h.where[h.hides], h.chance[h.hides] = uint8(c), float32(h.density*keep[c])
		h.hides++
	}
	for i, end := range h.cell[:ends] {
		row := &distances[end]
		worth := float32(0)
		for j, c := range h.where[:h.hides] {
			worth += float32(h.chance[j] * unseenWorth[row[c]&(batchSize-1)])
		}
		h.end[0][i] = worth
	}
}

// totals is (*hidden).totals, or a kernel for it, which may set more than these ends.
type totals func(h *hidden, keep *[cells]float32, ends int)

// later sets what is added and what a piece is worth for all moves but the first.
func (h *hidden) later(ends int) {
	for made := 1; made < farthest; made++ {
		for i := range h.cell[:ends] {
			h.worth[made][i] = h.worth[made-1][i] * routeDelay
			h.end[made][i] = h.end[made-1][i] * routeDelay
		}
	}
}

// rate sets what each move is worth.
func (h *hidden) rate(keep *[cells]float32, totals totals) {
	for left := h.food; !left.Empty(); left = left.Rest() {
		c := left.First()
		h.worth[0][h.add(c)] = keep[c]
	}
	ends := h.n + copy(h.cell[h.n:], places[h.at].next[:])
	totals(h, keep, ends)
	h.later(ends)
	h.after = h.plan([len(compass)]float32(h.end[0][h.n:]))
}

// foresee sets foodRoute and foodDecides for ants with foresight. A route counts food by the chance
// that it is still there. Where it ends, after some moves, the food that may lie around there
// counts seven tenths as much for each of them.
func (s *sense) foresee(m *memory) {
	b, h := &m.belief, s.hidden
	h.unseen, h.density = b.unseen(), b.density()
	h.begin(m.at, min(routeReach, m.left()))
	h.food = m.food
	s.rate(h, &b.keep)
	w := &h.after
	s.ahead[routeAhead][slotStraight] = gp.Quad{w[1], w[3], w[5], w[7]}
	s.ahead[routeAhead][slotDiagonal] = gp.Quad{w[0], w[2], w[4], w[6]}
	s.decide(m)
}
