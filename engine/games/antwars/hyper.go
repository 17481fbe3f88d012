package antwars

// hyper plans the next five moves, enough to reach any cell. It weighs food by its belief: where
// the opponent may be since it was last seen, what it may have eaten there, and how much of the
// food lies on cells not yet seen. The first of these rules that applies decides:
//
//   - If one more piece makes more than half of the food, it eats any piece within reach, even
//     beside the opponent.
//   - It kills an opponent within reach.
//   - It makes the move with the greatest sum of the best route over known food that begins with
//     it, of other known food near where it leads, and of food that is likely to be found there.
//     Food that a visible opponent reaches about as soon counts less. A step beside a visible
//     opponent is death. It brings the food on that cell and costs the price of a life, which falls
//     as time and food run out. Death after the last move costs nothing.
type hyper struct{}

// Weights of hyper's decisions, in pieces of food. Random hill climbing found them in games against
// BrilliANT, super and hyper, on boards used for nothing else.
const (
	hyperReach  = 5
	hyperHazard = 9    // see memory.doubt
	hyperDelay  = 0.57 // worth of a piece for each move until it is eaten

	// The price of a life.
	hyperLife     = 0.58
	hyperLifeMove = 0.013 // more for each move that is left
	hyperLifeFood = 0.015 // more for each piece that is left
	hyperLifeLead = 0.065 // less for each piece that the ant is ahead
)

var (
	// hyperContest scales the worth of food by how many moves after the ant an opponent in view can
	// be there: -2 or fewer to 2 or more.
	hyperContest = [...]float32{0.02, 0.65, 0.55, 0.9, 0.85}
	// hyperKnown and hyperUnseen are what food is worth in addition to the best route, by its
	// distance from where the next move leads: known food, and food on cells never seen.
	hyperKnown  = [farthest + 1]float32{0, 0.1, 0.06, 0.05}
	hyperUnseen = [farthest + 1]float32{0, 0.38, 0.19, 0.12}
)

func (hyper) Move(m *memory) int {
	m.updateBelief()
	if m.points == decisive-1 {
		for d, to := range places[m.at].next {
			if m.food.Has(int(to)) {
				m.note("one more piece is more than half of the food")
				return d
			}
		}
	}
	if d, ok := m.strike(); ok {
		m.note(strikes)
		return d
	}
	var o outlook
	o.survey(m)
	best, direction := o.value(m, 0), 0
	m.weigh(0, best)
	for d := 1; d < 8; d++ {
		value := o.value(m, d)
		m.weigh(d, value)
		if value > best {
			best, direction = value, d
		}
	}
	return direction
}

// outlook is what hyper expects of a position.
type outlook struct {
	routes lookahead
	route  [8]float32 // by direction: what the best one is worth
	pull   [8]float32 // by direction: the food near where it leads
}

// survey weighs the food that is known and that is likely on cells never seen.
func (o *outlook) survey(m *memory) {
	b := &m.belief
	left := m.left()
	o.routes.begin(m.at, min(hyperReach, left))
	known, unseen := hyperKnown, hyperUnseen
	clear(known[min(left, len(known)):]) // too far for the time that is left
	clear(unseen[min(left, len(unseen)):])
	each(m.food, func(c int) {
		o.attract(m, c, b.keep[c], &known)
		o.plan(m, c, b.keep[c])
	})
	o.route = o.routes.plan(o.route)
	density := b.density()
	each(b.unseen().And(nearby[4][m.at]), func(c int) { o.attract(m, c, density*b.keep[c], &unseen) })
}

// attract adds food that is at a cell with some chance to the pull of all directions.
func (o *outlook) attract(m *memory, cell int, chance float32, weights *[farthest + 1]float32) {
	row := &distances[cell]
	for d, to := range places[m.at].next {
		o.pull[d] += float32(chance * weights[row[to]])
	}
}

// plan adds a piece of food that is at a cell with some chance to the routes.
func (o *outlook) plan(m *memory, cell int, chance float32) {
	piece := o.routes.add(cell)
	for made := range o.routes.moves {
		chance *= hyperDelay
		worth := chance
		if m.enemy >= 0 {
			later := int(distances[m.enemy][cell]) - (made + 1)
			worth *= hyperContest[min(max(later, -2), 2)+2]
		}
		o.routes.worth[made][piece] = worth
	}
}

// value is the worth of going in a direction.
func (o *outlook) value(m *memory, direction int) float32 {
	to := places[m.at].next[direction]
	left := m.left() - 1
	switch {
	case left == 0 || m.points >= decisive || !m.beside(to):
		return o.route[direction] + o.pull[direction]
	case m.food.Has(int(to)):
		return 1 - m.life(left)
	default:
		return -m.life(left)
	}
}

// life is the price of being killed when some moves are left.
func (m *memory) life(left int) float32 {
	food := m.expected()
	lead := float32(2*m.points-pieces) + food // the opponent has the rest
	return hyperLife + float32(hyperLifeMove*float32(left)) +
		float32(hyperLifeFood*food) - float32(hyperLifeLead*lead)
}
