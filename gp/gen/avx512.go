package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx512 handles a vector of 16 lanes at a time.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

var (
	zmm = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8,
		reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23}
	kreg = []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}
)

// andOr is the immediate of VPTERNLOGD for dst | b & c.
const andOr = 0xf8

func (avx512) arithmetic(n int, op func(b, a, dst operand.Op)) {
	a, b, d := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX)
	for v := range n {
		VMOVUPS(a.Offset(64*v), zmm[v])
		op(b.Offset(64*v), zmm[v], zmm[v])
		VMOVUPS(zmm[v], d.Offset(64*v))
	}
	next()
}

func (avx512) blend(n int) {
	a, b, d, c := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX),
		truth("c", reg.RDX)
	for v := range n {
		KMOVW(c.Offset(2*v), kreg[v])
		VMOVUPS(b.Offset(64*v), zmm[v])
		VMOVUPS(a.Offset(64*v), kreg[v], zmm[v])
		VMOVUPS(zmm[v], d.Offset(64*v))
	}
	next()
}

// keepTruth stores the masks of n vectors as one word.
func keepTruth(n int) {
	d := truth("dst", reg.RAX)
	switch n {
	case 2:
		KUNPCKWD(kreg[0], kreg[1], kreg[0])
	case 3:
		KUNPCKWD(kreg[0], kreg[1], kreg[0])
		KUNPCKDQ(kreg[0], kreg[2], kreg[0])
	case 4:
		KUNPCKWD(kreg[0], kreg[1], kreg[0])
		KUNPCKWD(kreg[2], kreg[3], kreg[2])
		KUNPCKDQ(kreg[0], kreg[2], kreg[0])
	}
	KMOVQ(kreg[0], d)
	next()
}

func (avx512) compare(n int, predicate uint8) {
	a, b := register("a", reg.RBX), register("b", reg.RCX)
	for v := range n {
		VMOVUPS(a.Offset(64*v), zmm[v])
		VCMPPS(operand.U8(predicate), b.Offset(64*v), zmm[v], kreg[v])
	}
	keepTruth(n)
}

// turned loads a mask's words, each under the four turns in every group of four lanes.
func turned(m operand.Mem, planes int) []reg.VecPhysical {
	words := zmm[8 : 8+planes]
	for p, z := range words {
		VBROADCASTI32X4(m.Offset(16*p), z)
	}
	return words
}

func (avx512) anyOf(n, planes int) {
	words := turned(mask(reg.RCX), planes)
	l := layer(reg.RBX)
	for v := range n {
		if planes == 1 {
			VPTESTMD(l.Offset(64*v), words[0], kreg[v])
			continue
		}
		z := zmm[v]
		VPANDD(l.Offset(64*v), words[0], z)
		for p := 1; p < planes; p++ {
			VPTERNLOGD(operand.U8(andOr), l.Offset(planeBytes*p+64*v), words[p], z)
		}
		VPTESTMD(z, z, kreg[v])
	}
	keepTruth(n)
}

// cells counts the cells of a vector in the mask.
func cells(v int, words []reg.VecPhysical, l operand.Mem) reg.VecPhysical {
	z, t := zmm[v], zmm[4+v]
	for p, word := range words {
		into := t
		if p == 0 {
			into = z
		}
		VPANDD(l.Offset(planeBytes*p+64*v), word, into)
		VPOPCNTD(into, into)
		if p > 0 {
			VPADDD(t, z, z)
		}
	}
	return z
}

func (avx512) count(n, planes int) {
	words := turned(mask(reg.RCX), planes)
	l, d := layer(reg.RBX), register("dst", reg.RAX)
	for v := range n {
		z := cells(v, words, l)
		VCVTDQ2PS(z, z)
		VMOVUPS(z, d.Offset(64*v))
	}
	next()
}

func (avx512) sum(n, planes int) {
	m := mask(reg.RCX)
	words := turned(m, 1)
	all := zmm[9]
	if planes > 1 {
		VMOVDQU32(m, all)
	}
	l := layer(reg.RBX)
	weighted()
	near, unit := zmm[10], zmm[11]
	VPBROADCASTD(operand.Mem{Base: reg.RCX, Disp: code.Offset("weight", "near")}, near)
	VBROADCASTSS(operand.Mem{Base: reg.RCX, Disp: code.Offset("weight", "unit")}, unit)
	for v := range n {
		VPMULLD(near, cells(v, words, l), zmm[v])
	}
	if planes > 1 {
		MOVQ(operand.Mem{Base: reg.RDX}, reg.RCX)
		ADDQ(operand.U8(far("Index")), reg.RDX)
		TESTQ(reg.RCX, reg.RCX)
		JEQ(operand.LabelRef("done"))
		Label("far")
		at := operand.Mem{Base: reg.RDX}
		for v := range n {
			word := zmm[12+v]
			VMOVDQU32(at.Offset(64*v), word)
			VPERMD(all, word, word)
			VPTESTMD(at.Offset(far("Bit")-far("Index")+64*v), word, kreg[v])
			VPADDD(at.Offset(far("Weight")-far("Index")+64*v), zmm[v], kreg[v], zmm[v])
		}
		ADDQ(operand.U32(planeBytes), reg.RDX)
		DECQ(reg.RCX)
		JNE(operand.LabelRef("far"))
		Label("done")
	}
	d := register("dst", reg.RAX)
	for v := range n {
		VCVTDQ2PS(zmm[v], zmm[v])
		VMULPS(unit, zmm[v], zmm[v])
		VMOVUPS(zmm[v], d.Offset(64*v))
	}
	next()
}
