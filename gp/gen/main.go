// Command gen writes the assembly of the lockstep executor with avo. It is a module of its own, so
// that clade does not depend on avo.
//
// The interpreter is threaded code: every instruction of the register program has a handler for
// each number of vectors, which ends with a jump through the table of handlers to that of the next
// instruction. So a program runs without calls, and the processor predicts each jump from the
// handler in which it is.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"math/bits"
	"os"
	"strings"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"clade/gp/gen/layout"
)

// code is package gp, from which all offsets, sizes and opcodes come.
var code = layout.Load("..")

// Sizes in bytes, and binary logarithms of them.
var (
	instructionBytes = code.Size("instruction")
	registerShift    = log2(code.Size("LaneFloats"))
	maskShift        = log2(code.Size("planes"))
	layerShift       = log2(code.Size("LanePlanes"))
	planeBytes       = code.Size("LaneWords")
	maxVectors       = code.Const("batchLanes") / code.Const("vectorLanes")
)

func log2(size int) int {
	if size&(size-1) != 0 {
		log.Fatalf("gen: %d bytes are not a power of two", size)
	}
	return bits.TrailingZeros(uint(size))
}

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

// executor writes the handlers for one instruction set.
type executor interface {
	name() string
	arithmetic(n int, op any)
	compare(n int, predicate uint8)
	blend(n int)
	anyOf(n, planes int)
	count(n, planes int)
	sum(n, planes int)
}

// handlers holds what writes an opcode's handler for n vectors, by the opcode's constant in package
// gp. Programs for the executor have no other opcodes.
var handlers = map[string]func(e executor, n int){
	"opAdd":       func(e executor, n int) { e.arithmetic(n, VADDPS) },
	"opSub":       func(e executor, n int) { e.arithmetic(n, VSUBPS) },
	"opMul":       func(e executor, n int) { e.arithmetic(n, VMULPS) },
	"opBlend":     func(e executor, n int) { e.blend(n) },
	"opCount":     func(e executor, n int) { e.count(n, 4) },
	"opSum":       func(e executor, n int) { e.sum(n, 4) },
	"opAny":       func(e executor, n int) { e.anyOf(n, 4) },
	"opSmaller":   func(e executor, n int) { e.compare(n, 0x11) },
	"opEqual":     func(e executor, n int) { e.compare(n, 0x00) },
	"opAnd":       func(executor, int) { logic(ANDQ) },
	"opOr":        func(executor, int) { logic(ORQ) },
	"opNot":       func(executor, int) { not() },
	"opFlag":      func(executor, int) { given() },
	"opSkipNone":  func(executor, int) { skip(false) },
	"opSkipAll":   func(executor, int) { skip(true) },
	"opNearCount": func(e executor, n int) { e.count(n, 1) },
	"opNearSum":   func(e executor, n int) { e.sum(n, 1) },
	"opNearAny":   func(e executor, n int) { e.anyOf(n, 1) },
	"opEnd":       func(executor, int) { VZEROUPPER(); RET() },
}

// opcodes lists the opcodes in the order of their numbers.
var opcodes = code.Consts("opcode")[:code.Const("numOpcodes")]

// ending is the opcode whose handler fills the table for opcodes that no program has.
const ending = "opEnd"

func main() {
	var tables bytes.Buffer
	for _, e := range []executor{avx512{}, avx2{}} {
		run(e)
		for n := 1; n <= maxVectors; n++ {
			for i, opcode := range opcodes {
				at := ((n-1)*len(opcodes) + i) * 8
				if write := handlers[opcode]; write == nil {
					opcode = ending
				} else if n == 1 || !shared(opcode) {
					TEXT(symbol(e.name(), opcode, n), attr.NOSPLIT|attr.NOFRAME, "func()")
					write(e, n)
				}
				fmt.Fprintf(&tables, "DATA %s_table<>+%d(SB)/8, $%s<>(SB)\n", e.name(), at,
					symbol(e.name(), opcode, n))
			}
		}
		fmt.Fprintf(&tables, "GLOBL %s_table<>(SB), RODATA|NOPTR, $%d\n\n", e.name(),
			maxVectors*len(opcodes)*8)
	}
	tables.WriteString(solo("Solo", soloHandlers, ""))
	tables.WriteString(solo("Solo2", solo2Handlers, "Solo"))
	for _, kernel := range []func(){look512, look2, enter512, enter2, greatest, spread2, flood2} {
		kernel()
	}
	for opcode := range handlers {
		code.Const(opcode) // fails if it is unknown
	}
	Generate()
	if err := finish(flag.Lookup("out").Value.String(), tables.Bytes()); err != nil {
		log.Fatal(err)
	}
}

