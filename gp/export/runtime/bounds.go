//go:build ignore

package player

// givenIn returns a number of the line, which must lie within bounds.
func givenIn(i, low, high int) int {
	n := given(i)
	if n < low || n > high {
		fail("a number of the line is out of range")
	}
	return n
}
