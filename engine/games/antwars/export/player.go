//go:build ignore

// Each line of input is a move of the ant: the 25 cells in its view, row by row from the upper left
// (0 empty, 1 food, 2 the other ant), then its row and its column on the torus of 11 x 11. The
// answer is a line with the direction: 0 to 7 for NW, N, NE, E, SE, S, SW, W. An empty line begins
// a new game and has no answer.

package player

// The world has 11 x 11 cells.
const torus = 121

// What the ant remembers: food, the move at which each cell was last in view, where it stood.
var food [torus]bool
var lastSeen [torus]int
var stoodOn [torus]bool
var moves, points int

// certainty is the belief in food by the moves since it was seen, in units of 1/4096: 0.9 to that
// power, rounded.
var certainty = [35]int{4096, 3686, 3318, 2986, 2687, 2419, 2177, 1959, 1763, 1587, 1428, 1285,
	1157,
	1041, 937, 843, 759, 683, 615, 553, 498, 448, 403, 363, 327, 294, 265, 238, 214, 193, 174, 156,
	141,
	127, 114}

// stepX and stepY are the steps of the directions.
var stepX = [8]int{-1, 0, 1, 1, 1, 0, -1, -1}
var stepY = [8]int{-1, -1, -1, 0, 1, 1, 1, 0}

// begin forgets everything.
func begin() {
	moves = 0
	points = 0
	for i := range torus {
		food[i] = false
		lastSeen[i] = 0
		stoodOn[i] = false
	}
}

// at returns the world's cell at a row and a column, which may lie beyond an edge.
func at(row, column int) int {
	return (row+22)%11*11 + (column+22)%11
}

// look brings the memory up to date and returns the other ant's cell, -1 if it is not in view.
func look(row, column int) int {
	enemy := -1
	for y := range 5 {
		for x := range 5 {
			here := at(row+y-2, column+x-2)
			what := givenIn(y*5+x, 0, 2)
			food[here] = what == 1
			lastSeen[here] = moves
			if what == 2 {
				enemy = here
			}
		}
	}
	stoodOn[at(row, column)] = true
	return enemy
}

// draw draws the memory around the ant into the layers that the trees read.
func draw(row, column, enemy int) {
	for y := range side {
		for x := range side {
			i := y*side + x
			here := at(row+y-5, column+x-5)
			inView := x >= 3 && x <= 7 && y >= 3 && y <= 7
			held[layerFood][i] = food[here]
			weight[layerFood][i] = certainty[moves-lastSeen[here]]
			held[layerEnemy][i] = here == enemy
			held[layerEmpty][i] = inView && !food[here] && here != enemy
			held[layerVisited][i] = stoodOn[here]
		}
	}
}

// hope is the food that two moves can reach, the first one in a direction: 1 for the first move,
// and for the second what food is worth a move after it was seen.
func hope(d int) float32 {
	x := d%2 - 1
	y := -1
	ahead := holds(layerFood, x, y, x, y)
	around := area(askCount, layerFood, x-1, y-1, x+1, y+1)
	if ahead && around > 1 {
		return 1.89990234375
	}
	if ahead {
		return 1
	}
	if around > 0 {
		return 0.89990234375
	}
	return 0
}

// The direction of the move that the trees look at, and the cell to which it leads.
var heading, target int

// decide takes the move of the greatest worth, the first among equals from NW clockwise.
func decide() {
	row := givenIn(25, 0, 10)
	column := givenIn(26, 0, 10)
	if givens() > 27 || moves == 35 {
		fail("a move has 27 numbers, and a game 35 moves; an empty line begins a new game")
	}
	prepare(row, column)
	computeCounts()
	best := 0
	var most float32
	for d := range 8 {
		turns = d / 2
		heading = d
		target = at(row+stepY[d], column+stepX[d])
		computeAhead()
		var worth float32
		if d%2 == 1 {
			worth = worthStraight()
		} else {
			worth = worthDiagonal()
		}
		if d == 0 || worth > most {
			best = d
			most = worth
		}
	}
	if food[at(row+stepY[best], column+stepX[best])] {
		points += 1
	}
	moves += 1
	answer(best)
}
