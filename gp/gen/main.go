// Command gen writes the assembly of the lockstep executor with avo. It is a module of its own, so
// that clade does not depend on avo.
//
// The interpreter is threaded code: every instruction of the register program has a handler for
// each number of vectors, which ends with a jump through the table of handlers to that of the next
// instruction. So a program runs without a call, and the processor predicts each jump by the
// handler that it leaves.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Layout of the data, as package gp has it.
const (
	instructionBytes = 10
	fieldOp          = 0
	fieldDst         = 2
	fieldA           = 4
	fieldB           = 6
	fieldC           = 8

	registerShift = 8  // a register is 64 lanes of 4 bytes
	maskShift     = 6  // planes: 4 words under 4 turns
	layerShift    = 10 // LanePlanes: 4 words of 64 lanes
	planeBytes    = 256

	farIndex  = 64 // offsets in FarCells
	farBit    = farIndex + 16*planeBytes
	farWeight = farBit + 16*planeBytes

	maxVectors = 4
)

// Registers that every handler keeps.
var (
	pc      = reg.R8
	floats  = reg.R9
	truths  = reg.R10
	table   = reg.R11
	masks   = reg.R12
	layers  = reg.R13
	state   = reg.RSI // the machine
	active  = reg.RDI
	scratch = []reg.GPPhysical{reg.RAX, reg.RBX, reg.RCX, reg.RDX}
)

// executor writes the handlers of one set of instructions.
type executor interface {
	name() string
	arithmetic(n int, op func(b, a, dst operand.Op))
	compare(n int, predicate uint8)
	blend(n int)
	anyOf(n, planes int)
	count(n, planes int)
	sum(n, planes int)
}

// handler is what runs one opcode with n vectors. The order of the list is that of the opcodes of
// package gp.
type handler struct {
	name  string
	write func(e executor, n int)
}

var handlers = []handler{
	{"add", func(e executor,
		n int) {
		e.arithmetic(n, func(b, a, d operand.Op) { VADDPS(b, a, d) })
	}},
	{"sub", func(e executor,
		n int) {
		e.arithmetic(n, func(b, a, d operand.Op) { VSUBPS(b, a, d) })
	}},
	{"mul", func(e executor,
		n int) {
		e.arithmetic(n, func(b, a, d operand.Op) { VMULPS(b, a, d) })
	}},
	{"blend", func(e executor, n int) { e.blend(n) }},
	{"count", func(e executor, n int) { e.count(n, 4) }},
	{"sum", func(e executor, n int) { e.sum(n, 4) }},
	{"least", nil},
	{"greatest", nil},
	{"any", func(e executor, n int) { e.anyOf(n, 4) }},
	{"smaller", func(e executor, n int) { e.compare(n, 0x11) }},
	{"equal", func(e executor, n int) { e.compare(n, 0x00) }},
	{"and", func(executor, int) { logic(func(b, a operand.Op) { ANDQ(b, a) }) }},
	{"or", func(executor, int) { logic(func(b, a operand.Op) { ORQ(b, a) }) }},
	{"not", func(executor, int) { not() }},
	{"flag", nil},
	{"skipnone", func(e executor, n int) { skip(false) }},
	{"skipall", func(e executor, n int) { skip(true) }},
	{"nearcount", func(e executor, n int) { e.count(n, 1) }},
	{"nearsum", func(e executor, n int) { e.sum(n, 1) }},
	{"nearany", func(e executor, n int) { e.anyOf(n, 1) }},
	{"end", func(executor, int) { VZEROUPPER(); RET() }},
	{"rowsum", nil},
	{"wordcount", nil},
}

// ending is the handler of opcodes that no program for the executor has.
const ending = "end"

func main() {
	var tables bytes.Buffer
	for _, e := range []executor{avx512{}, avx2{}} {
		run(e)
		for n := 1; n <= maxVectors; n++ {
			for i, h := range handlers {
				at := ((n-1)*len(handlers) + i) * 8
				if h.write == nil {
					h.name = ending
				} else if n == 1 || !shared(h.name) {
					TEXT(symbol(e, h, n), attr.NOSPLIT|attr.NOFRAME, "func()")
					h.write(e, n)
				}
				fmt.Fprintf(&tables, "DATA %s_table<>+%d(SB)/8, $%s<>(SB)\n", e.name(), at,
					symbol(e, h, n))
			}
		}
		fmt.Fprintf(&tables, "GLOBL %s_table<>(SB), RODATA|NOPTR, $%d\n\n", e.name(),
			maxVectors*len(handlers)*8)
	}
	tables.WriteString(solo())
	Generate()
	if err := finish(flag.Lookup("out").Value.String(), tables.Bytes()); err != nil {
		log.Fatal(err)
	}
}

// shared tells whether one handler serves any number of vectors.
func shared(name string) bool {
	switch name {
	case "and", "or", "not", "skipnone", "skipall", "end":
		return true
	}
	return false
}

func symbol(e executor, h handler, n int) string {
	if shared(h.name) {
		return "handler_" + e.name() + "_" + h.name
	}
	return fmt.Sprintf("handler_%s_%s_%d", e.name(), h.name, n)
}

