//go:build ignore

package player

// decide takes the move of the greatest worth, the first among equals from NW clockwise.
func decide() {
	row := given(25)
	column := given(26)
	draw(row, column, look(row, column))
	senseTimeLeft = float32(35 - moves)
	sensePoints = float32(points)
	sensePointsLeft = float32(15 - points)
	best := 0
	var most float32
	for d := range 8 {
		turns = d / 2
		var worth float32
		if d%2 == 1 {
			senseFoodHope = hope(0, -1)
			worth = worthStraight()
		} else {
			senseFoodHope = hope(-1, -1)
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
