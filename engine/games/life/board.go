package life

import (
	"math/bits"
	"slices"

	"clade/engine/games/life/internal/kernel"
	"clade/gp/kernels"
)

// colour is the owner of a live cell.
type colour uint8

// The colours. In every generation the side of colour A places first.
const (
	colourA colour = iota
	colourB
	dead // the colour of a dead cell
)

// enemy returns the other colour.
func (c colour) enemy() colour { return 1 - c }

// cell is a place on the board, counted from 0 at the upper left.
type cell struct{ y, x int32 }

// maxSide is the greatest height and width of a board, in cells.
const maxSide = 1 << 14

// board is a board of live cells of two colours with dead surroundings.
//
// A tile (see package kernel) sleeps as long as nothing that its next cells depend on differs from
// two generations ago. Its next cells are then those of the last generation, which are in the
// target already, so still lifes and blinkers cost nothing. A tile wakes when it, or the edge of a
// tile beside it, has changed. A placement wakes its tile for two generations, because the target
// lacks the placed cell.
type board struct {
	// What never changes, though what it points to does: workers read it.
	height, width int
	columns, rows int // of tiles
	stride        int // tiles from one column to the next
	kernel        kernel.Kernel
	tiles         [2][][]uint64     // of even and odd generations, by column, empty at both ends
	marks         []kernel.Marks    // by column
	masks         [2][2]kernel.Mask // of tiles in the last column or not, in the last row or not
	span          int               // words of a set of one column's tiles
	sets          []uint64          // by column, an empty one at either end: its sets
	lowest        kernel.Set        // of a column: its lowest tile
	existing      uint64            // the tiles that exist of those in the last word of a set

	_          [128]byte // what follows is in other cache lines, which are fetched in pairs
	now, last  []uint64  // cells of this generation, placements included, and of the one before
	parity     int       // of this generation
	census     census    // of now
	lastCensus census    // of last
	lots       [16]kernel.Lot
	computed   int     // tiles computed by the last step
	workers    workers // compute bands of columns
}

// The sets of a column. Only the goroutine that computes a column writes them. Some exist twice,
// for even and for odd generations.
const (
	awake = iota // tiles that must be computed
	again        // tiles that a placement wakes for a second generation
	stale        // and the set after it: tiles whose counts are out of date
	// roused to roused+5: tiles that changes wake, in the column, in the one to the left and in the
	// one to the right.
	roused = stale + 2
	// setsOf is the number of sets of a column. Two stay empty, so that columns of 64 tiles and
	// more begin with a cache line.
	setsOf = roused + 6 + 2
)

// census counts live cells on demand. Each of two generations has one, because a sleeping tile can
// still blink.
type census struct {
	fresh bool        // nothing is stale
	tiles [][2]uint32 // by tile: live cells of either colour
	pairs [][2]int    // by pair of columns
}

// newBoard returns an empty board with a kernel of a level that this processor runs. The sides are
// in 1..maxSide.
func newBoard(height, width int, l kernels.Level) *board {
	b := &board{height: height, width: width, kernel: kernel.Of(l),
		columns: (width + kernel.Columns - 1) / kernel.Columns,
		rows:    (height + kernel.Rows - 1) / kernel.Rows}
	b.stride = b.rows + 2
	if b.stride%64 == 0 {
		b.stride++ // columns 4096 bytes apart would share cache sets and store buffers
	}
	tiles := (b.columns + 3) * b.stride // row reads up to two columns to the right of the board
	b.now, b.last = make([]uint64, tiles*kernel.Words), make([]uint64, tiles*kernel.Words)
	for parity, cells := range [2][]uint64{b.now, b.last} {
		for column := range slices.Chunk(cells[:(b.columns+2)*b.stride*kernel.Words],
			b.stride*kernel.Words) {
			b.tiles[parity] = append(b.tiles[parity], column)
		}
	}
	b.makeMasks()
	b.span = kernel.Words64(b.rows)
	b.sets = make([]uint64, (b.columns+2)*setsOf*b.span)
	b.lowest = make(kernel.Set, b.span)
	put(b.lowest, b.rows-1)
	b.existing = ^uint64(0) >> (-b.rows & 63)
	b.workers.work = b.stepBand
	for range b.columns {
		b.marks = append(b.marks, kernel.NewMarks(b.span))
	}
	for _, c := range []*census{&b.census, &b.lastCensus} {
		c.tiles, c.pairs = make([][2]uint32, tiles+16), make([][2]int, (b.columns+1)/2)
	}
	return b
}

// makeMasks sets which cells of a tile exist if it reaches over the board's right or lower edge.
func (b *board) makeMasks() {
	for right := range 2 {
		for low := range 2 {
			m := kernel.Whole()
			if over := b.width % kernel.Columns; over != 0 && right == 1 {
				for y := range m {
					m[y] = (1<<over - 1) * kernel.Both
				}
			}
			if over := b.height % kernel.Rows; over != 0 && low == 1 {
				clear(m[over:])
			}
			b.masks[right][low] = m
		}
	}
}

