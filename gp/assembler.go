package gp

import "encoding/binary"

// assembler writes those instructions of x86-64, AVX and POPCNT that Code.Assemble needs, as
// "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, says.
type assembler struct {
	code        []byte
	temporaries uint16 // the number of a program's first temporary
}

// operand is a register or memory.
type operand interface {
	// number of a register: its own, or that of the address.
	number() byte
}

type (
	general byte // a register of 64 bits
	vector  byte // a register of 128 bits
	// memory is at a distance from the address in a register.
	memory struct {
		base     general
		distance int
	}
)

func (r general) number() byte { return byte(r) }
func (r vector) number() byte  { return byte(r) }
func (m memory) number() byte  { return byte(m.base) }

// The registers in use. Address registers other than these may need another encoding.
const (
	rAX general = 0
	rCX general = 1
	rDX general = 2
	rSI general = 6
	rDI general = 7
	r8  general = 8
	r9  general = 9
)

// integerOp is the opcode of an instruction of general registers, its first byte highest. Above it
// stands a prefix.
type integerOp uint32

const (
	load      integerOp = 0x8b
	loadByte  integerOp = 0x0fb6 // with zeros above
	storeByte integerOp = 0x88   // the register into the operand
	add       integerOp = 0x03
	and       integerOp = 0x23
	or        integerOp = 0x0b
	test      integerOp = 0x85
	neg       integerOp = 0xf7   // of the operand; 3 stands for the register
	bt        integerOp = 0x0fa3 // tests the operand's bit of the register's number
	popcnt    integerOp = 0xf30fb8
)

// condition is one of the last comparison.
type condition byte

const (
	ifCarry   condition = 2
	ifEqual   condition = 4
	ifUnequal condition = 5
	ifAbove   condition = 7
	ifOrdered condition = 11
)

// setcc sets a byte of the operand to whether a condition holds.
func setcc(c condition) integerOp { return 0x0f90 + integerOp(c) }

// integer appends an instruction of general registers.
func (a *assembler) integer(op integerOp, reg general, o operand) {
	if prefix := byte(op >> 16); prefix != 0 {
		a.code = append(a.code, prefix)
	}
	a.code = append(a.code, 0x48|byte(reg)>>3<<2|o.number()>>3)
	if page := byte(op >> 8); page != 0 {
		a.code = append(a.code, page)
	}
	a.code = append(a.code, byte(op))
	a.operands(byte(reg), o)
}

// avxOp is the opcode of an AVX instruction, above it the number of its prefix (0, 66, f3) and of
// its page of opcodes (0f, 0f38, 0f3a).
type avxOp uint32

const (
	movss    avxOp = 0x010210
	movssTo  avxOp = 0x010211 // the register into the operand
	movaps   avxOp = 0x010028
	cvtsi2ss avxOp = 0x01022a
	ucomiss  avxOp = 0x01002e
	xorps    avxOp = 0x010057
	addss    avxOp = 0x010258
	mulss    avxOp = 0x010259
	subss    avxOp = 0x01025c
	movd     avxOp = 0x01016e
	blendvps avxOp = 0x03014a // behind it stands the mask's register, times 16
)

// avx appends an instruction of vector registers.
func (a *assembler) avx(op avxOp, dst, first vector, second operand) {
	a.code = append(a.code, 0xc4,
		^byte(dst)>>3<<7|0x40|^second.number()>>3&1<<5|byte(op>>16),
		^byte(first)&15<<3|byte(op>>8), byte(op))
	a.operands(byte(dst), second)
}

// operands appends the bytes that name a register and an operand.
func (a *assembler) operands(reg byte, o operand) {
	fields := reg&7<<3 | o.number()&7
	if m, ok := o.(memory); ok {
		a.code = binary.LittleEndian.AppendUint32(append(a.code, 0x80|fields), uint32(m.distance))
		return
	}
	a.code = append(a.code, 0xc0|fields)
}

// jump appends a jump, to be taken if the last test was of 0 or if it was not. How far it goes
// stands in its last four bytes.
func (a *assembler) jump(ifZero bool) {
	c := ifUnequal
	if ifZero {
		c = ifEqual
	}
	a.code = append(a.code, 0x0f, 0x80+byte(c), 0, 0, 0, 0)
}

// ret appends a return.
func (a *assembler) ret() { a.code = append(a.code, 0xc3) }
