package multiplexer

import (
	"fmt"

	"clade/gp"
)

// program is a tree as a list of operations on tables: instruction i computes register firstTemp+i.
type program struct {
	code   []instruction
	result register // where the answers are in the end
}

// register is the number of a table: the inputs, the two constants, then what is computed.
type register uint16

const (
	always register = inputs + iota // true in every case
	never
	firstTemp
)

// instruction is b where a, else c. The kernels know its layout.
type instruction struct {
	op      opcode // of which the kernels need not know
	a, b, c register
}

type opcode uint16

const (
	opAnd    opcode = iota // c is never
	opOr                   // b is always
	opNot                  // b is never, c always
	opSelect               // anything else
)

// maxNodes keeps the numbers of registers in their type.
const maxNodes = 60000

// compiler makes programs. Inside the branches of (if a0 ...) the value of a0 is certain; evolved trees ask again and again for what is certain, and what follows is folded.
// Equal operations on equal values are done once. It is scratch memory of one goroutine.
type compiler struct {
	g     *gp.Grammar
	words [1 << 8]word // by operator
	code  []instruction
	all   gp.Tree
	at    int              // the node to be read
	known [inputs]register // the input itself where nothing is known of it, else always or never
	seen  [1 << 10]uint16  // by hash, an instruction; what stands there may be another or none, and is compared
}

// word is what the compiler must know of an operator.
type word struct {
	form  gp.Form
	input register
}

func newCompiler(g *gp.Grammar) *compiler {
	c := &compiler{g: g}
	for i := range g.Operators {
		c.words[i] = word{g.Operators[i].Form, register(g.Operators[i].Index)}
	}
	for i := range c.known {
		c.known[i] = register(i)
	}
	return c
}

func (c *compiler) compile(t gp.Tree) (*program, error) {
	if len(t) > maxNodes {
		return nil, fmt.Errorf("multiplexer: the genome has %d nodes; at most %d can be compiled", len(t), maxNodes)
	}
	c.code, c.all, c.at = c.code[:0], t, 0
	result := c.tree()
	return &program{append([]instruction(nil), c.code...), result}, nil
}

// tree compiles the subtree at the node to be read, and returns where its value is. Where that is an input or a constant, no code of the subtree is left.
func (c *compiler) tree() register {
	op := c.words[c.all[c.at].Op]
	c.at++
	if op.form == gp.Flag {
		return c.known[op.input%inputs]
	}
	mark := len(c.code)
	result := never
	switch op.form {
	case gp.Not:
		result = c.not(c.tree())
	case gp.And:
		if a := c.tree(); a == never {
			c.skip()
		} else {
			result = c.and(a, c.tree())
		}
	case gp.Or:
		if a := c.tree(); a == always {
			c.skip()
			result = always
		} else {
			result = c.or(a, c.tree())
		}
	default:
		result = c.conditional()
	}
	if result < firstTemp {
		c.code = c.code[:mark]
	}
	return result
}

func (c *compiler) skip() { c.at = c.g.End(c.all, c.at) }

// conditional compiles the arguments of an if.
func (c *compiler) conditional() register {
	a := c.tree()
	switch {
	case a == always:
		b := c.tree()
		c.skip()
		return b
	case a == never:
		c.skip()
		return c.tree()
	case a < inputs:
		c.known[a] = always
		b := c.tree()
		c.known[a] = never
		d := c.tree()
		c.known[a] = a
		return c.choose(a, b, d)
	}
	b := c.tree()
	return c.choose(a, b, c.tree())
}

func (c *compiler) not(a register) register {
	switch {
	case a == always:
		return never
	case a == never:
		return always
	case a >= firstTemp && c.code[a-firstTemp].op == opNot:
		return c.code[a-firstTemp].a
	}
	return c.emit(instruction{opNot, a, never, always})
}

func (c *compiler) and(a, b register) register {
	switch {
	case a == never || b == never:
		return never
	case a == always || a == b:
		return b
	case b == always:
		return a
	}
	return c.emit(instruction{opAnd, min(a, b), max(a, b), never})
}

func (c *compiler) or(a, b register) register {
	switch {
	case a == always || b == always:
		return always
	case a == never || a == b:
		return b
	case b == never:
		return a
	}
	return c.emit(instruction{opOr, min(a, b), always, max(a, b)})
}

// choose gives b where a, else d.
func (c *compiler) choose(a, b, d register) register {
	switch {
	case b == d:
		return b
	case b == always || b == a:
		return c.or(a, d)
	case d == never || d == a:
		return c.and(a, b)
	case b == never:
		return c.and(c.not(a), d)
	case d == always:
		return c.or(c.not(a), b)
	}
	return c.emit(instruction{opSelect, a, b, d})
}

// emit returns the register of an operation's value.
func (c *compiler) emit(in instruction) register {
	h := (uint64(in.op) | uint64(in.a)<<16 | uint64(in.b)<<32 | uint64(in.c)<<48) * 0x9e3779b97f4a7c15 >> 54
	if i := int(c.seen[h]); i < len(c.code) && c.code[i] == in {
		return firstTemp + register(i)
	}
	c.seen[h] = uint16(len(c.code))
	c.code = append(c.code, in)
	return firstTemp + register(len(c.code)-1)
}

// registers is scratch memory of one running game: the tables of the inputs, of the two constants, and of what is computed.
type registers []table

// newRegisters returns room for programs of a number of instructions.
func newRegisters(room int) *registers {
	r := make(registers, int(firstTemp)+room)
	copy(r, inputTables[:])
	for i := range r[always] {
		r[always][i] = ^uint64(0)
	}
	return &r
}

// run computes the answers, which stay until the registers are used again.
func (p *program) run(r *registers, kernel func(code []instruction, tables []table)) *table {
	if len(*r) < len(p.code)+int(firstTemp) {
		*r = *newRegisters(2 * len(p.code))
	}
	if len(p.code) > 0 {
		kernel(p.code, *r)
	}
	return &(*r)[p.result]
}

// lanes is how many words go through a program together: the registers of a large one then stay in the nearest cache.
const lanes = 16

// runPlain carries out a program. This is the hot loop of the package where there are no vectors; whole tables (32 words) and 8 words were slower.
func runPlain(code []instruction, tables []table) {
	for first := 0; first < words; first += lanes {
		for i := range code {
			in := &code[i]
			d := (*[lanes]uint64)(tables[int(firstTemp)+i][first:])
			a, b, c := (*[lanes]uint64)(tables[in.a][first:]), (*[lanes]uint64)(tables[in.b][first:]), (*[lanes]uint64)(tables[in.c][first:])
			switch in.op {
			case opAnd:
				for k := range d {
					d[k] = a[k] & b[k]
				}
			case opOr:
				for k := range d {
					d[k] = a[k] | c[k]
				}
			case opNot:
				for k := range d {
					d[k] = ^a[k]
				}
			case opSelect:
				for k := range d {
					d[k] = c[k] ^ a[k]&(b[k]^c[k])
				}
			}
		}
	}
}
