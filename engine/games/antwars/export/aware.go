//go:build ignore

package player

// route is the worth of the best route from a cell after some moves, over food that has not been
// eaten on the way. What lies there is worth what the ant believes in it, and 0.7 times as much for
// each move until then.
func route(start, made int) float32 {
	last := min(5, 35-moves)
	var best float32
	for cell := range torus {
		if food[cell] {
			then := made + distance(start, cell)
			if then < last {
				worth := float32(certainty[moves-lastSeen[cell]]) / 4096
				for range then {
					worth = worth * 0.7
				}
				food[cell] = false
				worth = worth + route(cell, then)
				food[cell] = true
				if worth > best {
					best = worth
				}
			}
		}
	}
	return best
}

// prepare looks around, and draws what the ant remembers for the trees.
func prepare(row, column int) {
	enemy := look(row, column)
	track(row, column, enemy)
	draw(row, column, enemy)
	drawKeen(row, column)
}

// routeFrom is the worth of the best route from a cell.
func routeFrom(start int) float32 {
	return route(start, 0)
}
