package gp

import (
	"fmt"
	"math"
	"math/bits"
)

// Situation states facts about a frame that a game knows before it evaluates. The compiler makes
// one program for each situation, and leaves out what those facts decide.
type Situation struct {
	Empty   uint16 // set of layers (bit i is layer i) that hold no cell
	Present uint16 // set of single layers that hold their one cell
	// Sets of scalars that are 0 and of flags that do not hold, whatever the turn. A game knows them
	// of all its frames: Holds does not ask.
	Zero, Unset uint64
}

// Holds tells whether the layers of a frame are as the situation says.
func (s Situation) Holds(f *Frame) bool {
	for left := s.Empty; left != 0; left &= left - 1 {
		if !f.Layers[bits.TrailingZeros16(left)].Empty() {
			return false
		}
	}
	for left := s.Present; left != 0; left &= left - 1 {
		if f.Layers[bits.TrailingZeros16(left)].Empty() {
			return false
		}
	}
	return true
}

// Compiler turns genomes into code. It reuses its memory: one goroutine, one compiler.
type Compiler struct {
	g          *Grammar
	situations []Situation
	graph      graph
	code       []instruction
	masks      [][Lanes]Bits
	planes     []planes
	bands      [][Lanes]band
	maskOf     []int32 // by rectangle: its entry in masks + 1
	constants  []float32
	registers  []int32 // by value: its register + 1, 0 while it is not computed on the present path
	computed   []valueID
	plain      []int8 // by value: 1 without a conditional inside, -1 with one, 0 unknown
	temps      int    // registers in use behind the constants
	truths     int
	maxTemps   int
	maxTruths  int
	reads      Reads // of the program that is being finished
}

// NewCompiler returns a compiler for the situations of a game; without any, there is one in which
// nothing is known.
func NewCompiler(g *Grammar, situations ...Situation) *Compiler {
	if len(situations) == 0 {
		situations = []Situation{{}}
	}
	g.makeMasks()
	return &Compiler{g: g, situations: situations, graph: graph{g: g},
		maskOf: make([]int32, len(g.masks))}
}

// Code is a compiled genome: for each slot and situation a linear register program. It is immutable
// and safe for concurrent use.
type Code struct {
	programs  []program // by slot, then situation
	stride    int       // situations
	masks     [][Lanes]Bits
	planes    []planes      // the masks for a Batch
	bands     [][Lanes]band // the masks for Rows
	layers    uint16        // set of the layers that some program reads the weights of
	reads     Reads         // of all programs
	units     [MaxLayers]float32
	constants []float32
	scalars   int
	registers int // in all: scalars, constants, temporaries
	truths    int
	grammar   *Grammar
	native    *native // see Assemble
	asked     []Ask   // see SetChoice
	choice    *native // likewise
}

// Weighs tells whether the code reads the weights of a layer. A game need not fill in weights that
// are not read.
func (c *Code) Weighs(layer int) bool { return c.layers>>layer&1 != 0 }

// Reads holds what is read of a frame: sets of layers, of scalars and of flags, bit i for the one
// of number i.
type Reads struct {
	Layers  uint16
	Scalars uint64
	Flags   uint32
}

// Reads returns what some tree reads.
func (c *Code) Reads() Reads { return c.reads }

// SlotReads returns what a slot's tree reads in a situation.
func (c *Code) SlotReads(slot, situation int) Reads {
	return c.programs[slot*c.stride+situation].reads
}

// program is the code of one tree in one situation.
type program struct {
	code   []instruction // an opEnd stands behind its end
	result uint16
	reads  Reads
}

// instruction is one step: registers, or what the opcode says.
type instruction struct {
	op           opcode
	dst, a, b, c uint16
}

// Operands of the register program. Float registers hold a Quad, truth registers four bits, one a
// lane.
type opcode uint16

const (
	opAdd       opcode = iota // dst = a + b
	opSub                     // dst = a - b
	opMul                     // dst = a * b
	opBlend                   // dst = a where truth c, else b
	opCount                   // dst = cells of layer a in mask b
	opSum                     // dst = weights of layer a in mask b, times the unit
	opLeast                   // dst = least weight of layer a in mask b, times the unit
	opGreatest                // dst = greatest weight of layer a in mask b, times the unit
	opAny                     // truth dst = layer a meets mask b
	opSmaller                 // truth dst = a < b
	opEqual                   // truth dst = a == b
	opAnd                     // truth dst = a and b
	opOr                      // truth dst = a or b
	opNot                     // truth dst = not a
	opFlag                    // truth dst = flag a
	opSkipNone                // where truth c holds in no lane, skip a instructions
	opSkipAll                 // where truth c holds in every lane, skip a instructions
	opNearCount               // as opCount: all cells that count are near the actor
	opNearSum                 // as opSum: all cells that count are near the actor
	opNearAny                 // as opAny: all cells that count are near the actor
	opEnd                     // the program ends
	opRowSum                  // as opSum, of a layer with Rows; only a Solo's kernels have it
	opWordCount               // as opCount, of a window of at most 64 cells; likewise
	// opcodes from here on are Calls, one for each operator: dst = its Function of a, b and c
	numOpcodes
)

