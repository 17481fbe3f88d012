package gp

import (
	"unsafe"

	"clade/gp/internal/x86"
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
	a.Code = make([]byte, 0, 4096)
	starts := make([]uintptr, len(c.programs))
	for i := range c.programs {
		starts[i] = uintptr(len(a.Code))
		if !a.program(&c.programs[i]) {
			return
		}
	}
	c.native = newNative(c, a.Code, starts)
}

// SetChoice sets the questions of Choose, and makes machine code for them all at once, as Assemble
// does for each tree.
func (c *Code) SetChoice(level kernels.Level, asks []Ask) {
	c.asked, c.choice = asks, nil
	if level == kernels.Scalar || len(asks) == 0 {
		return
	}
	a := assembler{temporaries: uint16(c.scalars + len(c.constants))}
	a.Code = make([]byte, 0, 4096)
	starts := make([]uintptr, c.stride)
	for situation := range starts {
		starts[situation] = uintptr(len(a.Code))
		if !a.choice(c, situation) {
			return
		}
	}
	c.choice = newNative(c, a.Code, starts)
}

// Choose is EvalAsks for the questions of SetChoice. It returns the number of the greatest value,
// among equals of the first; no other value is above that of number 0 if it is NaN.
func (c *Code) Choose(situation, turned int, f *Frame, values []float32) (best int) {
	if c.choice != nil {
		return c.choice.choose(c, situation, turned, f, values)
	}
	c.EvalAsks(c.asked, situation, turned, f, values)
	for i := range c.asked {
		if values[i] > values[best] {
			best = i
		}
	}
	return best
}

// assembler writes the machine code of programs. That of a tree computes its value in one lane.
// native_linux_amd64.s calls it with the address of the lane's registers in SI, of the frame in DI,
// of the lane's masks in R8, of the frame's truths in R9, and with the lane in CX. It returns the
// value in X0, and changes AX, DX and X0 to X14.
type assembler struct {
	x86.Assembler
	temporaries uint16 // the number of a program's first
}

// choice appends code that asks all questions in a situation. It is called with the quarter turns
// in R13, the addresses of registers in R14, of masks in R15 and of values in R10, and with 0 in BX
// and R11, and 3 in R12. It returns the number of the greatest value in R11.
func (a *assembler) choice(c *Code, situation int) bool {
	a.AVX(x86.XorBits, zero, zero, zero.Operand())
	turns := uint64(Lanes) // of the lane that is set up
	for i, ask := range c.asked {
		p := &c.programs[int(ask.slot)*c.stride+situation]
		constant := len(p.code) == 0 && int(p.result) >= c.scalars // in all lanes
		if i == 0 || !constant && ask.turns != turns {
			turns = ask.turns
			a.lane(int(turns))
		}
		if !a.body(p) {
			return false
		}
		v := a.loaded(p.result, scratch)
		a.AVX(x86.Store, v, 0, x86.R10.At(i*int(unsafe.Sizeof(float32(0)))))
		if i == 0 {
			a.AVX(x86.MoveAll, best, 0, v.Operand())
			continue
		}
		a.General(x86.Address, x86.AX, x86.BX.At(i))
		a.AVX(x86.Compare, v, 0, best.Operand())
		a.General(x86.MoveAbove, x86.R11, x86.AX.Operand())
		a.AVX(x86.Greater, best, v, best.Operand()) // best, where one is NaN
	}
	a.Return()
	return true
}

// lane appends what sets up the lane of some turns more.
func (a *assembler) lane(turns int) {
	a.General(x86.Address, x86.CX, x86.R13.At(turns))
	a.General(x86.And, x86.CX, x86.R12.Operand())
	for _, to := range []struct {
		address, base x86.General
		shift         byte // of the bytes of a lane
	}{{x86.SI, x86.R14, 2}, {x86.R8, x86.R15, 4}} {
		a.General(x86.Load, to.address, x86.CX.Operand())
		a.Shift(to.address, to.shift)
		a.General(x86.Add, to.address, to.base.Operand())
	}
}

// Vector registers. Those below are temporaries; where there are too few, the others are where the
// interpreter has them.
const (
	zero    = 11 + x86.Vector(iota)
	scratch // of an instruction's first operand, and of its result
	scratchB
	blendMask
	best // of a choice
)

// program appends the code of a program. It returns false where there is an instruction that it
// does not know.
func (a *assembler) program(p *program) bool {
	a.AVX(x86.XorBits, zero, zero, zero.Operand())
	known := a.body(p)
	a.AVX(x86.MoveAll, 0, 0, a.loaded(p.result, scratch).Operand())
	a.Return()
	return known
}

// body appends the instructions of a program.
func (a *assembler) body(p *program) bool {
	starts := make([]int, len(p.code)+1)
	type jump struct{ from, to int }
	var jumps []jump
	for i := range p.code {
		in := &p.code[i]
		starts[i] = len(a.Code)
		switch in.op {
		case opSkipNone, opSkipAll:
			c := x86.Equal
			if in.op == opSkipAll {
				c = x86.Unequal
			}
			a.General(x86.LoadByte, x86.AX, truth(in.c))
			a.General(x86.Test, x86.AX, x86.AX.Operand())
			jumps = append(jumps, jump{a.Jump(c), i + 1 + int(in.a)})
		default:
			if !a.instruction(in) {
				return false
			}
		}
	}
	starts[len(p.code)] = len(a.Code)
	for _, j := range jumps {
		a.Land(j.from, starts[j.to])
	}
	return true
}

