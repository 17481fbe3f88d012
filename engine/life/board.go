package life

import (
	"fmt"
	"math/bits"
	"sync"

	"clade/engine/life/internal/kernel"
	"clade/gp/kernels"
)

// Colour is who owns a live cell.
type Colour uint8

// The colours. First places first in every generation.
const (
	First Colour = iota
	Second
	None // of a dead cell
)

// Enemy returns the other colour.
func (c Colour) Enemy() Colour { return 1 - c }

// Cell is a place on the board, counted from 0 at the upper left.
type Cell struct{ Y, X int32 }

// MaxSide is the greatest height and width of a board, in cells.
const MaxSide = 1 << 14

// Board is a board of live cells of two colours with dead surroundings.
//
// A tile (see package kernel) is skipped as long as nothing that its next cells depend on differs from two generations before: then its next cells are
// those of the last generation, which stand in the target already. So still lifes and blinkers cost nothing. A tile wakes when it, or the edge of
// a tile beside it, came to differ; a placement wakes its tile for two generations, because the target lacks it.
type Board struct {
	height, width int
	columns, rows int // of tiles
	stride        int // tiles from one column to the next
	kernel        kernel.Kernel
	now, last     []uint64          // this generation, placements included, and the one before
	marks         []kernel.Marks    // by column
	masks         [2][2]kernel.Mask // of a tile in the last column or not, in the last row of tiles or not
	span          int               // words of a set of one column's tiles
	awake         []uint64          // by column: tiles that must be computed
	again         []uint64          // by column: tiles that a placement wakes once more
	wake          [3][]uint64       // by column: tiles to wake in it, in the column to the left, in the column to the right
	lowest        kernel.Set        // of a column: its lowest tile
	changes       []kernel.Changes  // by column: what its tiles wake
	census        census            // of now
	lastCensus    census            // of last
	computed      int               // tiles computed by the last Step
}

// census counts live cells when somebody asks. It belongs to a generation, since a tile that sleeps can still blink.
type census struct {
	stale   []uint64    // by column: tiles whose counts are old
	tiles   [][2]uint16 // by tile: live cells of either colour
	columns [][2]int    // by column
}

// NewBoard returns an empty board. The sides are in 1..MaxSide. Its kernel is of the level that the process may use; see package kernels.
func NewBoard(height, width int) (*Board, error) {
	l, err := kernels.Chosen()
	if err != nil {
		return nil, err
	}
	return newBoard(height, width, l)
}

// newBoard returns an empty board with a kernel of a level that this processor runs.
func newBoard(height, width int, l kernels.Level) (*Board, error) {
	if height < 1 || width < 1 || height > MaxSide || width > MaxSide {
		return nil, fmt.Errorf("life: a board's height and width lie in 1..%d, not %d and %d", MaxSide, height, width)
	}
	b := &Board{height: height, width: width, kernel: kernel.Of(l),
		columns: (width + kernel.Columns - 1) / kernel.Columns, rows: (height + kernel.Rows - 1) / kernel.Rows}
	b.stride = b.rows + 2
	if b.stride%32 == 0 {
		b.stride++ // columns 4096 bytes apart would share cache sets and store buffers
	}
	tiles := (b.columns + 2) * b.stride
	b.now, b.last = make([]uint64, tiles*kernel.Words), make([]uint64, tiles*kernel.Words)
	b.makeMasks()
	b.span = kernel.Words64(b.rows)
	sets := make([]uint64, 7*b.columns*b.span)
	for _, set := range []*[]uint64{&b.awake, &b.again, &b.wake[0], &b.wake[1], &b.wake[2], &b.census.stale, &b.lastCensus.stale} {
		*set, sets = sets[:b.columns*b.span:b.columns*b.span], sets[b.columns*b.span:]
	}
	b.lowest, b.changes = make(kernel.Set, b.span), make([]kernel.Changes, b.columns*b.span)
	set(b.lowest, 0, b.rows-1)
	for range b.columns {
		b.marks = append(b.marks, kernel.NewMarks(b.span))
	}
	for _, c := range []*census{&b.census, &b.lastCensus} {
		c.tiles, c.columns = make([][2]uint16, tiles), make([][2]int, b.columns)
	}
	return b, nil
}

// makeMasks notes which cells exist of the tiles that may reach over the board's right and lower edges.
func (b *Board) makeMasks() {
	for right := range 2 {
		for low := range 2 {
			m := kernel.Whole()
			if over := b.width % kernel.Columns; over != 0 && right == 1 {
				for y := range m {
					m[y] = 1<<over - 1
				}
			}
			if over := b.height % kernel.Rows; over != 0 && low == 1 {
				clear(m[over:])
			}
			b.masks[right][low] = m
		}
	}
}

