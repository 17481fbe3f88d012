package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Bits of the rows of a window, of which the columns are 1..11: of four rows and of three.
const (
	fourRows  = 0x0ffe0ffe0ffe0ffe
	threeRows = 0x00000ffe0ffe0ffe
)

var (
	eitherIn = table(func(a, b, c bool) bool { return (a || b) && c })
	only     = table(func(a, b, c bool) bool { return a && !b && !c })
	oneTwo   = table(func(ones, twos, fours bool) bool { return ones && twos && !fours })
)

// rows512 are sixteen rows of both colours, eight a vector.
type rows512 [2]reg.VecVirtual

// see512 draws a window. Its rows are words of two halves, the viewer's cells in the lower one.
func see512() {
	TEXT("seeAVX512", NOSPLIT, seeing)
	Pragma("noescape")
	Doc("seeAVX512 draws a window for processors with AVX-512 F, BW and VBMI2, and BMI2.")
	v := &viewer512{east: Load(Param("east"), GP64()), west: XMM(), over: XMM(), turn: ZMM(),
		mirrored: Load(Param("mirrored"), GP64()), cells: ZMM(), nibble: ZMM(), low: ZMM(),
		high: ZMM(), buffer: AllocLocal(64), four: GP64(), three: GP64(),
		to: Load(Param("to"), GP64())}
	shift, other := Load(Param("shift"), GP64()), GP64()
	VMOVQ(shift, v.west)
	MOVQ(operand.U32(32), other)
	SUBQ(shift, other)
	VMOVQ(other, v.over)
	VPBROADCASTQ(Load(Param("turn"), GP64()), v.turn)
	broadcast := func(bits uint64, to reg.VecVirtual) {
		MOVQ(operand.U64(bits), other)
		VPBROADCASTQ(other, to)
	}
	broadcast(0x00001fff00001fff, v.cells)
	broadcast(0x0f0f0f0f0f0f0f0f, v.nibble)
	reversed := GLOBL("reversed", RODATA|NOPTR)
	for i := range 16 {
		DATA(i, operand.U8(i&1<<3|i&2<<1|i&4>>1|i>>3))
	}
	VBROADCASTI32X4(reversed, v.high)
	VPSLLW(operand.U8(4), v.high, v.low)
	MOVQ(operand.U64(fourRows), v.four)
	MOVQ(operand.U64(threeRows), v.three)

	chosen := Load(Param("chosen"), GP64())
	rows := v.read("Now", Load(Param("now"), GP64()), &chosen)
	layers := Load(Param("layers"), GP64())
	skip := func(set uint32, to string) {
		TESTQ(operand.U32(set), layers)
		JZ(operand.LabelRef(to))
	}
	on, mid := rows512{ZMM(), ZMM()}, rows.below(1)
	edge := Load(Param("on"), GP64())
	v.pack(mid, 0, 1)
	var dead rows512
	for i := range rows {
		VMOVDQU64(operand.Mem{Base: edge, Disp: 64 * i}, on[i])
		other := ZMM()
		VPROLQ(operand.U8(32), mid[i], other)
		dead[i] = ternary(only, on[i], mid[i], other)
	}
	v.pack(dead, 2, -1)

	skip(1<<3|1<<4, "unborn")
	low := rows.below(2)
	var born rows512
	for i := range rows {
		near := around512(any3, ternary(any3, rows[i], mid[i], low[i]))
		VPROLQ(operand.U8(32), near, near) // of the other colour
		ones, twos := add512(rows[i], mid[i], low[i])
		left, right := beside512(ones)
		n, k := add512(left, ones, right)
		// Of nine cells, with a dead one in the middle, three live: one by itself and one pair.
		two, four := around512(sum, twos), around512(carry, twos)
		VPXORQ(k, two, two)
		born[i] = ternary(oneTwo, n, two, four)
		VPTERNLOGQ(only, near, mid[i], born[i])
		VPANDQ(on[i], born[i], born[i])
	}
	v.pack(born, 3, 4)
	Label("unborn")

	skip(1<<6, "inside")
	ones := ZMM()
	VPTERNLOGD(operand.U8(0xff), ones, ones, ones)
	for i := range on {
		VPXORQ(ones, on[i], on[i])
	}
	v.pack(on, 6, -1)
	Label("inside")

	skip(1<<5, "seen")
	was := v.read("Last", Load(Param("last"), GP64()), nil).below(1)
	for i := range was {
		other := ZMM()
		VPXORQ(mid[i], was[i], was[i])
		VPROLQ(operand.U8(32), was[i], other)
		VPORQ(other, was[i], was[i])
	}
	v.pack(was, 5, -1)
	Label("seen")
	VZEROUPPER()
	RET()
}

