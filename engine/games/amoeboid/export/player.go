//go:build ignore

// Each line of input is a turn: the seat (0 for A, 1 for B), the roll of the die, and a number from
// 0 on, drawn anew each time, with which the moves are looked through from another one each turn;
// then, for each cell of the board, the units of A and of B. The answer is a line with five numbers:
// the cell of the piece that grows, the cells from which and to which units go, and how many of A
// and of B. Where nothing can move, only the first of them counts.

package player

// The units on the cells: of the player whose turn it is, and of the other one.
var mine, theirs [boardCells]int

// The moves that are weighed up.
var grows, goesFrom, goesTo, takesMine, takesTheirs [menuRoom]int
var moves int

// risk and hope tell, by roll, the largest piece that may be eaten from that roll on.
var risk, hope [21]int

// begin has nothing to forget.
func begin() {
}

func size(cell int) int {
	return mine[cell] + theirs[cell]
}

// isOwn tells whether the player owns the piece on a cell, isEnemy whether the other one does.
func isOwn(cell int) bool {
	return mine[cell] > theirs[cell]
}

func isEnemy(cell int) bool {
	return theirs[cell] > mine[cell]
}

// beside returns the size of the largest own or enemy piece next to a cell, 0 where there is none.
func beside(cell int, own bool) int {
	most := 0
	for i := range nearStart[cell+1] - nearStart[cell] {
		other := near[nearStart[cell]+i]
		if own && isOwn(other) || !own && isEnemy(other) {
			most = max(most, size(other))
		}
	}
	return most
}

// add puts a move into the menu.
func add(grow, start, to, own, foreign int) {
	grows[moves] = grow
	goesFrom[moves] = start
	goesTo[moves] = to
	takesMine[moves] = own
	takesTheirs[moves] = foreign
	moves += 1
}

// offer adds a part of a piece if the piece has it, it may enter, and it is not in the menu since a
// first move.
func offer(first, grow, start, to, own, foreign, mostOwn, mostForeign, need int) {
	if own < 0 || foreign < 0 || own > mostOwn || foreign > mostForeign || own+foreign < need {
		return
	}
	for i := range moves - first {
		if takesMine[first+i] == own && takesTheirs[first+i] == foreign {
			return
		}
	}
	add(grow, start, to, own, foreign)
}

// split adds the parts of a piece that are worth a thought: all; half; one unit; as much as leaves
// the rest one's own; all own units; the other's, covered; the fewest that may enter; the fewest
// that have the majority there.
func split(grow, start, to, roll int) {
	own := mine[start]
	foreign := theirs[start]
	there := mine[to]
	if grow == start {
		own += roll
	}
	if grow == to {
		there += roll
	}
	need := max(1, there+theirs[to])
	first := moves
	offer(first, grow, start, to, own, foreign, own, foreign, need)
	offer(first, grow, start, to, own/2, 0, own, foreign, need)
	offer(first, grow, start, to, 1, 0, own, foreign, need)
	offer(first, grow, start, to, own-foreign-1, 0, own, foreign, need)
	offer(first, grow, start, to, own, 0, own, foreign, need)
	offer(first, grow, start, to, foreign+1, foreign, own, foreign, need)
	offer(first, grow, start, to, need, 0, own, foreign, need)
	offer(first, grow, start, to, max(need, theirs[to]-there+1), 0, own, foreign, need)
}

// list makes the menu: what grows is the piece that moves, the largest one, or the one next to the
// largest enemy. Where nothing can move, it is the growths.
func list(roll int) {
	largest := 0
	largestSize := 0
	threatened := 0
	threat := 0
	for c := range boardCells {
		if isOwn(c) {
			if size(c) > largestSize {
				largestSize = size(c)
				largest = c
			}
			if beside(c, false) > threat {
				threat = beside(c, false)
				threatened = c
			}
		}
	}
	if threat == 0 {
		threatened = largest
	}
	moves = 0
	for start := range boardCells {
		if !isOwn(start) {
			continue
		}
		for i := range nearStart[start+1] - nearStart[start] {
			to := near[nearStart[start]+i]
			split(start, start, to, roll)
			if largest != start {
				split(largest, start, to, roll)
			}
			if threatened != start && threatened != largest {
				split(threatened, start, to, roll)
			}
		}
	}
	if moves > 0 {
		return
	}
	for c := range boardCells {
		if isOwn(c) {
			add(c, 0, 0, 0, 0)
		}
	}
}

// quarters tells by how many quarter turns clockwise a step points away from up, or from up and to
// the right.
func quarters(x, y int) int {
	if x >= 0 && y < 0 {
		return 0
	}
	if x > 0 {
		return 1
	}
	if y > 0 {
		return 2
	}
	return 3
}

