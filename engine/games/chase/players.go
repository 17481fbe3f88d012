package chase

import (
	"math"

	"clade/engine"
)

// Players lists the built-in creatures, weakest first.
func (g game) Players() []engine.Entry {
	return []engine.Entry{
		engine.FixedEntry("chase", "drunk", "goes anywhere", drunk{}),
		g.GenomeEntry("glutton", "goes where more grains are seen, and sees nobody",
			"(sub (add (grains (rect 0 -1 1 1)) "+
				"(mul (const 0.3) (grains (rect 0 -2 5 3)))) "+
				"(mul (const 0.7) (been (rect 0 -1 1 1))))"),
		engine.FixedEntry("chase", "bold",
			"goes for near grains and prey, keeps away from the hunter, and remembers nothing",
			careful{}),
		engine.FixedEntry("chase", "careful",
			"the same, and remembers the grains that it has seen and where it has been",
			careful{remembers: true}),
	}
}

// drunk chooses at random from the game's seed, so that games can be repeated.
type drunk struct{}

// Reasons implements engine.Reasoner.
func (drunk) Reasons(engine.Stepper, int) ([]float32, string) { return nil, "goes anywhere" }

func (drunk) Choose(g engine.Stepper, seat int) int {
	r := g.(*round)
	return int(uint64(engine.Seed(r.seed).Num(uint64(seats*r.step+seat))) >> 62)
}

// careful weighs the cells beside it: by all grains that it knows of, the nearer the more, by the
// prey that it sees, and by whether the hunter that it sees could be there next.
type careful struct{ remembers bool }

func (p careful) Choose(g engine.Stepper, seat int) int {
	best, most := 0, math.Inf(-1)
	for direction, worth := range p.weigh(g.(*round), seat) {
		if worth > most {
			best, most = direction, worth
		}
	}
	return best
}

// Reasons implements engine.Reasoner.
func (p careful) Reasons(g engine.Stepper, seat int) (worth []float32, note string) {
	for _, w := range p.weigh(g.(*round), seat) {
		worth = append(worth, float32(w))
	}
	r := g.(*round)
	switch {
	case r.sees(seat, hunterOf(seat)) && r.sees(seat, preyOf(seat)):
		note = "sees its hunter and its prey"
	case r.sees(seat, hunterOf(seat)):
		note = "sees its hunter"
	case r.sees(seat, preyOf(seat)):
		note = "sees its prey"
	default:
		note = "counts grains, the nearer the more"
	}
	return worth, note
}

// weigh returns what each direction is worth.
func (p careful) weigh(r *round, seat int) (all [4]float64) {
	c, view := &r.each[seat], r.torus.Square(r.each[seat].at, reach)
	known := c.known
	if !p.remembers {
		known = known.And(view)
	}
	hunter, prey := r.each[hunterOf(seat)].at, r.each[preyOf(seat)].at
	for direction := range all {
		to := r.torus.Towards(c.at, direction)
		worth := 0.0
		for cell := range cells {
			if known.Has(cell) {
				d := float64(r.distance(to, cell))
				worth += 1 / (0.5 + float64(d*d))
			}
		}
		if p.remembers && c.been.Has(to) {
			worth -= 0.3
		}
		if r.sees(seat, preyOf(seat)) {
			worth += perCatch / float64(1+r.distance(to, prey))
		}
		if r.sees(seat, hunterOf(seat)) {
			switch r.distance(to, hunter) {
			case 0, 1:
				worth -= 4 * perCatch
			case 2:
				worth -= 0.5
			}
		}
		all[direction] = worth
	}
	return all
}

// distance returns the moves between two cells.
func (r *round) distance(a, b int) int {
	x, y := r.torus.Offset(a, b)
	return max(x, -x) + max(y, -y)
}
