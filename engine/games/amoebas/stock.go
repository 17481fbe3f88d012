package amoebas

// The species that come with the original, written from their recorded decisions.

// selector says which hostile neighbour to hit.
type selector uint8

// The selectors. Among equals weakest takes the lowest direction, the others the highest.
const (
	random            selector = iota
	weakest                    // least health
	strongest                  // most health
	mostEnergy                 // most energy
	mostEnergyAndFuel          // most energy and fuel of the cell together
)

var selectorNames = []string{"random", "weakest", "strongest", "most-energy",
	"most-energy-and-fuel"}

// String returns the selector's name in the roster.
func (s selector) String() string { return selectorNames[s] }

// why says which neighbour it hits.
func (s selector) why() string {
	return [...]string{"hits a hostile neighbour by lot", "hits the weakest hostile neighbour",
		"hits the strongest hostile neighbour", "hits the hostile neighbour with most energy",
		"hits the hostile neighbour whose death leaves most energy and fuel"}[s]
}

// choose returns one of the targets, of which there must be one or more.
func (s selector) choose(v *view, targets directions) direction {
	var d direction
	v.because(s.why())
	if v.trace != nil {
		v.trace.weigh(targets, [...]func(direction) int{random: func(direction) int { return 0 },
			weakest: func(d direction) int { return -v.healthAt(d) }, strongest: v.healthAt,
			mostEnergy: v.energyAt, mostEnergyAndFuel: v.wealthAt}[s])
	}
	switch s {
	case weakest:
		d, _ = targets.first(v.healthAt)
	case strongest:
		d, _ = targets.last(v.healthAt)
	case mostEnergy:
		d, _ = targets.last(v.energyAt)
	case mostEnergyAndFuel:
		d, _ = targets.last(v.wealthAt)
	default:
		d = targets.nth(v.Random.Below(targets.count()))
	}
	return d
}

// wealthAt returns the energy of the amoeba in a neighbour's cell and the cell's fuel together:
// what its death would leave.
func (v *view) wealthAt(d direction) int { return v.energyAt(d) + v.fuelAt(d) }

// mindless moves at random.
type mindless struct{}

func (mindless) Act(v *view) action {
	v.because("moves anywhere")
	return action{Command: doMove, Direction: direction(v.Random.Below(8))}
}

// divider rests below the energy halfway between what dividing needs and the most. Above it, it
// divides with a chance, else it moves, in a random direction.
type divider struct{ chance float64 }

func (f divider) Act(v *view) action {
	c := v.constants()
	if v.Energy < (c.MinDivideEnergy+c.MaxAmoebaEnergy)/2 {
		v.because("rests: its energy is below the middle between what dividing needs and the most")
		return action{}
	}
	v.because("has energy: divides or moves, by lot")
	a := action{Command: doMove}
	if v.Random.Float() < f.chance {
		a.Command = doDivide
	}
	a.Direction = direction(v.Random.Below(8))
	return a
}

// nasty hits whatever is near, else does as divider does.
type nasty struct {
	divider
	selector selector
}

func (f nasty) Act(v *view) action {
	if targets := v.targets(); targets != 0 {
		return action{Command: doHit, Direction: f.selector.choose(v, targets)}
	}
	return f.divider.Act(v)
}

// brainy is slightlybrainy: it feeds when low, divides at random when rich, hits what is near, and
// else feeds.
type brainy struct {
	low, divide int
	selector    selector
}

func (f brainy) Act(v *view) action {
	open := v.free()
	if v.Energy > f.divide && v.Energy >= f.low && open != 0 {
		v.because("rich: divides into a free cell, by lot")
		return action{Command: doDivide, Direction: open.nth(v.Random.Below(open.count()))}
	}
	return f.fightOrFeed(v, open)
}

func (f brainy) fightOrFeed(v *view, open directions) action {
	if v.Energy >= f.low {
		if targets := v.targets(); targets != 0 {
			return action{Command: doHit, Direction: f.selector.choose(v, targets)}
		}
	}
	return graze(v, open, v.constants().MaxFuelingEnergy)
}

// graze rests on more than enough fuel, else moves into the section with most fuel, if it can.
func graze(v *view, open directions, enough int) action {
	if v.ownFuel() <= enough {
		if d, ok := v.richestSection(open); ok {
			v.because("little fuel here: moves to where it sees most")
			return action{Command: doMove, Direction: d}
		}
	}
	v.because("stays: fuel enough here, or no way out")
	return action{}
}

// mutating is brainy whose children may differ: with a chance both limits change by up to a reach,
// in either direction, within bounds.
type mutating struct {
	brainy
	rate  float64
	reach int
}

func (f mutating) Act(v *view) action {
	open := v.free()
	if !(v.Energy > f.divide && v.Energy >= f.low && open != 0) {
		return f.fightOrFeed(v, open)
	}
	c := v.constants()
	changes := v.Random.Float() < f.rate
	v.because("rich: divides into a free cell, by lot; the child may have other limits")
	a := action{Command: doDivide, Direction: open.nth(v.Random.Below(open.count()))}
	if changes {
		child := f
		child.low = f.vary(v, f.low, c.MoveEnergy)
		child.divide = f.vary(v, f.divide, c.MinDivideEnergy)
		a.Child = v.w.variant(child)
	}
	return a
}

// vary changes a limit by up to reach. No recorded game shows the original's upper bound; here it
// is the most energy of an amoeba.
func (f mutating) vary(v *view, limit, least int) int {
	limit += v.Random.Below(2*f.reach+1) - f.reach
	return min(max(limit, least), max(least, v.constants().MaxAmoebaEnergy))
}
