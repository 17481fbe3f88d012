// Command gen writes the assembly of package multiplexer with avo. It is a module of its own, so that clade does not depend on avo.
//
// Every instruction of a program is the choice d = b where a, else c between tables, so that the loop has no other branch than its end.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Layout of the data, as package multiplexer has it.
const (
	instructionBytes = 8
	fieldA           = 2
	fieldB           = 4
	fieldC           = 6

	tableBytes = 256
	tableShift = 8
	firstTemp  = 13 // the register of the first instruction
)

func main() {
	kernel("runAVX512", "runAVX512 is runPlain for processors with AVX-512 F.", choose512)
	kernel("runAVX2", "runAVX2 is runPlain for processors with AVX2.", choose2)
	Generate()
}

// kernel writes a loop over the instructions of a program. There must be one at least.
func kernel(name, doc string, choose func(a, b, c, d operand.Mem)) {
	TEXT(name, attr.NOSPLIT, "func(code *uint16, n int, tables *uint64)")
	Doc(doc)
	Pragma("noescape")
	code, n, tables := Load(Param("code"), GP64()), Load(Param("n"), GP64()), Load(Param("tables"), GP64())
	d := GP64()
	LEAQ(operand.Mem{Base: tables, Disp: firstTemp * tableBytes}, d)
	at := func(field int) operand.Mem {
		i := GP64()
		MOVWLZX(operand.Mem{Base: code, Disp: field}, i.As32())
		SHLQ(operand.U8(tableShift), i)
		return operand.Mem{Base: tables, Index: i, Scale: 1}
	}
	Label("next")
	choose(at(fieldA), at(fieldB), at(fieldC), operand.Mem{Base: d})
	ADDQ(operand.U8(instructionBytes), code)
	ADDQ(operand.U32(tableBytes), d)
	DECQ(n)
	JNE(operand.LabelRef("next"))
	VZEROUPPER()
	RET()
}

func choose512(a, b, c, d operand.Mem) {
	for at := 0; at < tableBytes; at += 64 {
		x, y := ZMM(), ZMM()
		VMOVDQU64(a.Offset(at), x)
		VMOVDQU64(b.Offset(at), y)
		VPTERNLOGQ(operand.U8(0xca), c.Offset(at), y, x)
		VMOVDQU64(x, d.Offset(at))
	}
}

func choose2(a, b, c, d operand.Mem) {
	for at := 0; at < tableBytes; at += 32 {
		x, y := YMM(), YMM()
		VMOVDQU(c.Offset(at), x)
		VPXOR(b.Offset(at), x, y)
		VPAND(a.Offset(at), y, y)
		VPXOR(x, y, y)
		VMOVDQU(y, d.Offset(at))
	}
}
