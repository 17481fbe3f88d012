package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// solo2Handlers are those of a Solo with AVX2.
var solo2Handlers = map[string]func(){
	"opBlend": func() {
		a, b, d, c := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX),
			truth("c", reg.RDX)
		VPBROADCASTD(c, reg.X1)
		VPAND(turnBits(), reg.X1, reg.X1)
		VPCMPEQD(turnBits(), reg.X1, reg.X1)
		VMOVUPS(b, reg.X0)
		VBLENDVPS(reg.X1, a, reg.X0, reg.X0)
		VMOVUPS(reg.X0, d)
		next()
	},
	"opSmaller":   func() { quadCompare2(0x11) },
	"opEqual":     func() { quadCompare2(0x00) },
	"opRowSum":    soloSum2,
	"opWordCount": soloCount2,
	"opLeast":     soloLeast2,
}

var (
	turnBits = constant("turn_bits", func(i int) uint32 { return 1 << (i % 4) })
	// the bit of each of eight cells, and the bytes that hold those of 32 cells
	cellBits = constant("cell_bits",
		func(i int) uint32 { return [2]uint32{0x08040201, 0x80402010}[i%2] })
	cellBytes = constant("cell_bytes", func(i int) uint32 { return 0x01010101 * uint32(i/2) })
	nextCells = constant("next_cells", func(i int) uint32 { return 0x01010101 * uint32(4+i/2) })
)

func quadCompare2(predicate uint8) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), truth("dst", reg.RAX)
	VMOVUPS(a, reg.X0)
	VCMPPS(operand.U8(predicate), b, reg.X0, reg.X0)
	VMOVMSKPS(reg.X0, reg.EBX)
	MOVQ(reg.RBX, d)
	next()
}

// masked2 makes the cells of a layer that are in a mask under turn k into bytes of ones: Y0 and Y1.
func masked2(m operand.Mem, k int) {
	MOVQ(m.Offset(cellsOfMask*k), reg.RAX)
	ANDQ(reg.RBX, reg.RAX)
	VMOVQ(reg.RAX, reg.X1)
	VPBROADCASTQ(reg.X1, reg.Y1)
	VPSHUFB(reg.Y12, reg.Y1, reg.Y0)
	VPSHUFB(reg.Y13, reg.Y1, reg.Y1)
	for _, y := range ymm[:2] {
		VPAND(reg.Y11, y, y)
		VPCMPEQB(reg.Y11, y, y)
	}
}

// weights2 loads the weights of a layer into Y14 and Y15, and what masked2 needs.
func weights2() (m operand.Mem) {
	weights := soloLayer()
	VMOVDQU(weights, reg.Y14)
	VMOVDQU(weights.Offset(32), reg.Y15)
	VMOVDQU(cellBits(), reg.Y11)
	VMOVDQU(cellBytes(), reg.Y12)
	VMOVDQU(nextCells(), reg.Y13)
	return squares()
}

// weigh2 is weigh.
func weigh2() {
	field("a", 0, reg.RBX)
	MOVQ(machine("weights"), reg.RCX)
	d := quad("dst", reg.RAX)
	VCVTDQ2PS(reg.X0, reg.X0)
	VBROADCASTSS(operand.Mem{Base: reg.RCX, Index: reg.RBX, Scale: 8,
		Disp: code.Offset("weight", "unit")}, reg.X1)
	VMULPS(reg.X1, reg.X0, reg.X0)
	VMOVUPS(reg.X0, d)
	next()
}

// soloSum2 adds eight sums of a turn, each in a lane of 64 bits, into those of all turns.
func soloSum2() {
	m := weights2()
	VPXOR(reg.Y10, reg.Y10, reg.Y10)
	for k := range 4 {
		masked2(m, k)
		VPAND(reg.Y14, reg.Y0, reg.Y0)
		VPAND(reg.Y15, reg.Y1, reg.Y1)
		VPSADBW(reg.Y10, reg.Y0, reg.Y0)
		VPSADBW(reg.Y10, reg.Y1, reg.Y1)
		VPADDQ(reg.Y1, reg.Y0, ymm[4+k])
	}
	// 64 bits are two lanes of 32, of which the upper one is empty
	for i := 4; i < 8; i += 2 {
		VPSLLQ(operand.U8(32), ymm[i+1], ymm[i+1])
		VPADDD(ymm[i+1], ymm[i], ymm[i])
	}
	VPUNPCKLQDQ(reg.Y6, reg.Y4, reg.Y0)
	VPUNPCKHQDQ(reg.Y6, reg.Y4, reg.Y1)
	VPADDD(reg.Y1, reg.Y0, reg.Y0)
	VEXTRACTI128(operand.U8(1), reg.Y0, reg.X1)
	VPADDD(reg.X1, reg.X0, reg.X0)
	weigh2()
}

func soloCount2() {
	soloLayer()
	m, d := squares(), quad("dst", reg.RAX)
	for k := range 4 {
		MOVQ(m.Offset(cellsOfMask*k), reg.RCX)
		ANDQ(reg.RBX, reg.RCX)
		POPCNTQ(reg.RCX, reg.RCX)
		VPINSRD(operand.U8(k), reg.ECX, reg.X0, reg.X0)
	}
	VCVTDQ2PS(reg.X0, reg.X0)
	VMOVUPS(reg.X0, d)
	next()
}

// soloLeast2 is soloLeast.
func soloLeast2() {
	m := weights2()
	VPCMPEQB(reg.Y10, reg.Y10, reg.Y10)
	for k := range 4 {
		masked2(m, k)
		VPBLENDVB(reg.Y0, reg.Y14, reg.Y10, reg.Y0)
		VPBLENDVB(reg.Y1, reg.Y15, reg.Y10, reg.Y1)
		VPMINUB(reg.Y1, reg.Y0, reg.Y0)
		VEXTRACTI128(operand.U8(1), reg.Y0, reg.X1)
		VPMINUB(reg.X1, reg.X0, reg.X0)
		VPSRLW(operand.U8(8), reg.X0, reg.X1)
		VPMINUB(reg.X1, reg.X0, reg.X0)
		VPHMINPOSUW(reg.X0, reg.X0)
		VPEXTRW(operand.U8(0), reg.X0, reg.ECX)
		VPINSRD(operand.U8(k), reg.ECX, reg.X2, reg.X2)
	}
	VPSRLD(operand.U8(24), reg.X10, reg.X1)
	VPCMPEQD(reg.X1, reg.X2, reg.X1)
	VPANDN(reg.X2, reg.X1, reg.X0)
	weigh2()
}
