package darwin

// atlas is a creature's map of what it has seen, and finds ways on it. Squares are numbered row by
// row.
type atlas struct {
	width, height int
	known         []landmark
	cost          []int32   // by state: a square and a facing
	from          []int32   // the state before, on the cheapest way
	buckets       [][]int32 // states by cost, modulo the number of buckets
}

// landmark is what is known of a square.
type landmark uint8

const (
	unseen landmark = iota
	open
	blocked
	prey   // a creature of another species
	friend // of the own species
	altar  // the own shrine
)

// What actions cost in the search for ways, in 100 microseconds.
const (
	stepCost = 4
	turnCost = 6
	buckets  = 8 // more than the greatest cost
)

func newAtlas(width, height int) *atlas {
	n := width * height
	return &atlas{
		width: width, height: height, known: make([]landmark, n), cost: make([]int32, 4*n),
		from:    make([]int32, 4*n),
		buckets: make([][]int32, buckets),
	}
}

func (a *atlas) index(p Point) int { return int(p.Y)*a.width + int(p.X) }

func (a *atlas) step(d Direction) int { return [4]int{-a.width, -1, a.width, 1}[d&3] }

// note enters an observation.
func (a *atlas) note(b *Body, o *Observation) {
	class := b.Class()
	for i := range o.Distance + 1 {
		s := o.At(i)
		what := open
		switch {
		case s.Kind == Wall || s.Kind == Hazard:
			what = blocked
		case i == 0:
		case s.Kind == Animal && s.Class == class:
			what = friend
		case s.Kind == Animal:
			what = prey
		}
		if what == open && s.Shrine == class {
			what = altar
		}
		a.known[a.index(s.Point)] = what
	}
}

// forget makes everything unseen but what cannot change.
func (a *atlas) forget() {
	for i, k := range a.known {
		if k != blocked && k != altar {
			a.known[i] = unseen
		}
	}
}

// way finds the cheapest way, in time, to a state that satisfies goal, and returns its first action
// and whether the state is already reached; ok is false if there is none. goal gets a square's
// number and the number of the square in front. Ways lead over open squares only.
func (a *atlas) way(p Point, facing Direction, goal func(at, ahead int) bool) (first Verb, here,
	ok bool) {
	for i := range a.cost {
		a.cost[i] = -1
	}
	for i := range a.buckets {
		a.buckets[i] = a.buckets[i][:0]
	}
	start := int32(a.index(p)*4 + int(facing))
	a.reach(start, -1, 0)
	for cost, idle := int32(0), 0; idle < buckets; cost++ {
		bucket := &a.buckets[cost%buckets]
		idle++
		for len(*bucket) > 0 {
			idle = 0
			s := (*bucket)[len(*bucket)-1]
			*bucket = (*bucket)[:len(*bucket)-1]
			if a.cost[s] != cost {
				continue
			}
			at, d := int(s)/4, Direction(s&3)
			ahead := at + a.step(d)
			if goal(at, ahead) {
				return a.firstVerb(start, s), s == start, true
			}
			if k := a.known[ahead]; k == open || k == altar {
				a.reach(int32(ahead*4)+s&3, s, cost+stepCost)
			}
			a.reach(s&^3|int32(d.Left()), s, cost+turnCost)
			a.reach(s&^3|int32(d.Right()), s, cost+turnCost)
		}
	}
	return 0, false, false
}

// reach enters a way to a state if it is the cheapest so far.
func (a *atlas) reach(s, from, cost int32) {
	if a.cost[s] < 0 || cost < a.cost[s] {
		a.cost[s], a.from[s] = cost, from
		a.buckets[cost%buckets] = append(a.buckets[cost%buckets], s)
	}
}

// firstVerb walks a way back to its first action.
func (a *atlas) firstVerb(start, end int32) Verb {
	if end == start {
		return Delay
	}
	for a.from[end] != start {
		end = a.from[end]
	}
	switch {
	case end>>2 != start>>2:
		return Forward
	case Direction(end&3) == Direction(start&3).Left():
		return TurnLeft
	default:
		return TurnRight
	}
}

// do takes an action by its verb.
func (c *Creature) do(v Verb) bool { return c.act(Act(v)) }
