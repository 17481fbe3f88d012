package antwars

// greedy gives the opponent no thought. It goes to the nearest food that it sees or remembers, and
// if it knows of none, straight on in a direction drawn for each game.
type greedy struct{}

func (greedy) Move(m *Memory) int {
	direction, near := m.heading(), cells
	each(m.Food, func(c int) {
		for d, to := range places[m.At].next {
			if far := int(distances[to][c]); far < near {
				direction, near = d, far
			}
		}
	})
	return direction
}
