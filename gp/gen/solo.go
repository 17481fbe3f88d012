package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The executor of a Solo. Its registers are 16 bytes wide, the four turns of one decision. A mask
// of cells is a mask of bytes, because the weights of a layer are bytes by cell.

var (
	quadShift      = log2(code.Size("Quad"))
	soloLayerShift = log2(code.Size("SoloLayer"))
	cellsOfMask    = code.Size("Bits") // between those under one turn and under the next
)

var quads = []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7}

var lowByte = constant("low_byte", same(0xff))

// soloHandlers are the handlers that only a Solo has.
var soloHandlers = map[string]func(){
	"opAdd": func() { quadArithmetic(func(b, a, d operand.Op) { VADDPS(b, a, d) }) },
	"opSub": func() { quadArithmetic(func(b, a, d operand.Op) { VSUBPS(b, a, d) }) },
	"opMul": func() { quadArithmetic(func(b, a, d operand.Op) { VMULPS(b, a, d) }) },
	"opBlend": func() {
		a, b, d, c := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX),
			truth("c", reg.RDX)
		KMOVW(c, reg.K1)
		VMOVUPS(b, quads[0])
		VMOVUPS(a, reg.K1, quads[0])
		VMOVUPS(quads[0], d)
		next()
	},
	"opSmaller":   func() { quadCompare(0x11) },
	"opEqual":     func() { quadCompare(0x00) },
	"opRowSum":    soloSum,
	"opWordCount": soloCount,
	"opLeast":     soloLeast,
	"opEnd": func() {
		VMOVUPS(operand.Mem{Base: result}, quads[0])
		VMOVUPS(quads[0], operand.Mem{Base: value})
		tree()
	},
}

// Registers of a Solo, where other executors have masks and layers.
var (
	slots  = reg.R12 // of the trees left
	result = reg.R13 // where the program writes its value
	value  = reg.R15 // where that belongs
)

// tree starts with the next tree.
func tree() {
	TZCNTQ(slots, reg.RAX)
	JCS(operand.LabelRef("none"))
	BLSRQ(slots, slots)
	SHLQ(operand.U8(log2(code.Size("soloTree"))), reg.RAX)
	MOVQ(machine("values"), value)
	ADDQ(reg.RAX, value)
	ADDQ(machine("trees"), reg.RAX)
	MOVQ(operand.Mem{Base: reg.RAX, Disp: code.Offset("soloTree", "result")}, result)
	MOVQ(operand.Mem{Base: reg.RAX, Disp: code.Offset("soloTree", "code")}, pc)
	start()
	Label("none")
	VZEROUPPER()
	RET()
}

// solo writes the handlers of a Solo and returns the table of their addresses. Those that it lacks
// are another's.
func solo(name string, own map[string]func(), rest string) (table string) {
	enter(name)
	MOVQ(machine("slots"), slots)
	tree()
	for i, opcode := range opcodes {
		of := "AVX512"
		if write := own[opcode]; write != nil {
			of = name
			TEXT(symbol(of, opcode, 0), attr.NOSPLIT|attr.NOFRAME, "func()")
			write()
		} else if soloHandlers[opcode] != nil {
			of = rest
		} else if !shared(opcode) {
			opcode = ending
		}
		table += fmt.Sprintf("DATA %s_table<>+%d(SB)/8, $%s<>(SB)\n", name, i*8,
			symbol(of, opcode, 0))
	}
	return table + fmt.Sprintf("GLOBL %s_table<>(SB), RODATA|NOPTR, $%d\n\n", name, len(opcodes)*8)
}

func quad(name string, scratch reg.GPPhysical) operand.Mem {
	field(name, quadShift, scratch)
	return operand.Mem{Base: floats, Index: scratch, Scale: 1}
}

func quadArithmetic(op func(b, a, dst operand.Op)) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX)
	VMOVUPS(a, quads[0])
	op(b, quads[0], quads[0])
	VMOVUPS(quads[0], d)
	next()
}

func quadCompare(predicate uint8) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), truth("dst", reg.RAX)
	VMOVUPS(a, quads[0])
	VCMPPS(operand.U8(predicate), b, quads[0], reg.K1)
	KMOVQ(reg.K1, d)
	next()
}

// soloLayer loads the cells of a layer into RBX and the address of its weights into RCX.
func soloLayer() (weights operand.Mem) {
	field("a", soloLayerShift, reg.RBX)
	ADDQ(machine("solo"), reg.RBX)
	MOVQ(operand.Mem{Base: reg.RBX, Disp: code.Offset("SoloLayer", "Weights")}, reg.RCX)
	MOVQ(operand.Mem{Base: reg.RBX, Disp: code.Offset("SoloLayer", "Cells")}, reg.RBX)
	return operand.Mem{Base: reg.RCX}
}

