package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// solo2Handlers are those of a Solo with AVX2.
var solo2Handlers = map[string]func(){
	"opBlend": func() {
		a, b, d, c := quad("a", reg.RBX), quad("b", reg.RCX), quad("dst", reg.RAX),
			truth("c", reg.RDX)
		takes := Of(VPCMPEQD, turnBits(), And(turnBits(), Into(XMM(), VPBROADCASTD, c)))
		VMOVUPS(Of(VBLENDVPS, takes, a, Into(XMM(), VMOVUPS, b)), d)
		next()
	},
	"opSmaller":   func() { quadCompare2(0x11) },
	"opEqual":     func() { quadCompare2(0x00) },
	"opRowSum":    soloSum2,
	"opWordCount": soloCount2,
	"opLeast":     soloLeast2,
}

func turnBits() operand.Mem {
	return numbers.Words("turn_bits", 8, func(i int) uint32 { return 1 << (i % 4) })
}

func quadCompare2(predicate uint8) {
	a, b, d := quad("a", reg.RBX), quad("b", reg.RCX), truth("dst", reg.RAX)
	VMOVMSKPS(Of(VCMPPS, int(predicate), b, Into(XMM(), VMOVUPS, a)), reg.EBX)
	MOVQ(reg.RBX, d)
	next()
}

// weights2 is the weights of a layer, 32 a vector, and what makes bits into bytes.
type weights2 struct{ of, bytes [2]V }

// load loads the weights, and returns where the mask is.
func (w *weights2) load() (bits V, m operand.Mem) {
	weights := soloLayer()
	w.of = [2]V{Loaded(weights), Loaded(weights.Offset(32))}
	// the bit of each of eight cells, and the bytes that hold those of 32 cells
	bits = Loaded(numbers.Words("cell_bits", 8,
		func(i int) uint32 { return [2]uint32{0x08040201, 0x80402010}[i%2] }))
	for v := range w.bytes {
		w.bytes[v] = Loaded(numbers.Words(fmt.Sprint("cell_bytes_", v), 8,
			func(i int) uint32 { return 0x01010101 * uint32(4*v+i/2) }))
	}
	return bits, squares()
}

// masked makes the cells of a layer that are in a mask under turn k into bytes of ones.
func (w *weights2) masked(bits V, m operand.Mem, k int) (cells [2]V) {
	MOVQ(m.Offset(cellsOfMask*k), reg.RAX)
	ANDQ(reg.RBX, reg.RAX)
	all := Into(YMM(), VPBROADCASTQ, Into(XMM(), VMOVQ, reg.RAX))
	for i, bytes := range w.bytes {
		cells[i] = Of(VPSHUFB, bytes, all)
	}
	for i, y := range cells {
		cells[i] = Of(VPCMPEQB, bits, And(bits, y))
	}
	return cells
}

// weigh2 is weigh.
func weigh2(x V) {
	unit, d := unitOf()
	x = Of(VCVTDQ2PS, x)
	VMOVUPS(Of(VMULPS, Into(XMM(), VBROADCASTSS, unit), x), d)
	next()
}

// soloSum2 adds eight sums of a turn, each in a lane of 64 bits, into those of all turns.
func soloSum2() {
	var w weights2
	bits, m := w.load()
	zero, sums := YMM(), [4]V{}
	VPXOR(zero, zero, zero)
	for k := range sums {
		cells := w.masked(bits, m, k)
		for i, y := range cells {
			cells[i] = And(w.of[i], y)
		}
		low := Of(VPSADBW, zero, cells[0])
		sums[k] = Of(VPADDQ, Of(VPSADBW, zero, cells[1]), low)
	}
	// 64 bits are two lanes of 32, of which the upper one is empty
	for i := 0; i < 4; i += 2 {
		sums[i] = Of(VPADDD, Of(VPSLLQ, 32, sums[i+1]), sums[i])
	}
	low := Of(VPUNPCKLQDQ, sums[2], sums[0])
	all := Of(VPADDD, Of(VPUNPCKHQDQ, sums[2], sums[0]), low)
	weigh2(Of(VPADDD, Into(XMM(), VEXTRACTI128, 1, all), all.AsX()))
}

func soloCount2() {
	soloLayer()
	m, d, x := squares(), quad("dst", reg.RAX), XMM()
	for k := range 4 {
		MOVQ(m.Offset(cellsOfMask*k), reg.RCX)
		ANDQ(reg.RBX, reg.RCX)
		POPCNTQ(reg.RCX, reg.RCX)
		Into(x, VPINSRD, k, reg.ECX, x)
	}
	VMOVUPS(Of(VCVTDQ2PS, x), d)
	next()
}

// soloLeast2 is soloLeast.
func soloLeast2() {
	var w weights2
	bits, m := w.load()
	ones, all := YMM(), XMM()
	VPCMPEQB(ones, ones, ones)
	for k := range 4 {
		cells := w.masked(bits, m, k)
		for i, y := range cells {
			cells[i] = Of(VPBLENDVB, y, w.of[i], ones)
		}
		y := Of(VPMINUB, cells[1], cells[0])
		x := Of(VPMINUB, Into(XMM(), VEXTRACTI128, 1, y), y.AsX())
		x = Of(VPHMINPOSUW, Of(VPMINUB, Of(VPSRLW, 8, x), x))
		VPEXTRW(operand.U8(0), x, reg.ECX)
		Into(all, VPINSRD, k, reg.ECX, all)
	}
	none := Of(VPCMPEQD, Of(VPSRLD, 24, ones.AsX()), all)
	weigh2(Without(all, none))
}
