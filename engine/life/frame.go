package life

import (
	"math/bits"

	"clade/engine/life/internal/kernel"
	"clade/gp"
)

// rim is how far a frame reads from its site: births at the window's edge depend on one cell more.
const rim = reach + 1

// lanes holds 16 rows of 16 cells, four rows a word from the lowest bits up. A frame uses rows and
// columns 0..2*rim of it; the window's are 1..side.
type lanes [4]uint64

// read returns the cells of a colour around (y, x) from the words of a board.
func (b *board) read(words []uint64, c colour, y, x int, mirrored bool) (l lanes) {
	y, x = y-rim, x-rim
	i, off, half := b.word(y, x), x&31, kernel.Columns*uint(c)
	east := b.stride * kernel.Words
	for row := range 2*rim + 1 {
		cells := join(words[i], words[i+east], half) >> off & (1<<(2*rim+1) - 1)
		if mirrored {
			cells = uint64(bits.Reverse16(uint16(cells)) >> (16 - 2*rim - 1))
		}
		l[row>>2] |= cells << (row & 3 * 16)
		i++
	}
	return l
}

// below returns the rows from row n on, n in 0..3, twelve of them.
func (l *lanes) below(n int) (w [3]uint64) {
	for i := range w {
		w[i] = l[i]>>(16*n) | l[i+1]<<(64-16*n)
	}
	return w
}

// pack turns twelve rows, of which the window's columns are 1..side, into cells of the window, and
// drops the last row.
func pack(rows [3]uint64) gp.Bits {
	for i, w := range rows {
		w = w >> 1 & 0x07ff07ff07ff07ff
		w = w&0x000007ff000007ff | w>>5&0x003ff800003ff800
		rows[i] = w&0x3fffff | w>>10&(0x3fffff<<22) // four rows in 44 bits
	}
	rows[2] &= 1<<(3*side) - 1
	return gp.Bits{rows[0] | rows[1]<<44, rows[1]>>20 | rows[2]<<24}
}

// onBoard returns the cells around (y, x) that are on the board.
func (b *board) onBoard(y, x int, mirrored bool) (l lanes) {
	columns := uint64(1<<(2*rim+1) - 1)
	if under := rim - x; under > 0 {
		columns &^= 1<<under - 1
	}
	if over := x + rim - (b.width - 1); over > 0 {
		columns &= 1<<(2*rim+1-over) - 1
	}
	if mirrored {
		columns = uint64(bits.Reverse16(uint16(columns)) >> (16 - 2*rim - 1))
	}
	for row := range 2*rim + 1 {
		if uint(y+row-rim) < uint(b.height) {
			l[row>>2] |= columns << (row & 3 * 16)
		}
	}
	return l
}

// draw fills the layers of the frame with the cells around (y, x). Cells chosen in this turn count
// as own cells. Four rows at a time made whole games between evolved programs 1.2 times as fast as
// row by row.
func (s *speciesSeat) draw(y, x int, mirrored bool) {
	t := &s.turn
	b, enemy := t.board, t.own.enemy()
	own, foe := b.read(b.now, t.own, y, x, mirrored), b.read(b.now, enemy, y, x, mirrored)
	ownBefore, foeBefore := b.read(b.last, t.own, y, x, mirrored),
		b.read(b.last, enemy, y, x, mirrored)
	on := b.onBoard(y, x, mirrored)
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-y+rim, int(c.x)-x+rim; uint(dy) <= 2*rim && uint(dx) <= 2*rim {
			if mirrored {
				dx = 2*rim - dx
			}
			own[dy>>2] |= 1 << (dy&3*16 + dx)
		}
	}
	up, mid, low := own.below(0), own.below(1), own.below(2)
	foeUp, foeMid, foeLow := foe.below(0), foe.below(1), foe.below(2)
	before, foeWas, inside := ownBefore.below(1), foeBefore.below(1), on.below(1)
	var layer [layers][3]uint64
	for i := range 3 {
		layer[layerOwn][i] = mid[i]
		layer[layerEnemy][i] = foeMid[i]
		layer[layerEmpty][i] = inside[i] &^ (mid[i] | foeMid[i])
		layer[layerOwnBirths][i] = born(up[i], mid[i], low[i],
			foeUp[i]|foeMid[i]|foeLow[i]) & inside[i]
		layer[layerEnemyBirths][i] = born(foeUp[i], foeMid[i], foeLow[i],
			up[i]|mid[i]|low[i]) & inside[i]
		layer[layerChanged][i] = (before[i] ^ mid[i]) | (foeWas[i] ^ foeMid[i])
		layer[layerOff][i] = ^inside[i]
	}
	for i := range layer {
		s.frame.Layers[i] = pack(layer[i])
	}
}
