package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// avx2 handles a vector of 16 lanes as two halves.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

// constant returns a function for the address of a vector of constants, which its first call
// writes.
func constant(name string, word func(lane int) uint32) func() operand.Mem {
	var m *operand.Mem
	return func() operand.Mem {
		if m == nil {
			at := GLOBL(name, attr.RODATA|attr.NOPTR)
			for i := range 8 {
				DATA(4*i, operand.U32(word(i)))
			}
			m = &at
		}
		return *m
	}
}

func same(word uint32) func(int) uint32 { return func(int) uint32 { return word } }

var (
	lowNibbles = constant("low_nibbles", same(0x0f0f0f0f))
	bytesOf1   = constant("bytes_of_1", same(0x01010101))
	wordsOf1   = constant("words_of_1", same(0x00010001))
	// The number of ones in a nibble, by nibble.
	onesOf = constant("ones_of",
		func(i int) uint32 {
			return [...]uint32{0x02010100, 0x03020201, 0x03020201,
				0x04030302}[i&3]
		})
	bitsOf [4]func() operand.Mem // the lane's bit in a word of 32 lanes, by half
)

func init() {
	for half := range bitsOf {
		bitsOf[half] = constant("bits_of_"+string(rune('0'+half)),
			func(i int) uint32 { return 1 << (8*half + i) })
	}
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
		take := Of(VPCMPEQD, bitsOf[h%4](), And(bitsOf[h%4](), word))
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

func newCounting2() counting2 { return counting2{Loaded(onesOf()), Loaded(lowNibbles())} }

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
	return Of(VPMADDWD, wordsOf1(), Of(VPMADDUBSW, bytesOf1(), y))
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
