package darwin

// direction is one of the four ways a creature can face. The numbers are the original's.
type direction uint8

// The directions, each a left turn after the one before. North is up, where y is smaller.
const (
	north direction = iota
	west
	south
	east
)

// left returns the direction after a quarter turn counter-clockwise.
func (d direction) left() direction { return (d + 1) & 3 }

// right returns the direction after a quarter turn clockwise.
func (d direction) right() direction { return (d + 3) & 3 }

// back returns the opposite direction.
func (d direction) back() direction { return (d + 2) & 3 }

// String returns the direction's first letter, as in the records.
func (d direction) String() string { return "NWSE"[d&3 : d&3+1] }

// clockwise returns the number of quarter turns clockwise from north.
func (d direction) clockwise() int { return int(4-d) & 3 }

// point is a square of the map: (0, 0) is the upper left corner, y grows downward.
type point struct{ x, y int16 }

// toward returns the next square in a direction.
func (p point) toward(d direction) point { return p.ahead(d, 1) }

// ahead returns the square n steps away in a direction.
func (p point) ahead(d direction, n int) point {
	return point{p.x + int16(n)*[4]int16{0, -1, 0, 1}[d&3],
		p.y + int16(n)*[4]int16{-1, 0, 1, 0}[d&3]}
}

// distance returns the number of steps between two squares when nothing is in the way.
func (p point) distance(q point) int {
	return max(int(p.x)-int(q.x), int(q.x)-int(p.x)) + max(int(p.y)-int(q.y), int(q.y)-int(p.y))
}
