package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
	TEXT("seeAVX512", NOSPLIT, seeing)
	Pragma("noescape")
	Doc("seeAVX512 draws windows for processors with AVX-512 F, BW, DQ, VL and VBMI2.")
	v := &viewer512{to: Load(Param("to"), GP64()), site: Load(Param("sites"), GP64()), i: GP64(),
		east: GP64()}
	(&sighted{name: "See512", lanes: 16, vector: ZMM,
		move:   func(from, to operand.Op) { VMOVDQU64(from, to) },
		spread: func(from reg.GPVirtual, to reg.VecVirtual) { VPBROADCASTD(from.As32(), to) },
		flipped: func(flip reg.VecVirtual) func(yes, no, to reg.VecVirtual) {
			k := K()
			VPTESTMD(flip, flip, k)
			return func(yes, no, to reg.VecVirtual) { VPBLENDMD(yes, no, k, to) }
		},
		and: func(a, b, to operand.Op) { VPANDD(a, b, to) },
		or:  func(a, b, to operand.Op) { VPORD(a, b, to) },
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
	on, there, rest := ZMM(), GP32(), K()
	MOVL(v.of(siteRows), there)
	KMOVD(there, rest)
	VPBROADCASTW_Z(v.of(siteCols), rest, on)
	v.pack(mid, 0, 1)
	dead, off := ternary(only, on, mid, swapped(mid)), ternary(inverse, on, on, on)
	VINSERTI64X4(operand.U8(1), off.AsY(), dead, dead)
	full := v.pack(dead, 2, 6)

	VPTERNLOGQ(inverse, full, full, full)
	low, high := ZMM(), ZMM()
	VPBROADCASTQ(full.AsX(), low)
	VPERMQ(full, v.second, high)
	for i := range coverBytes / 64 {
		fits, both := K(), K()
		VPTESTNMQ(operand.Mem{Base: covers, Disp: 64 * i}, low, fits)
		VPTESTNMQ(operand.Mem{Base: covers, Disp: coverBytes + 64*i}, high, both)
		KANDB(fits, both, fits)
		KMOVB(fits, operand.Mem{Base: v.to, Disp: windowFits + i})
	}

	skip(1<<3|1<<4, "unborn")
	below := v.below(rows, 1)
	near := around512(any3, ternary(any3, rows, mid, below))
	near = swapped(near)
	ones, twos := add512(rows, mid, below)
	left, right := beside512(ones)
	odd, k := add512(left, ones, right)
	// Of nine cells, with a dead one in the middle, three live: one by itself and one pair.
	two, four := around512(sum, twos), around512(carry, twos)
	VPXORQ(k, two, two)
	born := ternary(oneTwo, odd, two, four)
	VPTERNLOGQ(only, near, mid, born)
	VPANDQ(on, born, born)
	v.pack(born, 3, 4)
	Label("unborn")

	skip(1<<5, "seen")
	was := v.below(v.read(Load(Param("last"), GP64()), nil), 0)
	VPXORQ(mid, was, was)
	VPORQ(swapped(was), was, was)
	v.pack(was, 5, -1)
	Label("seen")

	INCQ(v.i)
	ADDQ(operand.U32(windowBytes), v.to)
	CMPQ(v.i, end)
	JB(operand.LabelRef("siteSee512"))
	VZEROUPPER()
	RET()
}

// viewer512 holds what windows are read and packed with.
type viewer512 struct {
	to, site          reg.Register
	i, east           reg.GPVirtual
	gather            reg.VecVirtual    // rows of the viewer's colour, then of the other
	under             [2]reg.VecVirtual // rows from the second on, and from the third
	nibble, low, high reg.VecVirtual    // the bits of nibbles in reverse
	// Of packing: the window's cells of a row, two rows side by side, four rows, and the shifts that
	// put the parts of a layer together.
	cells, pair, four, shifts reg.VecVirtual
	second                    reg.VecVirtual // the second lane everywhere
}

// of returns a part of the present site.
func (v *viewer512) of(disp int) operand.Mem {
	return operand.Mem{Base: v.site, Index: v.i, Scale: 4, Disp: disp}
}

// sighted is what differs between levels where the places of sites become how they are drawn.
type sighted struct {
	name   string // of the kernel
	lanes  int
	vector func() reg.VecVirtual
	move   func(from, to operand.Op)
	spread func(from reg.GPVirtual, to reg.VecVirtual)
	// flipped returns what chooses one value where a site is mirrored, and another where it is not.
	flipped func(flip reg.VecVirtual) func(yes, no, to reg.VecVirtual)
	and, or func(a, b, to operand.Op)
}

// places makes of the places of sites, as many at a time as a vector has lanes, how they are drawn.
func (s *sighted) places(site reg.Register) {
	number := func(n uint32) reg.VecVirtual {
		r, z := GP32(), s.vector()
		MOVL(operand.U32(n), r)
		s.spread(r, z)
		return z
	}
	param := func(name string) reg.VecVirtual {
		r, z := GP64(), s.vector()
		Load(Param(name), r)
		s.spread(r, z)
		return z
	}
	height, width, stride := param("height"), param("width"), param("stride")
	none, one, rim, reach := number(0), number(1), number(6), number(5)
	all, columns, rows := number(1<<32-1), number(1<<13-1), number(1<<11-1)
	// clip returns what lies before the first place of the board and behind its last one, of those
	// that are up to far away.
	clip := func(at, far, size reg.VecVirtual) (before, behind reg.VecVirtual) {
		before, behind = s.vector(), s.vector()
		VPSUBD(at, far, before)
		VPMAXSD(none, before, before)
		VPADDD(far, at, behind)
		VPSUBD(size, behind, behind)
		VPADDD(one, behind, behind)
		VPMAXSD(none, behind, behind)
		return before, behind
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
		part := func(disp int) operand.Mem {
			return operand.Mem{Base: site, Disp: disp + 4*from}
		}
		y, x, up, left, flip := s.vector(), s.vector(), s.vector(), s.vector(), s.vector()
		s.move(part(siteY), y)
		s.move(part(siteX), x)
		VPSUBD(rim, y, up)
		VPSUBD(rim, x, left)
		at, row := s.vector(), s.vector()
		VPSRAD(operand.U8(5), left, at)
		VPADDD(one, at, at)
		VPMULLD(stride, at, at)
		VPSRAD(operand.U8(3), up, row)
		VPADDD(one, row, row)
		VPADDD(row, at, at)
		VPSLLD(operand.U8(3), at, at)
		VPSLLD(operand.U8(29), up, up)
		VPSRLD(operand.U8(29), up, up)
		VPADDD(up, at, at)
		s.move(at, part(siteAt))
		VPSLLD(operand.U8(27), left, left)
		VPSRLD(operand.U8(27), left, left)
		s.move(left, part(siteShift))
		s.move(part(siteFlip), flip)
		choose := s.flipped(flip)
		before, behind := clip(x, rim, width)
		first, last := s.vector(), s.vector()
		choose(behind, before, first)
		choose(before, behind, last)
		VPSRLVD(last, columns, last)
		VPSLLVD(first, all, first)
		s.and(first, last, last)
		s.move(last, part(siteCols))
		before, behind = clip(y, reach, height)
		VPSRLVD(behind, rows, behind)
		VPSLLVD(before, all, before)
		s.and(before, behind, behind)
		VPSLLD(operand.U8(16), behind, before)
		s.or(before, behind, behind)
		s.move(behind, part(siteRows))
		Label(next)
	}
}

// tables loads what all sites share.
func (v *viewer512) tables() {
	words := func(name string, f func(i int) uint16) operand.Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i := range 32 {
			DATA(2*i, operand.U16(f(i)))
		}
		return m
	}
	load := func(from operand.Mem) reg.VecVirtual {
		z := ZMM()
		VMOVDQU64(from, z)
		return z
	}
	// Four words a row come from either of two vectors: of a colour, and its columns that no window
	// reads, then of the other colour.
	order := GLOBL("order512", RODATA|NOPTR)
	for own := range 2 {
		for i := range 32 {
			DATA(64*own+2*i, operand.U16(4*(i%16)+2*(own^i/16)))
		}
	}
	at, own := GP64(), Load(Param("own"), GP64())
	SHLQ(operand.U8(6), own)
	LEAQ(order, at)
	v.gather = load(operand.Mem{Base: at, Index: own, Scale: 1})
	for n := range v.under {
		v.under[n] = load(words([]string{"second512", "third512"}[n],
			func(i int) uint16 { return uint16(i&16 | (i+n+1)&15) }))
	}
	reversed := GLOBL("reversed", RODATA|NOPTR)
	for i := range 16 {
		DATA(i, operand.U8(i&1<<3|i&2<<1|i&4>>1|i>>3))
	}
	v.high, v.low = ZMM(), ZMM()
	VBROADCASTI32X4(reversed, v.high)
	VPSLLW(operand.U8(4), v.high, v.low)
	v.nibble = load(words("nibbles512", func(int) uint16 { return 0x0f0f }))
	v.cells = load(words("cells512", func(i int) uint16 {
		if i%16 < 11 {
			return 1<<11 - 1
		}
		return 0
	}))
	v.pair = load(words("pairs512", func(i int) uint16 { return 1 << (i % 2 * 11) }))
	v.four = load(words("fours512", func(i int) uint16 { return []uint16{0xffff, 0x3f, 0, 0}[i%4] }))
	v.shifts = load(words("shifts512", func(i int) uint16 {
		if i%4 == 0 {
			return []uint16{20, 40}[i/4%2]
		}
		return 0
	}))
	v.second = load(words("lanes512", func(i int) uint16 { return []uint16{1, 0, 0, 0}[i%4] }))
}

