//go:build ignore

package player

// The squares that were reached from the next one, in order, and in how many steps; -1 elsewhere.
// Where a creature of another species was seen.
var wayLine, waySteps []int
var wayEnemy []bool
var wayRoom int

// beginWay makes the next square the only one that was reached.
func beginWay(next int) {
	squares := (wide + 2*margin) * (high + 2*margin)
	if wayRoom != squares {
		wayRoom = squares
		wayLine = make([]int, squares)
		waySteps = make([]int, squares)
		wayEnemy = make([]bool, squares)
	}
	for i := range squares {
		waySteps[i] = -1
		wayEnemy[i] = false
	}
	for n := range known.seen {
		if !known.seenFriend[n] && now-known.seenTime[n] <= 20000000 &&
			(known.seenX[n] != atX || known.seenY[n] != atY) {
			wayEnemy[square(known.seenX[n], known.seenY[n])] = true
		}
	}
	wayLine[0] = next
	waySteps[next] = 0
}

// ends tells whether a square is what a way leads to: 0 food, 1 an enemy, 2 what was never seen,
// 3 an own shrine, to which only enchanted creatures sense the way.
func ends(aim, i int) bool {
	if aim == 0 {
		return known.boards[on(boardApple, i)] || known.boards[on(boardFlytrap, i)] ||
			known.boards[on(boardTreasure, i)]
	}
	if aim == 1 {
		return wayEnemy[i]
	}
	if aim == 3 {
		return known.boards[on(boardShrine, i)]
	}
	return !known.boards[on(boardKnown, i)]
}

// way tells how near the next square is to an aim.
func way(aim int) float32 {
	if aim == 3 && given(8) == 0 {
		return 0
	}
	next := square(nextX, nextY)
	if known.boards[on(boardWall, next)] || known.boards[on(boardHazard, next)] ||
		self.bumped[direction] && self.bumpX[direction] == nextX && self.bumpY[direction] == nextY {
		return 0
	}
	beginWay(next)
	first := 0
	last := 1
	for first < last {
		i := wayLine[first]
		first += 1
		if ends(aim, i) {
			return float32(64-waySteps[i]) / 64
		}
		if waySteps[i] < 63 && known.boards[on(boardKnown, i)] && !known.boards[on(boardWall, i)] &&
			!known.boards[on(boardHazard, i)] {
			for d := range 4 {
				j := i + stepX[d] + stepY[d]*(wide+2*margin)
				if waySteps[j] < 0 {
					waySteps[j] = waySteps[i] + 1
					wayLine[last] = j
					last += 1
				}
			}
		}
	}
	return 0
}