// maxNodes is low enough that the numbers of constants and of temporaries cannot meet, see
// constantBase.
const maxNodes = 16000

// Compile checks a genome and compiles it. It refuses genomes that do not fit the grammar, have
// slots of other types than Float or operators without an executor, or have more than 16,000 nodes.
func (c *Compiler) Compile(ge Genome) (*Code, error) {
	if err := c.g.Check(ge); err != nil {
		return nil, err
	}
	if n := ge.Size(); n > maxNodes {
		return nil, fmt.Errorf("gp: the genome has %d nodes; at most %d can be compiled", n, maxNodes)
	}
	for i, t := range ge {
		if s := c.g.Slots[i]; s.Type != Float {
			return nil, fmt.Errorf("gp: slot %q is of type %s; only trees of Floats are compiled",
				s.Name, s.Type)
		}
		for _, n := range t {
			if op := &c.g.Operators[n.Op]; op.Form == Foreign {
				return nil, fmt.Errorf("gp: operator %q has no executor", op.Name)
			}
		}
	}
	c.reset()
	code := &Code{stride: len(c.situations), scalars: c.g.Scalars, grammar: c.g,
		programs: make([]program, 0, len(ge)*len(c.situations))}
	for _, t := range ge {
		for _, s := range c.situations {
			code.programs = append(code.programs, c.compileTree(t, s))
		}
	}
	c.finish(code)
	return code, nil
}

func (c *Compiler) reset() {
	c.code, c.masks, c.planes, c.bands, c.constants = c.code[:0], c.masks[:0], c.planes[:0],
		c.bands[:0], c.constants[:0]
	c.maxTemps, c.maxTruths = 0, 0
	clear(c.maskOf)
}

// finish gives the code memory of its own. While trees are compiled, constants are numbered from
// constantBase and temporaries from tempBase; only now it is known how many constants there are.
func (c *Compiler) finish(code *Code) {
	for l, layer := range c.g.Layers {
		code.units[l] = layer.Unit
	}
	code.masks = append([][Lanes]Bits(nil), c.masks...)
	code.planes = append([]planes(nil), c.planes...)
	code.bands = append([][Lanes]band(nil), c.bands...)
	code.constants = append([]float32(nil), c.constants...)
	code.registers = c.g.Scalars + len(c.constants) + c.maxTemps
	code.truths = c.maxTruths
	all := append([]instruction(nil), c.code...)
	for i := range code.programs {
		p := &code.programs[i]
		n := len(p.code)
		p.code, all = all[:n:n+1], all[n+1:]
		for k := range p.code {
			c.finishInstruction(code, &p.code[k])
		}
		p.result = c.register(p.result)
		p.reads, c.reads = c.reads, Reads{}
		code.reads.Layers |= p.reads.Layers
		code.reads.Scalars |= p.reads.Scalars
		code.reads.Flags |= p.reads.Flags
	}
}

// finishInstruction gives an instruction its final registers.
func (c *Compiler) finishInstruction(code *Code, in *instruction) {
	switch in.op {
	case opAdd, opSub, opMul, opBlend:
		in.dst, in.a, in.b = c.register(in.dst), c.register(in.a), c.register(in.b)
	case opSum, opLeast, opGreatest, opNearSum, opRowSum:
		code.layers |= 1 << in.a
		c.reads.Layers |= 1 << in.a
		in.dst = c.register(in.dst)
	case opCount, opNearCount, opWordCount:
		c.reads.Layers |= 1 << in.a
		in.dst = c.register(in.dst)
	case opAny, opNearAny:
		c.reads.Layers |= 1 << in.a
	case opFlag:
		c.reads.Flags |= 1 << in.a
	case opSmaller, opEqual:
		in.a, in.b = c.register(in.a), c.register(in.b)
	default:
		if in.op >= numOpcodes {
			c.finishCall(in)
		}
	}
}

// finishCall gives the Float arguments and the result of a Function their final registers.
func (c *Compiler) finishCall(in *instruction) {
	op := &c.g.Operators[in.op-numOpcodes]
	if op.Result != Bool {
		in.dst = c.register(in.dst)
	}
	args := [MaxFunctionArgs]*uint16{&in.a, &in.b, &in.c}
	for i, t := range op.Args {
		if t != Bool {
			*args[i] = c.register(*args[i])
		}
	}
}

// Numbers of registers before finish: scalars from 0, constants and temporaries from these.
const (
	constantBase = 0x4000
	tempBase     = 0x8000
)

