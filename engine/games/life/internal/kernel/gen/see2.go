package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sides2 are two vectors of 16 rows, 16 bits each: the viewer's cells and the enemy's.
type sides2 [2]reg.VecVirtual

// see2 draws windows as see512 does, with twice as many vectors. What all sites share stays in
// memory, for there are 16 registers.
func see2() {
	TEXT("seeAVX2", NOSPLIT, seeing)
	Pragma("noescape")
	Doc("seeAVX2 draws windows for processors with AVX2.")
	v := newViewer2()
	(&sighted{name: "See2", lanes: 8, vector: YMM,
		move: func(from, to operand.Op) { VMOVDQU(from, to) },
		spread: func(from reg.GPVirtual, to reg.VecVirtual) {
			VMOVD(from.As32(), to.AsX())
			VPBROADCASTD(to.AsX(), to)
		},
		flipped: func(flip reg.VecVirtual) func(yes, no, to reg.VecVirtual) {
			return func(yes, no, to reg.VecVirtual) { VPBLENDVB(flip, yes, no, to) }
		},
		and: func(a, b, to operand.Op) { VPAND(a, b, to) },
		or:  func(a, b, to operand.Op) { VPOR(a, b, to) },
	}).places(v.site)
	layers, covers := Load(Param("layers"), GP64()), Load(Param("covers"), GP64())
	MOVQ(Load(Param("first"), GP64()), v.i)
	MOVQ(Load(Param("stride"), GP64()), v.east)
	SHLQ(operand.U8(6), v.east)
	own := GP64()
	MOVQ(Load(Param("own"), GP64()), own)
	SHLQ(operand.U8(5), own)
	LEAQ(v.owners, v.own)
	ADDQ(own, v.own)
	skip := func(set uint32, to string) {
		TESTQ(operand.U32(set), layers)
		JZ(operand.LabelRef(to))
	}

	Label("siteSee2")
	chosen := GP64()
	MOVQ(operand.Mem{Base: v.site, Index: v.i, Scale: 8, Disp: siteChosen}, chosen)
	rows := v.read(Load(Param("now"), GP64()), chosen)
	var mid, low sides2
	for c := range mid {
		mid[c] = below2(rows[c], 1)
		v.pack(mid[c], c)
	}
	on, columns := YMM(), YMM()
	VPBROADCASTW(v.of(siteRows), on)
	VPAND(v.bits, on, on)
	VPCMPEQW(v.bits, on, on)
	VPBROADCASTW(v.of(siteCols), columns)
	VPAND(columns, on, on)
	dead, off, none := YMM(), YMM(), YMM()
	VPOR(mid[0], mid[1], dead)
	VPANDN(on, dead, dead)
	VPCMPEQW(off, off, off)
	VPXOR(on, off, off)
	v.pack(off, 6)

	full := v.pack(dead, 2)
	VPXOR(v.ones, full, full)
	high := YMM()
	VPERMQ(operand.U8(0x55), full, high)
	VPERMQ(operand.U8(0), full, full)
	VPXOR(none, none, none)
	for i := range coverBytes / 64 {
		var fits [2]reg.GPVirtual
		for half := range fits {
			a, b := YMM(), YMM()
			disp := 64*i + 32*half
			VPAND(operand.Mem{Base: covers, Disp: disp}, full, a)
			VPAND(operand.Mem{Base: covers, Disp: coverBytes + disp}, high, b)
			VPOR(a, b, a)
			VPCMPEQQ(none, a, a)
			fits[half] = GP32()
			VMOVMSKPD(a, fits[half])
		}
		SHLL(operand.U8(4), fits[1])
		ORL(fits[1], fits[0])
		MOVB(fits[0].As8(), operand.Mem{Base: v.to, Disp: windowFits + i})
	}

	skip(1<<3|1<<4, "unborn2")
	var near sides2
	for c := range near {
		low[c], near[c] = below2(rows[c], 2), YMM()
		VPOR(rows[c], mid[c], near[c])
		VPOR(low[c], near[c], near[c])
		left, right := beside2(near[c])
		VPOR(left, near[c], near[c])
		VPOR(right, near[c], near[c])
	}
	for c := range near {
		ones, twos := rows[c], low[c]
		add2(ones, mid[c], twos)
		odd, k := beside2(ones)
		add2(odd, ones, k)
		// Of nine cells, with a dead one in the middle, three live: one by itself and one pair.
		two, four := beside2(twos)
		add2(two, twos, four)
		VPXOR(k, two, two)
		VPAND(two, odd, odd)
		VPOR(mid[c], four, four)
		VPOR(near[1-c], four, four)
		VPANDN(odd, four, odd)
		VPAND(on, odd, odd)
		v.pack(odd, 3+c)
	}
	Label("unborn2")

	skip(1<<5, "seen2")
	was := v.read(Load(Param("last"), GP64()), nil)
	for c := range was {
		was[c] = below2(was[c], 1)
		VPXOR(mid[c], was[c], was[c])
	}
	VPOR(was[0], was[1], was[0])
	v.pack(was[0], 5)
	Label("seen2")

	INCQ(v.i)
	ADDQ(operand.U32(windowBytes), v.to)
	CMPQ(v.i, Load(Param("end"), GP64()))
	JB(operand.LabelRef("siteSee2"))
	VZEROUPPER()
	RET()
}

