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

// ownAway is how far away the nearest own cell is, live or chosen.
func ownAway(y, x int) int {
	away := far(own, y, x)
	for n := range chosen {
		rows := max(chosenY[n]-y, y-chosenY[n])
		columns := max(chosenX[n]-x, x-chosenX[n])
		away = min(away, max(rows, columns))
	}
	return away
}

// edgeAway is how far away the edge of the board is.
func edgeAway(y, x int) int {
	return min(31, min(min(y, x), min(height-1-y, width-1-x)))
}

// How far the nearest cells and the edge are from the site.
var ownFar, enemyFar, edgeFar int

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
			room := min(ownAway(y, x), min(far(enemy, y, x), edgeAway(y, x)))
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
