package life

import (
	"math/bits"

	"clade/engine/games/life/internal/kernel"
	"clade/gp"
)

// rim is how far a frame reads from its site: births at the window's edge depend on one cell more.
const rim = reach + 1

// lanes holds 16 rows of 16 cells, four rows a word from the lowest bits up. A frame uses rows and
// columns 0..2*rim of it; the window's are 1..side.
type lanes [4]uint64

// across has the columns of a row that a frame uses, and allRows those of the four rows of a word.
const (
	across  = 1<<(2*rim+1) - 1
	allRows = across * 0x0001000100010001
)

// read returns the cells of both colours around (y, x) from the words of a board. A word has a row
// of either colour, and so has what is made of it until the rows are put together.
func (b *board) read(words []uint64, y, x int) (l [2]lanes) {
	y, x = y-rim, x-rim
	i, off := b.word(y, x), x&31
	west := words[i:][:2*rim+1]
	east := words[i+b.stride*kernel.Words:][:2*rim+1]
	inWest := uint64(1<<(kernel.Columns-off)-1) & across * kernel.Both
	inEast := across * kernel.Both &^ inWest
	row := func(n int) uint64 {
		return west[n]>>off&inWest | east[n]<<(kernel.Columns-off)&inEast
	}
	for i := range 3 {
		upper, lower := row(4*i)|row(4*i+1)<<16, row(4*i+2)|row(4*i+3)<<16
		l[0][i] = upper&(1<<32-1) | lower<<32
		l[1][i] = upper>>32 | lower&^(1<<32-1)
	}
	last := row(2 * rim)
	l[0][3], l[1][3] = last&across, last>>32
	return l
}

// mirror swaps left and right.
func (l *lanes) mirror() {
	for i, w := range l {
		w = w>>1&0x5555555555555555 | w&0x5555555555555555<<1
		w = w>>2&0x3333333333333333 | w&0x3333333333333333<<2
		w = w>>4&0x0f0f0f0f0f0f0f0f | w&0x0f0f0f0f0f0f0f0f<<4
		w = w>>8&0x00ff00ff00ff00ff | w&0x00ff00ff00ff00ff<<8
		l[i] = w >> (16 - 2*rim - 1) & allRows
	}
}

// allOn are lines that lie wholly on the board, and noLines hold no cell.
var (
	allOn = func() (l kernel.Lines) {
		for i := range l {
			l[i] = across * kernel.Both
		}
		return l
	}()
	noLines kernel.Lines
)

// below returns the rows from row n on, n in 0..3, twelve of them.
func (l *lanes) below(n int) (w [3]uint64) {
	for i := range w {
		w[i] = l[i]>>(16*n) | l[i+1]<<(64-16*n)
	}
	return w
}

// pack turns twelve rows, of which the window's columns are 1..side, into cells of the window, and
// drops the last row.
func pack(rows *[3]uint64) gp.Bits {
	for i, w := range rows {
		w = w >> 1 & 0x07ff07ff07ff07ff
		w = w&0x000007ff000007ff | w>>5&0x003ff800003ff800
		rows[i] = w&0x3fffff | w>>10&(0x3fffff<<22) // four rows in 44 bits
	}
	rows[2] &= 1<<(3*side) - 1
	return gp.Bits{Low: rows[0] | rows[1]<<44, High: rows[1]>>20 | rows[2]<<24}
}

// onBoard returns the cells around (y, x) that are on the board.
func (b *board) onBoard(y, x int) (l lanes) {
	columns := uint64(across)
	if under := rim - x; under > 0 {
		columns &^= 1<<under - 1
	}
	if over := x + rim - (b.width - 1); over > 0 {
		columns &= 1<<(2*rim+1-over) - 1
	}
	for row := range 2*rim + 1 {
		if uint(y+row-rim) < uint(b.height) {
			l[row>>2] |= columns << (row & 3 * 16)
		}
	}
	return l
}

// draw fills those layers of the frame that are read with the cells around (y, x), by a kernel
// where the processor has one. Cells chosen in this turn count as own cells.
func (s *speciesSeat) draw(y, x int, mirrored bool) {
	t, a := &s.turn, &s.around
	a.t, a.y, a.x, a.mirrored = t, y, x, mirrored
	if see := t.board.kernel.See; see != nil && s.reads < 1<<kernel.Layers {
		s.see(see)
		return
	}
	b := t.board
	a.now = b.read(b.now, y, x)
	on := lanes{allRows, allRows, allRows, across}
	if b.nearEdge(y, x) {
		on = b.onBoard(y, x)
	}
	a.own, a.foe = &a.now[t.own], &a.now[t.own.enemy()]
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-y+rim, int(c.x)-x+rim; uint(dy) <= 2*rim && uint(dx) <= 2*rim {
			a.own[dy>>2] |= 1 << (dy&3*16 + dx)
		}
	}
	if mirrored {
		a.now[0].mirror()
		a.now[1].mirror()
		on.mirror()
	}
	a.mid, a.foeMid, a.inside = a.own.below(1), a.foe.below(1), on.below(1)
	for rest := s.reads; rest != 0; rest &= rest - 1 {
		layer := bits.TrailingZeros16(rest)
		s.layers[layer].cells(a, &a.cells)
		s.frame.Layers[layer] = pack(&a.cells)
	}
}

// see is draw by a kernel.
func (s *speciesSeat) see(see func(*[kernel.Layers]gp.Bits, *kernel.Site)) {
	t, a, k := &s.turn, &s.around, &s.seen
	b, y, x := t.board, a.y, a.x
	k.Now, k.Last, k.Layers = b.now, b.last, s.reads
	k.At, k.Shift = b.word(y-rim, x-rim), (x-rim)&(kernel.Columns-1)
	k.East = k.At + b.stride*kernel.Words
	k.Own, k.Mirrored, k.On, k.Chosen = int(t.own), a.mirrored, &allOn, &noLines
	if b.nearEdge(y, x) {
		on := b.onBoard(y, x)
		if a.mirrored {
			on.mirror()
		}
		for i, rows := range on.below(1) {
			for j := range 4 {
				s.on[4*i+j] = (rows >> (16 * j) & across) * kernel.Both
			}
		}
		k.On = &s.on
	}
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-y+rim, int(c.x)-x+rim; uint(dy) <= 2*rim && uint(dx) <= 2*rim {
			if k.Chosen == &noLines {
				s.chosen = kernel.Lines{}
				k.Chosen = &s.chosen
			}
			s.chosen[dy] |= 1 << (dx + kernel.Columns*int(t.own))
		}
	}
	see((*[kernel.Layers]gp.Bits)(s.frame.Layers[:]), k)
}

// nearEdge tells whether cells that a frame at (y, x) reads may be off the board.
func (b *board) nearEdge(y, x int) bool {
	return min(y, x, b.height-1-y, b.width-1-x) < rim
}

// births gives the cells on the board that are born next for the side of some cells.
func births(to *[3]uint64, of, enemies *lanes, inside *[3]uint64) {
	up, mid, low := of.below(0), of.below(1), of.below(2)
	foeUp, foeMid, foeLow := enemies.below(0), enemies.below(1), enemies.below(2)
	for i := range to {
		to[i] = born(up[i], mid[i], low[i], foeUp[i]|foeMid[i]|foeLow[i]) & inside[i]
	}
}
