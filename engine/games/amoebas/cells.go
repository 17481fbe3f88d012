package amoebas

import "math/bits"

// direction is one of the eight neighbours, clockwise from the upper left.
type direction uint8

// The directions. x points right and y down.
const (
	northWest direction = iota
	north
	northEast
	east
	southEast
	south
	southWest
	west
)

// step returns the neighbour's position relative to the own cell.
func (d direction) step() (dx, dy int) { return int(stepX[d&7]), int(stepY[d&7]) }

// opposite returns the direction half a turn away.
func (d direction) opposite() direction { return d ^ 4 }

var (
	stepX = [8]int8{-1, 0, 1, 1, 1, 0, -1, -1}
	stepY = [8]int8{-1, -1, -1, 0, 1, 1, 1, 0}
)

// directions is a set of directions: bit d is direction d.
type directions uint8

// has tells whether d is in the set.
func (s directions) has(d direction) bool { return s>>d&1 != 0 }

// count returns the number of directions in the set.
func (s directions) count() int { return bits.OnesCount8(uint8(s)) }

// nth returns the n-th direction of the set, counted from 0; n must be below Count.
func (s directions) nth(n int) direction {
	for range n {
		s &= s - 1
	}
	return direction(bits.TrailingZeros8(uint8(s)))
}

// from returns the first direction of the set clockwise from start; the set must not be empty.
func (s directions) from(start int) direction {
	return direction(bits.TrailingZeros8(bits.RotateLeft8(uint8(s), -start))+start) & 7
}

// last returns the direction of the greatest score, the highest direction among equals, and false
// for an empty set.
func (s directions) last(score func(direction) int) (direction, bool) {
	best, most := direction(0), 0
	for rest := s; rest != 0; rest &= rest - 1 {
		d := direction(bits.TrailingZeros8(uint8(rest)))
		if v := score(d); rest == s || v >= most {
			best, most = d, v
		}
	}
	return best, s != 0
}

// first returns the direction of the least score, the lowest direction among equals, and false for
// an empty set.
func (s directions) first(score func(direction) int) (direction, bool) {
	best, least := direction(0), 0
	for rest := s; rest != 0; rest &= rest - 1 {
		d := direction(bits.TrailingZeros8(uint8(rest)))
		if v := score(d); rest == s || v < least {
			best, least = d, v
		}
	}
	return best, s != 0
}

// greatest returns the direction of the set with the greatest number, the highest direction among
// equals; of an empty set it returns any. The numbers are below 2^13 and stand in lanes of 16 bits,
// those of corners and of straight, clockwise from northWest and north. It has no branches, because
// a processor could not predict them.
func (s directions) greatest(corners, straight uint64) direction {
	in := spread(uint8(s))
	a := (corners<<3 | 0x0006000400020000) & (in & (0xff * lanes) * 0x101)
	b := (straight<<3 | 0x0007000500030001) & (in >> 8 & (0xff * lanes) * 0x101)
	const lane = 0xffff
	return direction(max(max(a&lane, a>>16&lane), max(a>>32&lane, a>>48), max(b&lane, b>>16&lane),
		max(b>>32&lane, b>>48)) & 7)
}

// cellSet is a set of cells of a view: bit 7*(y+3) + x+3 is the cell at (x, y) relative to the own
// one, which is bit 24.
type cellSet uint64

const (
	side = 2*maxView + 1 // of the square that a cellSet can hold
	own  = cellSet(1) << 24
)

// cellAt returns the set of the one cell at (dx, dy), which is empty beyond the greatest view.
func cellAt(dx, dy int) cellSet {
	if dx < -maxView || dx > maxView || dy < -maxView || dy > maxView {
		return 0
	}
	return 1 << (side*(dy+maxView) + dx + maxView)
}

// count returns the number of cells in the set.
func (c cellSet) count() int { return bits.OnesCount64(uint64(c)) }

// ring returns the directions of the neighbours in the set.
func (c cellSet) ring() directions {
	return directions(c>>16&7 | c>>25&1<<3 | c>>32&1<<4 | c>>31&1<<5 | c>>30&1<<6 | c>>23&1<<7)
}

// section returns the sixteen cells toward a direction, the own cell among them: for a corner the
// square of four by four on that side, for a straight direction the triangle of the cells that are
// no further aside than ahead.
func (d direction) section() cellSet { return sections[d&7] }

var sections = makeSections()

func makeSections() (s [8]cellSet) {
	for d := range direction(8) {
		dx, dy := d.step()
		for y := -maxView; y <= maxView; y++ {
			for x := -maxView; x <= maxView; x++ {
				ahead, aside := x*dx+y*dy, x*dy-y*dx
				inside := ahead >= 0 && max(aside, -aside) <= ahead
				if dx != 0 && dy != 0 {
					inside = x*dx >= 0 && y*dy >= 0
				}
				if inside {
					s[d] |= cellAt(x, y)
				}
			}
		}
	}
	return s
}

// square returns the cells at most distance away in both coordinates.
func square(distance int) (c cellSet) {
	for y := -distance; y <= distance; y++ {
		for x := -distance; x <= distance; x++ {
			c |= cellAt(x, y)
		}
	}
	return c
}
