package kernel

import (
	"encoding/binary"
	"math/bits"

	"clade/gp/kernels"
)

// Scalar is the kernel in pure Go, for every processor: the twin of the assembly.
func Scalar() Kernel { return Kernel{kernels.Scalar, stepScalar, collectScalar} }

// sums holds the sums of three of two rows, the ones and the twos of each cell apart, and the lower row itself.
type sums struct {
	upper0, upper1 uint64
	lower0, lower1 uint64
	row            uint64
}

func stepScalar(dst, src []uint64, at int, awake Set, stride int, mask *Mask, marks Marks) {
	check(dst, src, at, awake, stride, marks)
	for i, w := range awake {
		for w != 0 {
			first := bits.TrailingZeros64(w)
			run := w &^ (w + w&-w) // the sum carries through the lowest run
			w &^= run
			stepRun(dst, src, at, 64*i+first, bits.OnesCount64(run), stride, mask, marks)
		}
	}
}

// stepRun goes down the column with the sums of the last two rows in registers. Reading row y completes row y-1, so that the first row read in a tile
// completes the tile above. About 85 logic operations make 64 cells of both colours.
func stepRun(dst, src []uint64, column, first, n, stride int, mask *Mask, marks Marks) {
	at, apart := column+first, marks.apart()
	var a, b sums
	var scratch [Words]uint64
	above := tile(src, at-1)
	aw, ae := tile(src, at-1-stride), tile(src, at-1+stride)
	a.lower0, a.lower1 = rowSum(above[7], aw[7], ae[7])
	b.lower0, b.lower1 = rowSum(above[15], aw[15], ae[15])
	out, last := &scratch, 7 // row -1 goes nowhere
	var rows, west, east uint8
	for t := range n + 1 {
		now, w, e := tile(src, at+t), tile(src, at+t-stride), tile(src, at+t+stride)
		count := Rows
		if t == n {
			count = 1
		}
		for y := range count {
			y &= 7
			x := now[y]
			l, r := x<<1|w[y]>>63, x>>1|e[y]<<63
			h := l ^ r
			s0, s1 := h^x, l&r|h&x
			// Of the nine: ones, the carry of the ones, the twos and the carry of the twos.
			g, i := a.upper0^a.lower0, a.upper1^a.lower1
			n0, k := g^s0, a.upper0&a.lower0|g&s0
			u, v := i^s1, a.upper1&a.lower1|i&s1
			odd := u ^ k
			three := n0 & odd &^ v
			four := (v ^ u&k) &^ odd &^ n0
			nearA := n0 | k | u | v
			stayA, bornA := (three|four)&a.row, three
			a.upper0, a.upper1, a.lower0, a.lower1, a.row = a.lower0, a.lower1, s0, s1, x

			x = now[y+8]
			l, r = x<<1|w[y+8]>>63, x>>1|e[y+8]<<63
			h = l ^ r
			s0, s1 = h^x, l&r|h&x
			g, i = b.upper0^b.lower0, b.upper1^b.lower1
			n0, k = g^s0, b.upper0&b.lower0|g&s0
			u, v = i^s1, b.upper1&b.lower1|i&s1
			odd = u ^ k
			three = n0 & odd &^ v
			four = (v ^ u&k) &^ odd &^ n0
			nearB := n0 | k | u | v
			stayB, bornB := (three|four)&b.row, three
			b.upper0, b.upper1, b.lower0, b.lower1, b.row = b.lower0, b.lower1, s0, s1, x

			m := mask[last&7]
			nextA, nextB := (stayA|bornA&^nearB)&m, (stayB|bornB&^nearA)&m
			if diff := (nextA ^ out[last&7]) | (nextB ^ out[last&7+8]); diff != 0 {
				rows |= 1 << (last & 7)
				west |= uint8(diff&1) << (last & 7)
				east |= uint8(diff>>63) << (last & 7)
				out[last&7], out[last&7+8] = nextA, nextB
			}
			if y == 0 {
				if t > 0 {
					i := first + t - 1
					marks[i], marks[apart+i], marks[2*apart+i] = rows, west, east
				}
				rows, west, east = 0, 0, 0
				if t < n {
					out = tile(dst, at+t)
				}
			}
			last = y
		}
	}
}

// tile returns the words of a tile.
func tile(words []uint64, i int) *[Words]uint64 { return (*[Words]uint64)(words[i*Words:]) }

// rowSum adds each cell of a row to its left and right neighbours: ones and twos.
func rowSum(x, west, east uint64) (ones, twos uint64) {
	l, r := x<<1|west>>63, x>>1|east<<63
	return l ^ r ^ x, l&r | (l^r)&x
}

func collectScalar(changes []Changes, marks Marks, awake Set) {
	apart := marks.apart()
	for i, w := range awake {
		if w == 0 {
			changes[i] = Changes{}
			continue
		}
		changes[i] = Changes{collect64(marks[64*i:], w), collect64(marks[apart+64*i:], w), collect64(marks[2*apart+64*i:], w)}
	}
}

// collect64 gathers one kind of marks of 64 tiles, eight at a time.
func collect64(marks []uint8, awake uint64) (c Change) {
	const low, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	for i := 0; i < 64; i += 8 {
		if awake>>i&0xff == 0 {
			continue
		}
		m := binary.LittleEndian.Uint64(marks[i:])
		c.Any |= gather((m&low+low|m)&^low>>7) << i
		c.First |= gather(m&ones) << i
		c.Last |= gather(m>>7&ones) << i
	}
	return Change{c.Any & awake, c.First & awake, c.Last & awake}
}

// gather packs the lowest bit of each byte into the lowest byte.
func gather(m uint64) uint64 { return m * 0x0102040810204080 >> 56 }
