package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// Where the parts of a lot are, and how long it is.
const (
	lotColour, lotN, lotRow, lotColumn, lotBytes = 4, 8, 12, 16, 20
)

// nth512 finds cells by their numbers: the tiles that hold one, side by side in two columns, then
// the row of them, then the cell. Only the search for the tiles loops, sixteen of either column at
// a time: how many cells come before is never told by a branch.
func nth512() {
	kernel("nthAVX512", finding, "finds cells for processors with AVX-512 F and VPOPCNTDQ, and BMI2.")
	lot, lots, apart := Load(Param("lots"), GP64()), Load(Param("n"), GP64()),
		Load(Param("apart"), GP64())
	none, orders := ZMM(), GP64()
	VPXORQ(none, none, none)
	inOrder := Into(ZMM(), VMOVDQU64,
		numbers.Words("rows512", 16, func(i int) uint32 { return uint32(i/2 + i%2*8) }))
	colours := func(i int) uint32 { return uint32(2*(i%16) + i/16) }
	LEAQ(numbers.Words("colours512", 32, colours), orders)

	Label("lotNth512")
	n, west, east, tiles, at := GP64(), GP64(), GP64(), GP64(), GP64()
	part := func(disp int) operand.Mem { return operand.Mem{Base: lot, Disp: disp} }
	MOVL(part(lotN), n.As32())
	MOVL(part(lotColour), at.As32())
	SHLQ(operand.U8(6), at)
	own := Into(ZMM(), VMOVDQU64, operand.Mem{Base: orders, Index: at, Scale: 1})
	MOVL(part(0), at.As32())
	MOVQ(Load(Param("counts"), GP64()), west)
	LEAQ(operand.Mem{Base: west, Index: at, Scale: 8}, west)
	LEAQ(operand.Mem{Base: west, Index: apart, Scale: 8}, east)
	XORQ(tiles, tiles)

	// above returns the mask of those sums of the first numbers that are above n, and how many are
	// not; the sums are then without the number itself.
	above := func(each V) (sums V, k reg.OpmaskVirtual, i reg.GPVirtual) {
		sums = each
		for _, lanes := range []int{1, 2, 4, 8} {
			sums = Of(VPADDD, Of(VALIGND, 16-lanes, none, sums), sums)
		}
		k, i = K(), GP64()
		VPCMPUD(operand.U8(6), Into(ZMM(), VPBROADCASTD, n.As32()), sums, k)
		KMOVW(k, i.As32())
		return sums, k, i
	}
	// first returns the first of the numbers of a mask.
	first := func(of V, k reg.OpmaskVirtual) reg.Register {
		to := GP64()
		VMOVD(Of(VPCOMPRESSD_Z, of, k).AsX(), to.As32())
		return to
	}

	Label("tilesNth512")
	both := func(disp int) V {
		of := Into(ZMM(), VMOVDQU64, operand.Mem{Base: west, Index: tiles, Scale: 8, Disp: disp})
		return Of(VPADDD, operand.Mem{Base: east, Index: tiles, Scale: 8, Disp: disp}, of)
	}
	live := both(0)
	Into(live, VPERMT2D, both(64), own)
	sums, k, i := above(live)
	TESTL(i.As32(), i.As32())
	JZ(operand.LabelRef("moreNth512"))
	TZCNTL(i.As32(), i.As32())
	ADDQ(i, tiles)
	SUBQ(first(Of(VPSUBD, live, sums), k), n)

	ADDQ(tiles, at)
	SHLQ(operand.U8(6), at)
	right := GP64()
	MOVQ(apart, right)
	SHLQ(operand.U8(6), right)
	ADDQ(Load(Param("words"), GP64()), at)
	// A row of both tiles is four words of 32 bits: of either colour in the west and in the east.
	words := Into(ZMM(), VMOVDQU64, operand.Mem{Base: at})
	words = Into(words, VPERMT2D, operand.Mem{Base: at, Index: right, Scale: 1}, own)
	words = Of(VPERMD, words, inOrder)
	cells := Of(VPOPCNTD, words)
	before, of, y := above(cells)
	TZCNTL(y.As32(), y.As32())
	SUBQ(first(Of(VPSUBD, cells, before), of), n)
	bit := GP64()
	MOVQ(operand.U32(1), bit)
	SHLXQ(n, bit, bit)
	PDEPQ(first(words, of), bit, bit)
	TZCNTQ(bit, bit)
	MOVL(y.As32(), at.As32())
	ANDL(operand.U8(1), at.As32())
	SHLL(operand.U8(5), at.As32())
	ADDL(at.As32(), bit.As32())
	ADDL(bit.As32(), part(lotColumn))
	SHRL(operand.U8(1), y.As32())
	LEAQ(operand.Mem{Base: y, Index: tiles, Scale: 8}, tiles)
	MOVL(tiles.As32(), part(lotRow))
	ADDQ(operand.U8(lotBytes), lot)
	DECQ(lots)
	JNZ(operand.LabelRef("lotNth512"))
	End()

	Label("moreNth512")
	sum := GP64()
	VPEXTRD(operand.U8(3), Into(XMM(), VEXTRACTI32X4, 3, sums), sum.As32())
	SUBQ(sum, n)
	ADDQ(operand.U8(16), tiles)
	JMP(operand.LabelRef("tilesNth512"))
}
