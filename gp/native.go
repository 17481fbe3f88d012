package gp

import (
	"encoding/binary"
	"unsafe"

	"clade/gp/kernels"
)

// Ask asks for the value of a slot's tree under a number of quarter turns.
type Ask struct{ slot, turns uint64 }

// Ask returns a question. It panics for a slot that there is not.
func (g *Grammar) Ask(slot, turns int) Ask {
	_ = g.Slots[slot]
	return Ask{uint64(slot), uint64(turns & (Lanes - 1))}
}

// EvalAsks sets values to what EvalLane computes for each question, turned further by some quarter
// turns, bit for bit: by machine code where Assemble has made it. It allocates nothing.
func (c *Code) EvalAsks(asks []Ask, situation, turned int, f *Frame, values []float32) {
	if c.native != nil {
		c.native.run(c, asks, situation, turned, f, values)
		return
	}
	for i, a := range asks {
		values[i] = c.EvalLane(int(a.slot), situation, turned+int(a.turns), f)
	}
}

// Assemble translates the programs into machine code for EvalAsks, if the level is not Scalar and
// the system lets a process run what it has written. Code with sums, extremes or Functions stays as
// it is. It must not run beside an evaluation of the same code.
func (c *Code) Assemble(level kernels.Level) {
	if level == kernels.Scalar {
		return
	}
	a := assembler{temporaries: uint16(c.scalars + len(c.constants))}
	starts := make([]uintptr, len(c.programs))
	for i := range c.programs {
		starts[i] = uintptr(len(a.code))
		if !a.program(&c.programs[i]) {
			return
		}
	}
	c.native = newNative(c, a.code, starts)
}

// The machine code of a tree computes its value in one lane. native_linux_amd64.s calls it with the
// address of the lane's registers in SI, of the frame in DI, of the lane's masks in R8, of the
// frame's truths in R9, and with the lane in CX. It returns the value in X0, and changes AX, DX and
// X0 to X15.
//
// Temporaries are in the registers from X0 on; those for which there is none are where the
// interpreter has them.
const (
	laneRegisters general = rSI
	laneMasks     general = r8
	theFrame      general = rDI
	theTruths     general = r9
	theLane       general = rCX

	temporaries        = 12
	zero        vector = 12
	scratch     vector = 13 // of an instruction's first operand, and of its result
	scratchB    vector = 14
	blendMask   vector = 15
)

// program appends the code of a program. It returns false where there is an instruction that it
// does not know.
func (a *assembler) program(p *program) bool {
	a.avx(xorps, zero, zero, zero)
	starts := make([]int, len(p.code)+1)
	type jump struct{ end, target int }
	var jumps []jump
	for i := range p.code {
		in := &p.code[i]
		starts[i] = len(a.code)
		if in.op == opSkipNone || in.op == opSkipAll {
			a.integer(loadByte, rAX, truth(in.c))
			a.integer(test, rAX, rAX)
			a.jump(in.op == opSkipNone)
			jumps = append(jumps, jump{len(a.code), i + 1 + int(in.a)})
		} else if !a.instruction(in) {
			return false
		}
	}
	starts[len(p.code)] = len(a.code)
	for _, j := range jumps {
		binary.LittleEndian.PutUint32(a.code[j.end-4:], uint32(starts[j.target]-j.end))
	}
	a.avx(movaps, 0, 0, a.loaded(p.result, scratch))
	a.ret()
	return true
}

