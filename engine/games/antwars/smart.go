package antwars

// smart kills an opponent within reach and never steps beside one that it sees. Of the food in view
// it heads for the piece with the most food around it, and of equals for the nearest. It forgets
// what it no longer sees. If it sees no food, it keeps to a direction drawn for each game.
type smart struct{}

func (smart) Move(m *memory) int {
	if d, ok := m.strike(); ok {
		m.note(strikes)
		return d
	}
	food := m.food.And(m.view)
	var merit [cells]int // of food; distances only decide between equals
	each(food, func(c int) { merit[c] = (farthest + 1) * food.And(places[c].view).Count() })
	best, direction := -1, 0
	for i := range 8 {
		d := (m.heading() + i) % 8
		to := places[m.at].next[d]
		if m.beside(to) {
			continue
		}
		value := 0
		each(food, func(c int) { value = max(value, merit[c]-int(distances[to][c])) })
		m.weigh(d, float32(value))
		if value > best {
			best, direction = value, d
		}
	}
	return direction
}