// squares loads the address of a mask's cells into RDX.
func squares() operand.Mem {
	field("b", maskShift, reg.RDX)
	ADDQ(machine("squares"), reg.RDX)
	return operand.Mem{Base: reg.RDX}
}

// masked loads the cells of a layer that are in a mask under turn k into a mask register.
func masked(m operand.Mem, k int, to reg.OpmaskPhysical) {
	MOVQ(m.Offset(cellsOfMask*k), reg.RAX)
	ANDQ(reg.RBX, reg.RAX)
	KMOVQ(reg.RAX, to)
}

// weigh multiplies four numbers in X0 by the unit of the layer and stores them.
func weigh() {
	field("a", 0, reg.RBX)
	MOVQ(machine("weights"), reg.RCX)
	d := quad("dst", reg.RAX)
	VCVTDQ2PS(quads[0], quads[0])
	VMULPS_BCST(operand.Mem{Base: reg.RCX, Index: reg.RBX, Scale: 8,
		Disp: code.Offset("weight", "unit")}, quads[0], quads[0])
	VMOVUPS(quads[0], d)
	next()
}

// soloSum adds the weights in the mask: eight sums of eight weights each, which for the four turns
// share the lanes of one vector.
func soloSum() {
	weights, m := soloLayer(), squares()
	zero := reg.Z31
	VPXORQ(zero, zero, zero)
	for k, z := range zmm[:4] {
		masked(m, k, kreg[k])
		VMOVDQU8_Z(weights, kreg[k], z)
		VPSADBW(zero, z, z)
		if k > 0 {
			VPSLLQ(operand.U8(16*k), z, z)
		}
	}
	VPADDQ(zmm[1], zmm[0], zmm[0])
	VPADDQ(zmm[3], zmm[2], zmm[2])
	VPADDQ(zmm[2], zmm[0], zmm[0])
	VEXTRACTI64X4(operand.U8(1), zmm[0], reg.Y1)
	VPADDQ(reg.Y1, reg.Y0, reg.Y0)
	VEXTRACTI128(operand.U8(1), reg.Y0, reg.X1)
	VPADDQ(reg.X1, reg.X0, reg.X0)
	VPSHUFD(operand.U8(0xee), reg.X0, reg.X1)
	VPADDQ(reg.X1, reg.X0, reg.X0)
	VPMOVZXWD(reg.X0, reg.X0)
	weigh()
}

func soloCount() {
	soloLayer()
	m, d := squares(), quad("dst", reg.RAX)
	VPBROADCASTQ(reg.RBX, reg.Z0)
	VPANDQ(m, reg.Z0, reg.Z0)
	VPOPCNTQ(reg.Z0, reg.Z0)
	VPMOVQD(reg.Z0, reg.Y0)
	VEXTRACTI128(operand.U8(1), reg.Y0, reg.X1)
	VCVTDQ2PS(reg.X0, reg.X0)
	VCVTDQ2PS(reg.X1, reg.X1)
	VSHUFPS(operand.U8(0x88), reg.X1, reg.X0, reg.X0)
	VMOVUPS(reg.X0, d)
	next()
}

// soloLeast stores the least weight in the mask, 0 if there is none.
func soloLeast() {
	weights, m := soloLayer(), squares()
	low := reg.X31
	VPBROADCASTD(lowByte(), low)
	for k, z := range zmm[:4] {
		masked(m, k, kreg[k])
		VPTERNLOGD(operand.U8(0xff), z, z, z)
		VMOVDQU8(weights, kreg[k], z)
	}
	for k := range 4 {
		VEXTRACTI64X4(operand.U8(1), zmm[k], ymm[4+k])
		VPMINUB(ymm[4+k], ymm[k], ymm[k])
	}
	for k := range 4 {
		VEXTRACTI128(operand.U8(1), ymm[k], quads[4+k])
		VPMINUB(quads[4+k], quads[k], quads[k])
	}
	// Halve sixteen bytes a turn into the lanes of one vector.
	for _, of := range [][3]int{{0, 1, 4}, {2, 3, 5}} {
		a, b, t := quads[of[0]], quads[of[1]], quads[of[2]]
		VPUNPCKLQDQ(b, a, t)
		VPUNPCKHQDQ(b, a, a)
		VPMINUB(t, a, a)
	}
	VSHUFPS(operand.U8(0x88), quads[2], quads[0], quads[1])
	VSHUFPS(operand.U8(0xdd), quads[2], quads[0], quads[0])
	VPMINUB(quads[1], quads[0], quads[0])
	for _, by := range []uint8{16, 8} {
		VPSRLD(operand.U8(by), quads[0], quads[1])
		VPMINUB(quads[1], quads[0], quads[0])
	}
	VPANDD(low, quads[0], quads[0])
	VPCMPUD(operand.U8(4), low, quads[0], reg.K1)
	VMOVDQA32_Z(quads[0], reg.K1, quads[0])
	weigh()
}
