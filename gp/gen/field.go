package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	. "clade/gp/gen/ground"
)

// rows are those of a field, eight in a vector.
type rows [4]V

func (f *rows) load(from reg.Register) {
	for i := range f {
		f[i] = Loaded(at(from, 32*i))
	}
}

// between returns the second half of each vector beside the first half of the next.
func (f *rows) between() (b [5]V) {
	b[0] = Of(VPERM2I128, 0x08, f[0], f[0])
	for i := 1; i < 4; i++ {
		b[i] = Of(VPERM2I128, 0x21, f[i], f[i-1])
	}
	b[4] = Of(VPERM2I128, 0x81, f[3], f[3])
	return b
}

// above returns the cells above and below those of a vector.
func (f *rows) above(i int, between [5]V) V {
	up := Of(VPALIGNR, 12, between[i], f[i])
	return Or(Of(VPALIGNR, 4, f[i], between[i+1]), up)
}

// beside returns the cells to the left and right.
func (f *rows) beside(i int) V {
	left := Of(VPSLLD, 1, f[i])
	return Or(Of(VPSRLD, 1, f[i]), left)
}

// add adds the cells that may be reached among others, and says which are new.
func (f *rows) add(i int, may operand.Op, cells, more V) {
	added := Without(And(may, cells), f[i])
	Into(f[i], VPOR, added, f[i])
	Into(more, VPOR, added, more)
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
		Into(met, VPOR, And(at(goals, 32*i), f[i]), met)
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
		above := f.above(i, between)
		cells := Or(f.beside(i), above)
		f.add(i, Or(at(goals, 32*i), Loaded(at(free, 32*i))), cells, more)
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
