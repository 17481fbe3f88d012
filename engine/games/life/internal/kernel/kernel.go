// Package kernel moves a board of Life with two colours by one generation, as fast as the processor
// can. It knows neither placements nor games: it maps words to words.
//
// A board is cut into tiles of 32 by 8 cells. A tile is Words consecutive words, one a row: the
// first colour in the lower 32 bits, the second in the upper; bit i of either is the cell i columns
// from the tile's left edge. So a tile of both colours is one cache line and one vector of 512
// bits. The tiles of a column of the board stand one behind the other from top to bottom with an
// empty tile at either end. So the rows above and below a tile are near in memory, and the words
// left and right of a tile's rows are whole vectors, which no kernel has to shift across lanes.
//
// Every kernel adds up rows of three with the centre included, then three such sums. Of nine cells
// three live: alive next (a birth, or two friends and itself). Four live: alive next if it is alive
// now. A birth also needs a sum of nothing for the other colour.
//
// With n the ones of the nine, k the carry of the ones, u the twos and v their carry, odd = k^u and
// even = v^(k&u) are the twos and the fours of the sum, but that eight live cells look like none.
// They may: of nine cells at most one is left then for a birth of the other colour. So three or
// four cells live where odd^even and n^even, and of them n says three.
package kernel

import (
	"math/bits"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg kernel

// Sizes of a tile.
const (
	Rows    = 8    // rows of a tile, cells
	Columns = 32   // columns of a tile, cells
	Words   = Rows // words of a tile
)

// Both times the 32 cells of a row gives them to both colours.
const Both = 1<<Columns | 1

// Mask says which cells of a tile exist, by row, for either colour. The others are dead for ever.
type Mask [Rows]uint64

// Whole is the mask of a tile that lies wholly on the board.
func Whole() Mask {
	var m Mask
	for i := range m {
		m[i] = ^uint64(0)
	}
	return m
}

// Set says of a column's tiles which are meant: bit i of word j is tile 64j+i, from the top.
type Set []uint64

// Words64 is the number of words of a Set of a number of tiles.
func Words64(tiles int) int { return (tiles + 63) / 64 }

// Marks say of the tiles of a column which rows hold cells that differ from what stood in the
// target before, in three bytes a tile: bit 0 for the first row, bit 7 for the last, and any bit
// for those between. The bytes for any cell of a row come first, for 64 tiles each word of a Set;
// then come those for its first cell and those for its last.
type Marks []uint8

// NewMarks returns marks for a column with Sets of a number of words.
func NewMarks(words int) Marks { return make(Marks, 3*64*words) }

// apart returns the number of bytes from one kind of marks to the next.
func (m Marks) apart() int { return len(m) / 3 }

// Edge is the first or the last cells of the rows of a column, 16 bits a tile: bit 2y+c is the cell
// of row y and colour c. It is a thirtieth of what it is taken from: where two cores have columns
// side by side, each gives the other an edge, and no line of the cells ever moves between them.
type Edge []uint16

// Side is the side of a column on which an edge lies. Its value is the place of the edge's cells in
// a row.
type Side uint8

// The sides of a column.
const (
	West Side = 0
	East Side = Columns - 1
)

// Put makes a cell of the edge live.
func (e Edge) Put(tile, row, colour int) { e[tile] |= 1 << (2*row + colour) }

// Kernel computes next generations.
//
// Step computes the tiles of a set in the column here into next, and sets their marks. west and
// east are the columns on either side of it. A column is given with its empty tiles.
//
// Count counts the cells of either colour in the tiles of a set, which it empties, writes them to
// the counts of the column's tiles, and returns by how much their sums changed.
//
// Collect gathers the marks of the tiles of a set into three sets of tiles that they wake, one
// behind the other: in the column, where anything changed, in the column to the left, where the
// first cell of a row did, and in the one to the right, where the last one did; the same tiles, and
// those above or below where the first or the last row changed so. It runs some time after Step:
// right behind it, reads of many bytes would wait for stores of single ones.
//
// Take copies an edge from a column, and Give writes a column that has the edge and is otherwise
// empty, so that it can stand for the one from which it was taken. Both go over all tiles.
//
// Nth finds cells by lots, in two columns of tiles that are so many tiles apart. The counts of the
// tiles must be those of the words, and hold zeros for another 16 tiles.
//
// See draws the windows of the sites from one up to before another; nil where a level has no such
// kernel.
type Kernel struct {
	Level   kernels.Level
	Step    func(next, west, here, east []uint64, awake Set, mask *Mask, marks Marks)
	Count   func(src []uint64, at int, stale Set, counts [][2]uint32) (change [2]int32)
	Collect func(wake []uint64, marks Marks, awake Set)
	Take    func(e Edge, column []uint64, s Side)
	Give    func(column []uint64, e Edge, s Side)
	Nth     func(lots []Lot, words []uint64, counts [][2]uint32, apart int)
	See     func(to *[MaxSites]Window, sites *Sites, first, end int, v *View)
}

// Lot is a live cell by its number, counted from 0, among those of a colour in two columns of tiles
// side by side, in order of tiles, rows of both and columns. Kernels know its layout.
type Lot struct {
	First  uint32 // the first tile of the column to the left
	Colour uint32
	N      uint32 // below their number
	Row    uint32 // of the cell, below the columns' first
	Column uint32 // of the columns' first cells, and by Nth of the cell
}

// Layers are those that See draws, from the first on: own cells, enemies, dead cells, births of
// either, what is not as it was, and what lies off the board. Covers is the number of patterns that
// it tries at a site.
const (
	Layers = 7
	Covers = 24
)

// View is what the sites of a turn have in common.
type View struct {
	Now, Last     []uint64           // of the board
	Height, Width int                // of the board, in cells
	Stride        int                // tiles from one column to the next
	Own           int                // the viewer's colour
	Layers        uint16             // wanted: bit i for layer i; others may be drawn or not
	Covers        *[2][Covers]uint64 // lower and upper half of the cells that a pattern covers
}

// Lines are 16 rows of one colour around a site, then as many of the other: the first 13 columns
// and rows count.
type Lines [32]uint16

// MaxSites is the greatest number of sites that See draws at once.
const MaxSites = 32

// Sites are where See draws: windows of 11 by 11 cells, and a rim of one cell that births follow
// from. Kernels know the layout, and that of Window.
type Sites struct {
	Y, X     [MaxSites]int32  // cells of the board
	Mirrored [MaxSites]uint32 // all ones where the world is mirrored, or 0
	Chosen   [MaxSites]*Lines // further live cells of the rim's rows, the viewer's first
	//lint:ignore U1000 the kernel writes and reads it
	made [4][MaxSites]uint32
}

// Window is what See draws.
type Window struct {
	Layers [Layers]gp.Bits
	Fits   uint32 // patterns that cover only dead cells, bit i for the one of number i
	_      [3]uint32
}

// highest returns the last tile of a set, -1 of an empty one.
func highest(s Set) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] != 0 {
			return 64*i + bits.Len64(s[i]) - 1
		}
	}
	return -1
}