// Height returns the number of rows of cells.
func (b *Board) Height() int { return b.height }

// Width returns the number of columns of cells.
func (b *Board) Width() int { return b.width }

// Holds tells whether a cell is on the board.
func (b *Board) Holds(y, x int) bool { return uint(y) < uint(b.height) && uint(x) < uint(b.width) }

// word returns the index of the word that holds a cell of the first colour, also up to a tile beyond the edges.
func (b *Board) word(y, x int) int {
	return ((x>>6+1)*b.stride+(y>>3+1))*kernel.Words + y&7
}

// At returns who owns a cell; None off the board.
func (b *Board) At(y, x int) Colour {
	if !b.Holds(y, x) {
		return None
	}
	i, bit := b.word(y, x), x&63
	switch {
	case b.now[i]>>bit&1 != 0:
		return First
	case b.now[i+kernel.Rows]>>bit&1 != 0:
		return Second
	default:
		return None
	}
}

// Row returns 64 cells of one colour in row y from column x to the right, the leftmost in bit 0. Cells off the board are dead.
// y may be up to 8 cells off the board, x may lie in -64..width-1.
func (b *Board) Row(c Colour, y, x int) uint64 { return b.cells(b.now, c, y, x) }

// RowBefore is Row for the generation before: the board, placements included, from which the last Step was made.
func (b *Board) RowBefore(c Colour, y, x int) uint64 { return b.cells(b.last, c, y, x) }

func (b *Board) cells(words []uint64, c Colour, y, x int) uint64 {
	i := b.word(y, x) + int(c)*kernel.Rows
	off := x & 63
	if off == 0 {
		return words[i]
	}
	return words[i]>>off | words[i+b.stride*kernel.Words]<<(64-off)
}

// Place makes an empty cell live. It returns false and changes nothing for a cell that is off the board or alive.
func (b *Board) Place(y, x int, c Colour) bool {
	if !b.Holds(y, x) || b.At(y, x) != None {
		return false
	}
	b.now[b.word(y, x)+int(c)*kernel.Rows] |= 1 << (x & 63)
	column, row := x>>6, y>>3
	tile := (column+1)*b.stride + row + 1
	b.census.tiles[tile][c]++
	b.census.columns[column][c]++
	set(b.again, column*b.span, row)
	for _, ny := range [3]int{y - 1, y, y + 1} {
		for _, nx := range [3]int{x - 1, x, x + 1} {
			if b.Holds(ny, nx) {
				set(b.wake[0], nx>>6*b.span, ny>>3)
			}
		}
	}
	return true
}

// set puts bit i in the set that starts at word start.
func set(words []uint64, start, i int) { words[start+i>>6] |= 1 << (i & 63) }

// parallelTiles is the number of tiles below which a second goroutine costs more than it brings: starting one and waiting for it takes a few microseconds,
// in which one core computes some hundred tiles.
const parallelTiles = 1000

// Step moves the board by one generation. bands is the number of goroutines that may share the work, 1 or more; it never changes the outcome.
func (b *Board) Step(bands int) { b.advance(bands, parallelTiles) }

// advance is Step with a threshold for more than one goroutine.
func (b *Board) advance(bands, tiles int) {
	b.computed = b.rouse()
	if bands = min(bands, b.columns); bands > 1 && b.computed >= tiles {
		b.stepBands(bands)
	} else {
		b.stepColumns(0, b.columns)
	}
	b.now, b.last = b.last, b.now
	b.census, b.lastCensus = b.lastCensus, b.census
}

// rouse gathers the tiles that must be computed, returns their number, and empties the sets for the next generation.
func (b *Board) rouse() int {
	n := 0
	for i := range b.awake {
		w := b.wake[0][i]
		if i >= b.span {
			w |= b.wake[2][i-b.span]
		}
		if i+b.span < len(b.awake) {
			w |= b.wake[1][i+b.span]
		}
		if over := b.rows % 64; over != 0 && i%b.span == b.span-1 {
			w &= 1<<over - 1
		}
		b.awake[i] = w
		b.lastCensus.stale[i] |= w
		n += bits.OnesCount64(w)
	}
	copy(b.wake[0], b.again)
	clear(b.again)
	clear(b.wake[1])
	clear(b.wake[2])
	return n
}

// stepBands gives every goroutine neighbouring columns with about equally many tiles to compute.
func (b *Board) stepBands(bands int) {
	var group sync.WaitGroup
	first, done := 0, 0
	for band := range bands {
		end := first
		for done*bands < (band+1)*b.computed && end < b.columns {
			for _, w := range b.awake[end*b.span : (end+1)*b.span] {
				done += bits.OnesCount64(w)
			}
			end++
		}
		if band == bands-1 {
			b.stepColumns(first, b.columns)
		} else {
			from := first
			group.Go(func() { b.stepColumns(from, end) })
		}
		first = end
	}
	group.Wait()
}

