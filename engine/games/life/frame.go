package life

import (
	"math/bits"

	"clade/engine/games/life/internal/kernel"
	"clade/gp"
)

// rim is how far from its site a frame reads cells: births at the window's edge depend on one cell
// more.
const rim = reach + 1

// lanes holds 16 rows of 16 cells, four rows a word from the lowest bits up. A frame uses rows and
// columns 0..2*rim; those of the window are 1..side.
type lanes [4]uint64

// across is the columns of a row that a frame uses, and allRows those of the four rows of a word.
const (
	across  = 1<<(2*rim+1) - 1
	allRows = across * 0x0001000100010001
)

// read returns the cells of both colours around (y, x) from the words of a board. A word of the
// board has a row of each colour; they are separated at the end.
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

// below returns twelve rows from row n on, n in 0..3.
func (l *lanes) below(n int) (w [3]uint64) {
	for i := range w {
		w[i] = l[i]>>(16*n) | l[i+1]<<(64-16*n)
	}
	return w
}

// pack turns twelve rows, whose columns 1..side are the window's, into cells of the window. It
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
	rows, columns := within(y, rim, b.height), within(x, rim, b.width)
	for row := range 2*rim + 1 {
		l[row>>2] |= uint64(columns) * uint64(rows>>row&1) << (row & 3 * 16)
	}
	return l
}

// within returns which of the places from at-far to at+far, the first in bit 0, are on a board of a
// size.
func within(at, far, size int) uint32 {
	before, behind := max(far-at, 0), max(at+far-(size-1), 0)
	return (1<<((2*far+1-behind)&31) - 1) &^ (1<<(before&31) - 1)
}

// foresee draws the windows of all spots at once, with the cells chosen so far, if the processor
// has a kernel for it.
func (s *speciesSeat) foresee() {
	s.placed = s.placed[:0]
	b, v, at := s.turn.board, &s.seen, &s.sites
	drawn := kernel.Layers // that kernels draw, the first ones
	if s.still() {
		drawn = layerAsh + 1 // see draw
	}
	if s.ahead = b.kernel.See != nil && s.reads>>drawn == 0; !s.ahead {
		return
	}
	v.Now, v.Last, v.Height, v.Width, v.Stride = b.now, b.last, b.height, b.width, b.stride
	v.Own, v.Layers, v.Covers = int(s.turn.own), s.reads, s.covers
	for i := range s.spots {
		p := &s.spots[i]
		mirrored := uint32(0)
		if p.mirrored {
			mirrored = 1
		}
		at.Y[i], at.X[i], at.Mirrored[i] = int32(p.y), int32(p.x), -mirrored // all bits of it
		s.addChosen(i)
	}
	b.kernel.See(&s.windows, &s.sites, 0, len(s.spots), v)
}

// addChosen adds the cells chosen so far to the kernel's input for a spot.
func (s *speciesSeat) addChosen(i int) {
	y, x, lines := s.spots[i].y, s.spots[i].x, &noLines
	for _, c := range s.turn.chosen {
		if dy, dx := int(c.y)-y+rim, int(c.x)-x+rim; uint(dy) <= 2*rim && uint(dx) <= 2*rim {
			if lines == &noLines {
				lines = &s.chosen[i]
				*lines = kernel.Lines{}
			}
			lines[dy] |= 1 << dx
		}
	}
	s.sites.Chosen[i] = lines
}

// noLines hold no cell.
var noLines kernel.Lines

// placed is a square of cells that were chosen since foresee, with the rim of a frame around it.
type placed struct{ y, x, far int }

// touched tells whether cells that were chosen since foresee may lie in the window of a spot. It
// looks at all without a branch: which of them touches a spot is a matter of chance.
func (s *speciesSeat) touched(p *spot) bool {
	apart := -1 // below 0 if each is farther away than it reaches
	for i := range s.placed {
		at := &s.placed[i]
		dy, dx := at.y-p.y, at.x-p.x
		apart &= (at.far - dy) | (at.far + dy) | (at.far - dx) | (at.far + dx)
	}
	return apart >= 0
}

// draw fills those layers of the frame that are read with the cells around a spot. Cells chosen in
// this turn count as own cells. It returns which of some stamps fit, as bits of four turns each.
func (s *speciesSeat) draw(i int, wanted uint32) (fits uint32) {
	p, w, a := &s.spots[i], &s.windows[i], &s.around
	a.t, a.y, a.x, a.mirrored = &s.turn, p.y, p.x, p.mirrored
	if !s.ahead {
		s.drawAlone(p)
		dead := s.frame.Layers[layerEmpty]
		for ; wanted != 0; wanted &= wanted - 1 {
			k := bits.TrailingZeros32(wanted)
			if s.covers[0][k]&^dead.Low|s.covers[1][k]&^dead.High == 0 {
				fits |= 1 << k
			}
		}
		return fits
	}
	if s.touched(p) {
		s.addChosen(i)
		s.turn.board.kernel.See(&s.windows, &s.sites, i, i+1, &s.seen)
	}
	l := &s.frame.Layers
	*(*[kernel.Layers]gp.Bits)(l[:]) = w.Layers
	if s.reads>>layerAsh&1 == 1 { // no cell was both sides', so live ones are ash if nothing changed
		l[layerAsh] = l[layerOwn].Or(l[layerEnemy]).AndNot(l[layerChanged])
	}
	return w.Fits & wanted
}

// drawAlone fills the layers without a kernel.
func (s *speciesSeat) drawAlone(p *spot) {
	t, a := &s.turn, &s.around
	b := t.board
	a.now = b.read(b.now, p.y, p.x)
	on := lanes{allRows, allRows, allRows, across}
	if b.nearEdge(p.y, p.x) {
		on = b.onBoard(p.y, p.x)
	}
	a.own, a.foe = &a.now[t.own], &a.now[t.own.enemy()]
	for _, c := range t.chosen {
		if dy, dx := int(c.y)-p.y+rim, int(c.x)-p.x+rim; uint(dy) <= 2*rim && uint(dx) <= 2*rim {
			a.own[dy>>2] |= 1 << (dy&3*16 + dx)
		}
	}
	if p.mirrored {
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

// nearEdge tells whether cells that a frame at (y, x) reads may be off the board.
func (b *board) nearEdge(y, x int) bool {
	return min(y, x, b.height-1-y, b.width-1-x) < rim
}

// births sets the cells on the board that are born next for the side of of.
func births(to *[3]uint64, of, enemies *lanes, inside *[3]uint64) {
	up, mid, low := of.below(0), of.below(1), of.below(2)
	foeUp, foeMid, foeLow := enemies.below(0), enemies.below(1), enemies.below(2)
	for i := range to {
		to[i] = born(up[i], mid[i], low[i], foeUp[i]|foeMid[i]|foeLow[i]) & inside[i]
	}
}
