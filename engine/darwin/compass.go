package darwin

// Direction is one of the four ways a creature can face. The numbers are the original's.
type Direction uint8

// The directions, each a left turn after the one before. North is up, where y is smaller.
const (
	North Direction = iota
	West
	South
	East
)

// Left returns the direction after a quarter turn counter-clockwise.
func (d Direction) Left() Direction { return (d + 1) & 3 }

// Right returns the direction after a quarter turn clockwise.
func (d Direction) Right() Direction { return (d + 3) & 3 }

// Back returns the opposite direction.
func (d Direction) Back() Direction { return (d + 2) & 3 }

// String returns the direction's first letter, as in the records.
func (d Direction) String() string { return "NWSE"[d&3 : d&3+1] }

// clockwise returns the number of quarter turns clockwise from north.
func (d Direction) clockwise() int { return int(4-d) & 3 }

// Point is a square of the map: (0, 0) is the upper left corner, y grows downward.
type Point struct{ X, Y int16 }

// Toward returns the next square in a direction.
func (p Point) Toward(d Direction) Point { return p.Ahead(d, 1) }

// Ahead returns the square n steps away in a direction.
func (p Point) Ahead(d Direction, n int) Point {
	return Point{p.X + int16(n)*[4]int16{0, -1, 0, 1}[d&3],
		p.Y + int16(n)*[4]int16{-1, 0, 1, 0}[d&3]}
}

// Distance returns the number of steps between two squares when nothing is in the way.
func (p Point) Distance(q Point) int {
	return max(int(p.X)-int(q.X), int(q.X)-int(p.X)) + max(int(p.Y)-int(q.Y), int(q.Y)-int(p.Y))
}
