package ground

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Turn is by how far to rotate the cells of a board to the left in each of eight games. For n and
// the numbers derived from it see rotate of package gp.
type Turn struct{ n, m, up, down, left, right reg.VecVirtual }

// NewTurn returns a turn by n, of a number of cells that it calls for.
func NewTurn(c Constants, n reg.VecVirtual, cells func() reg.VecVirtual) Turn {
	t := Turn{n, ZMM(), ZMM(), ZMM(), ZMM(), ZMM()}
	word := c.All64(64)
	VPSUBQ(n, cells(), t.m)
	VPSUBQ(t.m, word, t.up)
	VPSUBQ(word, t.m, t.down)
	VPSUBQ(n, word, t.left)
	VPSUBQ(word, n, t.right)
	return t
}

// rotated returns the rotated cells; what stands above the board does not count.
func (t Turn) rotated(g Set) Set {
	r := New512()
	a, b, c := ZMM(), ZMM(), ZMM()
	VPSLLVQ(t.n, g.Low, r.Low)
	VPSRLVQ(t.m, g.Low, a)
	VPSLLVQ(t.up, g.High, b)
	VPSRLVQ(t.down, g.High, c)
	VPTERNLOGQ(operand.U8(or3), a, b, c)
	VPORQ(c, r.Low, r.Low)
	d, e, f := ZMM(), ZMM(), ZMM()
	VPSLLVQ(t.n, g.High, r.High)
	VPSRLVQ(t.left, g.Low, d)
	VPSLLVQ(t.right, g.Low, e)
	VPSRLVQ(t.m, g.High, f)
	VPTERNLOGQ(operand.U8(or3), d, e, f)
	VPORQ(f, r.High, r.High)
	return r
}

// Recentred returns the cells moved so that others come to stand in the middle: those in wraps by
// the second turn, all others by the first. What stands above the board does not count.
func Recentred(g, wraps Set, first, second Turn) Set {
	w, rest := New512(), New512()
	VPANDQ(g.Low, wraps.Low, w.Low)
	VPANDQ(g.High, wraps.High, w.High)
	VPANDNQ(g.Low, wraps.Low, rest.Low)
	VPANDNQ(g.High, wraps.High, rest.High)
	r, s := first.rotated(rest), second.rotated(w)
	VPORQ(s.Low, r.Low, r.Low)
	VPORQ(s.High, r.High, r.High)
	return r
}

// Load512 returns a set from memory, whose halves stand so many bytes apart.
func Load512(from operand.Mem, apart int) Set {
	g := New512()
	VMOVDQU64(from, g.Low)
	VMOVDQU64(from.Offset(apart), g.High)
	return g
}

// Store512 is the opposite of Load512.
func (g Set) Store512(to operand.Mem, apart int) {
	VMOVDQU64(g.Low, to)
	VMOVDQU64(g.High, to.Offset(apart))
}

// New512 returns a set in registers of their own.
func New512() Set { return Set{ZMM(), ZMM()} }
