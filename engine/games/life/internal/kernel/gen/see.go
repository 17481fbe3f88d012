package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// What see512 is given: arrays by site, one behind the other, and windows.
const (
	maxSites   = 32
	siteY      = 0
	siteX      = 4 * maxSites
	siteFlip   = 8 * maxSites
	siteChosen = 12 * maxSites // pointers
	siteAt     = 20 * maxSites // the rest is made of those
	siteShift  = 24 * maxSites
	siteRows   = 28 * maxSites
	siteCols   = 32 * maxSites

	windowBytes, windowFits = 128, 7 * 16

	coverBytes = 8 * 24 // of the lower halves of all covers
)

var (
	only    = table(func(a, b, c bool) bool { return a && !b && !c })
	oneTwo  = table(func(ones, twos, fours bool) bool { return ones && twos && !fours })
	where   = table(func(b, a, mask bool) bool { return mask && a || !mask && b })
	inverse = table(func(a, _, _ bool) bool { return !a })
)

// see512 draws windows. A vector is 16 rows of the viewer's cells, 16 bits each, and as many of the
// enemy's behind them.
func see512() {
	kernel("seeAVX512", seeing, "draws windows for processors with AVX-512 F, BW, DQ, VL and VBMI2.")
	v := &viewer512{to: Load(Param("to"), GP64()), site: Load(Param("sites"), GP64()), i: GP64(),
		east: GP64()}
	(&sighted{name: "See512", lanes: 16, vector: ZMM, move: VMOVDQU64,
		spread: func(from reg.GPVirtual) V { return Into(ZMM(), VPBROADCASTD, from.As32()) },
		flipped: func(flip V) func(yes, no V) V {
			k := K()
			VPTESTMD(flip, flip, k)
			return func(yes, no V) V { return Of(VPBLENDMD, yes, no, k) }
		},
	}).places(v.site)
	v.tables()
	end, layers, covers := GP64(), Load(Param("layers"), GP64()), Load(Param("covers"), GP64())
	MOVQ(Load(Param("first"), GP64()), v.i)
	MOVQ(Load(Param("end"), GP64()), end)
	MOVQ(Load(Param("stride"), GP64()), v.east)
	SHLQ(operand.U8(6), v.east)
	skip := func(set uint32, to string) {
		TESTQ(operand.U32(set), layers)
		JZ(operand.LabelRef(to))
	}

	Label("siteSee512")
	chosen := GP64()
	MOVQ(operand.Mem{Base: v.site, Index: v.i, Scale: 8, Disp: siteChosen}, chosen)
	rows := v.read(Load(Param("now"), GP64()), chosen)
	mid := v.below(rows, 0)
	there, rest := GP32(), K()
	MOVL(v.of(siteRows), there)
	KMOVD(there, rest)
	on := Into(ZMM(), VPBROADCASTW_Z, v.of(siteCols), rest)
	v.pack(mid, 0, 1)
	dead, off := ternary(only, on, mid, swapped(mid)), ternary(inverse, on, on, on)
	full := v.pack(Of(VINSERTI64X4, 1, off.AsY(), dead), 2, 6)

	Into(full, VPTERNLOGQ, inverse, full, full)
	low, high := Into(ZMM(), VPBROADCASTQ, full.AsX()), Of(VPERMQ, full, v.second)
	for i := range coverBytes / 64 {
		fits, both := K(), K()
		VPTESTNMQ(operand.Mem{Base: covers, Disp: 64 * i}, low, fits)
		VPTESTNMQ(operand.Mem{Base: covers, Disp: coverBytes + 64*i}, high, both)
		KANDB(fits, both, fits)
		KMOVB(fits, operand.Mem{Base: v.to, Disp: windowFits + i})
	}

	skip(1<<3|1<<4, "unborn")
	below := v.below(rows, 1)
	near := swapped(around512(any3, ternary(any3, rows, mid, below)))
	ones, twos := add512(rows, mid, below)
	left, right := beside(ones)
	odd, k := add512(left, ones, right)
	// Of nine cells, with a dead one in the middle, three live: one by itself and one pair.
	two, four := around512(sum, twos), around512(carry, twos)
	born := ternary(oneTwo, odd, Xor(k, two), four)
	Into(born, VPTERNLOGQ, only, near, mid)
	v.pack(And(on, born), 3, 4)
	Label("unborn")

	skip(1<<5, "seen")
	was := v.below(v.read(Load(Param("last"), GP64()), nil), 0)
	was = Xor(mid, was)
	v.pack(Or(swapped(was), was), 5, -1)
	Label("seen")

	INCQ(v.i)
	ADDQ(operand.U32(windowBytes), v.to)
	CMPQ(v.i, end)
	JB(operand.LabelRef("siteSee512"))
	End()
}

