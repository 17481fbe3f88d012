// Package x86 writes machine code: those instructions of x86-64, AVX and POPCNT that programs of
// trees need, as "Intel 64 and IA-32 Architectures Software Developer's Manual", volume 2, says.
package x86

import "encoding/binary"

// General is a register of 64 bits.
type General byte

// The general registers in use. As addresses, others may need another encoding.
const (
	AX  General = 0
	CX  General = 1
	DX  General = 2
	BX  General = 3
	SI  General = 6
	DI  General = 7
	R8  General = 8
	R9  General = 9
	R10 General = 10
	R11 General = 11
	R12 General = 12
	R13 General = 13
	R14 General = 14
	R15 General = 15
)

// Vector is the number of a register of 128 bits.
type Vector byte

// Operand is a register, or memory.
type Operand struct {
	register byte // or that of an address
	memory   bool
	distance int32
}

// Operand returns the register as an operand.
func (r General) Operand() Operand { return Operand{register: byte(r)} }

// Operand returns the register as an operand.
func (r Vector) Operand() Operand { return Operand{register: byte(r)} }

// At returns memory at a distance from the address in the register.
func (r General) At(distance int) Operand { return Operand{byte(r), true, int32(distance)} }

// Vector returns the number of the register that a vector operand is, and false for memory.
func (o Operand) Vector() (Vector, bool) { return Vector(o.register), !o.memory }

// Op is an instruction of general registers: its opcode, above it its page and its prefix. Results
// go to the register unless it says otherwise.
type Op uint32

// The instructions of general registers.
const (
	Load      Op = 0x8b
	LoadByte  Op = 0x0fb6 // with zeros above
	StoreByte Op = 0x88   // into the operand
	Add       Op = 0x03
	And       Op = 0x23
	Or        Op = 0x0b
	Test      Op = 0x85   // whether both have a bit, for conditions
	Bit       Op = 0x0fa3 // the operand's bit of the register's number, for Carry
	Count     Op = 0xf30fb8
	Address   Op = 0x8d   // of the operand, which is memory
	MoveAbove Op = 0x0f47 // if Above
	negate    Op = 0xf7
	shift     Op = 0xc1
	setIf     Op = 0x0f90
)

// Condition is one of the last comparison.
type Condition byte

// The conditions.
const (
	Carry   Condition = 2
	Equal   Condition = 4
	Unequal Condition = 5
	Above   Condition = 7
	Ordered Condition = 11 // no NaN was compared
)

// AVX is an instruction of vector registers: its opcode, above it the numbers of its prefix and of
// its page.
type AVX uint32

// The instructions of vector registers; of single floats where they are not Bits or All.
const (
	Move     AVX = 0x010210
	Store    AVX = 0x010211 // into the operand
	MoveAll  AVX = 0x010028
	FromInt  AVX = 0x01022a // of a general operand
	FromBits AVX = 0x01016e // of a general operand
	Compare  AVX = 0x01002e
	XorBits  AVX = 0x010057
	AddFloat AVX = 0x010258
	MulFloat AVX = 0x010259
	SubFloat AVX = 0x01025c
	Greater  AVX = 0x01025f // the second where neither is above
	blend    AVX = 0x03014a
)

// Assembler holds what was written.
type Assembler struct{ Code []byte }

// General appends an instruction of general registers.
func (a *Assembler) General(op Op, r General, o Operand) {
	if prefix := byte(op >> 16); prefix != 0 {
		a.Code = append(a.Code, prefix)
	}
	a.Code = append(a.Code, 0x48|byte(r)>>3<<2|o.register>>3)
	if page := byte(op >> 8); page != 0 {
		a.Code = append(a.Code, page)
	}
	a.Code = append(a.Code, byte(op))
	a.operands(byte(r), o)
}

// Negate appends a change of sign.
func (a *Assembler) Negate(r General) { a.General(negate, 3, r.Operand()) }

// Shift appends a shift to the left by less than 64.
func (a *Assembler) Shift(r General, by byte) {
	a.General(shift, 4, r.Operand())
	a.Code = append(a.Code, by)
}

// Set appends what sets a byte to 1 if a condition holds, else to 0.
func (a *Assembler) Set(c Condition, o Operand) { a.General(setIf+Op(c), 0, o) }

// AVX appends an instruction of vector registers. Those with one source have 0 for the first.
func (a *Assembler) AVX(op AVX, dst, first Vector, second Operand) {
	a.Code = append(a.Code, 0xc4,
		^byte(dst)>>3<<7|0x40|^second.register>>3&1<<5|byte(op>>16),
		^byte(first)&15<<3|byte(op>>8), byte(op))
	a.operands(byte(dst), second)
}

// Blend appends what takes second where the highest bit of a lane's mask is set, else first.
func (a *Assembler) Blend(dst, first, second, mask Vector) {
	a.AVX(blend, dst, first, second.Operand())
	a.Code = append(a.Code, byte(mask)<<4)
}

// operands appends the bytes that name a register and an operand.
func (a *Assembler) operands(r byte, o Operand) {
	fields := r&7<<3 | o.register&7
	if !o.memory {
		a.Code = append(a.Code, 0xc0|fields)
		return
	}
	a.Code = append(a.Code, 0x80|fields)
	a.Code = binary.LittleEndian.AppendUint32(a.Code, uint32(o.distance))
}

// Jump appends a jump to be taken if a condition holds, for Land.
func (a *Assembler) Jump(c Condition) (from int) {
	a.Code = append(a.Code, 0x0f, 0x80+byte(c), 0, 0, 0, 0)
	return len(a.Code)
}

// Land says where a jump goes.
func (a *Assembler) Land(from, to int) {
	binary.LittleEndian.PutUint32(a.Code[from-4:], uint32(to-from))
}

// Return appends a return.
func (a *Assembler) Return() { a.Code = append(a.Code, 0xc3) }
