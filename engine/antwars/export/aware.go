//go:build ignore

package player

// prepare looks around, and draws what the ant remembers for the trees.
func prepare(row, column int) {
	enemy := look(row, column)
	track(row, column, enemy)
	draw(row, column, enemy)
	drawKeen(row, column)
	senseFoodUnfound = float32(15 - found)
}

// foresee works out what the trees read of a move in a direction, to a cell.
func foresee(d, to int) {
	senseFoodHope = hope(d)
	senseFoodRoute = route(to, 0)
}
