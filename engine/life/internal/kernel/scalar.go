package kernel

import (
	"encoding/binary"
	"math/bits"

	"clade/gp/kernels"
)

// Scalar is the kernel in pure Go, for every processor: the twin of the assembly.
func Scalar() Kernel {
	return Kernel{kernels.Scalar, stepScalar, countScalar, collectScalar, claimNone}
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

// firstCells are the first cells of a row, of both colours.
const firstCells uint64 = Both

// stepRun goes down the column a tile at a time: first the sums of its rows, then its cells. About 45 logic operations make 32 cells of both colours. With the sums
// of the last two rows in registers, in one loop, the compiler moved and spilled so much that it was slower, and so was a branch to store only what changed.
func stepRun(dst, src []uint64, column, first, n, stride int, mask *Mask, marks Marks) {
	i, beside := (column+first)*Words, stride*Words
	var ones, twos [Rows + 2]uint64 // of rows -1..8
	ones[Rows], twos[Rows] = rowSum(src[i-1], src[i-1-beside], src[i-1+beside])
	ones[Rows+1], twos[Rows+1] = rowSum(src[i], src[i-beside], src[i+beside])
	for t := first; t < first+n; t++ {
		now, west, east := (*[Rows + 1]uint64)(src[i:]), (*[Rows + 1]uint64)(src[i-beside:]), (*[Rows + 1]uint64)(src[i+beside:])
		ones[0], ones[1], twos[0], twos[1] = ones[Rows], ones[Rows+1], twos[Rows], twos[Rows+1]
		for y := 1; y <= Rows; y++ {
			ones[y+1], twos[y+1] = rowSum(now[y], west[y], east[y])
		}
		out := (*[Rows]uint64)(dst[i:])
		before := out[0]
		var differ, any uint64
		for y := range Rows {
			// Of the nine: ones, the carry of the ones, the twos and the carry of the twos.
			a, b, c := ones[y], ones[y+1], ones[y+2]
			g := a ^ b
			n0, k := g^c, a&b|g&c
			a, b, c = twos[y], twos[y+1], twos[y+2]
			g = a ^ b
			u, v := g^c, a&b|g&c
			near := bits.RotateLeft64(n0|k|u|v, Columns) // of the other colour
			odd := u ^ k
			three := n0 & odd &^ v
			four := (v ^ u&k) &^ (odd | n0)
			row := now[y]
			next := ((three|four)&row | three&^near) & mask[y]
			differ = next ^ out[y]
			any |= differ
			out[y] = next
		}
		marks.set(t, before^out[0], any, differ)
		i += Words
	}
}

// set marks a tile by what differs in its first row, in any and in its last.
func (m Marks) set(tile int, first, any, last uint64) {
	apart := m.apart()
	if any == 0 {
		m[tile], m[apart+tile], m[2*apart+tile] = 0, 0, 0
		return
	}
	first, any, last = first|first>>Columns, any|any>>Columns, last|last>>Columns
	const edge = Columns - 1
	m[tile] = mark(first<<Columns, any<<Columns, last<<Columns)
	m[apart+tile] = mark(first&1, any&1, last&1)
	m[2*apart+tile] = mark(first>>edge&1, any>>edge&1, last>>edge&1)
}

// mark packs what differs in the first, any and the last row.
func mark(first, any, last uint64) (m uint8) {
	if first != 0 {
		m = 1
	}
	if any != 0 {
		m |= 2
	}
	if last != 0 {
		m |= 1 << (Rows - 1)
	}
	return m
}

// rowSum adds each cell of a row to its left and right neighbours: ones and twos.
func rowSum(x, west, east uint64) (ones, twos uint64) {
	l := x<<1&^firstCells | west>>(Columns-1)&firstCells
	r := x&^firstCells>>1 | east&firstCells<<(Columns-1)
	h := l ^ r
	return h ^ x, l&r | h&x
}

func countScalar(src []uint64, at int, stale Set, counts [][2]uint32) (change [2]int32) {
	for i, w := range stale {
		for ; w != 0; w &= w - 1 {
			t := 64*i + bits.TrailingZeros64(w)
			var n [2]uint32
			for _, row := range (*[Words]uint64)(src[(at+t)*Words:]) {
				n[0] += uint32(bits.OnesCount32(uint32(row)))
				n[1] += uint32(bits.OnesCount32(uint32(row >> Columns)))
			}
			for c := range n {
				change[c] += int32(n[c] - counts[t][c])
			}
			counts[t] = n
		}
		stale[i] = 0
	}
	return change
}

// claimNone does nothing: Go has no such instruction, and beside the time of this kernel it would not matter.
func claimNone([]uint64, int, int) {}

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
