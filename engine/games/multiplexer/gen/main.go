// Command gen writes the assembly of package multiplexer with avo. It is a module of its own, so
// that clade does not depend on avo.
//
// Every node of a tree is the choice b where a, else c between tables, so that the loop has no
// other branch than its end.
package main

import (
	"math/bits"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/layout"
)

// code is package multiplexer, from which all offsets and sizes come.
var code = layout.Load("..")

var (
	nodeBytes  = code.Size("gp.Node")
	tableBytes = code.Const("tableBytes")
	firstSlot  = code.Const("firstSlot")
	ruleShift  = bits.TrailingZeros(uint(code.Size("rule"))) // a power of two
)

func main() {
	kernel("kernelAVX512", "kernelAVX512 is runPlain for processors with AVX-512 F.", choose512)
	kernel("kernelAVX2", "kernelAVX2 is runPlain for processors with AVX2.", choose2)
	Generate()
}

// kernel writes a loop over the nodes of a tree, from the last one on, which it is given. There
// must be one at least. The stack's uppermost value is in registers and in memory.
func kernel(name, doc string, choose func(b, c, top operand.Mem)) {
	TEXT(name, attr.NOSPLIT, "func(last *uint8, n int, tables *uint64, rules *int64)")
	Doc(doc)
	Pragma("noescape")
	node, n, tables, rules := Load(Param("last"), GP64()), Load(Param("n"), GP64()),
		Load(Param("tables"), GP64()), Load(Param("rules"), GP64())
	top := GP64() // bytes behind tables
	MOVQ(operand.U32((firstSlot-1)*tableBytes), top)
	Label("next")
	rule := GP64()
	MOVBLZX(operand.Mem{Base: node}, rule.As32())
	SHLQ(operand.U8(ruleShift), rule)
	ADDQ(rules, rule)
	at := func(field string) operand.Mem {
		from := code.Offset("rule", field)
		i := GP64()
		MOVQ(operand.Mem{Base: rule, Disp: from + code.Offset("operand", "mask")}, i)
		ANDQ(top, i)
		ADDQ(operand.Mem{Base: rule, Disp: from + code.Offset("operand", "offset")}, i)
		return operand.Mem{Base: tables, Index: i, Scale: 1}
	}
	b, c := at("b"), at("c")
	ADDQ(operand.Mem{Base: rule, Disp: code.Offset("rule", "grow")}, top)
	choose(b, c, operand.Mem{Base: tables, Index: top, Scale: 1})
	SUBQ(operand.U8(nodeBytes), node)
	DECQ(n)
	JNE(operand.LabelRef("next"))
	VZEROUPPER()
	RET()
}

func choose512(b, c, top operand.Mem) {
	for i, a := range []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3} {
		x := reg.Z4
		VMOVDQU64(b.Offset(64*i), x)
		VPTERNLOGQ(operand.U8(0xca), c.Offset(64*i), x, a)
		VMOVDQU64(a, top.Offset(64*i))
	}
}

func choose2(b, c, top operand.Mem) {
	for i, a := range []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6,
		reg.Y7} {
		x, y := reg.Y8, reg.Y9
		VMOVDQU(c.Offset(32*i), x)
		VPXOR(b.Offset(32*i), x, y)
		VPAND(a, y, y)
		VPXOR(x, y, a)
		VMOVDQU(a, top.Offset(32*i))
	}
}