// read returns the rows around the site, with those that were chosen.
func (v *viewer512) read(words reg.Register, chosen reg.Register) reg.VecVirtual {
	at, shift := GP64(), ZMM()
	MOVL(v.of(siteAt), at.As32())
	LEAQ(operand.Mem{Base: words, Index: at, Scale: 8}, words)
	VPBROADCASTD(v.of(siteShift), shift)
	var half [2]reg.VecVirtual
	for i := range half {
		half[i] = ZMM()
		VMOVDQU64(operand.Mem{Base: words, Disp: 64 * i}, half[i])
		right := ZMM()
		VMOVDQU64(operand.Mem{Base: words, Index: v.east, Scale: 1, Disp: 64 * i}, right)
		VPSHRDVD(shift, right, half[i])
	}
	rows := half[0]
	VPERMT2W(half[1], v.gather, rows)
	if chosen != nil {
		VPORQ(operand.Mem{Base: chosen}, rows, rows)
	}
	flips, high, low, mirrored := GP32(), ZMM(), ZMM(), K()
	MOVL(v.of(siteFlip), flips)
	KMOVD(flips, mirrored)
	VPSRLW(operand.U8(4), rows, high)
	VPANDQ(v.nibble, high, high)
	VPANDQ(v.nibble, rows, low)
	VPSHUFB(low, v.low, low)
	VPSHUFB(high, v.high, high)
	VPORQ(high, low, low)
	VPSHLDW(operand.U8(8), low, low, low)
	VPSRLW(operand.U8(3), low, mirrored, rows)
	return rows
}