// contains tells whether a cell is on the board.
func (b *board) contains(y, x int) bool {
	return uint(y) < uint(b.height) && uint(x) < uint(b.width)
}

// word returns the index of the word that holds a cell, which may lie up to a tile beyond the
// edges.
func (b *board) word(y, x int) int {
	return ((x>>5+1)*b.stride+(y>>3+1))*kernel.Words + y&7
}

// at returns the colour of a cell; dead off the board.
func (b *board) at(y, x int) colour {
	if !b.contains(y, x) {
		return dead
	}
	switch b.now[b.word(y, x)] >> (x & 31) & kernel.Both {
	case 0:
		return dead
	case 1:
		return colourA
	default:
		return colourB
	}
}

// row returns 64 cells of one colour in row y from column x to the right, the leftmost in bit 0.
// Cells off the board are dead. y may be up to 8 cells off the board, x may lie in -32..width-1.
func (b *board) row(c colour, y, x int) uint64 {
	i, next := b.word(y, x), b.stride*kernel.Words
	off, half := x&31, kernel.Columns*uint(c)
	// a shift by 64 leaves nothing
	return join(b.now[i], b.now[i+next], half)>>off | b.now[i+2*next]>>half<<(64-off)
}

// join returns the cells of one colour in a row of two tiles side by side; half is the shift of the
// colour.
func join(west, east uint64, half uint) uint64 {
	return west>>half&(1<<kernel.Columns-1) | east>>half<<kernel.Columns
}

// place wakes a dead cell. It returns false and changes nothing for a cell off the board or alive.
func (b *board) place(y, x int, c colour) bool {
	if !b.contains(y, x) {
		return false
	}
	word := &b.now[b.word(y, x)]
	if *word>>(x&31)&kernel.Both != 0 {
		return false
	}
	*word |= 1 << (x&31 + kernel.Columns*int(c))
	column, row := x>>5, y>>3
	tile := (column+1)*b.stride + row + 1
	b.census.tiles[tile][c]++
	b.census.pairs[column/2][c]++
	for _, h := range b.workers.sharing {
		for side, edge := range h.east.edges[b.parity] {
			if column == h.east.column-1+side && x&31 == int(edgeOf[side]) {
				edge.Put(row, y&7, int(c))
			}
		}
	}
	put(b.set(again, column), row)
	// The cell's neighbours lie in up to four tiles, all of which are put: a branch would be
	// mispredicted.
	up, low := max(y-1, 0)>>3, min(y+1, b.height-1)>>3
	for _, column := range [2]int{max(x-1, 0) >> 5, min(x+1, b.width-1) >> 5} {
		s := b.set(roused+3*b.parity, column)
		put(s, up)
		put(s, low)
	}
	return true
}

// put puts tile i into a set.
func put(s kernel.Set, i int) { s[i>>6] |= 1 << (i & 63) }

// set returns one of the sets of a column.
func (b *board) set(kind, column int) kernel.Set {
	at := ((column+1)*setsOf + kind) * b.span
	return b.sets[at : at+b.span]
}

// step moves the board by one generation. bands is the number of goroutines that may share the
// work, 1 or more; it never changes the outcome.
func (b *board) step(bands int) { b.advance(bands, leastTiles[b.kernel.Level]) }

// advance is step with the least number of tiles of a band. The number of tiles to compute is not
// known yet and taken to be that of the last generation.
func (b *board) advance(bands, least int) {
	whole := band{end: b.columns, parity: b.parity}
	if bands = min(bands, b.columns, b.computed/least); bands > 1 {
		bands = 1 + b.workers.gather(bands-1, least)
	}
	if bands > 1 {
		b.computed = b.workers.share(b, whole, bands, least)
	} else {
		b.computed = b.stepBand(whole)
		b.workers.sharing = nil
	}
	b.parity = 1 - b.parity
	b.now, b.last = b.last, b.now
	b.lastCensus.fresh = false
	b.census, b.lastCensus = b.lastCensus, b.census
}

// tilesOf returns the number of tiles of a column that were computed in the last generation.
func (b *board) tilesOf(column int) (n int) {
	for _, w := range b.set(awake, column) {
		n += bits.OnesCount64(w)
	}
	return n
}

// stepBand computes the awake tiles of a band, wakes what depends on those that changed, and
// returns their number.
func (b *board) stepBand(d band) int {
	n := b.rouse(d)
	for c := d.first; c < d.end; c++ {
		b.stepColumn(d, c)
	}
	for c := d.first; c < d.end; c++ {
		b.rouseBeside(c, 1-d.parity)
	}
	return n
}

