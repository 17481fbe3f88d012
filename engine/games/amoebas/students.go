package amoebas

import (
	"math/bits"
	"slices"
)

// More species of the original's tournaments. They make every recorded decision.

// sectionCounts returns how many of the cells lie in each section.
func sectionCounts(c cellSet) (n [8]int) {
	for d := range n {
		n[d] = (direction(d).section() & c).count()
	}
	return n
}

// most returns the direction of the set whose section holds most of the cells.
func (c cellSet) most(among directions) (direction, bool) {
	return among.last(func(d direction) int { return (d.section() & c).count() })
}

// fewest returns the direction of the set whose section holds fewest of the cells.
func (c cellSet) fewest(among directions) (direction, bool) {
	return among.first(func(d direction) int { return (d.section() & c).count() })
}

// amoeboiz has soldiers in sight of hostiles, a border that spreads out, and a middle that saves.
type amoeboiz struct{}

func (amoeboiz) Act(v *view) action {
	open, friends := v.free(), v.friends()
	count := friends.count()
	if hostiles := v.hostiles(); hostiles != 0 {
		return amoeboizSoldier(v, open, count, hostiles)
	}
	if amoeboizBorder(friends) {
		if count >= 5 {
			v.because("at the border: moves to where fewest friends are")
			return doMove.toward(friends.fewest(open))
		}
		return amoeboizSpread(v, open)
	}
	const fertile, rich, saved = 25, 50, 80
	d, ok := v.richest(open)
	switch few, hungry := count < 20, v.ownFuel() < amoeboizMeal; {
	case few && v.Energy >= 50 && ok && v.fuelAt(d) > fertile:
		v.because("inside, with room and fuel: divides toward fuel")
		return action{Command: doDivide, Direction: d}
	case few && hungry && ok && v.fuelAt(d) > fertile,
		!few && hungry && ok && v.fuelAt(d) > rich && v.Energy <= saved:
		v.because("inside, hungry: moves toward fuel")
		return action{Command: doMove, Direction: d}
	}
	v.because("inside: saves")
	return action{}
}

const amoeboizMeal = 10 // fuel of the own cell from which it stays and eats

// amoeboizSpread divides, or eats until it can. It leaves a poor cell for the richest neighbour,
// however poor that is.
func amoeboizSpread(v *view, open directions) action {
	switch {
	case v.Energy >= 30:
		v.because("spreads: divides toward fuel")
		return doDivide.toward(v.richest(open))
	case v.ownFuel() < amoeboizMeal:
		v.because("spreads: leaves a poor cell toward fuel")
		return doMove.toward(v.richest(open))
	}
	v.because("spreads: eats until it can divide")
	return action{}
}

// amoeboizBorder compares the four sections with most friends and the four with fewest.
func amoeboizBorder(friends cellSet) bool {
	n := sectionCounts(friends)
	slices.Sort(n[:])
	least := n[0] + n[1] + n[2] + n[3]
	most := n[4] + n[5] + n[6] + n[7]
	return most >= least+5 && least <= 30
}

func amoeboizSoldier(v *view, open directions, friends int, hostiles cellSet) action {
	const army = 15
	switch targets := v.targets(); {
	case friends < army:
		return amoeboizSpread(v, open)
	case v.Energy < v.constants().AttackEnergy:
		v.because("soldier without the energy to hit: feeds")
		if v.ownFuel() < amoeboizMeal {
			return doMove.toward(v.richest(open))
		}
		return action{}
	case targets != 0:
		return action{Command: doHit, Direction: mostEnergy.choose(v, targets)}
	}
	v.because("soldier: moves to where most hostiles are")
	return doMove.toward(hostiles.most(open))
}

// necrosis divides whenever it can, with its children on the diagonals where one is free, and hits
// even without the energy for it when boxed in. It never moves to a poorer cell.
type necrosis struct{}

const diagonals = directions(1<<northWest | 1<<northEast | 1<<southEast | 1<<southWest)

func (necrosis) Act(v *view) action {
	const low, rich = 10, 30
	open := v.free()
	if v.Energy > rich && open != 0 {
		if open&diagonals != 0 {
			open &= diagonals
		}
		v.because("divides as it can, on a diagonal where one is free")
		return action{Command: doDivide, Direction: open.nth(v.Random.Below(open.count()))}
	}
	if targets := v.targets(); targets != 0 && (v.Energy >= low || open == 0) {
		return action{Command: doHit, Direction: mostEnergyAndFuel.choose(v, targets)}
	}
	if d, ok := v.richestSection(open); ok && v.ownFuel() <= low && v.fuelAt(d) >= v.ownFuel() {
		v.because("little fuel here: moves to where it sees most")
		return action{Command: doMove, Direction: d}
	}
	v.because("stays and eats")
	return action{}
}

