package ground

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Loaded returns a vector from memory.
func Loaded(m operand.Mem) reg.VecVirtual {
	y := YMM()
	VMOVDQU(m, y)
	return y
}

// turn2 is a turn in memory; the registers are too few.
type turn2 struct{ n, m, up, down, left, right operand.Mem }

func newTurn2() turn2 {
	at := AllocLocal(6 * 32)
	return turn2{at, at.Offset(32), at.Offset(64), at.Offset(96), at.Offset(128), at.Offset(160)}
}

// Set makes it a turn by n, of a number of cells.
func (t turn2) Set(c Constants, n, cells reg.VecVirtual) {
	m, word, d := cells, Loaded(c.Each64(64)), YMM()
	VPSUBQ(n, m, m)
	VMOVDQU(n, t.n)
	VMOVDQU(m, t.m)
	VPSUBQ(m, word, d)
	VMOVDQU(d, t.up)
	VPSUBQ(word, m, d)
	VMOVDQU(d, t.down)
	VPSUBQ(n, word, d)
	VMOVDQU(d, t.left)
	VPSUBQ(word, n, d)
	VMOVDQU(d, t.right)
}

func (t turn2) rotated(g Set) Set {
	r, a := Set{YMM(), YMM()}, YMM()
	VPSLLVQ(t.n, g.Low, r.Low)
	VPSRLVQ(t.m, g.Low, a)
	VPOR(a, r.Low, r.Low)
	VPSLLVQ(t.up, g.High, a)
	VPOR(a, r.Low, r.Low)
	VPSRLVQ(t.down, g.High, a)
	VPOR(a, r.Low, r.Low)
	VPSLLVQ(t.n, g.High, r.High)
	VPSRLVQ(t.left, g.Low, a)
	VPOR(a, r.High, r.High)
	VPSLLVQ(t.right, g.Low, a)
	VPOR(a, r.High, r.High)
	VPSRLVQ(t.m, g.High, a)
	VPOR(a, r.High, r.High)
	return r
}

// Moving2 is how the window moves in each of four games.
type Moving2 struct {
	Low, High     operand.Mem // the cells that wrap
	First, Second turn2
}

// NewMoving2 makes room for one.
func NewMoving2() Moving2 {
	at := AllocLocal(64)
	return Moving2{at, at.Offset(32), newTurn2(), newTurn2()}
}

// Recentred returns the cells at two addresses, moved. What stands above the board does not count.
func (m Moving2) Recentred(low, high operand.Mem) Set {
	rest := Set{Loaded(m.Low), Loaded(m.High)}
	VPANDN(low, rest.Low, rest.Low)
	VPANDN(high, rest.High, rest.High)
	r := m.First.rotated(rest)
	w := Set{Loaded(m.Low), Loaded(m.High)}
	VPAND(low, w.Low, w.Low)
	VPAND(high, w.High, w.High)
	s := m.Second.rotated(w)
	VPOR(s.Low, r.Low, r.Low)
	VPOR(s.High, r.High, r.High)
	return r
}

// Packed stores the low half of each word of 64 bits.
func Packed(y reg.VecVirtual, to operand.Mem) {
	d := YMM()
	VPSHUFD(operand.U8(0x88), y, d)
	VPERMQ(operand.U8(0x08), d, d)
	VMOVDQU(d.AsX(), to)
}
