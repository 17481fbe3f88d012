package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// avx512 handles a vector of 16 lanes at a time.
type avx512 struct{}

func (avx512) name() string { return "AVX512" }

var kreg = []reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3, reg.K4}

// andOr is the immediate of VPTERNLOGD for dst | b & c.
const andOr = 0xf8

func (avx512) arithmetic(n int, op any) {
	a, b, d := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX)
	for at := 0; at < 64*n; at += 64 {
		VMOVUPS(Of(op, b.Offset(at), Into(ZMM(), VMOVUPS, a.Offset(at))), d.Offset(at))
	}
	next()
}

func (avx512) blend(n int) {
	a, b, d, c := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX),
		truth("c", reg.RDX)
	for v := range n {
		KMOVW(c.Offset(2*v), kreg[v])
		value := Into(ZMM(), VMOVUPS, b.Offset(64*v))
		VMOVUPS(Into(value, VMOVUPS, a.Offset(64*v), kreg[v]), d.Offset(64*v))
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
		z := Into(ZMM(), VMOVUPS, a.Offset(64*v))
		VCMPPS(operand.U8(predicate), b.Offset(64*v), z, kreg[v])
	}
	keepTruth(n)
}

// turned loads a mask's words, each under the four turns in every group of four lanes.
func turned(m operand.Mem, planes int) (words []V) {
	for p := range planes {
		words = append(words, Into(ZMM(), VBROADCASTI32X4, m.Offset(16*p)))
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
		z := And(l.Offset(64*v), words[0])
		for p := 1; p < planes; p++ {
			VPTERNLOGD(operand.U8(andOr), l.Offset(planeBytes*p+64*v), words[p], z)
		}
		VPTESTMD(z, z, kreg[v])
	}
	keepTruth(n)
}

// cells counts the cells of a vector in the mask.
func cells(v int, words []V, l operand.Mem) (sum V) {
	for p, word := range words {
		count := Of(VPOPCNTD, And(l.Offset(planeBytes*p+64*v), word))
		if p > 0 {
			count = Of(VPADDD, count, sum)
		}
		sum = count
	}
	return sum
}

func (avx512) count(n, planes int) {
	words := turned(mask(reg.RCX), planes)
	l, d := layer(reg.RBX), register("dst", reg.RAX)
	for v := range n {
		VMOVUPS(Of(VCVTDQ2PS, cells(v, words, l)), d.Offset(64*v))
	}
	next()
}

func (avx512) sum(n, planes int) {
	m := mask(reg.RCX)
	words := turned(m, 1)
	all := ZMM()
	if planes > 1 {
		VMOVDQU32(m, all)
	}
	l := layer(reg.RBX)
	weighted()
	weight := operand.Mem{Base: reg.RCX}
	near := Into(ZMM(), VPBROADCASTD, weight.Offset(code.Offset("weight", "near")))
	unit := Into(ZMM(), VBROADCASTSS, weight.Offset(code.Offset("weight", "unit")))
	var sums []V
	for v := range n {
		sums = append(sums, Of(VPMULLD, near, cells(v, words, l)))
	}
	if planes > 1 {
		MOVQ(operand.Mem{Base: reg.RDX}, reg.RCX)
		ADDQ(operand.U8(far("Index")), reg.RDX)
		TESTQ(reg.RCX, reg.RCX)
		JEQ(operand.LabelRef("done"))
		Label("far")
		at := operand.Mem{Base: reg.RDX}
		for v := range n {
			word := Of(VPERMD, all, Into(ZMM(), VMOVDQU32, at.Offset(64*v)))
			VPTESTMD(at.Offset(far("Bit")-far("Index")+64*v), word, kreg[v])
			Into(sums[v], VPADDD, at.Offset(far("Weight")-far("Index")+64*v), sums[v], kreg[v])
		}
		ADDQ(operand.U32(planeBytes), reg.RDX)
		DECQ(reg.RCX)
		JNE(operand.LabelRef("far"))
		Label("done")
	}
	d := register("dst", reg.RAX)
	for v, sum := range sums {
		VMOVUPS(Of(VMULPS, unit, Of(VCVTDQ2PS, sum)), d.Offset(64*v))
	}
	next()
}
