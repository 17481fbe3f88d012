//go:build ignore

package player

// lives tells whether a place is on the board and holds a live cell of a side.
func lives(number, y, x int) bool {
	return y >= 0 && y < height && x >= 0 && x < width && board[y*width+x] == number
}

// far is how far away the nearest live cell of a side is, at most 31: the greater of rows and
// columns between them.
func far(number, y, x int) int {
	for d := range 31 {
		for i := range 2*d + 1 {
			if lives(number, y-d, x-d+i) || lives(number, y+d, x-d+i) {
				return d
			}
			if lives(number, y-d+i, x-d) || lives(number, y-d+i, x+d) {
				return d
			}
		}
	}
	return 31
}

// less is the lesser of two numbers.
func less(a, b int) int {
	if a < b {
		return a
	}
	return b
}

// apart is how far two numbers are from each other.
func apart(a, b int) int {
	if a < b {
		return b - a
	}
	return a - b
}

// ownAway is how far away the nearest own cell is, live or chosen.
func ownAway(y, x int) int {
	away := far(own, y, x)
	for n := range chosen {
		rows := apart(chosenY[n], y)
		columns := apart(chosenX[n], x)
		if rows < columns {
			rows = columns
		}
		away = less(away, rows)
	}
	return away
}

// edgeAway is how far away the edge of the board is.
func edgeAway(y, x int) int {
	return less(31, less(less(y, x), less(height-1-y, width-1-x)))
}

// How far the nearest cells and the edge are from the site.
var ownFar int
var enemyFar int
var edgeFar int

func measure(y, x int) {
	ownFar = ownAway(y, x)
	enemyFar = far(enemy, y, x)
	edgeFar = edgeAway(y, x)
}

// roomySite draws some places, and offers what can be placed at the one with the most room.
func roomySite() {
	bestRoom := -1
	roomyY := 0
	roomyX := 0
	for range 8 {
		if bestRoom < 31 {
			y := below(height)
			x := below(width)
			room := less(ownAway(y, x), less(far(enemy, y, x), edgeAway(y, x)))
			if room > bestRoom {
				bestRoom = room
				roomyY = y
				roomyX = x
			}
		}
	}
	mirrored := below(2) == 1
	offer(roomyY, roomyX, mirrored)
}
