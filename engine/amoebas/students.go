package amoebas

// More species of the original's tournaments, written from outlines of how they play. amoeboiz and
// necrosis make every recorded decision; alarmed and covid do as recorded in 209 of 210, in their
// own directions where the outline names none.

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

// feed rests where there is a meal, else moves to the richest neighbour if that has one.
func feed(v *View, open Directions, meal int) Action {
	if d, ok := v.richest(open); ok && v.OwnFuel() < meal && v.FuelAt(d) >= meal {
		return Action{Command: Move, Direction: d}
	}
	return Action{}
}

// amoeboiz has soldiers in sight of hostiles, a border that spreads out, and a middle that saves.
type amoeboiz struct{}

func (amoeboiz) Act(v *View) Action {
	open, friends := v.Free(), v.Friends()
	if hostiles := v.Hostiles(); hostiles != 0 {
		return amoeboizSoldier(v, open, friends.Count(), hostiles)
	}
	if amoeboizBorder(friends) {
		switch {
		case friends.Count() >= 5:
			d, ok := friends.fewest(open)
			return to(Move, d, ok)
		case v.Energy >= 30:
			return toRichest(Divide, v, open)
		}
		return Action{}
	}
	d, ok := v.richest(open)
	switch few := friends.Count() < 20; {
	case few && v.Energy >= 50 && ok && v.FuelAt(d) > 25:
		return Action{Command: Divide, Direction: d}
	case !few && v.Energy >= 80 && ok && v.FuelAt(d) > 50:
		return Action{Command: Move, Direction: d}
	}
	return feed(v, open, 10)
}

// amoeboizBorder compares the four sections with most friends and the four with fewest.
func amoeboizBorder(friends Cells) bool {
	n := sectionCounts(friends)
	least, total := 0, 0
	for i, a := range n {
		total += a
		smaller := 0 // sections that come before this one when sorted
		for j, b := range n {
			if b < a || b == a && j < i {
				smaller++
			}
		}
		if smaller < 4 {
			least += a
		}
	}
	return total-least >= least+5 && least <= 30
}

func amoeboizSoldier(v *View, open Directions, friends int, hostiles Cells) Action {
	few := friends < 15
	switch targets := v.Targets(); {
	case few && v.Energy >= 30:
		return toRichest(Divide, v, open)
	case few || v.Energy < v.Constants().AttackEnergy:
		return feed(v, open, 10)
	case targets != 0:
		return Action{Command: Hit, Direction: mostEnergy.choose(v, targets)}
	}
	d, ok := hostiles.most(open)
	return to(Move, d, ok)
}

// necrosis plays like brainy(10, 30), with its children on the diagonals; it never moves to a
// poorer cell, and hits when boxed in.
type necrosis struct{}

const diagonals = Directions(1<<NW | 1<<NE | 1<<SE | 1<<SW)

func (necrosis) Act(v *View) Action {
	open := v.Free()
	targets := v.Targets()
	switch corners := open & diagonals; {
	case v.Energy >= 10 && targets != 0 && (open == 0 || v.Energy <= 30):
		return Action{Command: Hit, Direction: mostEnergy.choose(v, targets)}
	case v.Energy > 30 && corners != 0:
		return Action{Command: Divide, Direction: corners.Nth(v.Random.Below(corners.Count()))}
	case v.Energy >= 10 && targets != 0:
		return Action{Command: Hit, Direction: mostEnergy.choose(v, targets)}
	}
	if d, ok := v.richestSection(open); ok && v.OwnFuel() <= 10 && v.FuelAt(d) > v.OwnFuel() {
		return Action{Command: Move, Direction: d}
	}
	return Action{}
}

// alarmed is philip and berit2: it calls friends by its data when it sees an enemy, and comes when
// called.
type alarmed struct {
	crowd int // friends in view, the own one counted, above which it does not divide
}

const (
	calm Data = iota + 1
	alarm
)

func (f alarmed) Act(v *View) Action {
	hostiles := v.Hostiles()
	a := f.action(v, hostiles)
	a.Data = calm
	if hostiles != 0 {
		a.Data = alarm
	}
	a.ChildData = a.Data
	return a
}

func (f alarmed) action(v *View, hostiles Cells) Action {
	if targets := v.Targets(); targets != 0 && v.Energy >= v.Constants().AttackEnergy {
		return Action{Command: Hit, Direction: killOrRob(v, targets)}
	}
	open, friends := v.Free(), v.Friends()
	goal := hostiles
	if goal == 0 {
		goal = callers(v, friends)
	}
	toward, ok := v.richest(open)
	if goal != 0 {
		toward, ok = goal.most(open)
	}
	switch rich := v.Energy > 65; {
	case rich && friends.Count() <= f.crowd:
		return to(Divide, toward, ok)
	case rich || v.OwnFuel() < 10:
		return to(Move, toward, ok)
	}
	return Action{}
}

// killOrRob returns the target that a hit kills, else all of them compared by what they own.
func killOrRob(v *View, targets Directions) Direction {
	d, _ := targets.Last(func(d Direction) int {
		worth := v.wealthAt(d)
		if v.HealthAt(d) <= v.Constants().HitLoss {
			worth += 2*maxUnits + maxFuel
		}
		return worth
	})
	return d
}

// callers returns the cells of the friends that see an enemy.
func callers(v *View, friends Cells) (c Cells) {
	for y := -maxView; y <= maxView; y++ {
		for x := -maxView; x <= maxView; x++ {
			if at := At(x, y); at&friends&^own != 0 {
				if o, _ := v.Occupant(x, y); o.Data == alarm {
					c |= at
				}
			}
		}
	}
	return c
}

// covid hits the neighbour of most energy and moves into the fuel of those it killed. Its data hold
// the round and the direction of such a cell.
type covid struct{}

const covidPlace = 16 // below the round in the data: 8 plus a direction, or 0

func (covid) Act(v *View) Action {
	round := int(v.Data)/covidPlace + 1
	a, corpse := covidAction(v, round)
	a.Data = Data(min(round, maxRounds) * covidPlace)
	a.ChildData = a.Data
	if corpse {
		a.Data += 8 + Data(a.Direction)
	}
	return a
}

// covidAction also tells whether the action kills.
func covidAction(v *View, round int) (a Action, kills bool) {
	open, targets, c := v.Free(), v.Targets(), v.Constants()
	if mark := int(v.Data) % covidPlace; mark >= 8 && open.Has(Direction(mark-8)) &&
		v.Energy >= c.MoveEnergy {
		return Action{Command: Move, Direction: Direction(mark - 8)}, false
	}
	if targets != 0 && v.Energy >= c.AttackEnergy {
		d := mostEnergy.choose(v, targets)
		return Action{Command: Hit, Direction: d}, v.HealthAt(d) <= c.HitLoss
	}
	const keep = 35
	needs := 2 * c.MinDivideEnergy
	if round <= c.WorldSize/20 {
		needs = c.MinDivideEnergy
	}
	d, ok := v.richest(open)
	switch {
	case ok && v.Energy >= needs:
		return Action{Command: Divide, Direction: d}, false
	case ok && 8-open.Count() >= 2 && v.Energy >= c.MoveEnergy+keep:
		d, _ = v.Friends().fewest(open)
		return Action{Command: Move, Direction: d}, false
	}
	return feed(v, open, c.MaxFuelingEnergy), false
}
