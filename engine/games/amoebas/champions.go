package amoebas

// Three species of the original's tournaments whose decisions are recorded: theroots, untitled and
// caesar.

// toward returns the command in a direction, or rests without one.
func (c Command) toward(d Direction, ok bool) Action {
	if !ok {
		return Action{}
	}
	return Action{Command: c, Direction: d}
}

// theroots is brainy(10, 70, mostEnergyAndFuel), but stays on less fuel. When rich it divides
// toward the richest section if more than five neighbours are empty, else it moves there.
type theroots struct{}

func (theroots) Act(v *View) Action {
	const low, rich, enough, roomy = 10, 70, 5, 5
	open := v.Free()
	if d, ok := v.richestSection(open); ok && v.Energy > rich {
		if open.Count() > roomy {
			v.because("rich, and room around: divides to where it sees most fuel")
			return Action{Command: Divide, Direction: d}
		}
		v.because("rich, but crowded: moves to where it sees most fuel")
		return Action{Command: Move, Direction: d}
	}
	if v.Energy >= low {
		if targets := v.Targets(); targets != 0 {
			return Action{Command: Hit, Direction: mostEnergyAndFuel.choose(v, targets)}
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

func (caesar) Act(v *View) Action {
	hostiles := v.Hostiles()
	round := int(v.Data) / caesarCount
	a := Action{}
	v.because("rests in this round, whatever comes")
	if round != caesarPause {
		a = caesarAction(v, hostiles)
	}
	a.Data = Data(min(round+1, maxRounds)*caesarCount + hostiles.Count())
	a.ChildData = a.Data
	return a
}

func caesarAction(v *View, hostiles Cells) Action {
	friends := v.Friends()
	if hostiles != 0 { // the warrior
		if targets := v.Targets(); targets != 0 && v.Energy >= v.Constants().AttackEnergy {
			return Action{Command: Hit, Direction: mostEnergyAndFuel.choose(v, targets)}
		}
		return caesarExpand(v, friends, 23, 29, "warrior, hostiles in sight: ")
	}
	section := sectionCounts(friends)
	var score [8]int
	for d := range score {
		score[d] = section[(d+7)&7] + section[d] + section[(d+1)&7]
	}
	best, _ := Directions(0xff).Last(func(d Direction) int { return score[d] })
	if score[best] > 3*score[best.Opposite()] { // the explorer
		return caesarExpand(v, friends, 14, 10, "explorer at the border: ")
	}
	return caesarExpand(v, friends, 9, 21, "farmer among friends: ")
}

// caesarExpand divides while fewer friends than a crowd are near, and else moves on as long as it
// has more energy than it needs.
func caesarExpand(v *View, friends Cells, crowd, needs int, role string) Action {
	const dear, tasty = 29, 8
	d, ok := v.richest(v.Free())
	switch few := friends.Count() < crowd; {
	case ok && few && v.Energy > dear:
		v.as(role, "few friends: divides toward fuel")
		return Action{Command: Divide, Direction: d}
	case ok && !few && v.Energy > needs:
		v.as(role, "crowded: moves on toward fuel")
		return Action{Command: Move, Direction: d}
	case ok && v.OwnFuel() <= tasty && v.FuelAt(d) > tasty:
		v.as(role, "more fuel there: moves to it")
		return Action{Command: Move, Direction: d}
	}
	v.as(role, "stays and eats")
	return Action{}
}

// untitled is a soldier in sight of hostiles, and else fills the land evenly.
type untitled struct{}

func (untitled) Act(v *View) Action {
	open, friends, hostiles := v.Free(), v.Friends(), v.Hostiles()
	if hostiles != 0 {
		return untitledSoldier(v, open, friends.Count(), hostiles)
	}
	const lush = 19
	few := friends.Count() < 15
	switch {
	case v.OwnFuel() > lush && (!few || v.Energy < 30):
		v.because("much fuel here: stays and eats")
		return Action{}
	case !few:
		v.because("crowded: moves toward fuel")
		return Move.toward(v.richest(open))
	case friends.Count() < 9:
		v.because("few friends: divides toward fuel")
		return Divide.toward(v.richest(open))
	}
	v.because("moves to where fewest friends are")
	return Move.toward(friends.fewest(open))
}

func untitledSoldier(v *View, open Directions, friends int, hostiles Cells) Action {
	const scant, dear, crowd = 5, 30, 20
	advance := func() Action {
		v.because("soldier: moves to where most hostiles are")
		return Move.toward(hostiles.most(open))
	}
	switch fuel := v.OwnFuel(); {
	case v.Energy >= dear && v.Energy <= 33 && (open != 0 || friends <= crowd):
		v.because("soldier: divides toward fuel while it can")
		return Divide.toward(v.richest(open))
	case friends > crowd:
		if v.Energy > 10 && fuel < scant && open != 0 {
			return advance()
		}
		if v.Energy < 10 && fuel > scant {
			v.because("soldier, hungry: eats")
			return Action{}
		}
		if targets := v.Targets(); targets != 0 {
			return Action{Command: Hit, Direction: weakest.choose(v, targets)}
		}
		return advance()
	case v.Energy >= dear:
		v.because("soldier, rich: divides toward fuel")
		return Divide.toward(v.richest(open))
	case fuel > scant:
		v.because("soldier: eats before it goes on")
		return Action{}
	}
	return advance()
}