// check panics where a kernel would touch what is not there; assembly cannot tell.
func check(next, west, here, east []uint64, awake Set, marks Marks) {
	if n := len(here); len(next) != n || len(west) != n || len(east) != n ||
		highest(awake) >= n/Words-2 || len(marks) != 3*64*len(awake) {
		panic("life: a run of tiles lies off the board")
	}
}

// checkCollect panics where a kernel would touch what is not there.
func checkCollect(wake []uint64, marks Marks, awake Set) {
	if len(awake) == 0 || len(wake) != 3*len(awake) || len(marks) != 3*64*len(awake) {
		panic("life: the marks do not belong to the tiles")
	}
}

// checkEdge panics where a kernel would touch what is not there.
func checkEdge(column []uint64, e Edge) {
	if len(e) == 0 || len(column) != (len(e)+2)*Words {
		panic("life: the edge does not belong to the column")
	}
}

// checkSites tells whether there are sites, and panics where a kernel would touch what is not
// there.
func checkSites(sites *Sites, first, end int, v *View) bool {
	for i := first; i < end; i++ {
		if uint(sites.Y[i]) >= uint(v.Height) || uint(sites.X[i]) >= uint(v.Width) {
			panic("life: a site lies off the board")
		}
	}
	last := v.Stride*((v.Width-1)/Columns+3)*Words - 1
	_, _ = v.Now[last], v.Last[last]
	return first < end
}
