package kernel

import (
	"encoding/binary"
	"math/bits"

	"clade/gp/kernels"
)

// scalar is the kernel in pure Go, for every processor: the twin of the assembly.
func scalar() Kernel {
	return Kernel{kernels.Scalar, stepScalar, countScalar, collectScalar, takeScalar, giveScalar,
		nthScalar, nil}
}

// strip is the number of tiles of a run of which the sums of rows are kept at once.
const strip = 8

// sums are the sums of three cells of each row of a strip, and of the rows above and below it:
// their ones and twos.
type sums struct{ ones, twos [strip*Rows + 2]uint64 }

// Masks of a row of both colours or of one.
const (
	firstCells uint64 = Both               // the first cells of both colours
	lastCell   uint64 = 1 << (Columns - 1) // the last cell of the first colour
	ends              = lastCell | 1       // the first and the last cell of the first colour
)

// stepScalar goes down runs of tiles a strip at a time: first the sums of its rows, then its cells.
// About 40 logic operations and 75 instructions make 32 cells of both colours. Nothing branches on
// cells. In one loop, with the sums of the last rows in registers, the compiler moved and spilled
// so much that it was slower, and so it was where the two loops were not functions of their own.
func stepScalar(next, west, here, east []uint64, awake Set, mask *Mask, marks Marks) {
	check(next, west, here, east, awake, marks)
	var s sums
	apart := marks.apart()
	inRows, inWest, inEast := marks[:apart], marks[apart:2*apart], marks[2*apart:]
	for i, w := range awake {
		for w != 0 {
			first := bits.TrailingZeros64(w)
			// the sum carries through the lowest run
			run := w &^ (w + w&-w) & ((1<<strip - 1) << first)
			w &^= run
			n := bits.OnesCount64(run)
			first += 64 * i
			from, end := (1+first)*Words-1, (1+first+n)*Words+1
			sumRows(&s, here[from:end], west[from:end], east[from:end])
			for t := range n {
				y, tile := t*Words, first+t
				k := from + 1 + y
				d := nextCells((*[Rows]uint64)(next[k:]), (*[Rows]uint64)(here[k:]),
					(*[Rows + 2]uint64)(s.ones[y:]), (*[Rows + 2]uint64)(s.twos[y:]), mask)
				inRows[tile], inWest[tile], inEast[tile] = d.marks()
			}
		}
	}
}

// sumRows adds each cell of rows to its left and right neighbours.
//
//go:noinline
func sumRows(s *sums, now, west, east []uint64) {
	ones, twos, west, east := s.ones[:len(now)], s.twos[:len(now)], west[:len(now)], east[:len(now)]
	for y, x := range now {
		l := west[y]>>(Columns-1)&firstCells + x&^lastCell<<1
		r := x>>1&^lastCell + east[y]&firstCells<<(Columns-1)
		h := l ^ r
		ones[y], twos[y] = h^x, l&r|h&x
	}
}

// diffs are what differs in the first row of a tile, in any and in the last.
type diffs struct{ first, any, last uint64 }

// nextCells makes the next rows of a tile from the sums of its rows and of those above and below.
//
//go:noinline
func nextCells(out, now *[Rows]uint64, ones, twos *[Rows + 2]uint64, mask *Mask) (d diffs) {
	_, _, _, _ = now[0], ones[0], twos[0], mask[0] // not nil, which the loop need not ask then
	d.first = out[0]
	for y := range out {
		// Of the nine: ones n, the carry of the ones k, the twos u and the carry of the twos v.
		a, b, c := ones[y], ones[y+1], ones[y+2]
		g := a ^ b
		n, k := g^c, a&b|g&c
		a, b, c = twos[y], twos[y+1], twos[y+2]
		g = a ^ b
		u, v := g^c, a&b|g&c
		odd, even := k^u, v^k&u
		near := bits.RotateLeft64(n|odd|even, Columns) // of the other colour
		next := (odd ^ even) & (n ^ even) & (now[y] | n&^near) & mask[y]
		d.last = next ^ out[y]
		d.any |= d.last
		out[y] = next
	}
	d.first ^= out[0]
	return d
}

