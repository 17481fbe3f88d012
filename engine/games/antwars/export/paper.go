//go:build ignore

package player

// prepare looks around, and draws what the ant remembers for the trees.
func prepare(row, column int) {
	draw(row, column, look(row, column))
}

// foresee works out what the trees read of a move in a direction, to a cell.
func foresee(d, to int) {
	senseFoodHope = hope(d)
}