// finish makes the handlers local to the file, since no Go code calls them, and adds the tables,
// which avo cannot write.
func finish(path string, tables []byte) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := bytes.Split(text, []byte("\n"))
	var out [][]byte
	for _, line := range lines {
		if bytes.HasPrefix(line, []byte("// func handler_")) {
			continue
		}
		if bytes.HasPrefix(line, []byte("TEXT ·handler_")) {
			line = bytes.Replace(bytes.Replace(line, []byte("·"), nil, 1), []byte("(SB)"),
				[]byte("<>(SB)"), 1)
		}
		out = append(out, line)
	}
	text = append(bytes.TrimRight(bytes.Join(out, []byte("\n")), "\n"), "\n\n"...)
	return os.WriteFile(path, append(text, append(bytes.TrimRight(tables, "\n"), '\n')...), 0o644)
}

// run is the entry: it loads the registers, finds the handlers for so many vectors and jumps to the
// first.
func run(e executor) {
	enter(e.name())
	MOVQ(operand.Mem{Base: state, Disp: 64}, reg.RAX)
	DECQ(reg.RAX)
	IMUL3Q(operand.U32(len(handlers)*8), reg.RAX, reg.RAX)
	ADDQ(reg.RAX, table)
	start()
}

// enter loads the registers.
func enter(name string) {
	TEXT("run"+name, attr.NOSPLIT|attr.NOFRAME, "func(m *uint64)")
	Load(Param("m"), state)
	for i, r := range []reg.Register{pc, floats, truths, masks, layers} {
		MOVQ(operand.Mem{Base: state, Disp: i * 8}, r)
	}
	MOVQ(operand.Mem{Base: state, Disp: 56}, active)
	Instruction(&ir.Instruction{Opcode: "LEAQ",
		Operands: []operand.Op{operand.Mem{Symbol: operand.Symbol{Name: name + "_table",
			Static: true}, Base: reg.StaticBase}, table}})
}

// start jumps to the first handler.
func start() {
	MOVWLZX(operand.Mem{Base: pc}, reg.EAX)
	jump(reg.RAX)
}

// jump goes to the handler of an opcode.
func jump(opcode reg.Register) {
	to := operand.Mem{Base: table, Index: opcode, Scale: 8}
	Instruction(&ir.Instruction{Opcode: "JMP", Operands: []operand.Op{to}, Inputs: []operand.Op{to},
		IsTerminal: true})
}

// next goes on with the following instruction.
func next() {
	MOVWLZX(operand.Mem{Base: pc, Disp: instructionBytes}, reg.EAX)
	ADDQ(operand.U8(instructionBytes), pc)
	jump(reg.RAX)
}

// field loads a field of the instruction, shifted to the left.
func field(disp, shift int, to reg.GPPhysical) {
	MOVWLZX(operand.Mem{Base: pc, Disp: disp}, to.As32())
	if shift > 0 {
		SHLQ(operand.U8(shift), to)
	}
}

// register returns the place of the register that a field names.
func register(disp int, scratch reg.GPPhysical) operand.Mem {
	field(disp, registerShift, scratch)
	return operand.Mem{Base: floats, Index: scratch, Scale: 1}
}

func truth(disp int, scratch reg.GPPhysical) operand.Mem {
	field(disp, 0, scratch)
	return operand.Mem{Base: truths, Index: scratch, Scale: 8}
}

// mask returns the place of the words of a mask, layer that of the words of the layer.
func mask(scratch reg.GPPhysical) operand.Mem {
	field(fieldB, maskShift, scratch)
	return operand.Mem{Base: masks, Index: scratch, Scale: 1}
}

func layer(scratch reg.GPPhysical) operand.Mem {
	field(fieldA, layerShift, scratch)
	return operand.Mem{Base: layers, Index: scratch, Scale: 1}
}

func logic(op func(b, a operand.Op)) {
	a, b, d := truth(fieldA, reg.RBX), truth(fieldB, reg.RCX), truth(fieldDst, reg.RAX)
	MOVQ(a, reg.RDX)
	op(b, reg.RDX)
	MOVQ(reg.RDX, d)
	next()
}

func not() {
	a, d := truth(fieldA, reg.RBX), truth(fieldDst, reg.RAX)
	MOVQ(a, reg.RDX)
	NOTQ(reg.RDX)
	MOVQ(reg.RDX, d)
	next()
}

// skip goes on behind a branch that no active lane takes.
func skip(all bool) {
	c := truth(fieldC, reg.RAX)
	MOVQ(c, reg.RDX)
	if all {
		NOTQ(reg.RDX)
	}
	TESTQ(active, reg.RDX)
	JNE(operand.LabelRef("taken"))
	field(fieldA, 0, reg.RAX)
	LEAQ(operand.Mem{Base: reg.RAX, Index: reg.RAX, Scale: 4}, reg.RAX)
	LEAQ(operand.Mem{Base: pc, Index: reg.RAX, Scale: 2}, pc)
	Label("taken")
	next()
}

// weighted leaves a pointer to the weight of the layer in RCX and one to its far cells in RDX.
func weighted() {
	field(fieldA, 0, reg.RAX)
	MOVQ(operand.Mem{Base: state, Disp: 40}, reg.RDX)
	MOVQ(operand.Mem{Base: state, Disp: 48}, reg.RCX)
	MOVQ(operand.Mem{Base: reg.RDX, Index: reg.RAX, Scale: 8}, reg.RDX)
	LEAQ(operand.Mem{Base: reg.RCX, Index: reg.RAX, Scale: 8}, reg.RCX)
}
