package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/ground"
)

// rows are those of a field, eight in a vector.
type rows [4]reg.VecVirtual

func (f *rows) load(from reg.Register) {
	for i := range f {
		f[i] = ground.Loaded(at(from, 32*i))
	}
}

// between returns the second half of each vector beside the first half of the next.
func (f *rows) between() (b [5]reg.VecVirtual) {
	for i := range b {
		b[i] = YMM()
	}
	VPERM2I128(operand.U8(0x08), f[0], f[0], b[0])
	for i := 1; i < 4; i++ {
		VPERM2I128(operand.U8(0x21), f[i], f[i-1], b[i])
	}
	VPERM2I128(operand.U8(0x81), f[3], f[3], b[4])
	return b
}

// above returns the cells above and below those of a vector.
func (f *rows) above(i int, between [5]reg.VecVirtual) reg.VecVirtual {
	up, down := YMM(), YMM()
	VPALIGNR(operand.U8(12), between[i], f[i], up)
	VPALIGNR(operand.U8(4), f[i], between[i+1], down)
	VPOR(down, up, up)
	return up
}

// beside returns the cells to the left and right.
func (f *rows) beside(i int) reg.VecVirtual {
	left, right := YMM(), YMM()
	VPSLLD(operand.U8(1), f[i], left)
	VPSRLD(operand.U8(1), f[i], right)
	VPOR(right, left, left)
	return left
}

// add adds the cells that may be reached among others, and says which are new.
func (f *rows) add(i int, may operand.Op, cells, more reg.VecVirtual) {
	VPAND(may, cells, cells)
	VPANDN(cells, f[i], cells)
	VPOR(cells, f[i], f[i])
	VPOR(cells, more, more)
}

func (f *rows) store(to reg.Register) {
	for i, y := range f {
		VMOVDQU(y, at(to, 32*i))
	}
	VZEROUPPER()
}

// spread2 is spread by AVX2.
func spread2() {
	TEXT("spreadAVX2", NOSPLIT, "func(reached, free, goals *uint64) (steps int64)")
	reached, free, goals := Load(Param("reached"), GP64()), Load(Param("free"), GP64()),
		Load(Param("goals"), GP64())
	var f rows
	f.load(reached)
	steps, met, more := GP64(), YMM(), YMM()
	XORQ(steps, steps)
	VPXOR(met, met, met)
	meet := func(i int) {
		t := YMM()
		VPAND(at(goals, 32*i), f[i], t)
		VPOR(t, met, met)
	}
	for i := range f {
		meet(i)
	}
	Label("step")
	VPTEST(met, met)
	JNE(operand.LabelRef("ended"))
	INCQ(steps)
	VPXOR(more, more, more)
	between := f.between()
	for i := range f {
		cells, beside := f.above(i, between), f.beside(i)
		VPOR(beside, cells, cells)
		may := ground.Loaded(at(free, 32*i))
		VPOR(at(goals, 32*i), may, may)
		f.add(i, may, cells, more)
		meet(i)
	}
	VPTEST(more, more)
	JNE(operand.LabelRef("step"))
	MOVQ(operand.I32(code.Const("unreachable")), steps)
	Label("ended")
	f.store(reached)
	Store(steps, Return("steps"))
	RET()
}

// flood2 adds all that spread adds without goals, along rows first.
func flood2() {
	TEXT("floodAVX2", NOSPLIT, "func(reached, free *uint64)")
	reached, free := Load(Param("reached"), GP64()), Load(Param("free"), GP64())
	var f rows
	f.load(reached)
	more := YMM()
	Label("pass")
	VPXOR(more, more, more)
	for i := range f {
		f.add(i, at(free, 32*i), f.beside(i), more)
	}
	between := f.between()
	for i := range f {
		f.add(i, at(free, 32*i), f.above(i, between), more)
	}
	VPTEST(more, more)
	JNE(operand.LabelRef("pass"))
	f.store(reached)
	RET()
}
