package amoebas

import (
	"math/bits"
	"slices"
)

// More species of the original's tournaments. They make every recorded decision.

// sectionCounts returns how many of the cells lie in each section.
func sectionCounts(c Cells) (n [8]int) {
	for d := range n {
		n[d] = (Direction(d).Section() & c).Count()
	}
	return n
}

// most returns the direction of the set whose section holds most of the cells.
func (c Cells) most(among Directions) (Direction, bool) {
	return among.Last(func(d Direction) int { return (d.Section() & c).Count() })
}

// fewest returns the direction of the set whose section holds fewest of the cells.
func (c Cells) fewest(among Directions) (Direction, bool) {
	return among.First(func(d Direction) int { return (d.Section() & c).Count() })
}

// amoeboiz has soldiers in sight of hostiles, a border that spreads out, and a middle that saves.
type amoeboiz struct{}

func (amoeboiz) Act(v *View) Action {
	open, friends := v.Free(), v.Friends()
	count := friends.Count()
	if hostiles := v.Hostiles(); hostiles != 0 {
		return amoeboizSoldier(v, open, count, hostiles)
	}
	if amoeboizBorder(friends) {
		if count >= 5 {
			v.because("at the border: moves to where fewest friends are")
			return Move.toward(friends.fewest(open))
		}
		return amoeboizSpread(v, open)
	}
	const fertile, rich, saved = 25, 50, 80
	d, ok := v.richest(open)
	switch few, hungry := count < 20, v.OwnFuel() < amoeboizMeal; {
	case few && v.Energy >= 50 && ok && v.FuelAt(d) > fertile:
		v.because("inside, with room and fuel: divides toward fuel")
		return Action{Command: Divide, Direction: d}
	case few && hungry && ok && v.FuelAt(d) > fertile,
		!few && hungry && ok && v.FuelAt(d) > rich && v.Energy <= saved:
		v.because("inside, hungry: moves toward fuel")
		return Action{Command: Move, Direction: d}
	}
	v.because("inside: saves")
	return Action{}
}

const amoeboizMeal = 10 // fuel of the own cell from which it stays and eats

// amoeboizSpread divides, or eats until it can. It leaves a poor cell for the richest neighbour,
// however poor that is.
func amoeboizSpread(v *View, open Directions) Action {
	switch {
	case v.Energy >= 30:
		v.because("spreads: divides toward fuel")
		return Divide.toward(v.richest(open))
	case v.OwnFuel() < amoeboizMeal:
		v.because("spreads: leaves a poor cell toward fuel")
		return Move.toward(v.richest(open))
	}
	v.because("spreads: eats until it can divide")
	return Action{}
}

// amoeboizBorder compares the four sections with most friends and the four with fewest.
func amoeboizBorder(friends Cells) bool {
	n := sectionCounts(friends)
	slices.Sort(n[:])
	least := n[0] + n[1] + n[2] + n[3]
	most := n[4] + n[5] + n[6] + n[7]
	return most >= least+5 && least <= 30
}

func amoeboizSoldier(v *View, open Directions, friends int, hostiles Cells) Action {
	const army = 15
	switch targets := v.Targets(); {
	case friends < army:
		return amoeboizSpread(v, open)
	case v.Energy < v.Constants().AttackEnergy:
		v.because("soldier without the energy to hit: feeds")
		if v.OwnFuel() < amoeboizMeal {
			return Move.toward(v.richest(open))
		}
		return Action{}
	case targets != 0:
		return Action{Command: Hit, Direction: mostEnergy.choose(v, targets)}
	}
	v.because("soldier: moves to where most hostiles are")
	return Move.toward(hostiles.most(open))
}

// necrosis divides whenever it can, with its children on the diagonals where one is free, and hits
// even without the energy for it when boxed in. It never moves to a poorer cell.
type necrosis struct{}

const diagonals = Directions(1<<NW | 1<<NE | 1<<SE | 1<<SW)

func (necrosis) Act(v *View) Action {
	const low, rich = 10, 30
	open := v.Free()
	if v.Energy > rich && open != 0 {
		if open&diagonals != 0 {
			open &= diagonals
		}
		v.because("divides as it can, on a diagonal where one is free")
		return Action{Command: Divide, Direction: open.Nth(v.Random.Below(open.Count()))}
	}
	if targets := v.Targets(); targets != 0 && (v.Energy >= low || open == 0) {
		return Action{Command: Hit, Direction: mostEnergyAndFuel.choose(v, targets)}
	}
	if d, ok := v.richestSection(open); ok && v.OwnFuel() <= low && v.FuelAt(d) >= v.OwnFuel() {
		v.because("little fuel here: moves to where it sees most")
		return Action{Command: Move, Direction: d}
	}
	v.because("stays and eats")
	return Action{}
}

// alarmed is philip and berit2: it calls friends by its data when it sees an enemy, and comes when
// called.
type alarmed struct {
	crowd   int // friends in view, itself counted, above which it does not divide
	fragile int // health of a hostile up to which a hit is taken to kill
	huddle  int // friends beside it above which it only feeds where land is rich
}

