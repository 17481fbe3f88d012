package main

import (
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

// keepLanes stores the lower halves of the words in two vectors as numbers times the unit, if there is one. It uses Z20.
func keepLanes(a, b reg.VecPhysical, unit reg.Register, d operand.Mem) {
	lanes := reg.Z20
	VMOVDQU32(lowHalves(), lanes)
	VPERMI2D(b, a, lanes)
	VCVTDQ2PS(lanes, lanes)
	if unit != nil {
		VMULPS(unit, lanes, lanes)
	}
	VMOVUPS(lanes, d)
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
		keepLanes(zmm[0], zmm[1], nil, d.Offset(64*k))
	}
	next()
}

// wordLeast looks for the least weight bit by bit from the highest on: if some cell of those that are left has a 0, then only such cells are left.
func (avx512) wordLeast(n int) {
	l, weight := crowd()
	m, d := squares(), register(fieldDst, reg.RAX)
	unit, bit, one, shift := reg.Z16, reg.Z17, reg.Z19, reg.X20
	VBROADCASTSS(weight.Offset(4), unit)
	MOVLQZX(weight, reg.RCX)
	left, zeros := zmm[:8], zmm[8:16] // by turn, two vectors each; zeros are the bits of the least weight, turned over
	for k := range n {
		VPBROADCASTQ(m.Offset(16*k), reg.Z18)
		for i := range 2 {
			VPANDQ(l.Offset(64*i), reg.Z18, left[2*k+i])
			VPXORQ(zeros[2*k+i], zeros[2*k+i], zeros[2*k+i])
		}
	}
	// the highest bit, and all of them
	all := reg.Z23
	MOVL(operand.U32(1), reg.EDX)
	VMOVQ(reg.RCX, shift)
	VPBROADCASTQ(reg.RDX, one)
	VPSLLQ(shift, one, all)
	VPSRLQ(operand.U8(1), all, bit)
	VPSUBQ(one, all, all)
	SHLQ(operand.U8(7), reg.RCX)
	ADDQ(reg.RCX, reg.RBX) // crowdBits is one plane behind the cells, so the highest plane is at 128 * the number of planes
	Label("bit")
	planes := []reg.VecPhysical{reg.Z21, reg.Z22}
	for i, p := range planes {
		VMOVDQU64(l.Offset(64*i), p)
	}
	for k := range n {
		for i, p := range planes {
			v := 2*k + i
			VPANDNQ(left[v], p, reg.Z18)
			VPTESTMQ(reg.Z18, reg.Z18, reg.K1)
			VMOVDQA64(reg.Z18, reg.K1, left[v])
			VPORQ(bit, zeros[v], reg.K1, zeros[v])
		}
	}
	VPSRLQ(operand.U8(1), bit, bit)
	SUBQ(operand.U32(128), reg.RBX)
	SUBQ(operand.U32(128), reg.RCX)
	JNE(operand.LabelRef("bit"))
	for k := range n {
		for i := range 2 {
			v := 2*k + i
			VPTESTMQ(left[v], left[v], reg.K1)
			VPXORQ_Z(all, zeros[v], reg.K1, zeros[v])
		}
		keepLanes(zeros[2*k], zeros[2*k+1], unit, d.Offset(64*k))
	}
	next()
}

// keepLanes2 is keepLanes for the lower halves of the words in two registers of half a vector; it overwrites a.
func keepLanes2(a, b, unit reg.VecPhysical, d operand.Mem) {
	VSHUFPS(operand.U8(0x88), b, a, a)
	VPERMQ(operand.U8(0xd8), a, a)
	VCVTDQ2PS(a, a)
	if unit != nil {
		VMULPS(unit, a, a)
	}
	VMOVUPS(a, d)
}

