package ground

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// V is a vector.
type V = reg.VecVirtual

// Of writes an instruction with a vector of its own for the result, as wide as the widest operand.
// Operands come in the order of Go's assembler; an int is an immediate.
func Of(instruction any, operands ...any) V {
	width := uint(16)
	for _, o := range operands {
		if r, ok := o.(reg.Register); ok {
			width = max(width, r.Size())
		}
	}
	return Into(map[uint]func() V{16: XMM, 32: YMM, 64: ZMM}[width](), instruction, operands...)
}

// Into is Of with a given vector for the result.
func Into(result V, instruction any, operands ...any) V {
	Write(instruction, append(operands, result)...)
	return result
}

// Write writes an instruction that has no result, or has it in memory.
func Write(instruction any, operands ...any) {
	var ops []operand.Op
	for _, o := range operands {
		if n, ok := o.(int); ok {
			o = operand.U8(n)
		}
		ops = append(ops, o.(operand.Op))
	}
	switch write := instruction.(type) {
	case func(...operand.Op):
		write(ops...)
	case func(_, _ operand.Op):
		write(ops[0], ops[1])
	case func(_, _, _ operand.Op):
		write(ops[0], ops[1], ops[2])
	case func(_, _, _, _ operand.Op):
		write(ops[0], ops[1], ops[2], ops[3])
	default:
		panic(fmt.Sprintf("ground: %T is no instruction", instruction))
	}
}

// logic writes an instruction of whole vectors, which for 512 bits has another name.
func logic(narrow func(_, _, _ operand.Op), wide func(...operand.Op), b operand.Op, a V) V {
	if a.Size() == 64 {
		return Of(wide, b, a)
	}
	return Of(narrow, b, a)
}

// And, Or and Xor combine the bits of a vector with those of another operand.
func And(b operand.Op, a V) V { return logic(VPAND, VPANDQ, b, a) }
func Or(b operand.Op, a V) V  { return logic(VPOR, VPORQ, b, a) }
func Xor(b operand.Op, a V) V { return logic(VPXOR, VPXORQ, b, a) }

// Without returns the bits of an operand that are not those of a vector.
func Without(of operand.Op, a V) V { return logic(VPANDN, VPANDNQ, of, a) }

// Signs returns the highest bits of the numbers in a vector, by the instruction for their width.
func Signs(move any, x V) reg.GPVirtual {
	bits := GP32()
	Write(move, x, bits)
	return bits
}

// End ends a kernel.
func End() {
	VZEROUPPER()
	RET()
}