// instruction appends the code of one that is not a skip.
func (a *assembler) instruction(in *instruction) bool {
	switch in.op {
	case opAdd:
		a.arithmetic(x86.AddFloat, in)
	case opSub:
		a.arithmetic(x86.SubFloat, in)
	case opMul:
		a.arithmetic(x86.MulFloat, in)
	case opBlend:
		first, second := a.loaded(in.a, scratch), a.loaded(in.b, scratchB)
		a.General(x86.LoadByte, x86.AX, truth(in.c))
		a.Negate(x86.AX)
		a.AVX(x86.FromBits, blendMask, 0, x86.AX.Operand())
		dst := a.target(in.dst)
		a.Blend(dst, second, first, blendMask)
		a.store(in.dst)
	case opCount, opNearCount:
		a.cells(x86.AX, in, 0)
		a.General(x86.Count, x86.AX, x86.AX.Operand())
		a.cells(x86.DX, in, 1)
		a.General(x86.Count, x86.DX, x86.DX.Operand())
		a.General(x86.Add, x86.AX, x86.DX.Operand())
		a.AVX(x86.FromInt, a.target(in.dst), zero, x86.AX.Operand())
		a.store(in.dst)
	case opAny, opNearAny:
		a.cells(x86.AX, in, 0)
		a.cells(x86.DX, in, 1)
		a.General(x86.Or, x86.AX, x86.DX.Operand())
		a.Set(x86.Unequal, truth(in.dst))
	case opSmaller: // the second is above; a NaN never is
		a.AVX(x86.Compare, a.loaded(in.b, scratch), 0, a.float(in.a))
		a.Set(x86.Above, truth(in.dst))
	case opEqual:
		a.AVX(x86.Compare, a.loaded(in.a, scratch), 0, a.float(in.b))
		a.Set(x86.Equal, x86.AX.Operand())
		a.Set(x86.Ordered, x86.DX.Operand())
		a.logic(x86.And, in.dst)
	case opAnd:
		a.truths(in)
		a.logic(x86.And, in.dst)
	case opOr:
		a.truths(in)
		a.logic(x86.Or, in.dst)
	case opNot:
		a.General(x86.LoadByte, x86.AX, truth(in.a))
		a.General(x86.Test, x86.AX, x86.AX.Operand())
		a.Set(x86.Equal, truth(in.dst))
	case opFlag:
		flags := int(unsafe.Offsetof(Frame{}.Flags))
		a.General(x86.LoadByte, x86.AX, x86.DI.At(flags+int(in.a)))
		a.General(x86.Bit, x86.CX, x86.AX.Operand())
		a.Set(x86.Carry, truth(in.dst))
	default:
		return false
	}
	return true
}

func (a *assembler) arithmetic(op x86.AVX, in *instruction) {
	first := a.loaded(in.a, scratch)
	a.AVX(op, a.target(in.dst), first, a.float(in.b))
	a.store(in.dst)
}

// truths loads two truth values, for logic.
func (a *assembler) truths(in *instruction) {
	a.General(x86.LoadByte, x86.AX, truth(in.a))
	a.General(x86.LoadByte, x86.DX, truth(in.b))
}

func (a *assembler) logic(op x86.Op, dst uint16) {
	a.General(op, x86.AX, x86.DX.Operand())
	a.General(x86.StoreByte, x86.AX, truth(dst))
}

// float returns where the value of a float register is.
func (a *assembler) float(r uint16) x86.Operand {
	if v := int(r) - int(a.temporaries); v >= 0 && v < int(zero) {
		return x86.Vector(v).Operand()
	}
	return x86.SI.At(int(r) * int(unsafe.Sizeof(Quad{})))
}

// loaded returns the vector register of a value, which is the given one if the value is in memory.
func (a *assembler) loaded(r uint16, in x86.Vector) x86.Vector {
	o := a.float(r)
	if v, ok := o.Vector(); ok {
		return v
	}
	a.AVX(x86.Move, in, 0, o)
	return in
}

// target returns the vector register in which to compute a value; store must follow.
func (a *assembler) target(r uint16) x86.Vector {
	if v, ok := a.float(r).Vector(); ok {
		return v
	}
	return scratch
}

// store puts what was computed into memory, if the value is there.
func (a *assembler) store(r uint16) {
	if o := a.float(r); a.target(r) == scratch {
		a.AVX(x86.Store, scratch, 0, o)
	}
}

// truth returns where a truth register is.
func truth(r uint16) x86.Operand { return x86.R9.At(int(r)) }

// cells loads one half of the cells of an instruction's layer that are in its mask.
func (a *assembler) cells(dst x86.General, in *instruction, half int) {
	const word = int(unsafe.Sizeof(uint64(0)))
	layer := int(unsafe.Offsetof(Frame{}.Layers)) + int(in.a)*int(unsafe.Sizeof(Bits{}))
	mask := int(in.b) * int(unsafe.Sizeof([Lanes]Bits{}))
	a.General(x86.Load, dst, x86.DI.At(layer+half*word))
	a.General(x86.And, dst, x86.R8.At(mask+half*word))
}
