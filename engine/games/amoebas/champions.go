package amoebas

// Three species of the original's tournaments whose decisions are recorded: theroots, untitled and
// caesar.

// toward returns the command in a direction, or rests without one.
func (c command) toward(d direction, ok bool) action {
	if !ok {
		return action{}
	}
	return action{Command: c, Direction: d}
}

// theroots is brainy(10, 70, mostEnergyAndFuel), but stays on less fuel. When rich it divides
// toward the richest section if more than five neighbours are empty, else it moves there.
type theroots struct{}

func (theroots) Act(v *view) action {
	const low, rich, enough, roomy = 10, 70, 5, 5
	open := v.free()
	if d, ok := v.richestSection(open); ok && v.Energy > rich {
		if open.count() > roomy {
			v.because("rich, and room around: divides to where it sees most fuel")
			return action{Command: doDivide, Direction: d}
		}
		v.because("rich, but crowded: moves to where it sees most fuel")
		return action{Command: doMove, Direction: d}
	}
	if v.Energy >= low {
		if targets := v.targets(); targets != 0 {
			return action{Command: doHit, Direction: mostEnergyAndFuel.choose(v, targets)}
		}
	}
	return graze(v, open, enough)
}

// caesar fights what it sees, spreads at the border of its population, and farms inside. Its data
// hold the round, which a child gets from its parent, and how many hostiles it saw.
type caesar struct{}

const (
	caesarCount = 1 << 6 // hostiles stand below the round in the data; a view has fewer cells
	caesarPause = 2000   // round in which caesar only rests
)

func (caesar) Act(v *view) action {
	hostiles := v.hostiles()
	round := int(v.Data) / caesarCount
	a := action{}
	v.because("rests in this round, whatever comes")
	if round != caesarPause {
		a = caesarAction(v, hostiles)
	}
	a.Data = datum(min(round+1, maxRounds)*caesarCount + hostiles.count())
	a.ChildData = a.Data
	return a
}

func caesarAction(v *view, hostiles cellSet) action {
	friends := v.friends()
	if hostiles != 0 { // the warrior
		if targets := v.targets(); targets != 0 && v.Energy >= v.constants().AttackEnergy {
			return action{Command: doHit, Direction: mostEnergyAndFuel.choose(v, targets)}
		}
		return caesarExpand(v, friends, 23, 29, "warrior, hostiles in sight: ")
	}
	section := sectionCounts(friends)
	var score [8]int
	for d := range score {
		score[d] = section[(d+7)&7] + section[d] + section[(d+1)&7]
	}
	best, _ := directions(0xff).last(func(d direction) int { return score[d] })
	if score[best] > 3*score[best.opposite()] { // the explorer
		return caesarExpand(v, friends, 14, 10, "explorer at the border: ")
	}
	return caesarExpand(v, friends, 9, 21, "farmer among friends: ")
}

// caesarExpand divides while fewer friends than a crowd are near, and else moves on as long as it
// has more energy than it needs.
func caesarExpand(v *view, friends cellSet, crowd, needs int, role string) action {
	const dear, tasty = 29, 8
	d, ok := v.richest(v.free())
	switch few := friends.count() < crowd; {
	case ok && few && v.Energy > dear:
		v.as(role, "few friends: divides toward fuel")
		return action{Command: doDivide, Direction: d}
	case ok && !few && v.Energy > needs:
		v.as(role, "crowded: moves on toward fuel")
		return action{Command: doMove, Direction: d}
	case ok && v.ownFuel() <= tasty && v.fuelAt(d) > tasty:
		v.as(role, "more fuel there: moves to it")
		return action{Command: doMove, Direction: d}
	}
	v.as(role, "stays and eats")
	return action{}
}

// untitled is a soldier in sight of hostiles, and else fills the land evenly.
type untitled struct{}

func (untitled) Act(v *view) action {
	open, friends, hostiles := v.free(), v.friends(), v.hostiles()
	if hostiles != 0 {
		return untitledSoldier(v, open, friends.count(), hostiles)
	}
	const lush = 19
	few := friends.count() < 15
	switch {
	case v.ownFuel() > lush && (!few || v.Energy < 30):
		v.because("much fuel here: stays and eats")
		return action{}
	case !few:
		v.because("crowded: moves toward fuel")
		return doMove.toward(v.richest(open))
	case friends.count() < 9:
		v.because("few friends: divides toward fuel")
		return doDivide.toward(v.richest(open))
	}
	v.because("moves to where fewest friends are")
	return doMove.toward(friends.fewest(open))
}

func untitledSoldier(v *view, open directions, friends int, hostiles cellSet) action {
	const scant, dear, crowd = 5, 30, 20
	advance := func() action {
		v.because("soldier: moves to where most hostiles are")
		return doMove.toward(hostiles.most(open))
	}
	switch fuel := v.ownFuel(); {
	case v.Energy >= dear && v.Energy <= 33 && (open != 0 || friends <= crowd):
		v.because("soldier: divides toward fuel while it can")
		return doDivide.toward(v.richest(open))
	case friends > crowd:
		if v.Energy > 10 && fuel < scant && open != 0 {
			return advance()
		}
		if v.Energy < 10 && fuel > scant {
			v.because("soldier, hungry: eats")
			return action{}
		}
		if targets := v.targets(); targets != 0 {
			return action{Command: doHit, Direction: weakest.choose(v, targets)}
		}
		return advance()
	case v.Energy >= dear:
		v.because("soldier, rich: divides toward fuel")
		return doDivide.toward(v.richest(open))
	case fuel > scant:
		v.because("soldier: eats before it goes on")
		return action{}
	}
	return advance()
}
