package antwars

import (
	"math"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/kernels"
	"clade/gp/proof"
)

func keenGame(t testing.TB) *game { return gameWith(t, settings{KeenSenses: true}) }

func foresightGame(t testing.TB) *game {
	return gameWith(t, settings{KeenSenses: true, Foresight: true})
}

func gameWith(t testing.TB, s settings) *game {
	t.Helper()
	return proof.Must(New().(engine.Adjustable).With(&s))(t).(*game)
}

// speciesOf is the species of a genome.
func speciesOf(t *testing.T, g *game, genome string) *species {
	t.Helper()
	parsed := proof.Must(g.grammar.Parse(genome))(t)
	return proof.Must(g.Bind(parsed))(t).(*species)
}

func TestKeenEngine(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, keenGame(t))
}

func TestForesightEngine(t *testing.T) {
	proof.Slow(t)
	enginetest.Run(t, foresightGame(t))
}

func TestForesightNeedsKeenSenses(t *testing.T) {
	proof.Fails(New().(engine.Adjustable).With(&settings{Foresight: true}))(t, "needs keen-senses")
}

// Ants that use the paper's senses alone play on as they did.
func TestKeenGameKeepsThePaper(t *testing.T) {
	games := []*game{newGame(0), keenGame(t), foresightGame(t)}
	for seed := range uint64(100) {
		var results [3]engine.Result
		for i, g := range games {
			p := proof.Must(g.brilliant())(t)
			results[i] = g.Play([]engine.Player{p, hyper{}}, seed, nil)
		}
		if results[0] != results[1] || results[0] != results[2] {
			t.Fatalf("seed %d: %+v, with keen senses %+v, with foresight %+v", seed, results[0],
				results[1], results[2])
		}
	}
}

// probe moves as hyper does, or as an evolved ant, and holds what keen ants perceive against what
// has happened.
type probe struct {
	t     *testing.T
	ant   *species // that takes the best route; nil for hyper
	sense *sense
	other *probe
	seen  gp.Bits // cells that were in view
	found gp.Bits // food that was
	at    uint8
	dead  bool
}

func (p *probe) Move(m *memory) int {
	var direction int
	if p.ant != nil {
		direction = p.ant.move(m, p.sense)
	} else {
		direction = hyper{}.Move(m) // which tracks
		p.sense.fill(m)
	}
	p.seen = p.seen.Or(m.view)
	p.found = p.found.Or(m.food.And(m.view))
	f := p.sense.frame
	for cell := range cells {
		at := onCentre(cell, m.at)
		start := cell == int(starts[0]) || cell == int(starts[1])
		if have := f.Layers[layerUnseen].Has(at); have == (p.seen.Has(cell) || start) {
			p.t.Fatalf("move %d: cell %d is unseen: %v", m.time, cell, have)
		}
	}
	if have := f.Scalar(4)[0]; have != float32(pieces-p.found.Count()) {
		p.t.Fatalf("move %d: %v pieces not found, %d were", m.time, have, p.found.Count())
	}
	if f.Layers[layerHunter].Has(onCentre(int(p.other.at), m.at)) == p.other.dead {
		p.t.Fatalf("move %d: the opponent is where it cannot be", m.time)
	}
	best := float32(0)
	for d, to := range places[m.at].next {
		slot := 1 - d&1
		have := p.sense.ahead[routeAhead][slot][d/2]
		if want := longWay(m, to, gp.Bits{}, 0); math.Abs(float64(have)-want) > 1e-4 {
			p.t.Fatalf("move %d, direction %d: the route is worth %v, and step by step %v", m.time,
				d,
				have, want)
		}
		best = max(best, have)
	}
	if have := p.sense.ahead[routeAhead][1-direction&1][direction/2]; p.ant != nil && have != best {
		p.t.Fatalf("move %d: the ant goes where the route is worth %v, and the best is %v", m.time,
			have, best)
	}
	p.at = places[m.at].next[direction]
	p.other.dead = p.other.dead || p.at == p.other.at
	return direction
}

