package antwars

// greedy ignores the opponent. It goes to the nearest food that it sees or remembers, and without
// any in a direction drawn for each game.
type greedy struct{}

func (greedy) Move(m *memory) int {
	direction, near := m.heading(), cells
	each(m.food, func(c int) {
		for d, to := range places[m.at].next {
			if far := int(distances[to][c]); far < near {
				direction, near = d, far
			}
		}
	})
	if m.trace != nil {
		m.trace.food(m)
	}
	return direction
}
