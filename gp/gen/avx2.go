package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// avx2 handles a vector of 16 lanes as two halves.
type avx2 struct{}

func (avx2) name() string { return "AVX2" }

var ymm = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8,
	reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}

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

func (avx2) arithmetic(n int, op func(b, a, dst operand.Op)) {
	a, b, d := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX)
	for h := range 2 * n {
		VMOVUPS(a.Offset(32*h), ymm[h])
		op(b.Offset(32*h), ymm[h], ymm[h])
		VMOVUPS(ymm[h], d.Offset(32*h))
	}
	next()
}

func (avx2) blend(n int) {
	a, b, d, c := register("a", reg.RBX), register("b", reg.RCX), register("dst", reg.RAX),
		truth("c", reg.RDX)
	word := reg.Y15
	for h := range 2 * n {
		if h%4 == 0 {
			VPBROADCASTD(c.Offset(h), word)
		}
		take, value := ymm[8+h%4], ymm[h]
		VPAND(bitsOf[h%4](), word, take)
		VPCMPEQD(bitsOf[h%4](), take, take)
		VMOVUPS(b.Offset(32*h), value)
		VBLENDVPS(take, a.Offset(32*h), value, value)
		VMOVUPS(value, d.Offset(32*h))
	}
	next()
}

// keepTruth2 stores the signs of the lanes, or their opposites, as one word.
func keepTruth2(n int, opposite bool) {
	parts := []reg.GPPhysical{reg.RBX, reg.RCX}
	for h := range 2 * n {
		part := parts[h&1]
		if h == 0 {
			part = reg.RDX
		}
		VMOVMSKPS(ymm[h], part.As32())
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
	for h := range 2 * n {
		VMOVUPS(a.Offset(32*h), ymm[h])
		VCMPPS(operand.U8(predicate), b.Offset(32*h), ymm[h], ymm[h])
	}
	keepTruth2(n, false)
}

// turned2 loads words of a mask, each under the four turns in every group of four lanes.
func turned2(m operand.Mem, planes int) []reg.VecPhysical {
	words := ymm[8 : 8+planes]
	for p, y := range words {
		VBROADCASTI128(m.Offset(16*p), y)
	}
	return words
}

func (avx2) anyOf(n, planes int) {
	words := turned2(mask(reg.RCX), planes)
	l := layer(reg.RBX)
	zero, t := reg.Y15, reg.Y14
	VPXOR(zero, zero, zero)
	for h := range 2 * n {
		y := ymm[h]
		VPAND(l.Offset(32*h), words[0], y)
		for p := 1; p < planes; p++ {
			VPAND(l.Offset(planeBytes*p+32*h), words[p], t)
			VPOR(t, y, y)
		}
		VPCMPEQD(zero, y, y)
	}
	keepTruth2(n, true)
}

// cells2 counts the cells of half a vector in the mask into y: by nibbles in each byte, and then
// over the bytes of a word.
func cells2(h int, words []reg.VecPhysical, l operand.Mem, y reg.VecPhysical) {
	ones, low, t, u := reg.Y15, reg.Y14, reg.Y13, reg.Y12
	for p, word := range words {
		VPAND(l.Offset(planeBytes*p+32*h), word, t)
		VPAND(low, t, u)
		VPSRLD(operand.U8(4), t, t)
		VPAND(low, t, t)
		VPSHUFB(u, ones, u)
		VPSHUFB(t, ones, t)
		if p == 0 {
			VPADDB(t, u, y)
			continue
		}
		VPADDB(t, u, u)
		VPADDB(u, y, y)
	}
	VPMADDUBSW(bytesOf1(), y, y)
	VPMADDWD(wordsOf1(), y, y)
}

func countConstants() {
	VMOVDQU(onesOf(), reg.Y15)
	VMOVDQU(lowNibbles(), reg.Y14)
}

func (avx2) count(n, planes int) {
	countConstants()
	words := turned2(mask(reg.RCX), planes)
	l, d := layer(reg.RBX), register("dst", reg.RAX)
	for h := range 2 * n {
		y := ymm[h]
		cells2(h, words, l, y)
		VCVTDQ2PS(y, y)
		VMOVUPS(y, d.Offset(32*h))
	}
	next()
}

func (avx2) sum(n, planes int) {
	countConstants()
	m := mask(reg.RCX)
	words := turned2(m, 1)
	l := layer(reg.RBX)
	near, unit := reg.Y11, reg.Y10
	weighted()
	VPBROADCASTD(operand.Mem{Base: reg.RCX, Disp: code.Offset("weight", "near")}, near)
	for h := range 2 * n {
		cells2(h, words, l, ymm[h])
		VPMULLD(near, ymm[h], ymm[h])
	}
	VBROADCASTSS(operand.Mem{Base: reg.RCX, Disp: code.Offset("weight", "unit")}, unit)
	if planes > 1 {
		low, high := reg.Y15, reg.Y14
		mask(reg.RCX)
		VMOVDQU(m, low)
		VMOVDQU(m.Offset(32), high)
		MOVQ(operand.Mem{Base: reg.RDX}, reg.RCX)
		ADDQ(operand.U8(far("Index")), reg.RDX)
		TESTQ(reg.RCX, reg.RCX)
		JEQ(operand.LabelRef("done"))
		Label("far")
		at := operand.Mem{Base: reg.RDX}
		index, word, other := reg.Y13, reg.Y12, reg.Y11
		for h := range 2 * n {
			VMOVDQU(at.Offset(32*h), index)
			VPERMD(low, index, word)
			VPERMD(high, index, other)
			VPSLLD(operand.U8(28), index, index)
			VBLENDVPS(index, other, word, word)
			bit := at.Offset(far("Bit") - far("Index") + 32*h)
			VPAND(bit, word, word)
			VPCMPEQD(bit, word, word)
			VPAND(at.Offset(far("Weight")-far("Index")+32*h), word, word)
			VPADDD(word, ymm[h], ymm[h])
		}
		ADDQ(operand.U32(planeBytes), reg.RDX)
		DECQ(reg.RCX)
		JNE(operand.LabelRef("far"))
		Label("done")
	}
	d := register("dst", reg.RAX)
	for h := range 2 * n {
		VCVTDQ2PS(ymm[h], ymm[h])
		VMULPS(unit, ymm[h], ymm[h])
		VMOVUPS(ymm[h], d.Offset(32*h))
	}
	next()
}
