package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// carried2 is what the AVX2 kernel carries from half tile to half tile: the sums of three of the
// half above, turned down by one row, and of this half.
type carried2 struct{ above0, above1, sum0, sum1 reg.VecVirtual }

// rowSum2 adds the cells of half a tile's rows to their left and right neighbours.
func rowSum2(x, w, e operand.Mem) (ones, twos reg.VecVirtual) {
	row, l, r, t := YMM(), YMM(), YMM(), YMM()
	VMOVDQU(x, row)
	VMOVDQU(w, l)
	VPSRLD(operand.U8(31), l, l)
	VPADDD(row, row, t)
	VPOR(t, l, l)
	VMOVDQU(e, r)
	VPSLLD(operand.U8(31), r, r)
	VPSRLD(operand.U8(1), row, t)
	VPOR(t, r, r)
	VPAND(l, r, t)
	VPXOR(l, r, l)
	VPAND(l, row, r)
	VPXOR(l, row, row)
	VPOR(t, r, r)
	return row, r
}

// add2 is a full adder: its first argument becomes the sum, its third the carry.
func add2(a, b, c reg.VecVirtual) {
	t, u := YMM(), YMM()
	VPAND(b, a, t)
	VPXOR(b, a, a)
	VPAND(a, c, u)
	VPXOR(a, c, a)
	VPOR(t, u, c)
}

// between2 returns the two rows on either side of the line between two halves.
func between2(above, below reg.VecVirtual) reg.VecVirtual {
	b := YMM()
	VPERM2I128(operand.U8(0x21), below, above, b)
	return b
}

// half2 computes the next cells of the half tile at a byte offset, and what is carried to the half
// below.
func half2(r *walk, f carried2, at, below int) (next reg.VecVirtual, onward carried2) {
	below0, below1 := rowSum2(r.words(below))
	amid0, amid1 := between2(f.sum0, below0), between2(f.sum1, below1)
	up0, up1, down0, down1 := YMM(), YMM(), YMM(), YMM()
	VPALIGNR(operand.U8(8), f.above0, f.sum0, up0)
	VPALIGNR(operand.U8(8), f.above1, f.sum1, up1)
	VPALIGNR(operand.U8(8), f.sum0, amid0, down0)
	VPALIGNR(operand.U8(8), f.sum1, amid1, down1)
	add2(up0, f.sum0, down0) // up0: ones; down0: their carry
	add2(up1, f.sum1, down1) // up1: twos; down1: their carry
	odd, near := YMM(), YMM()
	VPXOR(up1, down0, odd)
	VPAND(up1, down0, down0)
	VPXOR(down1, down0, down0) // even
	VPOR(up0, odd, near)
	VPOR(down0, near, near)
	VPSHUFD(operand.U8(0xb1), near, near) // of the other colour
	VPXOR(down0, odd, odd)
	VPXOR(down0, up0, down0)
	VPAND(down0, odd, odd) // three or four
	VPANDN(up0, near, near)
	x, _, _ := r.words(at)
	VPOR(x, near, near)
	VPAND(near, odd, odd)
	VPAND(operand.Mem{Base: r.mask, Disp: at}, odd, odd)
	return odd, carried2{amid0, amid1, below0, below1}
}