// stepColumns computes the awake tiles of the columns first..end-1 and wakes what depends on those that changed.
func (b *Board) stepColumns(first, end int) {
	for c := first; c < end; c++ {
		awake, masks := kernel.Set(b.awake[c*b.span:(c+1)*b.span]), &b.masks[0]
		if c == b.columns-1 {
			masks = &b.masks[1]
		}
		at := (c+1)*b.stride + 1
		low := b.height%kernel.Rows != 0 && awake[b.span-1]&b.lowest[b.span-1] != 0
		if low { // the lowest tile reaches over the edge and has a mask of its own
			awake[b.span-1] &^= b.lowest[b.span-1]
		}
		b.kernel.Step(b.last, b.now, at, awake, b.stride, &masks[0], b.marks[c])
		if low {
			b.kernel.Step(b.last, b.now, at, b.lowest, b.stride, &masks[1], b.marks[c])
			awake[b.span-1] |= b.lowest[b.span-1]
		}
	}
	for c := first; c < end; c++ {
		at := c * b.span
		changes := b.changes[at : at+b.span]
		b.kernel.Collect(changes, b.marks[c], b.awake[at:at+b.span])
		for i := range changes {
			b.rouseBeside(b.wake[0], at, i, changes[i].Here)
			b.rouseBeside(b.wake[1], at, i, changes[i].West)
			b.rouseBeside(b.wake[2], at, i, changes[i].East)
		}
	}
}

// rouseBeside wakes, in the column whose set begins at a word, the tiles that a change of 64 tiles concerns: the same ones, and those above and below where the first or
// the last row changed.
func (b *Board) rouseBeside(wake []uint64, column, i int, c kernel.Change) {
	if c.Any == 0 {
		return
	}
	wake[column+i] |= c.Any | c.First>>1 | c.Last<<1
	if i > 0 {
		wake[column+i-1] |= c.First << 63
	}
	if i+1 < b.span {
		wake[column+i+1] |= c.Last >> 63
	}
}

// Population returns the number of live cells of each colour.
func (b *Board) Population() [2]int {
	b.count()
	var n [2]int
	for _, c := range b.census.columns {
		n[0] += c[0]
		n[1] += c[1]
	}
	return n
}

// count brings the counts of the tiles up to date that were computed since it was called last.
func (b *Board) count() {
	for i, w := range b.census.stale {
		column := i / b.span
		for ; w != 0; w &= w - 1 {
			tile := (column+1)*b.stride + 1 + i%b.span*64 + bits.TrailingZeros64(w)
			words := (*[kernel.Words]uint64)(b.now[tile*kernel.Words:])
			for c := range 2 {
				n := 0
				for y := range kernel.Rows {
					n += bits.OnesCount64(words[c*kernel.Rows+y])
				}
				b.census.columns[column][c] += n - int(b.census.tiles[tile][c])
				b.census.tiles[tile][c] = uint16(n)
			}
		}
		b.census.stale[i] = 0
	}
}

// Nth returns the live cell of a colour with number n, counted from 0 in an order of the board's own, without visiting the cells before it. n must be below the
// colour's Population.
func (b *Board) Nth(c Colour, n int) Cell {
	b.count()
	column := 0
	for ; n >= b.census.columns[column][c]; column++ {
		n -= b.census.columns[column][c]
	}
	tile := (column+1)*b.stride + 1
	first := tile
	for ; n >= int(b.census.tiles[tile][c]); tile++ {
		n -= int(b.census.tiles[tile][c])
	}
	words := b.now[tile*kernel.Words+int(c)*kernel.Rows:]
	for y := range kernel.Rows {
		w := words[y]
		if live := bits.OnesCount64(w); n >= live {
			n -= live
			continue
		}
		for range n {
			w &= w - 1
		}
		return Cell{int32((tile-first)*kernel.Rows + y), int32(column*kernel.Columns + bits.TrailingZeros64(w))}
	}
	panic("life: a tile's count is wrong")
}

// Each calls visit for every live cell, row by row from the top, from left to right.
func (b *Board) Each(visit func(y, x int, c Colour)) {
	for y := range b.height {
		for x := 0; x < b.width; x += kernel.Columns {
			first, second := b.Row(First, y, x), b.Row(Second, y, x)
			for w := first | second; w != 0; w &= w - 1 {
				i := bits.TrailingZeros64(w)
				visit(y, x+i, Colour(second>>i&1))
			}
		}
	}
}
