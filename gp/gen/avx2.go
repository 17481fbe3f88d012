package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// avx2 handles a vector of 16 lanes as two halves.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

// onesOf is the number of ones in a nibble, by nibble.
func onesOf() operand.Mem {
	return numbers.Words("ones_of", 8, func(i int) uint32 {
		return [...]uint32{0x02010100, 0x03020201, 0x03020201, 0x04030302}[i&3]
	})
}

// bitsOf is the lane's bit in a word of 32 lanes, by half.
func bitsOf(half int) operand.Mem {
	return numbers.Words(fmt.Sprint("bits_of_", half), 8,
		func(i int) uint32 { return 1 << (8*half + i) })
}

func (avx2) arithmetic(n int, op any) {
	a, b, d := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX)
	for at := 0; at < 64*n; at += 32 {
		VMOVUPS(Of(op, b.Offset(at), Into(YMM(), VMOVUPS, a.Offset(at))), d.Offset(at))
	}
	next()
}

func (avx2) blend(n int) {
	a, b, d, c := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX),
		truth("c", reg.RDX)
	word := YMM()
	for h := range 2 * n {
		if h%4 == 0 {
			VPBROADCASTD(c.Offset(h), word)
		}
		take := Of(VPCMPEQD, bitsOf(h%4), And(bitsOf(h%4), word))
		value := Into(YMM(), VMOVUPS, b.Offset(32*h))
		VMOVUPS(Of(VBLENDVPS, take, a.Offset(32*h), value), d.Offset(32*h))
	}
	next()
}

// keepTruth2 stores the signs of the lanes, or their opposites, as one word.
func keepTruth2(halves []V, opposite bool) {
	parts := []reg.GPPhysical{reg.RBX, reg.RCX}
	for h, y := range halves {
		part := parts[h&1]
		if h == 0 {
			part = reg.RDX
		}
		VMOVMSKPS(y, part.As32())
		if h > 0 {
			SHLQ(operand.U8(8*h), part)
			ORQ(part, reg.RDX)
		}
	}
	if opposite {
		NOTQ(reg.RDX)
	}
	MOVQ(reg.RDX, truth("dst", reg.RAX))
	next()
}

func (avx2) compare(n int, predicate uint8) {
	a, b := register("a", reg.RBX), register("b", reg.RCX)
	var halves []V
	for at := 0; at < 64*n; at += 32 {
		y := Into(YMM(), VMOVUPS, a.Offset(at))
		halves = append(halves, Of(VCMPPS, int(predicate), b.Offset(at), y))
	}
	keepTruth2(halves, false)
}

// turned2 loads words of a mask, each under the four turns in every group of four lanes.
func turned2(m operand.Mem, planes int) (words []V) {
	for p := range planes {
		words = append(words, Into(YMM(), VBROADCASTI128, m.Offset(16*p)))
	}
	return words
}

func (avx2) anyOf(n, planes int) {
	words := turned2(mask(reg.RCX), planes)
	l := layer(reg.RBX)
	zero, halves := YMM(), []V(nil)
	VPXOR(zero, zero, zero)
	for h := range 2 * n {
		y := And(l.Offset(32*h), words[0])
		for p := 1; p < planes; p++ {
			y = Or(And(l.Offset(planeBytes*p+32*h), words[p]), y)
		}
		halves = append(halves, Of(VPCMPEQD, zero, y))
	}
	keepTruth2(halves, true)
}

// counting2 is what cells2 needs.
type counting2 struct{ ones, low V }

func newCounting2() counting2 {
	return counting2{Loaded(onesOf()), Loaded(numbers.Each32(0x0f0f0f0f))}
}

// cells2 counts the cells of half a vector in the mask: by nibbles in each byte, and then over the
// bytes of a word.
func (c counting2) cells2(h int, words []V, l operand.Mem) (y V) {
	for p, word := range words {
		t := And(l.Offset(planeBytes*p+32*h), word)
		u := And(c.low, t)
		t = And(c.low, Of(VPSRLD, 4, t))
		u = Of(VPSHUFB, u, c.ones)
		u = Of(VPADDB, Of(VPSHUFB, t, c.ones), u)
		if p > 0 {
			u = Of(VPADDB, u, y)
		}
		y = u
	}
	y = Of(VPMADDUBSW, numbers.Each32(0x01010101), y)
	return Of(VPMADDWD, numbers.Each32(0x00010001), y)
}

func (avx2) count(n, planes int) {
	c := newCounting2()
	words := turned2(mask(reg.RCX), planes)
	l, d := layer(reg.RBX), register("dst", reg.RAX)
	for h := range 2 * n {
		VMOVUPS(Of(VCVTDQ2PS, c.cells2(h, words, l)), d.Offset(32*h))
	}
	next()
}

func (avx2) sum(n, planes int) {
	c := newCounting2()
	m := mask(reg.RCX)
	words := turned2(m, 1)
	l := layer(reg.RBX)
	weighted()
	weight := operand.Mem{Base: reg.RCX}
	near := Into(YMM(), VPBROADCASTD, weight.Offset(code.Offset("weight", "near")))
	var sums []V
	for h := range 2 * n {
		sums = append(sums, Of(VPMULLD, near, c.cells2(h, words, l)))
	}
	unit := Into(YMM(), VBROADCASTSS, weight.Offset(code.Offset("weight", "unit")))
	if planes > 1 {
		mask(reg.RCX)
		low, high := Loaded(m), Loaded(m.Offset(32))
		MOVQ(operand.Mem{Base: reg.RDX}, reg.RCX)
		ADDQ(operand.U8(far("Index")), reg.RDX)
		TESTQ(reg.RCX, reg.RCX)
		JEQ(operand.LabelRef("done"))
		Label("far")
		at := operand.Mem{Base: reg.RDX}
		for h := range 2 * n {
			index := Loaded(at.Offset(32 * h))
			word, other := Of(VPERMD, low, index), Of(VPERMD, high, index)
			word = Of(VBLENDVPS, Of(VPSLLD, 28, index), other, word)
			bit := at.Offset(far("Bit") - far("Index") + 32*h)
			counts := Of(VPCMPEQD, bit, And(bit, word))
			counts = And(at.Offset(far("Weight")-far("Index")+32*h), counts)
			Into(sums[h], VPADDD, counts, sums[h])
		}
		ADDQ(operand.U32(planeBytes), reg.RDX)
		DECQ(reg.RCX)
		JNE(operand.LabelRef("far"))
		Label("done")
	}
	d := register("dst", reg.RAX)
	for h, sum := range sums {
		VMOVUPS(Of(VMULPS, unit, Of(VCVTDQ2PS, sum)), d.Offset(32*h))
	}
	next()
}