// viewer2 holds what windows are read and packed with, see viewer512.
type viewer2 struct {
	to, site          reg.Register
	i, east, own      reg.GPVirtual
	owners            operand.Mem // by the viewer's colour: whether to swap colours
	order             operand.Mem // of rows that were read in pairs, to their places
	nibble, low, high operand.Mem
	swap              operand.Mem // the bytes of each word
	bits, ones        operand.Mem // a bit in each row, and all of them
	cells, pair       operand.Mem
	four, next        operand.Mem // the cells of two rows, and of the two rows behind them
	shifts, behind    operand.Mem
}

func newViewer2() *viewer2 {
	words := func(name string, n int, f func(i int) uint16) operand.Mem {
		m := GLOBL(name, RODATA|NOPTR)
		for i := range n {
			DATA(2*i, operand.U16(f(i)))
		}
		return m
	}
	reversed := func(i int) int { return i&1<<3 | i&2<<1 | i&4>>1 | i>>3 }
	pairs := func(f func(i int) int) func(i int) uint16 { // bytes, twice 16
		return func(i int) uint16 { return uint16(f(2*i&15) | f((2*i+1)&15)<<8) }
	}
	quads := func(of ...uint64) func(i int) uint16 {
		return func(i int) uint16 { return uint16(of[i/4%len(of)] >> (i % 4 * 16)) }
	}
	return &viewer2{to: Load(Param("to"), GP64()), site: Load(Param("sites"), GP64()), i: GP64(),
		east: GP64(), own: GP64(),
		owners: words("owners2", 32, func(i int) uint16 { return uint16(-(i / 16)) }),
		order: words("order2", 16, func(i int) uint16 {
			from := i%8*2%8 + i%8/4 // rows 0, 4, 1, 5 and so on
			return uint16(2*from | (2*from+1)<<8)
		}),
		nibble: words("nibbles2", 16, func(int) uint16 { return 0x0f0f }),
		high:   words("high2", 16, pairs(reversed)),
		low:    words("low2", 16, pairs(func(i int) int { return reversed(i) << 4 })),
		swap:   words("swap2", 16, pairs(func(i int) int { return i ^ 1 })),
		bits:   words("bits2", 16, func(i int) uint16 { return 1 << i }),
		ones:   words("ones2", 16, func(int) uint16 { return 1<<16 - 1 }),
		cells: words("cells2", 16, func(i int) uint16 {
			if i < 11 {
				return 1<<11 - 1
			}
			return 0
		}),
		pair:   words("pairs2", 16, func(i int) uint16 { return 1 << (i % 2 * 11) }),
		four:   words("fours2", 16, quads(1<<22-1)),
		next:   words("next2", 16, quads((1<<22-1)<<22)),
		shifts: words("shifts2", 8, quads(0, 20)),
		behind: words("behind2", 8, quads(44, 24)),
	}
}

// of returns a part of the present site.
func (v *viewer2) of(disp int) operand.Mem {
	return operand.Mem{Base: v.site, Index: v.i, Scale: 4, Disp: disp}
}

