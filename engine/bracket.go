package engine

import "fmt"

// Bracket plays a single-elimination tournament and returns its winner. The entrants, at least one,
// are paired in the order given, and the winners go on in that order; shuffle them for a draw. The
// last of an odd number has a bye and is paired first in the next round, so that nobody has two
// byes. There is one match fewer than there are entrants.
//
// match plays match number index, counted from 0, between the entrants a and b, and returns the
// winner: a or b itself. It panics for anything else.
func Bracket(entrants []int, match func(a, b, index int) int) int {
	if len(entrants) == 0 {
		panic("engine: a bracket needs at least one entrant")
	}
	var room [16]int // enough for usual tournaments, so that a selection allocates nothing
	left := append(room[:0], entrants...)
	index := 0
	for len(left) > 1 {
		left = round(left, func(a, b int) int {
			winner := match(a, b, index)
			if winner != a && winner != b {
				panic(fmt.Sprintf("engine: match %d between entrants %d and %d was won by %d",
					index, a, b, winner))
			}
			index++
			return winner
		})
	}
	return left[0]
}

// round plays one round in place and returns those that are left. Writing winner i overwrites only
// entrants that were read before.
func round(left []int, match func(a, b int) int) []int {
	pairs := len(left) / 2
	last, odd := left[len(left)-1], len(left)%2
	for i := range pairs {
		left[i] = match(left[2*i], left[2*i+1])
	}
	if odd == 1 {
		copy(left[1:], left[:pairs])
		left[0] = last
	}
	return left[:pairs+odd]
}
