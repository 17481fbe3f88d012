package darwin

// atlas is a creature's map of what it has seen, on which it finds paths. Squares are numbered row
// by row.
type atlas struct {
	width, height int
	known         []landmark
	cost          []int32   // by state: a square and a facing
	from          []int32   // the state before, on the cheapest path
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

// Costs of actions in the search for paths, in 100 microseconds.
const (
	stepUnits = forwardCost / 100_000
	turnUnits = turnCost / 100_000
	buckets   = 8 // more than the greatest cost
)

func newAtlas(width, height int) *atlas {
	n := width * height
	return &atlas{
		width: width, height: height, known: make([]landmark, n), cost: make([]int32, 4*n),
		from:    make([]int32, 4*n),
		buckets: make([][]int32, buckets),
	}
}

func (a *atlas) index(p point) int { return int(p.y)*a.width + int(p.x) }

func (a *atlas) step(d direction) int { return [4]int{-a.width, -1, a.width, 1}[d&3] }

// note enters an observation.
func (a *atlas) note(b *body, o *observation) {
	own := b.class()
	for i := range o.distance + 1 {
		s := o.at(i)
		what := open
		switch {
		case s.kind == kindWall || s.kind == kindHazard:
			what = blocked
		case i == 0:
		case s.kind == kindAnimal && s.class == own:
			what = friend
		case s.kind == kindAnimal:
			what = prey
		}
		if what == open && s.shrine == own {
			what = altar
		}
		a.known[a.index(s.point)] = what
	}
}

// forget makes all squares unseen but those that cannot change.
func (a *atlas) forget() {
	for i, k := range a.known {
		if k != blocked && k != altar {
			a.known[i] = unseen
		}
	}
}

// path finds the path to a state that satisfies goal which costs the least time. It returns the
// first action, and whether the present state is the goal; ok is false if there is no path. goal
// gets the numbers of a square and of the square in front. Paths lead over open squares only.
func (a *atlas) path(p point, facing direction, goal func(at, ahead int) bool) (first verb, here,
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
			at, d := int(s)/4, direction(s&3)
			ahead := at + a.step(d)
			if goal(at, ahead) {
				return a.firstVerb(start, s), s == start, true
			}
			if k := a.known[ahead]; k == open || k == altar {
				a.reach(int32(ahead*4)+s&3, s, cost+stepUnits)
			}
			a.reach(s&^3|int32(d.left()), s, cost+turnUnits)
			a.reach(s&^3|int32(d.right()), s, cost+turnUnits)
		}
	}
	return 0, false, false
}

// reach notes a path to a state if it is the cheapest so far.
func (a *atlas) reach(s, from, cost int32) {
	if a.cost[s] < 0 || cost < a.cost[s] {
		a.cost[s], a.from[s] = cost, from
		a.buckets[cost%buckets] = append(a.buckets[cost%buckets], s)
	}
}

// firstVerb follows a path back to its first action.
func (a *atlas) firstVerb(start, end int32) verb {
	if end == start {
		return delay
	}
	for a.from[end] != start {
		end = a.from[end]
	}
	switch {
	case end>>2 != start>>2:
		return forward
	case direction(end&3) == direction(start&3).left():
		return turnLeft
	default:
		return turnRight
	}
}