const alarm Data = 1 // data of an amoeba that saw an enemy; 0 of others

func (f alarmed) Act(v *View) Action {
	hostiles := v.Hostiles()
	var seen Data
	if hostiles != 0 {
		seen = alarm
	}
	if targets := v.Targets(); targets != 0 && v.Energy >= v.Constants().AttackEnergy {
		return Action{Command: Hit, Direction: f.victim(v, targets), Data: seen}
	}
	open, friends := v.Free(), v.Friends()
	goal := hostiles
	if goal == 0 {
		goal = callers(v, friends)
	}
	toward, ok := v.richestSection(open)
	v.because("feeds: toward the most fuel in sight if it leaves")
	if goal != 0 {
		v.because("goes to hostiles, or to friends that call; divides on the way if rich")
		toward, ok = goal.most(open)
	}
	a := Action{Data: seen}
	switch rich := v.Energy > 65; {
	case !ok:
	case rich && friends.Count() <= f.crowd && !f.feeds(v):
		a = Action{Command: Divide, Direction: toward, Heritage: Heritage{ChildData: seen}}
	case rich || v.OwnFuel() < 10:
		a.Command, a.Direction = Move, toward
	}
	return a
}

// feeds tells whether so much fuel is in view, and so many friends are near, that it only feeds.
func (f alarmed) feeds(v *View) bool {
	const lush = 4600
	fuel := 0
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			fuel += v.Fuel(x, y)
		}
	}
	return fuel > lush && (v.Friends()&^own).Ring().Count() > f.huddle
}

// victim returns the healthiest target that a hit kills, else the one that owns most.
func (f alarmed) victim(v *View, targets Directions) Direction {
	worth := func(d Direction) int {
		if health := v.HealthAt(d); health <= f.fragile {
			return maxUnits + maxFuel + maxUnits + health
		}
		return v.wealthAt(d)
	}
	v.because("hits whom the hit kills, else who owns most")
	if v.trace != nil {
		v.trace.weigh(targets, worth)
	}
	d, _ := targets.Last(worth)
	return d
}

// callers returns the cells of the friends, itself counted, whose data say that they saw an enemy.
func callers(v *View, friends Cells) (c Cells) {
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			if at := At(x, y); at&friends != 0 {
				if o, _ := v.Occupant(x, y); o.Data == alarm {
					c |= at
				}
			}
		}
	}
	return c
}

// covid spreads early and saves later. Its data count its own decisions, so newborns are early
// again.
type covid struct{}

func (covid) Act(v *View) Action {
	count := min(v.Data+1, maxRounds)
	a := covidAction(v, int(count))
	a.Data = count
	return a
}

func covidAction(v *View, count int) Action {
	open, targets := v.Free(), v.Targets()
	early := 20*count <= v.Constants().WorldSize
	enough := 55 // energy to divide with
	if early {
		enough = 30
	}
	switch {
	case targets != 0 && v.Energy >= v.Constants().AttackEnergy:
		return Action{Command: Hit, Direction: mostEnergy.choose(v, targets)}
	case open == 0 || v.Energy <= 3:
		v.because("rests: no way out, or no energy")
		return Action{}
	case 8-open.Count() >= 2 && (early || v.Energy >= 38):
		v.because("neighbours: moves to fuel and hostiles, away from friends")
		return Action{Command: Move, Direction: covidPrefers(v, open)}
	case v.Energy >= enough:
		v.because("rich: divides to where most fuel is free")
		return Action{Command: Divide, Direction: covidFertile(v, open)}
	case v.OwnFuel() < 10:
		v.because("little fuel here: moves to fuel and hostiles, away from friends")
		return Action{Command: Move, Direction: covidPrefers(v, open)}
	}
	v.because("stays and eats")
	return Action{}
}

// covidFertile returns the direction whose section has the most fuel an empty cell.
func covidFertile(v *View, open Directions) Direction {
	empty := v.Visible() &^ v.Occupied()
	d, _ := open.Last(func(d Direction) int { return sectionMean(empty&d.Section(), v.Fuel) })
	return d
}

// covidPrefers returns the direction whose section has the most fuel a cell without a friend, and
// energy a hostile.
func covidPrefers(v *View, open Directions) Direction {
	energy := func(x, y int) int {
		o, _ := v.Occupant(x, y)
		return o.Energy
	}
	strange, hostiles := v.Visible()&^v.Friends(), v.Hostiles()
	d, _ := open.Last(func(d Direction) int {
		return sectionMean(strange&d.Section(), v.Fuel) + sectionMean(hostiles&d.Section(), energy)
	})
	return d
}

// sectionMean returns the mean of a number over cells of a section, 0 without cells. It is
// multiplied by the least common multiple of 1 to 16, and so exact: a section has sixteen cells.
func sectionMean(c Cells, number func(x, y int) int) int {
	const whole = 720720
	sum, n := 0, c.Count()
	if n == 0 {
		return 0
	}
	for ; c != 0; c &= c - 1 {
		i := bits.TrailingZeros64(uint64(c))
		sum += number(i%side-maxView, i/side-maxView)
	}
	return whole / n * sum
}