func (avx2) rowSum(n int) {
	l, weight := crowd()
	b, d := bands(), register(fieldDst, reg.RAX)
	ones, unit := reg.Y15, reg.Y14
	VPBROADCASTD(wordsOf1(), ones)
	VBROADCASTSS(weight.Offset(4), unit)
	row := operand.Mem{Base: l.Base, Index: reg.RCX, Scale: 1, Disp: crowdRows}
	for k := range n {
		turn := b.Offset(24 * k)
		rowAt(turn.Offset(17))
		for i, y := range ymm[:8] {
			VMOVDQU(row.Offset(32*i), y)
		}
		rowAt(turn.Offset(16))
		VPBROADCASTQ(turn, ymm[8])
		VPBROADCASTQ(turn.Offset(8), ymm[9])
		for i, y := range ymm[:8] {
			VPSUBQ(row.Offset(32*i), y, y)
			VPAND(ymm[8+i/4], y, y)
		}
		for i, y := range ymm[:4] {
			VPADDQ(ymm[4+i], y, y)
			VPMADDWD(ones, y, y)
			VPSRLQ(operand.U8(32), y, ymm[4+i])
			VPADDD(ymm[4+i], y, y)
		}
		for h := range 2 {
			keepLanes2(ymm[2*h], ymm[2*h+1], unit, d.Offset(64*k+32*h))
		}
	}
	next()
}

func (avx2) wordCount(n int) {
	countConstants()
	l, _ := crowd()
	m, d := squares(), register(fieldDst, reg.RAX)
	ones, low, zero, word, t := reg.Y15, reg.Y14, reg.Y13, reg.Y12, reg.Y11
	VPXOR(zero, zero, zero)
	for k := range n {
		VPBROADCASTQ(m.Offset(16*k), word)
		for i, y := range ymm[:4] {
			VPAND(l.Offset(32*i), word, t)
			VPAND(low, t, y)
			VPSRLD(operand.U8(4), t, t)
			VPAND(low, t, t)
			VPSHUFB(y, ones, y)
			VPSHUFB(t, ones, t)
			VPADDB(t, y, y)
			VPSADBW(zero, y, y)
		}
		for h := range 2 {
			keepLanes2(ymm[2*h], ymm[2*h+1], nil, d.Offset(64*k+32*h))
		}
	}
	next()
}

func (avx2) wordLeast(n int) {
	l, weight := crowd()
	m, d := squares(), register(fieldDst, reg.RAX)
	left, zeros := ymm[:4], ymm[4:8]
	bit, none, zero, t, u, one, unit := reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14
	VBROADCASTSS(weight.Offset(4), unit)
	VPXOR(zero, zero, zero)
	VPCMPEQQ(one, one, one)
	VPSRLQ(operand.U8(63), one, one)
	for k := range n {
		VPBROADCASTQ(m.Offset(16*k), t)
		for i := range left {
			VPAND(l.Offset(32*i), t, left[i])
			VPXOR(zeros[i], zeros[i], zeros[i])
		}
		MOVLQZX(weight, reg.RDX)
		VMOVQ(reg.RDX, reg.X15)
		VPSLLQ(reg.X15, one, bit)
		VPSRLQ(operand.U8(1), bit, bit)
		SHLQ(operand.U8(7), reg.RDX)
		label := "bit" + string(rune('0'+k))
		Label(label)
		planes := operand.Mem{Base: reg.RBX, Index: reg.RDX, Scale: 1}
		for i := range left {
			VMOVDQU(planes.Offset(32*i), t)
			VPANDN(left[i], t, t)
			VPCMPEQQ(zero, t, none)
			VBLENDVPD(none, left[i], t, left[i])
			VPANDN(bit, none, u)
			VPOR(u, zeros[i], zeros[i])
		}
		VPSRLQ(operand.U8(1), bit, bit)
		SUBQ(operand.U32(128), reg.RDX)
		JNE(operand.LabelRef(label))
		// all bits: those of the weights
		VPSLLQ(reg.X15, one, t)
		VPSUBQ(one, t, t)
		for i := range left {
			VPCMPEQQ(zero, left[i], none)
			VPXOR(t, zeros[i], zeros[i])
			VPANDN(zeros[i], none, zeros[i])
		}
		for h := range 2 {
			keepLanes2(zeros[2*h], zeros[2*h+1], unit, d.Offset(64*k+32*h))
		}
		squares()
	}
	next()
}