// read returns the rows around the site, with those that were chosen.
func (v *viewer2) read(words reg.Register, chosen reg.Register) (rows sides2) {
	at, all, right, left := GP64(), GP64(), XMM(), XMM()
	MOVL(v.of(siteAt), at.As32())
	LEAQ(operand.Mem{Base: words, Index: at, Scale: 8}, words)
	MOVQ(operand.U32(32), all)
	MOVL(v.of(siteShift), at.As32())
	SUBQ(at, all)
	VMOVQ(at, right)
	VMOVQ(all, left)
	var quarter [4]reg.VecVirtual // of both colours, four rows each
	for i := range quarter {
		quarter[i] = YMM()
		VMOVDQU(operand.Mem{Base: words, Disp: 32 * i}, quarter[i])
		east := YMM()
		VMOVDQU(operand.Mem{Base: words, Index: v.east, Scale: 1, Disp: 32 * i}, east)
		VPSRLD(right, quarter[i], quarter[i])
		VPSLLD(left, east, east)
		VPOR(east, quarter[i], quarter[i])
	}
	for i := 0; i < 4; i += 2 { // rows four apart side by side
		VPSLLD(operand.U8(16), quarter[i+1], quarter[i+1])
		VPBLENDW(operand.U8(0xaa), quarter[i+1], quarter[i], quarter[i])
	}
	for c := range rows {
		rows[c] = YMM()
		VSHUFPS(operand.U8([]uint8{0x88, 0xdd}[c]), quarter[2], quarter[0], rows[c])
		VPERMQ(operand.U8(0xd8), rows[c], rows[c])
		VPSHUFB(v.order, rows[c], rows[c])
	}
	swap := YMM()
	VPXOR(rows[0], rows[1], swap)
	VPAND(operand.Mem{Base: v.own}, swap, swap)
	flip, low, high := YMM(), YMM(), YMM()
	VPBROADCASTD(v.of(siteFlip), flip)
	VMOVDQU(v.low, low)
	VMOVDQU(v.high, high)
	for c, x := range rows {
		VPXOR(swap, x, x)
		if chosen != nil {
			VPOR(operand.Mem{Base: chosen, Disp: 32 * c}, x, x)
		}
		of, mirrored := YMM(), YMM()
		VPSRLW(operand.U8(4), x, of)
		VPAND(v.nibble, of, of)
		VPAND(v.nibble, x, mirrored)
		VPSHUFB(mirrored, low, mirrored)
		VPSHUFB(of, high, of)
		VPOR(of, mirrored, mirrored)
		VPSHUFB(v.swap, mirrored, mirrored)
		VPSRLW(operand.U8(3), mirrored, mirrored)
		VPBLENDVB(flip, mirrored, x, x)
	}
	return rows
}

// below2 returns the rows from row n on.
func below2(rows reg.VecVirtual, n int) reg.VecVirtual {
	b := YMM()
	VPERM2I128(operand.U8(1), rows, rows, b)
	VPALIGNR(operand.U8(2*n), rows, b, b)
	return b
}

// beside2 shifts cells by one to the right and to the left.
func beside2(x reg.VecVirtual) (l, r reg.VecVirtual) {
	l, r = YMM(), YMM()
	VPSLLW(operand.U8(1), x, l)
	VPSRLW(operand.U8(1), x, r)
	return l, r
}

// pack stores the first eleven rows as a layer and returns it.
func (v *viewer2) pack(rows reg.VecVirtual, layer int) reg.VecVirtual {
	p, more, behind := YMM(), YMM(), YMM()
	VPSRLW(operand.U8(1), rows, p)
	VPAND(v.cells, p, p)
	VPMADDWD(v.pair, p, p) // two rows
	VPSRLQ(operand.U8(10), p, more)
	VPAND(v.four, p, p)
	VPAND(v.next, more, more)
	VPOR(p, more, more) // four
	VPERMQ(operand.U8(0b1001), more, behind)
	VPSRLVQ(v.shifts, more.AsX(), more.AsX())
	VPSLLVQ(v.behind, behind.AsX(), behind.AsX())
	VPOR(behind.AsX(), more.AsX(), more.AsX())
	VMOVDQU(more.AsX(), operand.Mem{Base: v.to, Disp: 16 * layer})
	return more
}
