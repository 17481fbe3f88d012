//go:build ignore

package player

// What a keen ant remembers besides: the cells that have never been in view, those on which the
// other ant may be, its cell if it was in view a move ago, else -1, and the food that has been
// seen.
var unseen, hunted [torus]bool
var prey, found int

// firstStart and secondStart are where the ants begin; no food lies there.
const firstStart = 57
const secondStart = 63

// spread adds to where the other ant may be all neighbours.
func spread() {
	var before [torus]bool
	for i := range torus {
		before[i] = hunted[i]
	}
	for i := range torus {
		for d := range 8 {
			if before[at(i/11+stepY[d], i%11+stepX[d])] {
				hunted[i] = true
			}
		}
	}
}

// clear forgets where the other ant may be.
func clear() {
	for i := range torus {
		hunted[i] = false
	}
}

// track brings up to date what has been seen, and where the other ant may be: on a cell that it can
// have reached, or on none if this ant has just stepped on it.
func track(row, column, enemy int) {
	here := at(row, column)
	if moves == 0 {
		found = 0
		clear()
		for i := range torus {
			unseen[i] = i != firstStart && i != secondStart
		}
		if here == firstStart {
			hunted[secondStart] = true
		} else {
			hunted[firstStart] = true
			spread()
		}
	} else if prey == here {
		clear()
	} else {
		spread()
	}
	for y := range 5 {
		for x := range 5 {
			cell := at(row+y-2, column+x-2)
			hunted[cell] = false
			if unseen[cell] && food[cell] {
				found += 1
			}
			unseen[cell] = false
		}
	}
	if enemy >= 0 {
		clear()
		hunted[enemy] = true
	}
	prey = enemy
}

// drawKeen draws what keen ants remember into the layers.
func drawKeen(row, column int) {
	for y := range side {
		for x := range side {
			here := at(row+y-5, column+x-5)
			held[layerUnseen][y*side+x] = unseen[here]
			held[layerHunter][y*side+x] = hunted[here]
		}
	}
}

// far is the number of moves from one column or row to another.
func far(start, to int) int {
	d := (start - to + 11) % 11
	return min(d, 11-d)
}

// distance is the number of moves between two cells.
func distance(start, to int) int {
	return max(far(start/11, to/11), far(start%11, to%11))
}