// register returns the final number of a register, and records that the code reads a scalar.
func (c *Compiler) register(r uint16) uint16 {
	switch {
	case r >= tempBase:
		return r - tempBase + uint16(c.g.Scalars+len(c.constants))
	case r >= constantBase:
		return r - constantBase + uint16(c.g.Scalars)
	default:
		c.reads.Scalars |= 1 << r
		return r
	}
}

func (c *Compiler) compileTree(t Tree, s Situation) program {
	c.graph.reset(s)
	root, _ := c.graph.build(t)
	n := len(c.graph.values)
	c.registers = append(c.registers[:0], make([]int32, n)...)
	c.plain = append(c.plain[:0], make([]int8, n)...)
	c.computed = c.computed[:0]
	c.temps, c.truths = 0, 0
	start := len(c.code)
	result := c.emit(root)
	end := len(c.code)
	c.code = append(c.code, instruction{op: opEnd})
	return program{code: c.code[start:end], result: result}
}

// emit makes sure that a value is computed and returns its register.
func (c *Compiler) emit(id valueID) uint16 {
	if p := c.registers[id]; p != 0 {
		return uint16(p - 1)
	}
	v := c.graph.values[id]
	switch v.form {
	case Const:
		return c.keep(id, constantBase+c.constant(math.Float32frombits(uint32(v.a))))
	case Scalar:
		return c.keep(id, uint16(v.a))
	case Add, Sub, Mul:
		a, b := c.emitBoth(valueID(v.a), valueID(v.b))
		return c.float(id, instruction{op: opAdd + opcode(v.form-Add), a: a, b: b})
	case If:
		return c.emitConditional(id, v)
	case Count, Sum, Least, Greatest:
		return c.float(id, instruction{op: c.area(v), a: uint16(v.a), b: c.mask(v.b)})
	case Any:
		return c.truth(id, instruction{op: c.area(v), a: uint16(v.a), b: c.mask(v.b)})
	case Flag:
		return c.truth(id, instruction{op: opFlag, a: uint16(v.a)})
	case Not:
		return c.truth(id, instruction{op: opNot, a: c.emit(valueID(v.a))})
	case And, Or:
		a, b := c.emitBoth(valueID(v.a), valueID(v.b))
		return c.truth(id, instruction{op: opAnd + opcode(v.form-And), a: a, b: b})
	case IsSmaller, IsEqual:
		a, b := c.emitBoth(valueID(v.a), valueID(v.b))
		return c.truth(id, instruction{op: opSmaller + opcode(v.form-IsSmaller), a: a, b: b})
	case Call:
		return c.emitCall(id, v)
	case Foreign: // a truth value, which only a Function takes
		zero := constantBase + c.constant(0)
		return c.truth(id, instruction{op: opSmaller + opcode(id), a: zero, b: zero})
	default:
		panic("gp: emit: unexpected form")
	}
}

// emitCall computes a Function.
func (c *Compiler) emitCall(id valueID, v value) uint16 {
	op := &c.g.Operators[v.op]
	var from [MaxFunctionArgs]uint16
	for i, a := range [...]int32{v.a, v.b, v.c} {
		if i < len(op.Args) {
			from[i] = c.emit(valueID(a))
		}
	}
	in := instruction{op: numOpcodes + opcode(v.op), a: from[0], b: from[1], c: from[2]}
	if op.Result == Bool {
		return c.truth(id, in)
	}
	return c.float(id, in)
}

// area returns the opcode of a sensor of a layer over an area.
func (c *Compiler) area(v value) opcode {
	near := c.g.masks[v.b][0].And(c.g.Layers[v.a].Extent).within(c.g.near)
	switch {
	case v.form == Count && c.g.bands != nil: // no Batch takes a grammar with Rows
		return opWordCount
	case v.form == Any && near:
		return opNearAny
	case v.form == Any:
		return opAny
	case v.form == Count && near:
		return opNearCount
	case v.form == Sum && c.g.Layers[v.a].Rows:
		return opRowSum
	case v.form == Sum && near:
		return opNearSum
	default:
		return opCount + opcode(v.form-Count)
	}
}

// emitBoth computes two arguments, one without conditionals first: the values on its way can then
// be used again inside the branches of the other.
func (c *Compiler) emitBoth(a, b valueID) (uint16, uint16) {
	if !c.isPlain(a) && c.isPlain(b) {
		y := c.emit(b)
		return c.emit(a), y
	}
	x := c.emit(a)
	return x, c.emit(b)
}