// viewer512 holds what a window is read and packed with.
type viewer512 struct {
	to, east, mirrored reg.Register
	west, over         reg.VecVirtual // shifts of the left tiles and of the right ones
	turn               reg.VecVirtual // bits that bring the viewer's cells into the lower half
	cells              reg.VecVirtual // the columns of either half
	nibble, low, high  reg.VecVirtual // the bits of nibbles in reverse
	buffer             operand.Mem
	four, three        reg.Register
}

// read returns the rows around a site, with those that were chosen.
func (v *viewer512) read(name string, words reg.Register, chosen *reg.Register) (rows rows512) {
	for i := range rows {
		right := ZMM()
		rows[i] = ZMM()
		VMOVDQU64(operand.Mem{Base: words, Disp: 64 * i}, rows[i])
		VMOVDQU64(operand.Mem{Base: words, Index: v.east, Scale: 1, Disp: 64 * i}, right)
		VPSRLD(v.west, rows[i], rows[i])
		VPSLLD(v.over, right, right)
		VPTERNLOGQ(eitherIn, v.cells, right, rows[i])
		if chosen != nil {
			VPORQ(operand.Mem{Base: *chosen, Disp: 64 * i}, rows[i], rows[i])
		}
	}
	TESTQ(v.mirrored, v.mirrored)
	JZ(operand.LabelRef("plain" + name))
	for _, r := range rows {
		high := ZMM()
		VPSRLW(operand.U8(4), r, high)
		VPANDQ(v.nibble, high, high)
		VPANDQ(v.nibble, r, r)
		VPSHUFB(r, v.low, r)
		VPSHUFB(high, v.high, high)
		VPORQ(high, r, r)
		VPSHLDW(operand.U8(8), r, r, r)
		VPSRLD(operand.U8(3), r, r)
	}
	Label("plain" + name)
	for _, r := range rows {
		VPROLVQ(v.turn, r, r)
	}
	return rows
}

// below returns the rows from row n on; the last n are those that wrap.
func (r rows512) below(n uint8) rows512 {
	b := rows512{ZMM(), ZMM()}
	VALIGNQ(operand.U8(n), r[0], r[1], b[0])
	VALIGNQ(operand.U8(n), r[1], r[1], b[1])
	return b
}

// beside512 shifts cells by one to the right and to the left.
func beside512(x reg.VecVirtual) (l, r reg.VecVirtual) {
	l, r = ZMM(), ZMM()
	VPSLLD(operand.U8(1), x, l)
	VPSRLD(operand.U8(1), x, r)
	return l, r
}

// around512 computes a function of cells and those to their left and right.
func around512(f operand.Constant, x reg.VecVirtual) reg.VecVirtual {
	l, r := beside512(x)
	VPTERNLOGQ(f, r, x, l)
	return l
}

// pack stores the lower halves of the first eleven rows as a layer, and the upper halves as another
// unless it is -1.
func (v *viewer512) pack(rows rows512, lower, upper int) {
	for half, layer := range []int{lower, upper} {
		if layer < 0 {
			break
		}
		for i, r := range rows {
			if half > 0 {
				other := ZMM()
				VPSRLQ(operand.U8(32), r, other)
				r = other
			}
			VPMOVQW(r, v.buffer.Offset(32*half+16*i))
		}
		var part [3]reg.GPVirtual
		for i := range part {
			part[i] = GP64()
			mask := v.four
			if i == 2 {
				mask = v.three
			}
			MOVQ(v.buffer.Offset(32*half+8*i), part[i])
			PEXTQ(mask, part[i], part[i])
		}
		high := GP64()
		MOVQ(part[1], high)
		SHLQ(operand.U8(44), part[1])
		ORQ(part[1], part[0])
		SHRQ(operand.U8(20), high)
		SHLQ(operand.U8(24), part[2])
		ORQ(part[2], high)
		MOVQ(part[0], operand.Mem{Base: v.to, Disp: 16 * layer})
		MOVQ(high, operand.Mem{Base: v.to, Disp: 16*layer + 8})
	}
}