// rouse collects the tiles of a band that must be computed and returns their number.
func (b *board) rouse(d band) (n int) {
	column, kind := setsOf*b.span, roused+3*d.parity
	here, left, right := column+kind*b.span, (kind+2)*b.span, 2*column+(kind+1)*b.span
	computed, counted := column+awake*b.span, column+(stale+1-d.parity)*b.span
	for c := d.first; c < d.end; c++ {
		s := b.sets[c*column : (c+3)*column] // of this column and of those beside it
		for i := range b.span {
			w := s[here+i] | s[left+i] | s[right+i]
			s[computed+i] = w
			s[counted+i] |= w
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// stepColumn computes the awake tiles of a column of a band.
func (b *board) stepColumn(d band, c int) {
	awake, masks, marks := b.set(awake, c), &b.masks[0], b.marks[c]
	if c == b.columns-1 {
		masks = &b.masks[1]
	}
	now := b.tiles[d.parity][c : c+3]
	west, here, east, next := now[0], now[1], now[2], b.tiles[1-d.parity][c+1]
	cutWest, cutEast := c == d.first && d.west != nil, c == d.end-1 && d.east != nil
	if cutWest {
		west = b.image(d.west, left, d.parity)
	}
	if cutEast {
		east = b.image(d.east, right, d.parity)
	}
	low := b.height%kernel.Rows != 0 && awake[b.span-1]&b.lowest[b.span-1] != 0
	if low { // the lowest tile reaches over the edge and has a mask of its own
		awake[b.span-1] &^= b.lowest[b.span-1]
	}
	b.kernel.Step(next, west, here, east, awake, &masks[0], marks)
	if low {
		b.kernel.Step(next, west, here, east, b.lowest, &masks[1], marks)
		awake[b.span-1] |= b.lowest[b.span-1]
	}
	if cutWest {
		b.take(d.west, right, 1-d.parity)
	}
	if cutEast {
		b.take(d.east, left, 1-d.parity)
	}
}

// rouseBeside notes which tiles wake in the generation of a parity because tiles of a column
// changed: the same tiles, in the column or beside it, and those above and below if the first or
// the last row changed.
func (b *board) rouseBeside(c, parity int) {
	at := ((c+1)*setsOf + roused + 3*parity) * b.span
	wake := b.sets[at : at+3*b.span]
	b.kernel.Collect(wake, b.marks[c], b.set(awake, c))
	for kind := range 3 {
		wake[(kind+1)*b.span-1] &= b.existing
	}
	for i, w := range b.set(again, c) {
		wake[i] |= w
	}
	clear(b.set(again, c))
}

// population returns the number of live cells of each colour.
func (b *board) population() [2]int {
	b.count()
	var n [2]int
	for _, c := range b.census.pairs {
		n[0] += c[0]
		n[1] += c[1]
	}
	return n
}

// count updates the counts of the tiles that were computed since it was called last.
func (b *board) count() {
	if b.census.fresh {
		return
	}
	b.census.fresh = true
	for c := range b.columns {
		at := (c+1)*b.stride + 1
		change := b.kernel.Count(b.now, at, b.set(stale+b.parity, c), b.census.tiles[at:])
		b.census.pairs[c/2][0] += int(change[0])
		b.census.pairs[c/2][1] += int(change[1])
	}
}

// nth returns the live cell of a colour with number n, counted from 0, without visiting the cells
// before it. n must be below the colour's population. The order is part of the rules as played
// here, because players draw cells by number: blocks of 64 by 8 cells, down one column of blocks
// after the other from the left, and in a block row by row.
func (b *board) nth(c colour, n int) cell {
	b.count()
	b.lot(&b.lots[0], c, n)
	b.find(b.lots[:1])
	return cell{int32(b.lots[0].Row), int32(b.lots[0].Column)}
}

// lot sets the lot by which find finds cell nth; counts must be up to date. It is written in place,
// because a copy would wait for the store buffer.
func (b *board) lot(l *kernel.Lot, c colour, n int) {
	pair, before, live := 0, 0, 0
	for _, of := range b.census.pairs { // all: a branch out would be mispredicted
		if live += of[c]; n >= live {
			pair++
			before = live
		}
	}
	l.First, l.Colour, l.N = uint32((2*pair+1)*b.stride+1), uint32(c), uint32(n-before)
	l.Column = uint32(pair * 2 * kernel.Columns)
}

// find sets the rows and columns of lots.
func (b *board) find(lots []kernel.Lot) {
	b.kernel.Nth(lots, b.now, b.census.tiles, b.stride)
}

// each calls visit for every live cell, row by row from the top, from left to right.
func (b *board) each(visit func(y, x int, c colour)) {
	for y := range b.height {
		for x := 0; x < b.width; x += 64 {
			first, second := b.row(colourA, y, x), b.row(colourB, y, x)
			for w := first | second; w != 0; w &= w - 1 {
				i := bits.TrailingZeros64(w)
				visit(y, x+i, colour(second>>i&1))
			}
		}
	}
}

// eachChanged calls visit for every cell that differs from the generation before, with its colour
// then.
func (b *board) eachChanged(visit func(y, x int, was colour)) {
	for y := range b.height {
		for x := 0; x < b.width; x += kernel.Columns {
			i := b.word(y, x)
			was, change := b.last[i], b.now[i]^b.last[i]
			for w := uint32(change | change>>kernel.Columns); w != 0; w &= w - 1 {
				at := bits.TrailingZeros32(w)
				c := dead
				if was>>at&1 != 0 {
					c = colourA
				} else if was>>at>>kernel.Columns&1 != 0 {
					c = colourB
				}
				visit(y, x+at, c)
			}
		}
	}
}