// viewer512 holds what windows are read and packed with.
type viewer512 struct {
	to, site          reg.Register
	i, east           reg.GPVirtual
	gather            V    // rows of the viewer's colour, then of the other
	under             [2]V // rows from the second on, and from the third
	nibble, low, high V    // the bits of nibbles in reverse
	// Of packing: the window's cells of a row, two rows side by side, four rows, and the shifts that
	// put the parts of a layer together.
	cells, pair, four, shifts V
	second                    V // the second lane everywhere
}

// of returns a part of the present site.
func (v *viewer512) of(disp int) operand.Mem {
	return operand.Mem{Base: v.site, Index: v.i, Scale: 4, Disp: disp}
}

// sighted is what differs between levels where the places of sites become how they are drawn.
type sighted struct {
	name   string // of the kernel
	lanes  int
	vector func() V
	move   any // to and from memory
	spread func(from reg.GPVirtual) V
	// flipped returns what chooses one value where a site is mirrored, and another where it is not.
	flipped func(flip V) func(yes, no V) V
}

// places makes of the places of sites, as many at a time as a vector has lanes, how they are drawn.
func (s *sighted) places(site reg.Register) {
	number := func(n uint32) V {
		r := GP32()
		MOVL(operand.U32(n), r)
		return s.spread(r)
	}
	param := func(name string) V {
		r := GP64()
		Load(Param(name), r)
		return s.spread(r)
	}
	height, width, stride := param("height"), param("width"), param("stride")
	none, one, rim, reach := number(0), number(1), number(6), number(5)
	all, columns, rows := number(1<<32-1), number(1<<13-1), number(1<<11-1)
	// clip returns what lies before the first place of the board and behind its last one, of those
	// that are up to far away.
	clip := func(at, far, size V) (before, behind V) {
		before = Of(VPMAXSD, none, Of(VPSUBD, at, far))
		behind = Of(VPADDD, one, Of(VPSUBD, size, Of(VPADDD, far, at)))
		return before, Of(VPMAXSD, none, behind)
	}
	for from := 0; from < maxSites; from += s.lanes {
		next := fmt.Sprintf("places%d%s", from+s.lanes, s.name)
		if end := from + s.lanes; end < maxSites {
			CMPQ(Load(Param("first"), GP64()), operand.U8(end))
			JAE(operand.LabelRef(next))
		}
		if from > 0 {
			CMPQ(Load(Param("end"), GP64()), operand.U8(from))
			JBE(operand.LabelRef(next))
		}
		part := func(disp int) operand.Mem { return operand.Mem{Base: site, Disp: disp + 4*from} }
		load := func(disp int) V { return Into(s.vector(), s.move, part(disp)) }
		y, x := load(siteY), load(siteX)
		up, left := Of(VPSUBD, rim, y), Of(VPSUBD, rim, x)
		at := Of(VPSRAD, 5, left) // stays where it is: there are too few registers
		Into(at, VPMULLD, stride, Into(at, VPADDD, one, at))
		row := Of(VPADDD, one, Of(VPSRAD, 3, up))
		at = Of(VPSLLD, 3, Of(VPADDD, row, at))
		at = Of(VPADDD, Of(VPSRLD, 29, Of(VPSLLD, 29, up)), at)
		Write(s.move, at, part(siteAt))
		Write(s.move, Of(VPSRLD, 27, Of(VPSLLD, 27, left)), part(siteShift))
		choose := s.flipped(load(siteFlip))
		before, behind := clip(x, rim, width)
		first, last := choose(behind, before), choose(before, behind)
		last = Of(VPSRLVD, last, columns)
		Write(s.move, And(Of(VPSLLVD, first, all), last), part(siteCols))
		before, behind = clip(y, reach, height)
		behind = Of(VPSRLVD, behind, rows)
		there := And(Of(VPSLLVD, before, all), behind)
		Write(s.move, Or(Of(VPSLLD, 16, there), there), part(siteRows))
		Label(next)
	}
}

