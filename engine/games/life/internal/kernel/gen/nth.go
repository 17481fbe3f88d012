package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// nth512 finds a cell by its number: the tiles that hold it, side by side in two columns, then the
// row of them, then the cell. Only the search for the tiles loops, eight of either column at a
// time: how many cells come before is never told by a branch.
func nth512() {
	TEXT("nthAVX512", NOSPLIT, finding)
	Pragma("noescape")
	Doc("nthAVX512 finds a cell for processors with AVX-512 F and VPOPCNTDQ, and BMI2.")
	counts, apart, n := Load(Param("counts"), GP64()), Load(Param("apart"), GP64()),
		Load(Param("n"), GP64())
	half, other, none := XMM(), XMM(), ZMM()
	shift := Load(Param("half"), GP64())
	VMOVQ(shift, half)
	NEGQ(shift)
	ADDQ(operand.U8(32), shift)
	VMOVQ(shift, other)
	VPXORQ(none, none, none)
	buffer := AllocLocal(8 + 64)
	zero := GP64()
	XORQ(zero, zero)
	MOVQ(zero, buffer)
	east, tiles := GP64(), GP64()
	LEAQ(operand.Mem{Base: counts, Index: apart, Scale: 8}, east)
	XORQ(tiles, tiles)

	// before returns how many of eight numbers, added up, are not above n, and takes the sum of
	// those from n where they are not all.
	before := func(sums reg.VecVirtual, all string) reg.Register {
		for _, lanes := range []uint8{1, 2, 4} {
			moved := ZMM()
			VALIGNQ(operand.U8(8-lanes), none, sums, moved)
			VPADDQ(moved, sums, sums)
		}
		VMOVDQU64(sums, buffer.Offset(8))
		k, wanted, i := K(), ZMM(), GP64()
		VPBROADCASTQ(n, wanted)
		VPCMPUQ(operand.U8(2), wanted, sums, k)
		KMOVW(k, i.As32())
		POPCNTL(i.As32(), i.As32())
		if all != "" {
			CMPL(i.As32(), operand.U8(8))
			JE(operand.LabelRef(all))
		}
		SUBQ(buffer.Idx(i, 8), n)
		return i
	}

	Label("tilesNth512")
	live, at := ZMM(), GP64()
	VMOVDQU64(operand.Mem{Base: counts, Index: tiles, Scale: 8}, live)
	VPADDD(operand.Mem{Base: east, Index: tiles, Scale: 8}, live, live)
	VPSLLQ(other, live, live)
	VPSRLQ(operand.U8(32), live, live)
	i := before(live, "moreNth512")
	ADDQ(i, tiles)

	MOVQ(tiles, at)
	SHLQ(operand.U8(6), at)
	ADDQ(Load(Param("cells"), GP64()), at)
	SHLQ(operand.U8(6), apart)
	west, words := ZMM(), ZMM()
	VMOVDQU64(operand.Mem{Base: at}, west)
	VPSLLQ(other, west, west)
	VPSRLQ(operand.U8(32), west, west)
	VMOVDQU64(operand.Mem{Base: at, Index: apart, Scale: 1}, words)
	VPSRLQ(half, words, words)
	VPSLLQ(operand.U8(32), words, words)
	VPORQ(west, words, words)
	rows := AllocLocal(64)
	VMOVDQU64(words, rows)
	VPOPCNTQ(words, words)
	y := before(words, "")
	LEAQ(operand.Mem{Base: y, Index: tiles, Scale: 8}, tiles)
	Store(tiles, ReturnIndex(0))
	bit := GP64()
	MOVQ(operand.U32(1), bit)
	SHLXQ(n, bit, bit)
	PDEPQ(rows.Idx(y, 8), bit, bit)
	TZCNTQ(bit, bit)
	Store(bit, ReturnIndex(1))
	VZEROUPPER()
	RET()

	Label("moreNth512")
	SUBQ(buffer.Offset(64), n)
	ADDQ(operand.U8(8), tiles)
	JMP(operand.LabelRef("tilesNth512"))
}