// longWay is the worth of the best route step by step, after a step to a cell.
func longWay(m *memory, to uint8, eaten gp.Bits, made int) (worth float64) {
	if m.food.Has(int(to)) && !eaten.Has(int(to)) {
		eaten.Set(int(to))
		worth = float64(m.certainty(int(to))) * math.Pow(routeDelay, float64(made))
	}
	if made+1 == min(routeReach, rounds-m.time) {
		return worth
	}
	best := 0.0
	for _, next := range places[to].next {
		best = max(best, longWay(m, next, eaten, made+1))
	}
	return worth + best
}

// What keen ants perceive is what happened, and their routes are the best there are.
func TestKeenSenses(t *testing.T) {
	g := keenGame(t)
	ant := speciesOf(t, g, "foodRoute foodRoute")
	for seed := range uint64(6) {
		a := &probe{t: t, sense: newSense(g), at: starts[0]}
		a.other = &probe{t: t, ant: ant, sense: newSense(g), at: starts[1], other: a}
		ant.code.Load(a.other.sense.frame)
		if r := g.Play([]engine.Player{a, a.other}, seed, nil); r.Steps < rounds {
			t.Errorf("seed %d: %d steps tell little", seed, r.Steps)
		}
	}
}

// seer is an evolved ant with foresight whose perception is held against plain counting, and its
// belief against hyper's.
type seer struct {
	t     *testing.T
	ant   *species
	sense *sense
	hyper judge // which believes what hyper does
	seen  gp.Bits
	walks bool // routes are held, too, which takes time
	bites int  // steps that were seen to win the game
}

func (p *seer) Move(m *memory) int {
	own := p.hyper.see(m)
	direction := p.ant.move(m, p.sense)
	if m.belief.keep != own.belief.keep {
		p.t.Fatalf("move %d: the ant does not believe what hyper does", m.time)
	}
	p.seen = p.seen.Or(m.view)
	for _, start := range starts {
		p.seen.Set(int(start))
	}
	for d, to := range places[m.at].next {
		if p.walks {
			have := p.sense.ahead[routeAhead][1-d&1][d/2]
			want := p.longWay(m, to, gp.Bits{}, 0, p.around(m, to))
			if math.Abs(float64(have)-want) > 1e-4 {
				p.t.Fatalf("move %d, direction %d: the route is worth %v, and step by step %v",
					m.time, d, have, want)
			}
		}
		wins := m.food.Has(int(to)) && 2*(m.points+1) > pieces && 2*m.points < pieces
		if have := p.sense.ahead[winAhead][1-d&1][d/2]; have == pieces != wins || !wins && have != 0 {
			p.t.Fatalf("move %d, direction %d: with %d points the bite decides: %v", m.time, d,
				m.points, have)
		}
		if wins {
			p.bites++
		}
	}
	return direction
}

// around is the food that may lie around a cell where nobody has looked.
func (p *seer) around(m *memory, cell uint8) (worth float64) {
	unseen := cells - p.seen.Count()
	for c := range cells {
		if !p.seen.Has(c) {
			worth += float64(pieces-m.belief.found) / max(1, float64(unseen)+float64(m.belief.eaten)) *
				float64(m.belief.keep[c]) * math.Pow(0.6, float64(distances[cell][c]))
		}
	}
	return worth
}

// longWay is the worth of the best route step by step, after a step to a cell; end is what may be
// found around the food eaten last.
func (p *seer) longWay(m *memory, to uint8, eaten gp.Bits, made int, end float64) (worth float64) {
	if m.food.Has(int(to)) && !eaten.Has(int(to)) {
		eaten.Set(int(to))
		delay := math.Pow(routeDelay, float64(made))
		worth, end = delay*float64(m.belief.keep[to]), delay*p.around(m, to)
	}
	if made+1 >= min(routeReach, rounds-m.time) {
		return worth + end
	}
	best := 0.0
	for _, next := range places[to].next {
		best = max(best, p.longWay(m, next, eaten, made+1, end))
	}
	return worth + best
}