// marks returns the marks of a tile's rows, of its first cells and of its last cells.
func (d diffs) marks() (rows, west, east uint8) {
	rows = bit(d.first) | bit(d.any)<<1 | bit(d.last)<<(Rows-1)
	first, any, last := d.first|d.first>>Columns, d.any|d.any>>Columns, d.last|d.last>>Columns
	sides := first&ends | any&ends<<1 | last&ends<<(Rows-1)
	return rows, uint8(sides), uint8(sides >> (Columns - 1))
}

// bit returns 1 for any bit, without a branch.
func bit(w uint64) uint8 {
	if w != 0 {
		return 1
	}
	return 0
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

func collectScalar(wake []uint64, marks Marks, awake Set) {
	checkCollect(wake, marks, awake)
	apart := marks.apart()
	for kind := range 3 {
		wake, marks := wake[kind*len(awake):(kind+1)*len(awake)], marks[kind*apart:(kind+1)*apart]
		var below uint64
		for i, w := range awake {
			any, first, last := collect64(marks[64*i:], w)
			wake[i] = any | first>>1 | last<<1 | below
			below = last >> 63
			if i > 0 {
				wake[i-1] |= first << 63
			}
		}
	}
}

// collect64 gathers one kind of marks of 64 tiles, eight at a time: where any row is marked, the
// first, the last.
func collect64(marks []uint8, awake uint64) (any, first, last uint64) {
	const low, ones = 0x7f7f7f7f7f7f7f7f, 0x0101010101010101
	for i := 0; i < 64; i += 8 {
		if awake>>i&0xff == 0 {
			continue
		}
		m := binary.LittleEndian.Uint64(marks[i:])
		any |= gather((m&low+low|m)&^low>>7) << i
		first |= gather(m&ones) << i
		last |= gather(m>>7&ones) << i
	}
	return any & awake, first & awake, last & awake
}

// gather packs the lowest bit of each byte into the lowest byte.
func gather(m uint64) uint64 { return m * 0x0102040810204080 >> 56 }

func takeScalar(e Edge, column []uint64, s Side) {
	checkEdge(column, e)
	for t := range e {
		var cells uint64 // the first colour's in the lower half
		for y, row := range (*[Words]uint64)(column[(1+t)*Words:]) {
			cells |= row >> (s & 63) & firstCells << (2 * y & 63)
		}
		e[t] = uint16(cells | cells>>(Columns-1))
	}
}

func giveScalar(column []uint64, e Edge, s Side) {
	checkEdge(column, e)
	for t, w := range e {
		cells := uint64(w) | uint64(w)<<(Columns-1)
		tile := (*[Words]uint64)(column[(1+t)*Words:])
		for y := range tile {
			tile[y] = cells >> (2 * y & 63) & firstCells << (s & 63)
		}
	}
}

func nthScalar(lots []Lot, words []uint64, counts [][2]uint32, apart int) {
	for i := range lots {
		l := &lots[i]
		west, east := counts[l.First:], counts[int(l.First)+apart:]
		n, tile, y := l.N, 0, 0
		for live := west[0][l.Colour] + east[0][l.Colour]; n >= live; {
			n -= live
			tile++
			live = west[tile][l.Colour] + east[tile][l.Colour]
		}
		at, half := (int(l.First)+tile)*Words, Columns*l.Colour
		row := func() uint64 {
			return words[at+y]>>half&(1<<Columns-1) | words[at+y+apart*Words]>>half<<Columns
		}
		w := row()
		for live := uint32(bits.OnesCount64(w)); n >= live; live = uint32(bits.OnesCount64(w)) {
			n -= live
			y++
			w = row()
		}
		for range n {
			w &= w - 1
		}
		l.Row, l.Column = uint32(tile*Rows+y), l.Column+uint32(bits.TrailingZeros64(w))
	}
}
