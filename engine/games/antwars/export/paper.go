//go:build ignore

package player

// prepare looks around, and draws what the ant remembers for the trees.
func prepare(row, column int) {
	draw(row, column, look(row, column))
}
