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
	routes := &s.lookahead
	routes.begin(m.at, min(routeReach, m.left()))
	each(m.food, func(c int) {
		worth := routes.add(c)
		value := m.certainty(c)
		for i := range worth {
			worth[i] = value
			value *= routeDelay
		}
	})
	for d, worth := range routes.plan() {
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
	for d, to := range places[m.at].next {
		worth := &s.ahead[winAhead][slotOf(d)][d/2]
		*worth = 0
		if m.points == decisive-1 && m.food.Has(int(to)) {
			*worth = pieces
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

// hidden is the food that may lie where an ant has never looked, and what it is worth at the cells
// where routes end. The generator of its kernel reads its layout.
type hidden struct {
	unseen  gp.Bits
	density float32 // the chance that a cell never seen held food at the start
	n       int
	where   [cells]uint8           // of the cells never seen
	chance  [8 * batchSize]float32 // that food lies there; of the kernel: by cell
	ends    [maxEnds]uint8
	worth   [maxEnds]float32
	// Of the kernel: what food counts for sixteen ends, by its row and by its column.
	apart [2][width][batchSize]float32
	sum   func(h *hidden, keep *[cells]float32, ends int)
}

// maxEnds is the greatest number of ends, of pieces of food and neighbours: a multiple of a vector.
const maxEnds = (pieces + 8 + batchSize - 1) / batchSize * batchSize

// sums sets the worth of each end: the terms are added in order of the cells. On a cell never seen
// food lies by the density times the chance that it has been kept.
func (h *hidden) sums(keep *[cells]float32, ends int) {
	h.n = 0
	for left := h.unseen; !left.Empty(); left = left.Rest() { // each calls a function
		c := left.First()
		h.where[h.n], h.chance[h.n] = uint8(c), float32(h.density*keep[c])
		h.n++
	}
	for i, end := range h.ends[:ends] {
		row := &distances[end]
		worth := float32(0)
		for j, c := range h.where[:h.n] {
			worth += float32(h.chance[j] * unseenWorth[row[c]&(batchSize-1)])
		}
		h.worth[i] = worth
	}
}

// foresee sets foodRoute and foodDecides for ants with foresight. A route counts food by the chance
// that it is still there. Where it ends, after some moves, the food that may lie around there
// counts seven tenths as much for each of them.
func (s *sense) foresee(m *memory) {
	b, h := &m.belief, &s.hidden
	h.unseen, h.density = b.unseen(), b.density()
	next := &places[m.at].next
	ends := copy(h.ends[:], next[:])
	moves := min(routeReach, m.left())
	for left := m.food; !left.Empty(); left = left.Rest() {
		if c := left.First(); int(distances[m.at][c]) <= moves {
			h.ends[ends] = uint8(c)
			ends++
		}
	}
	h.sum(h, &b.keep, ends)
	routes := &s.lookahead
	routes.begin(m.at, moves)
	for i, c := range h.ends[len(next):ends] {
		worth, value, end := routes.add(int(c)), b.keep[c], h.worth[len(next)+i]
		for j := range worth {
			worth[j], routes.end[i][j] = value, end
			value *= routeDelay
			end *= routeDelay
		}
	}
	for d, worth := range routes.plan() {
		s.ahead[routeAhead][slotOf(d)][d/2] = max(worth, h.worth[d])
	}
	s.decide(m)
}
