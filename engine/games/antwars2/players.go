package antwars2

import (
	"math"

	"clade/engine"
)

// nose is the genome of ants that go where food is and where it is safe.
const nose = `
(add (mul (constint 5) safe) (add (food (rect 0 -1 1 1)) (mul (const 0.1) (food (rect 0 -2 5 3)))))
(add (mul (constint 5) safeAslant)
	(add (food (rect -1 -1 1 1)) (mul (const 0.1) (food (rect -2 -2 3 3)))))
(mul (const 0.1) scentMate)`

// Players lists the built-in sides, weakest first.
func (g game) Players() []engine.Entry {
	return []engine.Entry{
		g.GenomeEntry("nose", "goes where more food is known, and explores nothing", nose),
		engine.FixedEntry("antwars2", "greedy",
			"goes to the nearest food that it knows of, else to cells never seen", planner{}),
		engine.FixedEntry("antwars2", "apart",
			"weighs all food, and leaves to each ant what is nearer to it", planner{weighs: true}),
		engine.FixedEntry("antwars2", "hunter",
			"the same, attacks enemies that seem alone, flees others, and saves its mate",
			planner{weighs: true, fights: true}),
	}
}

// planner moves the ant of the side whose best step is worth more.
type planner struct{ weighs, fights bool }

func (p planner) Choose(g engine.Stepper, seat int) int {
	r := g.(*round)
	offer, worth := p.best(r, r.asked)
	if r.may(yield) {
		if _, others := p.best(r, 1-r.asked); others > worth {
			return yield
		}
	}
	return offer
}

// best returns the step of an ant that is worth most.
func (p planner) best(r *round, which int) (best int, most float64) {
	c := &r.each[r.mover()]
	me, mate := &c.ants[which], &c.ants[1-which]
	goals, scale := c.food.list(), 1.0
	if len(goals) == 0 {
		goals, scale = c.unseen.list(), 0.01
	}
	most = math.Inf(-1)
	for offer := range yield {
		to, ok := beside(me.at, offer)
		if !ok || !mate.dead && mate.at == to && mate.left == 0 {
			continue
		}
		worth, nearest := 0.0, cells
		for _, goal := range goals {
			d := distance(to, goal)
			nearest = min(nearest, d)
			share := 1.0
			if mate.free() && distance(mate.at, goal) < distance(me.at, goal) {
				share = 0.3
			}
			worth += share / (0.3 + float64(d*d))
		}
		if !p.weighs {
			worth = 1 / float64(1+nearest)
		}
		worth = float64(worth * scale)
		if p.fights {
			worth += p.fight(r, c, me, mate, to)
		}
		if worth > most {
			best, most = offer, worth
		}
	}
	return best, most
}

// fight returns what a step is worth apart from food.
func (p planner) fight(r *round, c *colony, me, mate *ant, to int) (worth float64) {
	if d := distance(to, mate.at); mate.left > d {
		worth += 4 / float64(1+d)
	}
	var enemies []int
	for i, seen := range c.enemies {
		if seen {
			enemies = append(enemies, r.each[1-r.mover()].ants[i].at)
		}
	}
	for _, enemy := range enemies {
		alone := true
		for _, other := range enemies {
			alone = alone && (other == enemy || distance(other, enemy) > r.Rescue)
		}
		switch distance(to, enemy) {
		case 0:
			if alone {
				worth += 3
			}
		case 1:
			worth -= 2
		}
		if distance(me.at, enemy) == 1 { // it must not stay
			worth += 1.5
		}
	}
	return worth
}