// runs2 handles a tile as two vectors, the upper and the lower four rows.
func runs2() {
	r := startWalk("AVX2", "processors with AVX2 and BMI1")
	zero := YMM()
	VPXOR(zero, zero, zero)
	r.run()
	var f carried2
	above0, above1 := rowSum2(r.words(-tileBytes + 32))
	f.sum0, f.sum1 = rowSum2(r.words(0))
	f.above0, f.above1 = between2(above0, f.sum0), between2(above1, f.sum1)
	Label("tile" + r.name)
	onward := f
	var diff [2]reg.VecVirtual
	for half := range diff {
		var next reg.VecVirtual
		next, onward = half2(r, onward, 32*half, 32*half+32)
		out := operand.Mem{Base: r.next, Disp: 32 * half}
		diff[half] = YMM()
		VPXOR(out, next, diff[half])
		VMOVDQU(next, out)
	}
	for _, move := range [][2]reg.VecVirtual{{onward.above0, f.above0}, {onward.above1, f.above1},
		{onward.sum0, f.sum0}, {onward.sum1, f.sum1}} {
		VMOVDQA(move[0], move[1])
	}
	// Both colours of rows 0, 4, 1, 5, 2, 6, 3, 7: the first and the last row stay at the ends.
	rows, others, byteOf := YMM(), YMM(), GP32()
	VPBLENDD(operand.U8(0xaa), diff[1], diff[0], rows)
	VPBLENDD(operand.U8(0xaa), diff[0], diff[1], others)
	VPSHUFD(operand.U8(0xb1), others, others)
	VPOR(others, rows, rows)
	VMOVMSKPS(rows, byteOf)
	r.mark(2, byteOf.As8())
	VPCMPEQD(zero, rows, others)
	VMOVMSKPS(others, byteOf)
	NOTL(byteOf)
	r.mark(0, byteOf.As8())
	VPSLLD(operand.U8(31), rows, rows)
	VMOVMSKPS(rows, byteOf)
	r.mark(1, byteOf.As8())
	r.end()
}

// pack2 packs the marks of 64 tiles in two halves.
func pack2() {
	TEXT("packAVX2", NOSPLIT, packing)
	Pragma("noescape")
	Doc("packAVX2 gathers marks for processors with AVX2.")
	zero := YMM()
	VPXOR(zero, zero, zero)
	p := startPack("2")
	for kind := range p.below {
		var half, bits [2]reg.VecVirtual
		for i := range half {
			half[i], bits[i] = YMM(), YMM()
			VMOVDQU(place(p.marks, p.apart, kind, 32*i), half[i])
			VPCMPEQB(zero, half[i], bits[i])
		}
		any := packed2(bits)
		NOTQ(any)
		for i := range half {
			VPSLLW(operand.U8(7), half[i], bits[i])
		}
		p.wakes("2", kind, any, packed2(bits), packed2(half))
	}
	p.end("2")
}

// packed2 returns the highest bits of the bytes of two halves.
func packed2(half [2]reg.VecVirtual) reg.Register {
	low, high := GP64(), GP64()
	VPMOVMSKB(half[0], low.As32())
	VPMOVMSKB(half[1], high.As32())
	SHLQ(operand.U8(32), high)
	ORQ(high, low)
	return low
}

// take2 shifts the cells of an edge to where the processor gathers bits.
func take2() {
	e := startEdges("takeAVX2", taking, "takes an edge for processors with AVX2")
	last, shift := GP64(), XMM()
	MOVQ(operand.U32(31), last)
	SUBQ(Load(Param("side"), GP64()), last)
	VMOVQ(last, shift)
	Label("tile" + e.name)
	var bits [2]reg.GPVirtual
	for i := range bits {
		v := YMM()
		bits[i] = GP32()
		VMOVDQU(e.half(i), v)
		VPSLLD(shift, v, v)
		VMOVMSKPS(v, bits[i])
	}
	SHLL(operand.U8(8), bits[1])
	ORL(bits[0], bits[1])
	MOVW(bits[1].As16(), operand.Mem{Base: e.edge})
	e.end()
}

// give2 gives each half of a row all bits of the edge, and leaves a cell where its own is among
// them.
func give2() {
	e := startEdges("giveAVX2", giving, "writes a column with an edge for processors with AVX2")
	own := GLOBL("bits", RODATA|NOPTR)
	for i := range 16 {
		DATA(4*i, operand.U32(1<<i))
	}
	cells := YMM()
	e.cell(cells)
	bits := [2]reg.VecVirtual{YMM(), YMM()}
	for i := range bits {
		VMOVDQU(own.Offset(32*i), bits[i])
	}
	Label("tile" + e.name)
	all := YMM()
	VPBROADCASTW(operand.Mem{Base: e.edge}, all)
	for i := range bits {
		v := YMM()
		VPAND(bits[i], all, v)
		VPCMPEQD(bits[i], v, v)
		VPAND(cells, v, v)
		VMOVDQU(v, e.half(i))
	}
	e.end()
}
