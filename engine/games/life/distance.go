package life

import "math/bits"

// sight is the greatest distance that a species with methuselahs sees: greater ones count as it.
const sight = 31

// distanceUnit is the distance that trees read as 1: their constants are small.
const distanceUnit = 8

// roomTries is how many places are drawn for the roomiest site; the first with room up to sight is
// taken at once.
const roomTries = 8

// distance returns how far the nearest live cell of a colour is from (y, x), which lies on the
// board: the greater of rows and columns between them, and at most most, which is at most sight.
func (b *board) distance(c colour, y, x, most int) int {
	for d := 0; d < most; d++ { // rows away
		for _, row := range [2]int{y - d, y + d} {
			if uint(row) >= uint(b.height) {
				continue
			}
			cells := b.row(c, row, x-sight) // column x is bit sight
			columns := min(bits.TrailingZeros64(cells>>sight),
				bits.LeadingZeros32(uint32(cells)))
			most = min(most, max(d, columns))
		}
	}
	return most
}

// distances returns how far the nearest own cell, live or chosen in this turn, the nearest enemy
// cell and the edge of the board are from a place, each at most sight.
func (t *turn) distances(y, x int) (own, enemy, edge int) {
	edge = min(sight, y, x, t.board.height-1-y, t.board.width-1-x)
	own, enemy = sight, t.board.distance(t.own.enemy(), y, x, sight)
	for _, c := range t.chosen {
		dy, dx := int(c.y)-y, int(c.x)-x
		own = min(own, max(dy, -dy, dx, -dx))
	}
	return t.board.distance(t.own, y, x, own), enemy, edge
}

// roomiest draws some places and returns the one with the most room, of equals the first.
func (t *turn) roomiest() (bestY, bestX int) {
	most := -1
	for range roomTries {
		y, x := t.anywhere()
		own, enemy, edge := t.distances(y, x)
		if room := min(own, enemy, edge); room > most {
			bestY, bestX, most = y, x, room
		}
		if most == sight {
			break
		}
	}
	return bestY, bestX
}