// isPlain tells whether a value is free of conditionals.
func (c *Compiler) isPlain(id valueID) bool {
	if c.plain[id] == 0 {
		c.plain[id] = 1
		switch v := c.graph.values[id]; v.form {
		case If:
			c.plain[id] = -1
		case Add, Sub, Mul, And, Or, IsSmaller, IsEqual:
			if !c.isPlain(valueID(v.a)) || !c.isPlain(valueID(v.b)) {
				c.plain[id] = -1
			}
		case Not:
			if !c.isPlain(valueID(v.a)) {
				c.plain[id] = -1
			}
		case Call:
			if !c.isPlain(valueID(v.a)) || !c.isPlain(valueID(v.b)) || !c.isPlain(valueID(v.c)) {
				c.plain[id] = -1
			}
		}
	}
	return c.plain[id] > 0
}

// shortBranch is the greatest number of instructions of a branch that is always computed, since
// skipping it costs more.
const shortBranch = 2

// emitConditional computes both branches, each skipped where no lane takes it, and blends. Values
// computed in a branch cannot be used after it.
func (c *Compiler) emitConditional(id valueID, v value) uint16 {
	cond := c.emit(valueID(v.a))
	a, skipA := c.emitBranch(valueID(v.b), instruction{op: opSkipNone, c: cond})
	// The register of a stays in use while the second branch is computed.
	c.temps, c.maxTemps = c.temps+1, max(c.maxTemps, c.temps+1)
	b, skipB := c.emitBranch(valueID(v.c), instruction{op: opSkipAll, c: cond})
	c.temps--
	if skipA >= 0 && skipB >= 0 {
		c.code[skipA].a++ // past the second skip, which cannot apply
	}
	return c.float(id, instruction{op: opBlend, a: a, b: b, c: cond})
}

// emitBranch computes a value behind a skip, and returns its register and the skip's index, -1
// where the branch is too short for one. The result is moved down so that one register more than
// before is in use at most.
func (c *Compiler) emitBranch(id valueID, skip instruction) (uint16, int) {
	if p := c.registers[id]; p != 0 || c.graph.values[id].form == Const ||
		c.graph.values[id].form == Scalar {
		return c.emit(id), -1
	}
	at := len(c.code)
	temps, truths, computed := c.temps, c.truths, len(c.computed)
	c.code = append(c.code, skip)
	result := c.emit(id)
	length := len(c.code) - at - 1
	for _, done := range c.computed[computed:] {
		c.registers[done] = 0
	}
	c.computed = c.computed[:computed]
	c.temps, c.truths = temps, truths
	if result >= tempBase && length > 0 && c.code[len(c.code)-1].dst == result {
		// The last instruction of a branch computes its value: it may write to the first register
		// that the branch used.
		result = tempBase + uint16(temps)
		c.code[len(c.code)-1].dst = result
	}
	if length <= shortBranch && c.cost(c.code[at+1:]) <= shortBranch {
		c.code = append(c.code[:at], c.code[at+1:]...)
		return result, -1
	}
	c.code[at].a = uint16(length)
	return result, at
}

// cost returns what instructions cost, in additions.
func (c *Compiler) cost(code []instruction) (sum int) {
	for _, in := range code {
		sum++
		if in.op >= numOpcodes {
			sum += max(1, c.g.Operators[in.op-numOpcodes].Cost) - 1
		}
	}
	return sum
}

// keep records in which existing register a value is.
func (c *Compiler) keep(id valueID, r uint16) uint16 {
	c.registers[id] = int32(r) + 1
	return r
}

// float appends an instruction that computes a Float into a new register.
func (c *Compiler) float(id valueID, in instruction) uint16 {
	in.dst = tempBase + uint16(c.temps)
	c.temps++
	c.maxTemps = max(c.maxTemps, c.temps)
	return c.done(id, in)
}

// truth appends an instruction that computes a Bool into a new register.
func (c *Compiler) truth(id valueID, in instruction) uint16 {
	in.dst = uint16(c.truths)
	c.truths++
	c.maxTruths = max(c.maxTruths, c.truths)
	return c.done(id, in)
}

func (c *Compiler) done(id valueID, in instruction) uint16 {
	c.code = append(c.code, in)
	c.registers[id] = int32(in.dst) + 1
	c.computed = append(c.computed, id)
	return in.dst
}

// constant returns the number of a constant of the genome.
func (c *Compiler) constant(v float32) uint16 {
	want := math.Float32bits(v)
	for i, k := range c.constants {
		if math.Float32bits(k) == want {
			return uint16(i)
		}
	}
	c.constants = append(c.constants, v)
	return uint16(len(c.constants) - 1)
}

// mask returns the number of a rectangle's masks in the code.
func (c *Compiler) mask(rect int32) uint16 {
	if c.maskOf[rect] == 0 {
		c.masks, c.planes = append(c.masks, c.g.masks[rect]), append(c.planes, c.g.planes[rect])
		if c.g.bands != nil {
			c.bands = append(c.bands, c.g.bands[rect])
		}
		c.maskOf[rect] = int32(len(c.masks))
	}
	return uint16(c.maskOf[rect] - 1)
}
