// Package ground writes the instructions that a generator needs for sets of cells in many games:
// numbers in every lane, rotations, and boards as they lie around a player. It knows no game.
package ground

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Set is a set of up to 128 cells in each of some games, eight with AVX-512 and four with AVX2.
type Set struct{ Low, High V }

// And, Or and Without return the cells in both sets, in either, and in g alone.
func (g Set) And(b Set) Set     { return Set{And(g.Low, b.Low), And(g.High, b.High)} }
func (g Set) Or(b Set) Set      { return Set{Or(g.Low, b.Low), Or(g.High, b.High)} }
func (g Set) Without(b Set) Set { return Set{Without(g.Low, b.Low), Without(g.High, b.High)} }

// Middle returns the 64 cells in the middle of 128.
func (g Set) Middle() V {
	first := Of(VPSRLQ, 32, g.Low)
	return Or(Of(VPSLLQ, 32, g.High), first)
}

// Constants keeps vectors of constants in memory, by name.
type Constants map[string]operand.Mem

func (c Constants) keep(name string, n, bytes int, word func(i int) operand.Constant) operand.Mem {
	if _, ok := c[name]; !ok {
		c[name] = GLOBL(name, attr.RODATA|attr.NOPTR)
		for i := range n {
			DATA(bytes*i, word(i))
		}
	}
	return c[name]
}

// Words64 is a constant vector of n words of 64 bits.
func (c Constants) Words64(name string, n int, f func(i int) uint64) operand.Mem {
	return c.keep(name, n, 8, func(i int) operand.Constant { return operand.U64(f(i)) })
}

// Words is a constant vector of n words of 32 bits.
func (c Constants) Words(name string, n int, f func(i int) uint32) operand.Mem {
	return c.keep(name, n, 4, func(i int) operand.Constant { return operand.U32(f(i)) })
}

// Words16 is a constant vector of n words of 16 bits.
func (c Constants) Words16(name string, n int, f func(i int) uint16) operand.Mem {
	return c.keep(name, n, 2, func(i int) operand.Constant { return operand.U16(f(i)) })
}

// Each64 is a number in each of four words.
func (c Constants) Each64(v int) operand.Mem {
	return c.Words64(fmt.Sprintf("each64_%x", uint64(v)), 4, func(int) uint64 { return uint64(v) })
}

// Each32 is a number in each of eight words.
func (c Constants) Each32(v int) operand.Mem {
	return c.Words(fmt.Sprintf("each32_%x", uint32(v)), 8, func(int) uint32 { return uint32(v) })
}

// number returns a number in memory.
func (c Constants) number(kind string, v uint64) operand.Mem {
	return c.keep(fmt.Sprintf("%s_%x", kind, v), 1, 8,
		func(int) operand.Constant { return operand.U64(v) })
}

// All64 returns a vector of AVX-512 with one number in every lane of 64 bits. It comes from memory,
// because a broadcast of a register would take a port that the arithmetic needs.
func (c Constants) All64(v int) V {
	return Into(ZMM(), VPBROADCASTQ, c.number("number64", uint64(v)))
}

// All32 returns the same in every lane of 32 bits.
func (c Constants) All32(v int) V {
	return Into(ZMM(), VPBROADCASTD, c.number("number32", uint64(uint32(v))))
}
