package gp

import "math/bits"

// Draw takes over a frame as decision number i of the batch: its scalars, its layers and their
// weights. Decision 0 is drawn first. It returns false where the batch cannot hold the frame: for a
// flag, for near cells that do not weigh Layer.Near, or for more than 16 far cells with a weight;
// then Code.Eval must be asked. It allocates nothing.
func (b *Batch) Draw(i int, f *Frame) bool {
	for k := range f.scalars {
		copy(b.register(k)[Lanes*i:Lanes*i+Lanes], f.registers[k][:])
	}
	for l := range b.layers {
		cells := &f.Layers[l]
		words, planes := &b.layers[l], b.grammar.spread(cells)
		reach := 4
		if b.nearOnly>>l&1 != 0 {
			reach = 1
		}
		for p := range reach {
			w := planes[p]
			q := (*[Lanes]uint32)(words[p][Lanes*i:])
			q[0], q[1], q[2], q[3] = w, w, w, w
		}
		if b.far[l] != nil && b.code.Weighs(l) && !b.drawWeights(i, l, f) {
			return false
		}
	}
	return true
}

// drawWeights lists the far cells of a layer.
func (b *Batch) drawWeights(i, l int, f *Frame) bool {
	far, weights := b.far[l], f.Weights[l]
	if i == 0 {
		far.N = 0
	}
	n := 0
	for half, word := range f.Layers[l] {
		for near := word & b.grammar.near[half]; near != 0; near &= near - 1 {
			if weights[half<<6|bits.TrailingZeros64(near)] != b.weights[l].near {
				return false
			}
		}
		for left := word &^ b.grammar.near[half]; left != 0; left &= left - 1 {
			cell := half<<6 | bits.TrailingZeros64(left)
			if weights[cell] == 0 {
				continue
			}
			if n == maxFar {
				return false
			}
			if n == far.N {
				clear(far.Bit[n][:])
				clear(far.Weight[n][:])
				clear(far.Index[n][:])
				far.N++
			}
			at := b.grammar.planeBit[cell]
			for k := range Lanes {
				far.Index[n][Lanes*i+k] = uint32(Lanes*(at>>5)) + uint32(k)
				far.Bit[n][Lanes*i+k] = 1 << (at & 31)
				far.Weight[n][Lanes*i+k] = uint32(weights[cell])
			}
			n++
		}
	}
	for ; n < far.N; n++ {
		for k := range Lanes {
			far.Bit[n][Lanes*i+k], far.Weight[n][Lanes*i+k] = 0, 0
		}
	}
	return true
}

// segment is cells that stand side by side in the window and in a plane.
type segment struct {
	from  uint8 // first cell
	plane uint8
	to    uint8 // bit of the first cell in the plane
	mask  uint32
}

// makeSegments finds how planes are cut out of a set.
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
	low, high := b[0], b[1]
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