// shared tells whether one handler serves any number of vectors.
func shared(opcode string) bool {
	switch opcode {
	case "opAnd", "opOr", "opNot", "opFlag", "opSkipNone", "opSkipAll", "opEnd":
		return true
	}
	return false
}

func symbol(executor, opcode string, n int) string {
	name := "handler_" + executor + "_" + strings.ToLower(opcode[len("op"):])
	if n > 0 && !shared(opcode) {
		name += fmt.Sprintf("_%d", n)
	}
	return name
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

// run writes the entry, which loads the registers, finds the handlers for the number of vectors and
// jumps to the first.
func run(e executor) {
	enter(e.name())
	MOVQ(machine("vectors"), reg.RAX)
	DECQ(reg.RAX)
	IMUL3Q(operand.U32(len(opcodes)*8), reg.RAX, reg.RAX)
	ADDQ(reg.RAX, table)
	start()
}

// enter loads the registers.
func enter(name string) {
	TEXT("run"+name, attr.NOSPLIT|attr.NOFRAME, "func(m *uint64)")
	Load(Param("m"), state)
	MOVQ(machine("code"), pc)
	MOVQ(machine("registers"), floats)
	MOVQ(machine("truths"), truths)
	MOVQ(machine("masks"), masks)
	MOVQ(machine("layers"), layers)
	MOVQ(machine("active"), active)
	Instruction(&ir.Instruction{Opcode: "LEAQ",
		Operands: []operand.Op{operand.Mem{Symbol: operand.Symbol{Name: name + "_table",
			Static: true}, Base: reg.StaticBase}, table}})
}

// machine returns the address of a field of the machine.
func machine(field string) operand.Mem {
	return operand.Mem{Base: state, Disp: code.Offset("machine", field)}
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
func field(name string, shift int, to reg.GPPhysical) {
	MOVWLZX(operand.Mem{Base: pc, Disp: code.Offset("instruction", name)}, to.As32())
	if shift > 0 {
		SHLQ(operand.U8(shift), to)
	}
}

// register returns the address of the register that a field names.
func register(name string, scratch reg.GPPhysical) operand.Mem {
	field(name, registerShift, scratch)
	return operand.Mem{Base: floats, Index: scratch, Scale: 1}
}

func truth(name string, scratch reg.GPPhysical) operand.Mem {
	field(name, 0, scratch)
	return operand.Mem{Base: truths, Index: scratch, Scale: 8}
}

// mask returns the address of the words of a mask, layer that of the words of the layer.
func mask(scratch reg.GPPhysical) operand.Mem {
	field("b", maskShift, scratch)
	return operand.Mem{Base: masks, Index: scratch, Scale: 1}
}

func layer(scratch reg.GPPhysical) operand.Mem {
	field("a", layerShift, scratch)
	return operand.Mem{Base: layers, Index: scratch, Scale: 1}
}

func logic(op func(b, a operand.Op)) {
	a, b, d := truth("a", reg.RBX), truth("b", reg.RCX), truth("dst", reg.RAX)
	MOVQ(a, reg.RDX)
	op(b, reg.RDX)
	MOVQ(reg.RDX, d)
	next()
}

func not() {
	a, d := truth("a", reg.RBX), truth("dst", reg.RAX)
	MOVQ(a, reg.RDX)
	NOTQ(reg.RDX)
	MOVQ(reg.RDX, d)
	next()
}

func given() {
	field("a", 0, reg.RBX)
	MOVQ(machine("flags"), reg.RCX)
	d := truth("dst", reg.RAX)
	MOVQ(operand.Mem{Base: reg.RCX, Index: reg.RBX, Scale: 8}, reg.RDX)
	MOVQ(reg.RDX, d)
	next()
}

// skip jumps over a branch that no active lane takes.
func skip(all bool) {
	c := truth("c", reg.RAX)
	MOVQ(c, reg.RDX)
	if all {
		NOTQ(reg.RDX)
	}
	TESTQ(active, reg.RDX)
	JNE(operand.LabelRef("taken"))
	field("a", 0, reg.RAX)
	LEAQ(operand.Mem{Base: reg.RAX, Index: reg.RAX, Scale: 4}, reg.RAX)
	LEAQ(operand.Mem{Base: pc, Index: reg.RAX, Scale: 2}, pc)
	Label("taken")
	next()
}

// weighted loads the address of the layer's weight into RCX and that of its far cells into RDX.
func weighted() {
	field("a", 0, reg.RAX)
	MOVQ(machine("far"), reg.RDX)
	MOVQ(machine("weights"), reg.RCX)
	MOVQ(operand.Mem{Base: reg.RDX, Index: reg.RAX, Scale: 8}, reg.RDX)
	LEAQ(operand.Mem{Base: reg.RCX, Index: reg.RAX, Scale: 8}, reg.RCX)
}

// far returns the offset of a list of far cells.
func far(list string) int { return code.Offset("FarCells", list) }