// What ants with foresight perceive is what plain counting gives.
func TestForesight(t *testing.T) {
	g := foresightGame(t)
	ant := speciesOf(t, g, "(add foodRoute foodDecides) (add foodRoute foodDecides)")
	bites := 0
	for seed := range uint64(40) {
		p := &seer{t: t, ant: ant, sense: newSense(g), walks: seed < 4}
		ant.code.Load(p.sense.frame)
		players := []engine.Player{p, hyper{}}
		if seed&1 == 1 {
			players = []engine.Player{greedy{}, p}
		}
		g.Play(players, seed, nil)
		bites += p.bites
	}
	if bites == 0 {
		t.Error("no bite won a game: that tells little")
	}
}

// TestSums holds for each level what hidden food is worth to a sum over cells one by one in
// float32, bit for bit, and what it and a piece are worth later. Cells and chances are drawn.
func TestSums(t *testing.T) {
	r := engine.NewRandom(8)
	for n := range 1000 {
		h, keep := drawn(&r, n)
		ends := 8 + r.Below(pieces+1)
		first := [maxEnds]float32{}
		for i := range ends {
			h.cell[i], first[i] = uint8(r.Below(cells)), float32(r.Float())
		}
		h.worth[0] = first
		for _, level := range kernels.Available() {
			totalsOf(level)(&h, &keep, ends)
			h.later(ends)
			for i, end := range h.cell[:ends] {
				want, piece := float32(0), first[i]
				each(h.unseen, func(c int) {
					far := max(apart(int(end)/width, c/width), apart(int(end)%width, c%width))
					want += float32(float32(h.density*keep[c]) * unseenWorth[far])
				})
				for made := range farthest {
					if h.end[made][i] != want || h.worth[made][i] != piece {
						t.Fatalf("%s: %d hidden, around %d, %d moves: %v and %v, want %v and %v",
							level, h.unseen.Count(), end, made, h.end[made][i], h.worth[made][i],
							want, piece)
					}
					want, piece = want*routeDelay, piece*routeDelay
				}
			}
			h.end = [farthest + 2][maxEnds]float32{}
		}
	}
}

// drawn draws hidden food: the greater n is, up to 120, the less of it.
func drawn(r *engine.Random, n int) (h hidden, keep [cells]float32) {
	h.density = float32(r.Float())
	for c := range cells {
		keep[c] = float32(r.Float())
		if r.Below(120) < n%121 {
			h.unseen.Set(c)
		}
	}
	return h, keep
}

// TestRating holds for each level what moves are worth to the plain search, bit for bit. Food lies
// all over the board or in one corner, so that many routes cross; cells and chances are drawn.
func TestRating(t *testing.T) {
	r := engine.NewRandom(10)
	for n := range 8000 {
		h, keep := drawn(&r, n)
		h.begin(uint8(r.Below(cells)), 1+r.Below(routeReach))
		var food gp.Bits
		side := 3 + r.Below(width-2)
		for range r.Below(mostPlanned + 3) {
			if c := cellAt(r.Below(side), r.Below(side)); c != int(h.at) {
				food.Set(c)
				keep[c] = float32(r.Below(4)) * keep[c]
			}
		}
		h.food = food
		h.rate(&keep, (*hidden).totals)
		want := h.after
		for _, l := range kernels.Available() {
			h.begin(h.at, h.moves)
			h.food, h.after = food, [len(compass)]float32{}
			rating(l)(&h, &keep)
			if h.after != want {
				t.Fatalf("%s: at %d, %d moves, %d pieces: %v, want %v", l, h.at, h.moves,
					food.Count(), h.after, want)
			}
		}
	}
}

// TestFade scales numbers of some cells at each level, and no others. Cells, numbers and factors are
// drawn.
func TestFade(t *testing.T) {
	r := engine.NewRandom(9)
	for range 1000 {
		var set gp.Bits
		var m memory
		for c := range cells {
			m.belief.keep[c] = float32(r.Float())
			if r.Below(2) == 0 {
				set.Set(c)
			}
		}
		by := float32(r.Float())
		want := m.belief.keep
		each(set, func(c int) { want[c] *= by })
		for _, level := range kernels.Available() {
			faded := memory{level: level, belief: m.belief}
			if faded.fade(set, by); faded.belief.keep != want {
				t.Fatalf("%s: %v, want %v", level, faded.belief.keep, want)
			}
		}
	}
}

// apart is how far two rows or two columns are apart on the torus.
func apart(a, b int) int { return min((a-b+width)%width, (b-a+width)%width) }
