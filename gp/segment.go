package gp

import "math/bits"

// segment is a run of cells that are consecutive both in the window and in a plane.
type segment struct {
	from  uint8 // first cell
	plane uint8
	to    uint8 // bit of the first cell in the plane
	mask  uint32
}

// makeSegments finds the segments of which the planes are made.
func (g *Grammar) makeSegments() {
	g.segments = nil
	for cell := range g.Window.Side * g.Window.Side {
		at := g.planeBit[cell]
		if n := len(g.segments); n > 0 {
			s := &g.segments[n-1]
			length := uint8(bits.OnesCount32(s.mask))
			if s.plane == at>>5 && s.to+length == at&31 && s.from+length == uint8(cell) {
				s.mask = s.mask<<1 | 1
				continue
			}
		}
		g.segments = append(g.segments, segment{uint8(cell), at >> 5, at & 31, 1})
	}
}

// spread returns the planes of a set of cells.
func (g *Grammar) spread(b *Bits) (planes [4]uint32) {
	low, high := b.Low, b.High
	for i := range g.segments {
		s := &g.segments[i]
		word := low>>s.from | high<<(64-s.from)
		if s.from >= 64 {
			word = high >> (s.from - 64)
		}
		planes[s.plane&3] |= uint32(word) & s.mask << s.to
	}
	return planes
}
