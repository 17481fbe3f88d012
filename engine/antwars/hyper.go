package antwars

// hyper plans the next five moves, which lead to any cell. It weighs food by a probabilistic memory: where the opponent may be since it was last seen, what it may have
// eaten there, and how much of the fifteen pieces lies on cells not yet seen. Its rules, the first that holds decides:
//
//   - With one bite missing to more than half of the food it eats whatever is beside it, opponent or no opponent.
//   - It kills an opponent within reach.
//   - It goes where the sum is greatest of the best route over known food, of what else is near there, and of what is likely to be found there. Food that a
//     visible opponent reaches as soon counts less. A step beside a visible opponent is death: all it brings is the food on that cell, and it costs the
//     price of a life, which falls as time and food run out. The last move is free.
type hyper struct{}

// What hyper's decisions weigh, in pieces of food. A random hill climb found the figures in games against BrilliANT, super and itself, on boards of its own.
const (
	hyperReach  = 5
	hyperHazard = 9    // cells that the opponent sweeps in a move, see believe
	hyperDelay  = 0.57 // worth of a piece for each move until it is eaten

	// The price of a life.
	hyperLife     = 0.58
	hyperLifeMove = 0.013 // more for each move that is left
	hyperLifeFood = 0.015 // more for each piece that is left
	hyperLifeLead = 0.026 // less for each piece that the ant is ahead
)

var (
	// hyperContest scales the worth of food by how many moves later the opponent in view can be there: -2 or fewer to 2 or more.
	hyperContest = [...]float32{0.02, 0.57, 0.62, 0.9, 0.83}
	// hyperKnown and hyperUnseen are what food is worth by its distance from where the next move leads, beside the best route, when it is known and when the cell
	// has never been seen.
	hyperKnown  = [farthest + 1]float32{0.026, 0.1, 0.077, 0.05, 0.014, 0.009}
	hyperUnseen = [farthest + 1]float32{0, 0.24, 0.19, 0.105, 0.044, 0.01}
)

func (hyper) Move(m *Memory) int {
	m.believe(hyperHazard)
	if m.Points == decisive-1 {
		for d, to := range places[m.At].next {
			if m.Food.Has(int(to)) {
				return d
			}
		}
	}
	if d, ok := m.strike(); ok {
		m.lore.alone = true
		return d
	}
	var o outlook
	o.survey(m)
	best, direction := o.value(m, 0), 0
	for d := 1; d < 8; d++ {
		if value := o.value(m, d); value > best {
			best, direction = value, d
		}
	}
	return direction
}

// outlook is what hyper expects of a position.
type outlook struct {
	routes lookahead
	pull   [8]float32 // by direction: the food near where it leads
	food   float32    // on the board, expected
}

// survey collects the food that is known and that is expected on cells never seen.
func (o *outlook) survey(m *Memory) {
	l := &m.lore
	left := rounds - m.Time
	o.routes.moves = min(hyperReach, left)
	known, unseen := hyperKnown, hyperUnseen
	clear(known[min(left, len(known)):]) // too far for the time that is left
	clear(unseen[min(left, len(unseen)):])
	each(m.Food, func(c int) {
		belief := l.keep[c]
		o.expect(m, c, belief, &known)
		o.plan(m, c, belief)
	})
	dark := everywhere.AndNot(l.seen)
	density := l.density(dark.Count())
	each(dark, func(c int) { o.expect(m, c, density*l.keep[c], &unseen) })
}

// expect adds food that is at a cell with a probability to the pull of all directions.
func (o *outlook) expect(m *Memory, cell int, belief float32, weights *[farthest + 1]float32) {
	o.food += belief
	row := &distances[cell]
	for d, to := range places[m.At].next {
		o.pull[d] += float32(belief * weights[row[to]])
	}
}

// plan adds a piece of food to the routes.
func (o *outlook) plan(m *Memory, cell int, belief float32) {
	worth := o.routes.add(cell)
	for i := range worth {
		belief *= hyperDelay
		worth[i] = belief
		if m.Enemy >= 0 {
			later := int(distances[m.Enemy][cell]) - (i + 1)
			worth[i] *= hyperContest[min(max(later, -2), 2)+2]
		}
	}
}

// value is the worth of going in a direction.
func (o *outlook) value(m *Memory, direction int) float32 {
	to := places[m.At].next[direction]
	left := rounds - m.Time - 1
	if left == 0 || m.Points >= decisive || !m.beside(to) {
		return o.routes.after(to) + o.pull[direction]
	}
	lead := float32(2*m.Points-pieces) + o.food
	life := hyperLife + float32(hyperLifeMove*float32(left)) + float32(hyperLifeFood*o.food) - float32(hyperLifeLead*lead)
	if m.Food.Has(int(to)) {
		return 1 - life
	}
	return -life
}
