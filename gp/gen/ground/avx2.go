package ground

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// Loaded returns a vector from memory.
func Loaded(m operand.Mem) V { return Into(YMM(), VMOVDQU, m) }

// turn2 is a turn in memory; the registers are too few.
type turn2 struct{ n, m, up, down, left, right operand.Mem }

func newTurn2() turn2 {
	at := AllocLocal(6 * 32)
	return turn2{at, at.Offset(32), at.Offset(64), at.Offset(96), at.Offset(128), at.Offset(160)}
}

// Set makes it a turn by n, of a number of cells.
func (t turn2) Set(c Constants, n, cells V) {
	word := Loaded(c.Each64(64))
	m := Of(VPSUBQ, n, cells)
	VMOVDQU(n, t.n)
	VMOVDQU(m, t.m)
	VMOVDQU(Of(VPSUBQ, m, word), t.up)
	VMOVDQU(Of(VPSUBQ, word, m), t.down)
	VMOVDQU(Of(VPSUBQ, n, word), t.left)
	VMOVDQU(Of(VPSUBQ, word, n), t.right)
}

func (t turn2) rotated(g Set) Set {
	low := Or(Of(VPSRLVQ, t.m, g.Low), Of(VPSLLVQ, t.n, g.Low))
	low = Or(Of(VPSLLVQ, t.up, g.High), low)
	low = Or(Of(VPSRLVQ, t.down, g.High), low)
	high := Or(Of(VPSRLVQ, t.left, g.Low), Of(VPSLLVQ, t.n, g.High))
	high = Or(Of(VPSLLVQ, t.right, g.Low), high)
	return Set{low, Or(Of(VPSRLVQ, t.m, g.High), high)}
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
	r := m.First.rotated(Set{Without(low, Loaded(m.Low)), Without(high, Loaded(m.High))})
	return m.Second.rotated(Set{And(low, Loaded(m.Low)), And(high, Loaded(m.High))}).Or(r)
}

// Packed stores the low half of each word of 64 bits.
func Packed(y V, to operand.Mem) {
	VMOVDQU(Of(VPERMQ, 0x08, Of(VPSHUFD, 0x88, y)).AsX(), to)
}