// alarmed is philip and berit2: it calls friends by its data when it sees an enemy, and comes when
// called.
type alarmed struct {
	crowd   int // friends in view, itself counted, above which it does not divide
	fragile int // health of a hostile up to which a hit is taken to kill
	huddle  int // friends beside it above which it only feeds where land is rich
}

const alarm datum = 1 // data of an amoeba that saw an enemy; 0 of others

func (f alarmed) Act(v *view) action {
	hostiles := v.hostiles()
	var seen datum
	if hostiles != 0 {
		seen = alarm
	}
	if targets := v.targets(); targets != 0 && v.Energy >= v.constants().AttackEnergy {
		return action{Command: doHit, Direction: f.victim(v, targets), Data: seen}
	}
	open, friends := v.free(), v.friends()
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
	a := action{Data: seen}
	switch rich := v.Energy > 65; {
	case !ok:
	case rich && friends.count() <= f.crowd && !f.feeds(v):
		a = action{Command: doDivide, Direction: toward, heritage: heritage{ChildData: seen}}
	case rich || v.ownFuel() < 10:
		a.Command, a.Direction = doMove, toward
	}
	return a
}

// feeds tells whether so much fuel is in view, and so many friends are near, that it only feeds.
func (f alarmed) feeds(v *view) bool {
	const lush = 4600
	fuel := 0
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			fuel += v.fuel(x, y)
		}
	}
	return fuel > lush && (v.friends()&^own).ring().count() > f.huddle
}

// victim returns the healthiest target that a hit kills, else the one that owns most.
func (f alarmed) victim(v *view, targets directions) direction {
	worth := func(d direction) int {
		if health := v.healthAt(d); health <= f.fragile {
			return maxUnits + maxFuel + maxUnits + health
		}
		return v.wealthAt(d)
	}
	v.because("hits whom the hit kills, else who owns most")
	if v.trace != nil {
		v.trace.weigh(targets, worth)
	}
	d, _ := targets.last(worth)
	return d
}

// callers returns the cells of the friends, itself counted, whose data say that they saw an enemy.
func callers(v *view, friends cellSet) (c cellSet) {
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			if at := cellAt(x, y); at&friends != 0 {
				if o, _ := v.occupant(x, y); o.Data == alarm {
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

func (covid) Act(v *view) action {
	count := min(v.Data+1, maxRounds)
	a := covidAction(v, int(count))
	a.Data = count
	return a
}

func covidAction(v *view, count int) action {
	open, targets := v.free(), v.targets()
	early := 20*count <= v.constants().WorldSize
	enough := 55 // energy to divide with
	if early {
		enough = 30
	}
	switch {
	case targets != 0 && v.Energy >= v.constants().AttackEnergy:
		return action{Command: doHit, Direction: mostEnergy.choose(v, targets)}
	case open == 0 || v.Energy <= 3:
		v.because("rests: no way out, or no energy")
		return action{}
	case 8-open.count() >= 2 && (early || v.Energy >= 38):
		v.because("neighbours: moves to fuel and hostiles, away from friends")
		return action{Command: doMove, Direction: covidPrefers(v, open)}
	case v.Energy >= enough:
		v.because("rich: divides to where most fuel is free")
		return action{Command: doDivide, Direction: covidFertile(v, open)}
	case v.ownFuel() < 10:
		v.because("little fuel here: moves to fuel and hostiles, away from friends")
		return action{Command: doMove, Direction: covidPrefers(v, open)}
	}
	v.because("stays and eats")
	return action{}
}

// covidFertile returns the direction whose section has the most fuel an empty cell.
func covidFertile(v *view, open directions) direction {
	empty := v.visible() &^ v.occupied()
	d, _ := open.last(func(d direction) int { return sectionMean(empty&d.section(), v.fuel) })
	return d
}

// covidPrefers returns the direction whose section has the most fuel a cell without a friend, and
// energy a hostile.
func covidPrefers(v *view, open directions) direction {
	energy := func(x, y int) int {
		o, _ := v.occupant(x, y)
		return o.Energy
	}
	strange, hostiles := v.visible()&^v.friends(), v.hostiles()
	d, _ := open.last(func(d direction) int {
		return sectionMean(strange&d.section(), v.fuel) + sectionMean(hostiles&d.section(), energy)
	})
	return d
}

// sectionMean returns the mean of a number over cells of a section, 0 without cells. It is
// multiplied by the least common multiple of 1 to 16, and so exact: a section has sixteen cells.
func sectionMean(c cellSet, number func(x, y int) int) int {
	const whole = 720720
	sum, n := 0, c.count()
	if n == 0 {
		return 0
	}
	for ; c != 0; c &= c - 1 {
		i := bits.TrailingZeros64(uint64(c))
		sum += number(i%side-maxView, i/side-maxView)
	}
	return whole / n * sum
}
