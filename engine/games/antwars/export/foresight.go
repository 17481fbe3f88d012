//go:build ignore

package player

// What an ant with foresight believes besides: the chance that food which lay on a cell when it was
// last in view, or at the start, is still there, and how many cells were empty when they were first
// in view, each counted by the chance that food there had been eaten by then.
var keep [torus]float32
var eaten float32

// The chance that food lies on a cell that has never been in view, and what it is worth for a route
// to end on a cell with food.
var hidden, ends [torus]float32

// unseenWorth is what food counts by its distance from the end of a route, where its cell has never
// been in view.
var unseenWorth = [6]float32{1, 0.6, 0.36, 0.216, 0.1296, 0.07776}

// inView tells whether a cell is in view.
func inView(row, column, cell int) bool {
	return far(row, cell/11) <= 2 && far(column, cell%11) <= 2
}

// believe brings up to date what the ant believes, after it has looked around.
func believe(row, column, enemy int) {
	if moves == 0 {
		eaten = 0
		for i := range torus {
			keep[i] = 1
		}
	} else {
		for i := range torus {
			if unseen[i] && inView(row, column, i) && !food[i] {
				eaten = eaten + (1 - keep[i])
			}
		}
	}
	track(row, column, enemy)
	var places int
	for i := range torus {
		if hunted[i] {
			places += 1
		}
	}
	stay := 9 / float32(max(places, 1))
	if stay > 0.9 {
		stay = 0.9
	}
	stay = 1 - stay
	for i := range torus {
		if inView(row, column, i) {
			if food[i] {
				keep[i] = 1
			}
		} else if hunted[i] && (food[i] || unseen[i]) {
			keep[i] = keep[i] * stay
		}
	}
}

// around is what may be found where a route ends.
func around(end int) float32 {
	var worth float32
	for i := range torus {
		if unseen[i] {
			worth = worth + hidden[i]*unseenWorth[distance(end, i)]
		}
	}
	return worth
}

// outlook is the worth of the best route from a cell after some moves, and of where it ends. Food
// is worth the chance that it is still there, and 0.7 times as much for each move until then.
func outlook(start, made int) float32 {
	last := min(5, 35-moves)
	var best float32
	for cell := range torus {
		if food[cell] {
			then := made + distance(start, cell)
			if then < last {
				worth := keep[cell]
				end := ends[cell]
				for range then {
					worth = worth * 0.7
					end = end * 0.7
				}
				food[cell] = false
				rest := outlook(cell, then)
				food[cell] = true
				if end > rest {
					rest = end
				}
				worth = worth + rest
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
	believe(row, column, enemy)
	draw(row, column, enemy)
	drawKeen(row, column)
	var count int
	for i := range torus {
		if unseen[i] {
			count += 1
		}
	}
	fresh := float32(count) + eaten
	if fresh < 1 {
		fresh = 1
	}
	for i := range torus {
		hidden[i] = float32(15-found) / fresh * keep[i]
	}
	for i := range torus {
		if food[i] {
			ends[i] = around(i)
		}
	}
}

// routeFrom is the worth of the best route from a cell, or of ending there.
func routeFrom(start int) float32 {
	worth := outlook(start, 0)
	end := around(start)
	if end > worth {
		worth = end
	}
	return worth
}

// decides is what winning with the bite on a cell is worth.
func decides(to int) float32 {
	if points == 7 && food[to] {
		return 15
	}
	return 0
}
