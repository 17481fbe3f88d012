package kernel

import (
	"encoding/binary"
	"math/bits"

	"clade/gp/kernels"
)

// Scalar is the kernel in pure Go, for every processor: the twin of the assembly.
func Scalar() Kernel { return Kernel{kernels.Scalar, stepScalar, collectScalar} }

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

// The first and the last cell of a row, of both colours.
const (
	firstCells uint64 = Both
	lastCells         = firstCells << (Columns - 1)
)

// stepRun goes down the column with the sums of the last two rows in registers. Reading row y completes row y-1, so that the first row read in a tile
// completes the tile above. About 45 logic operations make 32 cells of both colours.
func stepRun(dst, src []uint64, column, first, n, stride int, mask *Mask, marks Marks) {
	at, apart := column+first, marks.apart()
	var scratch [Words]uint64
	var upper0, upper1, row uint64 // sums of three of the row before the last, ones and twos; the last row
	lower0, lower1 := rowSum(tile(src, at-1)[7], tile(src, at-1-stride)[7], tile(src, at-1+stride)[7])
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
			s0, s1 := rowSum(x, w[y], e[y])
			// Of the nine: ones, the carry of the ones, the twos and the carry of the twos.
			g, i := upper0^lower0, upper1^lower1
			n0, k := g^s0, upper0&lower0|g&s0
			u, v := i^s1, upper1&lower1|i&s1
			odd := u ^ k
			three := n0 & odd &^ v
			four := (v ^ u&k) &^ odd &^ n0
			near := bits.RotateLeft64(n0|k|u|v, Columns) // of the other colour
			next := ((three|four)&row | three&^near) & mask[last&7]
			upper0, upper1, lower0, lower1, row = lower0, lower1, s0, s1, x
			if diff := next ^ out[last&7]; diff != 0 {
				diff |= diff >> Columns
				rows |= 1 << (last & 7)
				west |= uint8(diff&1) << (last & 7)
				east |= uint8(diff>>(Columns-1)&1) << (last & 7)
				out[last&7] = next
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
	l := x<<1&^firstCells | west>>(Columns-1)&firstCells
	r := x>>1&^lastCells | east<<(Columns-1)&lastCells
	h := l ^ r
	return h ^ x, l&r | h&x
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