// mean returns the mean over the rolls of the largest piece that may be eaten.
func mean(hopes bool) float32 {
	most := 0
	total := 0
	for i := range die {
		if hopes {
			most = max(most, hope[i+1])
		} else {
			most = max(most, risk[i+1])
		}
		total += most
	}
	return float32(total) / float32(die)
}

// The move that is weighed up: the roll, where it began and ended, what stood there before, and
// whether that was the other player's piece or an own one.
var rolled, begun, end, eaten int
var ate, merged bool

// What sums over the board after it.
var lead, ownMass, enemyMass, pieces, enemies, neutrals, room, threat, exposed, prey, largest int

// hunted notes how an own piece may be eaten.
func hunted(c, n int) {
	by := beside(c, false)
	if by > 0 && by+die >= n {
		exposed = max(exposed, n)
		need := max(1, n-by)
		risk[need] = max(risk[need], n)
		if c == end {
			threat = by
		}
	}
}

// hunts notes how a piece of the other player may be eaten.
func hunts(c, n int) {
	by := beside(c, true)
	if by > 0 && n-by < 21 {
		need := max(1, n-by)
		hope[need] = max(hope[need], n)
		if by >= n {
			prey = max(prey, n)
		}
	}
}

// look draws the board around a cell and sets what sums over the board.
func look(center int) {
	for l := range layers {
		for i := range cells {
			held[l][i] = false
		}
	}
	for i := range 21 {
		risk[i] = 0
		hope[i] = 0
	}
	lead = 0
	ownMass = 0
	enemyMass = 0
	pieces = 0
	enemies = 0
	neutrals = 0
	room = 0
	threat = 0
	exposed = 0
	prey = 0
	largest = 0
	for c := range boardCells {
		n := size(c)
		lead += mine[c] - theirs[c]
		if n == 0 {
			room += 1
		} else if isOwn(c) {
			ownMass += n
			pieces += 1
			hunted(c, n)
		} else if isEnemy(c) {
			enemyMass += n
			enemies += 1
			largest = max(largest, n)
			hunts(c, n)
		} else {
			neutrals += 1
		}
		x := atX[c] - atX[center] + side/2
		y := atY[c] - atY[center] + side/2
		if x >= 0 && x < side && y >= 0 && y < side {
			for l := range layers {
				weight[l][y*side+x] = n
			}
			drawCell(y*side+x, c, n, center)
		}
	}
}

// worth returns what a move is worth: the position after it, turned as the move went.
func worth(k, roll int) float32 {
	grow := grows[k]
	start := goesFrom[k]
	to := goesTo[k]
	rolled = roll
	begun = start
	end = to
	eaten = size(to)
	ate = isEnemy(to)
	merged = isOwn(to)
	mine[grow] += roll
	mine[start] -= takesMine[k]
	theirs[start] -= takesTheirs[k]
	mine[to] += takesMine[k]
	theirs[to] += takesTheirs[k]
	turns = quarters(atX[to]-atX[start], atY[to]-atY[start])
	look(to)
	computeAfter()
	value := worthMove()
	mine[to] -= takesMine[k]
	theirs[to] -= takesTheirs[k]
	mine[start] += takesMine[k]
	theirs[start] += takesTheirs[k]
	mine[grow] -= roll
	return value
}

// decide makes the move of the greatest worth. One that is no number is less than all others.
func decide() {
	if givens() != 3+2*boardCells {
		fail("a turn has three numbers, and two for each cell")
	}
	player := givenIn(0, 0, 1)
	roll := givenIn(1, 1, die)
	units := 0
	for c := range boardCells {
		mine[c] = givenIn(3+2*c+player, 0, mostUnits)
		theirs[c] = givenIn(4+2*c-player, 0, mostUnits)
		units += mine[c] + theirs[c]
	}
	if units > mostUnits {
		fail("the board holds more units than a game has")
	}
	list(roll)
	if moves == 0 {
		return
	}
	first := givenIn(2, 0, 2147483647) % moves
	best := first
	if moves > 1 {
		var most float32 = -3e38
		most = most * 10
		for i := range moves {
			k := (first + i) % moves
			value := worth(k, roll)
			if value > most {
				most = value
				best = k
			}
		}
	}
	answer(grows[best])
	answer(goesFrom[best])
	answer(goesTo[best])
	if player == 0 {
		answer(takesMine[best])
		answer(takesTheirs[best])
	} else {
		answer(takesTheirs[best])
		answer(takesMine[best])
	}
}