// instruction appends the code of one that is not a skip.
func (a *assembler) instruction(in *instruction) bool {
	switch in.op {
	case opAdd, opSub, opMul:
		first := a.loaded(in.a, scratch)
		a.store(in.dst, func(dst vector) {
			a.avx([...]avxOp{addss, subss, mulss}[in.op-opAdd], dst, first, a.float(in.b))
		})
	case opBlend:
		first, second := a.loaded(in.a, scratch), a.loaded(in.b, scratchB)
		a.integer(loadByte, rAX, truth(in.c))
		a.integer(neg, 3, rAX)
		a.avx(movd, blendMask, 0, rAX)
		a.store(in.dst, func(dst vector) {
			a.avx(blendvps, dst, second, first)
			a.code = append(a.code, byte(blendMask)<<4)
		})
	case opCount, opNearCount:
		a.cells(rAX, in, 0)
		a.integer(popcnt, rAX, rAX)
		a.cells(rDX, in, 1)
		a.integer(popcnt, rDX, rDX)
		a.integer(add, rAX, rDX)
		a.store(in.dst, func(dst vector) { a.avx(cvtsi2ss, dst, zero, rAX) })
	case opAny, opNearAny:
		a.cells(rAX, in, 0)
		a.cells(rDX, in, 1)
		a.integer(or, rAX, rDX)
		a.set(ifUnequal, in.dst)
	case opSmaller: // the other is above: no comparison with a NaN is
		second := a.loaded(in.b, scratch)
		a.avx(ucomiss, second, 0, a.float(in.a))
		a.set(ifAbove, in.dst)
	case opEqual:
		first := a.loaded(in.a, scratch)
		a.avx(ucomiss, first, 0, a.float(in.b))
		a.integer(setcc(ifEqual), 0, rAX)
		a.integer(setcc(ifOrdered), 0, rDX)
		a.integer(and, rAX, rDX)
		a.integer(storeByte, rAX, truth(in.dst))
	case opAnd, opOr:
		a.integer(loadByte, rAX, truth(in.a))
		a.integer(loadByte, rDX, truth(in.b))
		a.integer([...]integerOp{and, or}[in.op-opAnd], rAX, rDX)
		a.integer(storeByte, rAX, truth(in.dst))
	case opNot:
		a.integer(loadByte, rAX, truth(in.a))
		a.integer(test, rAX, rAX)
		a.set(ifEqual, in.dst)
	case opFlag:
		a.integer(loadByte, rAX, memory{theFrame, int(unsafe.Offsetof(Frame{}.Flags)) + int(in.a)})
		a.integer(bt, theLane, rAX)
		a.set(ifCarry, in.dst)
	default:
		return false
	}
	return true
}

// float returns where the value of a float register is.
func (a *assembler) float(r uint16) operand {
	if r >= a.temporaries && r < a.temporaries+temporaries {
		return vector(r - a.temporaries)
	}
	return memory{laneRegisters, int(r) * int(unsafe.Sizeof(Quad{}))}
}

// loaded returns the register that holds a value; it is the given one if the value is in memory.
func (a *assembler) loaded(r uint16, in vector) vector {
	at := a.float(r)
	if v, ok := at.(vector); ok {
		return v
	}
	a.avx(movss, in, 0, at)
	return in
}

// store appends what computes a float register.
func (a *assembler) store(r uint16, compute func(dst vector)) {
	at := a.float(r)
	if v, ok := at.(vector); ok {
		compute(v)
		return
	}
	compute(scratch)
	a.avx(movssTo, scratch, 0, at)
}

// truth returns where a truth register is.
func truth(r uint16) memory { return memory{theTruths, int(r)} }

// set sets a truth register by a condition.
func (a *assembler) set(c condition, r uint16) { a.integer(setcc(c), 0, truth(r)) }

// cells loads one half of the cells of an instruction's layer that are in its mask.
func (a *assembler) cells(dst general, in *instruction, half int) {
	const word = int(unsafe.Sizeof(uint64(0)))
	layer, mask := int(in.a)*int(unsafe.Sizeof(Bits{})), int(in.b)*int(unsafe.Sizeof([Lanes]Bits{}))
	a.integer(load, dst, memory{theFrame, int(unsafe.Offsetof(Frame{}.Layers)) + layer + half*word})
	a.integer(and, dst, memory{laneMasks, mask + half*word})
}
