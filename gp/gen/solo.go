package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// The executor of a Solo. Its registers are 16 bytes wide, the four turns of one decision. A mask
// of cells is a mask of bytes, because the weights of a layer are bytes by cell.

var (
	quadShift      = log2(code.Size("Quad"))
	soloLayerShift = log2(code.Size("SoloLayer"))
	cellsOfMask    = code.Size("Bits") // between those under one turn and under the next
)

// soloHandlers are the handlers that only a Solo has.
var soloHandlers = map[string]func(){
	"opAdd": func() { quadArithmetic(VADDPS) },
	"opSub": func() { quadArithmetic(VSUBPS) },
	"opMul": func() { quadArithmetic(VMULPS) },
	"opBlend": func() {
		a, b, d, c := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX),
			truth("c", reg.RDX)
		KMOVW(c, reg.K1)
		VMOVUPS(Into(Into(XMM(), VMOVUPS, b), VMOVUPS, a, reg.K1), d)
		next()
	},
	"opSmaller":   func() { quadCompare(0x11) },
	"opEqual":     func() { quadCompare(0x00) },
	"opRowSum":    soloSum,
	"opWordCount": soloCount,
	"opLeast":     soloLeast,
	"opEnd": func() {
		VMOVUPS(Into(XMM(), VMOVUPS, operand.Mem{Base: result}), operand.Mem{Base: value})
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
	End()
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

func quadArithmetic(op any) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX)
	VMOVUPS(Of(op, b, Into(XMM(), VMOVUPS, a)), d)
	next()
}

func quadCompare(predicate uint8) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), truth("dst", reg.RAX)
	VCMPPS(operand.U8(predicate), b, Into(XMM(), VMOVUPS, a), reg.K1)
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

// weigh multiplies four numbers by the unit of the layer and stores them.
func weigh(x V) {
	unit, d := unitOf()
	VMOVUPS(Of(VMULPS_BCST, unit, Of(VCVTDQ2PS, x)), d)
	next()
}

// unitOf returns the address of the layer's unit, and that of the result.
func unitOf() (unit, d operand.Mem) {
	field("a", 0, reg.RBX)
	MOVQ(machine("weights"), reg.RCX)
	return operand.Mem{Base: reg.RCX, Index: reg.RBX, Scale: 8, Disp: code.Offset("weight", "unit")},
		quad("dst", reg.RAX)
}

// soloSum adds the weights in the mask: eight sums of eight weights each, which for the four turns
// share the lanes of one vector.
func soloSum() {
	weights, m := soloLayer(), squares()
	zero, sums := ZMM(), [4]V{}
	VPXORQ(zero, zero, zero)
	for k := range sums {
		masked(m, k, kreg[k])
		sums[k] = Of(VPSADBW, zero, Into(ZMM(), VMOVDQU8_Z, weights, kreg[k]))
		if k > 0 {
			sums[k] = Of(VPSLLQ, 16*k, sums[k])
		}
	}
	low := Of(VPADDQ, sums[1], sums[0])
	all := Of(VPADDQ, Of(VPADDQ, sums[3], sums[2]), low)
	half := Of(VPADDQ, Into(YMM(), VEXTRACTI64X4, 1, all), all.AsY())
	x := Of(VPADDQ, Into(XMM(), VEXTRACTI128, 1, half), half.AsX())
	x = Of(VPADDQ, Of(VPSHUFD, 0xee, x), x)
	weigh(Of(VPMOVZXWD, x))
}

func soloCount() {
	soloLayer()
	m, d := squares(), quad("dst", reg.RAX)
	cells := And(m, Into(ZMM(), VPBROADCASTQ, reg.RBX))
	counts := Into(YMM(), VPMOVQD, Of(VPOPCNTQ, cells))
	high := Into(XMM(), VEXTRACTI128, 1, counts)
	x := Of(VCVTDQ2PS, counts.AsX())
	VMOVUPS(Of(VSHUFPS, 0x88, Of(VCVTDQ2PS, high), x), d)
	next()
}

// soloLeast stores the least weight in the mask, 0 if there is none.
func soloLeast() {
	weights, m := soloLayer(), squares()
	low, all, x := Into(XMM(), VPBROADCASTD, numbers.Each32(0xff)), [4]V{}, [4]V{}
	for k := range all {
		masked(m, k, kreg[k])
		all[k] = ZMM()
		VPTERNLOGD(operand.U8(0xff), all[k], all[k], all[k])
		VMOVDQU8(weights, kreg[k], all[k])
	}
	for k, z := range all {
		x[k] = Of(VPMINUB, Into(YMM(), VEXTRACTI64X4, 1, z), z.AsY())
	}
	for k, y := range x {
		x[k] = Of(VPMINUB, Into(XMM(), VEXTRACTI128, 1, y), y.AsX())
	}
	// Halve sixteen bytes a turn into the lanes of one vector.
	halved := func(a, b V) V {
		low := Of(VPUNPCKLQDQ, b, a)
		return Of(VPMINUB, low, Of(VPUNPCKHQDQ, b, a))
	}
	a, b := halved(x[0], x[1]), halved(x[2], x[3])
	even := Of(VSHUFPS, 0x88, b, a)
	least := Of(VPMINUB, even, Of(VSHUFPS, 0xdd, b, a))
	for _, by := range []int{16, 8} {
		least = Of(VPMINUB, Of(VPSRLD, by, least), least)
	}
	least = And(low, least)
	VPCMPUD(operand.U8(4), low, least, reg.K1)
	weigh(Of(VMOVDQA32_Z, least, reg.K1))
}