// tables loads what all sites share.
func (v *viewer512) tables() {
	words := func(name string, f func(i int) uint16) V {
		return Into(ZMM(), VMOVDQU64, numbers.Words16(name, 32, f))
	}
	// Four words a row come from either of two vectors: of a colour, and its columns that no window
	// reads, then of the other colour.
	order := numbers.Words16("order512", 64, func(i int) uint16 {
		return uint16(4*(i%16) + 2*(i/32^i/16%2))
	})
	at, own := GP64(), Load(Param("own"), GP64())
	SHLQ(operand.U8(6), own)
	LEAQ(order, at)
	v.gather = Into(ZMM(), VMOVDQU64, operand.Mem{Base: at, Index: own, Scale: 1})
	for n := range v.under {
		v.under[n] = words([]string{"second512", "third512"}[n],
			func(i int) uint16 { return uint16(i&16 | (i+n+1)&15) })
	}
	nibbles := numbers.Words16("reversed", 8, func(i int) uint16 { return bytesOf(reversed, i) })
	v.high = Into(ZMM(), VBROADCASTI32X4, nibbles)
	v.low = Of(VPSLLW, 4, v.high)
	v.nibble = words("nibbles512", func(int) uint16 { return 0x0f0f })
	v.cells = words("cells512", func(i int) uint16 {
		if i%16 < 11 {
			return 1<<11 - 1
		}
		return 0
	})
	v.pair = words("pairs512", func(i int) uint16 { return 1 << (i % 2 * 11) })
	v.four = words("fours512", func(i int) uint16 { return []uint16{0xffff, 0x3f, 0, 0}[i%4] })
	v.shifts = words("shifts512", func(i int) uint16 {
		if i%4 == 0 {
			return []uint16{20, 40}[i/4%2]
		}
		return 0
	})
	v.second = words("lanes512", func(i int) uint16 { return []uint16{1, 0, 0, 0}[i%4] })
}

// reversed is the bits of a nibble from the last on.
func reversed(i int) int { return i&1<<3 | i&2<<1 | i&4>>1 | i>>3 }

// bytesOf returns a word of two bytes, of which there are 16 over and over.
func bytesOf(f func(i int) int, word int) uint16 {
	return uint16(f(2*word&15) | f((2*word+1)&15)<<8)
}

// read returns the rows around the site, with those that were chosen.
func (v *viewer512) read(words reg.Register, chosen reg.Register) V {
	at := GP64()
	MOVL(v.of(siteAt), at.As32())
	LEAQ(operand.Mem{Base: words, Index: at, Scale: 8}, words)
	shift := Into(ZMM(), VPBROADCASTD, v.of(siteShift))
	var half [2]V
	for i := range half {
		half[i] = Into(ZMM(), VMOVDQU64, operand.Mem{Base: words, Disp: 64 * i})
		Into(half[i], VPSHRDVD, shift, Into(ZMM(), VMOVDQU64,
			operand.Mem{Base: words, Index: v.east, Scale: 1, Disp: 64 * i}))
	}
	rows := Into(half[0], VPERMT2W, half[1], v.gather)
	if chosen != nil {
		rows = Or(operand.Mem{Base: chosen}, rows)
	}
	flips, mirrored := GP32(), K()
	MOVL(v.of(siteFlip), flips)
	KMOVD(flips, mirrored)
	high := And(v.nibble, Of(VPSRLW, 4, rows))
	low := Of(VPSHUFB, And(v.nibble, rows), v.low)
	low = Or(Of(VPSHUFB, high, v.high), low)
	return Into(rows, VPSRLW, 3, Of(VPSHLDW, 8, low, low), mirrored)
}

// below returns the rows from the second on, or from the third.
func (v *viewer512) below(rows V, n int) V { return Of(VPERMW, rows, v.under[n]) }

// swapped returns rows with the cells of the other side in their place.
func swapped(rows V) V { return Of(VSHUFI64X2, 0x4e, rows, rows) }

// beside shifts cells by one to the right and to the left.
func beside(x V) (l, r V) { return Of(VPSLLW, 1, x), Of(VPSRLW, 1, x) }

// around512 computes a function of cells and those to their left and right.
func around512(f operand.Constant, x V) V {
	l, r := beside(x)
	return Into(l, VPTERNLOGQ, f, r, x)
}

// pack stores the first eleven rows of the lower half as a layer, and those of the upper half as
// another unless it is -1, and returns both: in the first two lanes of four.
func (v *viewer512) pack(rows V, lower, upper int) V {
	two := Of(VPMADDWD, v.pair, And(v.cells, Of(VPSRLW, 1, rows)))
	four := Into(Of(VPSRLQ, 10, two), VPTERNLOGQ, where, v.four, two)
	behind := Of(VPERMQ, 0b1001, four)
	outer := Into(Of(VPSLLQ, 20, four), VPSHRDVQ, v.shifts, behind)
	VMOVDQU64(outer.AsX(), operand.Mem{Base: v.to, Disp: 16 * lower})
	if upper >= 0 {
		VEXTRACTI64X2(operand.U8(2), outer, operand.Mem{Base: v.to, Disp: 16 * upper})
	}
	return outer
}