// below returns the rows from the second on, or from the third.
func (v *viewer512) below(rows reg.VecVirtual, n int) reg.VecVirtual {
	b := ZMM()
	VPERMW(rows, v.under[n], b)
	return b
}

// swapped returns rows with the cells of the other side in their place.
func swapped(rows reg.VecVirtual) reg.VecVirtual {
	s := ZMM()
	VSHUFI64X2(operand.U8(0x4e), rows, rows, s)
	return s
}

// beside512 shifts cells by one to the right and to the left.
func beside512(x reg.VecVirtual) (l, r reg.VecVirtual) {
	l, r = ZMM(), ZMM()
	VPSLLW(operand.U8(1), x, l)
	VPSRLW(operand.U8(1), x, r)
	return l, r
}

// around512 computes a function of cells and those to their left and right.
func around512(f operand.Constant, x reg.VecVirtual) reg.VecVirtual {
	l, r := beside512(x)
	VPTERNLOGQ(f, r, x, l)
	return l
}

// pack stores the first eleven rows of the lower half as a layer, and those of the upper half as
// another unless it is -1, and returns both: in the first two lanes of four.
func (v *viewer512) pack(rows reg.VecVirtual, lower, upper int) reg.VecVirtual {
	p, more, behind := ZMM(), ZMM(), ZMM()
	VPSRLW(operand.U8(1), rows, p)
	VPANDQ(v.cells, p, p)
	VPMADDWD(v.pair, p, p) // two rows
	VPSRLQ(operand.U8(10), p, more)
	VPTERNLOGQ(where, v.four, p, more) // four
	VPERMQ(operand.U8(0b1001), more, behind)
	VPSLLQ(operand.U8(20), more, more)
	VPSHRDVQ(v.shifts, behind, more)
	outer := more
	VMOVDQU64(outer.AsX(), operand.Mem{Base: v.to, Disp: 16 * lower})
	if upper >= 0 {
		VEXTRACTI64X2(operand.U8(2), outer, operand.Mem{Base: v.to, Disp: 16 * upper})
	}
	return outer
}
