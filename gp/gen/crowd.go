package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The sensors of a Crowd. Its words are 64 bits wide, one a decision, and its lanes stand by turn, so a mask is one word for a whole vector: what it selects is computed in
// two vectors of eight words and then narrowed to sixteen lanes.

// lowHalves selects the lower halves of sixteen words in two vectors, highHalves the upper ones.
var (
	lowHalves  = wide("low_halves", func(i int) uint32 { return uint32(2 * i) })
	highHalves = wide("high_halves", func(i int) uint32 { return uint32(2*i + 1) })
	lowBytes   = wide("low_bytes", same(0x00ff00ff))
	lowByte    = wide("low_byte", same(0xff))
)

// wide makes a vector of sixteen constants in memory.
func wide(name string, word func(lane int) uint32) func() operand.Mem {
	var m *operand.Mem
	return func() operand.Mem {
		if m == nil {
			at := GLOBL(name, attr.RODATA|attr.NOPTR)
			for i := range 16 {
				DATA(4*i, operand.U32(word(i)))
			}
			m = &at
		}
		return *m
	}
}

// rowSum adds up columns of sixteen bits, of which four are in a word, as Rows.sum does.
func (avx512) rowSum(n int) {
	l, weight := crowd()
	b, d := bands(), register(fieldDst, reg.RAX)
	ones, unit := reg.Z16, reg.Z17
	VPBROADCASTD(wordsOf1(), ones)
	VBROADCASTSS(weight.Offset(4), unit)
	row := operand.Mem{Base: l.Base, Index: reg.RCX, Scale: 1, Disp: crowdRows}
	for k := range n {
		turn := b.Offset(24 * k)
		VPBROADCASTQ(turn, zmm[4])
		VPBROADCASTQ(turn.Offset(8), zmm[5])
		rowAt(turn.Offset(17))
		for i, z := range zmm[:4] {
			VMOVDQU64(row.Offset(64*i), z)
		}
		rowAt(turn.Offset(16))
		for i, z := range zmm[:4] {
			VPSUBQ(row.Offset(64*i), z, z)
			VPANDQ(zmm[4+i/2], z, z)
		}
		for i, z := range zmm[:2] {
			VPADDQ(zmm[2+i], z, z)
			VPMADDWD(ones, z, z)
		}
		low, high := reg.Z20, reg.Z21
		VMOVDQU32(lowHalves(), low)
		VMOVDQU32(highHalves(), high)
		VPERMI2D(zmm[1], zmm[0], low)
		VPERMI2D(zmm[1], zmm[0], high)
		VPADDD(high, low, low)
		VCVTDQ2PS(low, low)
		VMULPS(unit, low, low)
		VMOVUPS(low, d.Offset(64*k))
	}
	next()
}

// rowAt loads the place of a row among the rows.
func rowAt(number operand.Mem) {
	MOVBLZX(number, reg.ECX)
	SHLL(operand.U8(rowShift), reg.ECX)
}

func (avx512) wordCount(n int) {
	l, _ := crowd()
	m, d := squares(), register(fieldDst, reg.RAX)
	for k := range n {
		VPBROADCASTQ(m.Offset(16*k), zmm[2])
		for i, z := range zmm[:2] {
			VPANDQ(l.Offset(64*i), zmm[2], z)
			VPOPCNTQ(z, z)
		}
		lanes := reg.Z20
		VMOVDQU32(lowHalves(), lanes)
		VPERMI2D(zmm[1], zmm[0], lanes)
		VCVTDQ2PS(lanes, lanes)
		VMOVUPS(lanes, d.Offset(64*k))
	}
	next()
}

// rowLeast takes the least byte of the columns from the first row to before the last, 0 where it is 255, which stands for none.
func (avx512) rowLeast(n int) {
	l, weight := crowd()
	b, d := bands(), register(fieldDst, reg.RAX)
	unit, low, none := reg.Z16, reg.Z17, reg.Z18
	VBROADCASTSS(weight.Offset(4), unit)
	VPBROADCASTQ(lowBytes(), low)
	VPBROADCASTD(lowByte(), none)
	row := operand.Mem{Base: l.Base, Index: reg.RCX, Scale: 1, Disp: crowdWeights}
	for k := range n {
		turn := b.Offset(24 * k)
		more, done := fmt.Sprint("more", k), fmt.Sprint("done", k)
		for _, z := range zmm[:2] {
			VPTERNLOGD(operand.U8(0xff), z, z, z)
		}
		MOVBLZX(turn.Offset(17), reg.R15L)
		SHLL(operand.U8(7), reg.R15L)
		MOVBLZX(turn.Offset(16), reg.ECX)
		SHLL(operand.U8(7), reg.ECX)
		Label(more)
		CMPL(reg.ECX, reg.R15L)
		JGE(operand.LabelRef(done))
		for i, z := range zmm[:2] {
			VPMINUB(row.Offset(64*i), z, z)
		}
		ADDL(operand.U32(128), reg.ECX)
		JMP(operand.LabelRef(more))
		Label(done)
		// the bytes of other columns: 255
		even, odd, columns := zmm[2], zmm[3], zmm[4]
		VPBROADCASTQ(turn, even)
		VPBROADCASTQ(turn.Offset(8), odd)
		VMOVDQA64(low, columns)
		VPTERNLOGQ(operand.U8(choose), odd, even, columns)
		for i, z := range zmm[:2] {
			VPTERNLOGQ(operand.U8(orNot), z, columns, z)
			VPSRLQ(operand.U8(32), z, zmm[5+i])
			VPMINUB(zmm[5+i], z, z)
		}
		lanes, t := reg.Z20, reg.Z21
		VMOVDQU32(lowHalves(), lanes)
		VPERMI2D(zmm[1], zmm[0], lanes)
		for _, by := range []uint8{16, 8} {
			VPSRLD(operand.U8(by), lanes, t)
			VPMINUB(t, lanes, lanes)
		}
		VPANDD(none, lanes, lanes)
		VPCMPUD(operand.U8(4), none, lanes, reg.K1)
		VCVTDQ2PS_Z(lanes, reg.K1, lanes)
		VMULPS(unit, lanes, lanes)
		VMOVUPS(lanes, d.Offset(64*k))
	}
	next()
}

// Immediates of VPTERNLOG, a being what the instruction overwrites.
const (
	choose = 0xca // a ? b : c
	orNot  = 0xf3 // a | ^b
)
