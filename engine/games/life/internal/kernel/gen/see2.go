package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// sides2 are two vectors of 16 rows, 16 bits each: the viewer's cells and the enemy's.
type sides2 [2]V

// see2 draws windows as see512 does, with twice as many vectors. What all sites share stays in
// memory, for there are 16 registers.
func see2() {
	kernel("seeAVX2", seeing, "draws windows for processors with AVX2.")
	v := newViewer2()
	(&sighted{name: "See2", lanes: 8, vector: YMM, move: VMOVDQU,
		spread: func(from reg.GPVirtual) V {
			return Into(YMM(), VPBROADCASTD, Into(XMM(), VMOVD, from.As32()))
		},
		flipped: func(flip V) func(yes, no V) V {
			return func(yes, no V) V { return Of(VPBLENDVB, flip, yes, no) }
		},
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
	there := Of(VPCMPEQW, v.bits, And(v.bits, Into(YMM(), VPBROADCASTW, v.of(siteRows))))
	on := And(Into(YMM(), VPBROADCASTW, v.of(siteCols)), there)
	dead, off, none := Without(on, Or(mid[0], mid[1])), YMM(), YMM()
	VPCMPEQW(off, off, off)
	v.pack(Xor(on, off), 6)

	full := Xor(v.ones, v.pack(dead, 2))
	high := Of(VPERMQ, 0x55, full)
	full = Of(VPERMQ, 0, full)
	VPXOR(none, none, none)
	for i := range coverBytes / 64 {
		var fits [2]reg.GPVirtual
		for half := range fits {
			at := operand.Mem{Base: covers, Disp: 64*i + 32*half}
			low := And(at, full)
			covered := Or(low, And(at.Offset(coverBytes), high))
			fits[half] = Signs(VMOVMSKPD, Of(VPCMPEQQ, none, covered))
		}
		SHLL(operand.U8(4), fits[1])
		ORL(fits[1], fits[0])
		MOVB(fits[0].As8(), operand.Mem{Base: v.to, Disp: windowFits + i})
	}

	skip(1<<3|1<<4, "unborn2")
	var near sides2
	for c := range near {
		low[c] = below2(rows[c], 2)
		near[c] = Or(low[c], Or(rows[c], mid[c]))
		left, right := beside(near[c])
		near[c] = Or(right, Or(left, near[c]))
	}
	for c := range near {
		ones, twos := add2(rows[c], mid[c], low[c])
		left, right := beside(ones)
		odd, k := add2(left, ones, right)
		// Of nine cells, with a dead one in the middle, three live: one by itself and one pair.
		left, right = beside(twos)
		two, four := add2(left, twos, right)
		three := And(Xor(k, two), odd)
		v.pack(And(on, Without(three, Or(near[1-c], Or(mid[c], four)))), 3+c)
	}
	Label("unborn2")

	skip(1<<5, "seen2")
	was := v.read(Load(Param("last"), GP64()), nil)
	for c := range was {
		was[c] = Xor(mid[c], below2(was[c], 1))
	}
	v.pack(Or(was[0], was[1]), 5)
	Label("seen2")

	INCQ(v.i)
	ADDQ(operand.U32(windowBytes), v.to)
	CMPQ(v.i, Load(Param("end"), GP64()))
	JB(operand.LabelRef("siteSee2"))
	End()
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
	pairs := func(f func(i int) int) func(i int) uint16 {
		return func(i int) uint16 { return bytesOf(f, i) }
	}
	quads := func(of ...uint64) func(i int) uint16 {
		return func(i int) uint16 { return uint16(of[i/4%len(of)] >> (i % 4 * 16)) }
	}
	return &viewer2{to: Load(Param("to"), GP64()), site: Load(Param("sites"), GP64()), i: GP64(),
		east: GP64(), own: GP64(),
		owners: numbers.Words16("owners2", 32, func(i int) uint16 { return uint16(-(i / 16)) }),
		order: numbers.Words16("order2", 16, func(i int) uint16 {
			from := i%8*2%8 + i%8/4 // rows 0, 4, 1, 5 and so on
			return uint16(2*from | (2*from+1)<<8)
		}),
		nibble: numbers.Words16("nibbles2", 16, func(int) uint16 { return 0x0f0f }),
		high:   numbers.Words16("high2", 16, pairs(reversed)),
		low:    numbers.Words16("low2", 16, pairs(func(i int) int { return reversed(i) << 4 })),
		swap:   numbers.Words16("swap2", 16, pairs(func(i int) int { return i ^ 1 })),
		bits:   numbers.Words16("bits2", 16, func(i int) uint16 { return 1 << i }),
		ones:   numbers.Words16("ones2", 16, func(int) uint16 { return 1<<16 - 1 }),
		cells: numbers.Words16("cells2", 16, func(i int) uint16 {
			if i < 11 {
				return 1<<11 - 1
			}
			return 0
		}),
		pair:   numbers.Words16("pairs2", 16, func(i int) uint16 { return 1 << (i % 2 * 11) }),
		four:   numbers.Words16("fours2", 16, quads(1<<22-1)),
		next:   numbers.Words16("next2", 16, quads((1<<22-1)<<22)),
		shifts: numbers.Words16("shifts2", 8, quads(0, 20)),
		behind: numbers.Words16("behind2", 8, quads(44, 24)),
	}
}

// of returns a part of the present site.
func (v *viewer2) of(disp int) operand.Mem {
	return operand.Mem{Base: v.site, Index: v.i, Scale: 4, Disp: disp}
}

// read returns the rows around the site, with those that were chosen.
func (v *viewer2) read(words reg.Register, chosen reg.Register) (rows sides2) {
	at, all := GP64(), GP64()
	MOVL(v.of(siteAt), at.As32())
	LEAQ(operand.Mem{Base: words, Index: at, Scale: 8}, words)
	MOVQ(operand.U32(32), all)
	MOVL(v.of(siteShift), at.As32())
	SUBQ(at, all)
	right, left := Into(XMM(), VMOVQ, at), Into(XMM(), VMOVQ, all)
	var quarter [4]V // of both colours, four rows each
	for i := range quarter {
		here := operand.Mem{Base: words, Disp: 32 * i}
		east := here
		east.Index, east.Scale = v.east, 1
		near := Of(VPSRLD, right, Loaded(here))
		quarter[i] = Or(Of(VPSLLD, left, Loaded(east)), near)
	}
	for i := 0; i < 4; i += 2 { // rows four apart side by side
		quarter[i] = Of(VPBLENDW, 0xaa, Of(VPSLLD, 16, quarter[i+1]), quarter[i])
	}
	for c, of := range []int{0x88, 0xdd} {
		rows[c] = Of(VPSHUFB, v.order, Of(VPERMQ, 0xd8, Of(VSHUFPS, of, quarter[2], quarter[0])))
	}
	swap := And(operand.Mem{Base: v.own}, Xor(rows[0], rows[1]))
	flip, low, high := Into(YMM(), VPBROADCASTD, v.of(siteFlip)), Loaded(v.low), Loaded(v.high)
	for c := range rows {
		x := Xor(swap, rows[c])
		if chosen != nil {
			x = Or(operand.Mem{Base: chosen, Disp: 32 * c}, x)
		}
		of := And(v.nibble, Of(VPSRLW, 4, x))
		mirrored := Of(VPSHUFB, And(v.nibble, x), low)
		mirrored = Of(VPSHUFB, v.swap, Or(Of(VPSHUFB, of, high), mirrored))
		rows[c] = Of(VPBLENDVB, flip, Of(VPSRLW, 3, mirrored), x)
	}
	return rows
}

// below2 returns the rows from row n on.
func below2(rows V, n int) V {
	return Of(VPALIGNR, 2*n, rows, Of(VPERM2I128, 1, rows, rows))
}

// pack stores the first eleven rows as a layer and returns it.
func (v *viewer2) pack(rows V, layer int) V {
	two := Of(VPMADDWD, v.pair, And(v.cells, Of(VPSRLW, 1, rows)))
	next := Of(VPSRLQ, 10, two)
	two = And(v.four, two)
	four := Or(two, And(v.next, next))
	behind := Of(VPERMQ, 0b1001, four)
	VPSRLVQ(v.shifts, four.AsX(), four.AsX())
	VPOR(Of(VPSLLVQ, v.behind, behind.AsX()), four.AsX(), four.AsX())
	VMOVDQU(four.AsX(), operand.Mem{Base: v.to, Disp: 16 * layer})
	return four
}
