package ground

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Turn is by how far to rotate the cells of a board to the left in each of eight games. For n and
// the numbers derived from it see rotate of package gp.
type Turn struct{ n, m, up, down, left, right V }

// NewTurn returns a turn by n, of a number of cells that it calls for.
func NewTurn(c Constants, n V, cells func() V) Turn {
	word := c.All64(64)
	m := Of(VPSUBQ, n, cells())
	return Turn{n, m, Of(VPSUBQ, m, word), Of(VPSUBQ, word, m), Of(VPSUBQ, n, word),
		Of(VPSUBQ, word, n)}
}

// rotated returns the rotated cells; what stands above the board does not count.
func (t Turn) rotated(g Set) Set {
	or3 := func(a, b, c, d V) V { return Or(Into(d, VPTERNLOGQ, 0xfe, b, c), a) }
	return Set{or3(Of(VPSLLVQ, t.n, g.Low), Of(VPSRLVQ, t.m, g.Low), Of(VPSLLVQ, t.up, g.High),
		Of(VPSRLVQ, t.down, g.High)), or3(Of(VPSLLVQ, t.n, g.High), Of(VPSRLVQ, t.left, g.Low),
		Of(VPSLLVQ, t.right, g.Low), Of(VPSRLVQ, t.m, g.High))}
}

// Recentred returns the cells moved so that others come to stand in the middle: those in wraps by
// the second turn, all others by the first. What stands above the board does not count.
func Recentred(g, wraps Set, first, second Turn) Set {
	wrapping := g.And(wraps)
	r := first.rotated(g.Without(wraps))
	return second.rotated(wrapping).Or(r)
}

// Load512 returns a set from memory, whose halves stand so many bytes apart.
func Load512(from operand.Mem, apart int) Set {
	return Set{Into(ZMM(), VMOVDQU64, from), Into(ZMM(), VMOVDQU64, from.Offset(apart))}
}

// Store512 is the opposite of Load512.
func (g Set) Store512(to operand.Mem, apart int) {
	VMOVDQU64(g.Low, to)
	VMOVDQU64(g.High, to.Offset(apart))
}
