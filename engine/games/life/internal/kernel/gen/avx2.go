package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// carried2 is what the AVX2 kernel carries from half tile to half tile: the sums of three of the
// half above, turned down by one row, and of this half.
type carried2 struct{ above0, above1, sum0, sum1 V }

// rowSum2 adds the cells of half a tile's rows to their left and right neighbours.
func rowSum2(x, w, e operand.Mem) (ones, twos V) {
	row := Loaded(x)
	west := Of(VPSRLD, 31, Loaded(w))
	l := Or(Of(VPADDD, row, row), west)
	east := Of(VPSLLD, 31, Loaded(e))
	r := Or(Of(VPSRLD, 1, row), east)
	return add2(l, r, row)
}

// add2 is a full adder: it returns the sum and the carry.
func add2(a, b, c V) (sum, carry V) {
	both, one := And(b, a), Xor(b, a)
	two := And(one, c)
	return Xor(one, c), Or(both, two)
}

// between2 returns the two rows on either side of the line between two halves.
func between2(above, below V) V { return Of(VPERM2I128, 0x21, below, above) }

// half2 computes the next cells of the half tile at a byte offset, and what is carried to the half
// below.
func half2(r *walk, f carried2, at, below int) (next V, onward carried2) {
	below0, below1 := rowSum2(r.words(below))
	amid0, amid1 := between2(f.sum0, below0), between2(f.sum1, below1)
	up0, up1 := Of(VPALIGNR, 8, f.above0, f.sum0), Of(VPALIGNR, 8, f.above1, f.sum1)
	down0, down1 := Of(VPALIGNR, 8, f.sum0, amid0), Of(VPALIGNR, 8, f.sum1, amid1)
	ones, carry := add2(up0, f.sum0, down0)
	twos, carry2 := add2(up1, f.sum1, down1)
	odd := Xor(twos, carry)
	even := Xor(carry2, And(twos, carry))
	near := Of(VPSHUFD, 0xb1, Or(even, Or(ones, odd))) // of the other colour
	differ := Xor(even, odd)
	threeOrFour := And(Xor(even, ones), differ)
	x, _, _ := r.words(at)
	lives := And(Or(x, Without(ones, near)), threeOrFour)
	return And(operand.Mem{Base: r.mask, Disp: at}, lives),
		carried2{amid0, amid1, below0, below1}
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
	var diff [2]V
	for half := range diff {
		var next V
		next, onward = half2(r, onward, 32*half, 32*half+32)
		out := operand.Mem{Base: r.next, Disp: 32 * half}
		diff[half] = Xor(out, next)
		VMOVDQU(next, out)
	}
	for _, move := range [][2]V{{onward.above0, f.above0}, {onward.above1, f.above1},
		{onward.sum0, f.sum0}, {onward.sum1, f.sum1}} {
		VMOVDQA(move[0], move[1])
	}
	// Both colours of rows 0, 4, 1, 5, 2, 6, 3, 7: the first and the last row stay at the ends.
	first, byteOf := Of(VPBLENDD, 0xaa, diff[1], diff[0]), GP32()
	rows := Or(Of(VPSHUFD, 0xb1, Of(VPBLENDD, 0xaa, diff[0], diff[1])), first)
	VMOVMSKPS(rows, byteOf)
	r.mark(2, byteOf.As8())
	VMOVMSKPS(Of(VPCMPEQD, zero, rows), byteOf)
	NOTL(byteOf)
	r.mark(0, byteOf.As8())
	VMOVMSKPS(Of(VPSLLD, 31, rows), byteOf)
	r.mark(1, byteOf.As8())
	r.end()
}

// pack2 packs the marks of 64 tiles in two halves.
func pack2() {
	kernel("packAVX2", packing, "gathers marks for processors with AVX2.")
	zero := YMM()
	VPXOR(zero, zero, zero)
	p := startPack("2")
	for kind := range p.below {
		var half, bits [2]V
		for i := range half {
			half[i] = Loaded(place(p.marks, p.apart, kind, 32*i))
			bits[i] = Of(VPCMPEQB, zero, half[i])
		}
		any := packed2(bits)
		NOTQ(any)
		for i := range half {
			bits[i] = Of(VPSLLW, 7, half[i])
		}
		p.wakes("2", kind, any, packed2(bits), packed2(half))
	}
	p.end("2")
}

// packed2 returns the highest bits of the bytes of two halves.
func packed2(half [2]V) reg.Register {
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
	last := GP64()
	MOVQ(operand.U32(31), last)
	SUBQ(Load(Param("side"), GP64()), last)
	shift := Into(XMM(), VMOVQ, last)
	Label("tile" + e.name)
	var bits [2]reg.GPVirtual
	for i := range bits {
		bits[i] = Signs(VMOVMSKPS, Of(VPSLLD, shift, Loaded(e.half(i))))
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
	own := numbers.Words("bits", 16, func(i int) uint32 { return 1 << i })
	cells := YMM()
	e.cell(cells)
	bits := [2]V{Loaded(own), Loaded(own.Offset(32))}
	Label("tile" + e.name)
	all := Into(YMM(), VPBROADCASTW, operand.Mem{Base: e.edge})
	for i := range bits {
		VMOVDQU(And(cells, Of(VPCMPEQD, bits[i], And(bits[i], all))), e.half(i))
	}
	e.end()
}
