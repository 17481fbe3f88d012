package amoebas

import (
	"math/bits"
	"slices"
)

// margin is the width of the copy of the opposite edge around the world, so that no view has to
// wrap.
const margin = maxView

// geometry is what every world of one size shares: how cells are numbered, and the original's
// acting order. It is immutable.
//
// Cells are numbered row by row in a square that is larger by the margin on every side. The length
// of a row is a multiple of eight, so that in a bit plane the seven bits of a view's row start at
// the same bit of a byte in every row.
type geometry struct {
	size   int
	pitch  int                // cells a row, margins and filling counted
	cells  int                // all, margins and filling counted
	offset [8]int             // from a cell to its neighbours
	view   [side * side]int32 // from a cell to those of its greatest view
	row    []uint8            // by eight cells: their row
	// by row: the first cell of the row of the world itself that it is or copies
	rows   []uint16
	column []uint8 // by column: likewise
	// by cell of the world, two in a byte: which margins hold copies of it, see the bits below
	copies []uint8
	ways   [16][]int // by those bits: the offset from the cell to each copy
	order  []uint16  // the cells of the world in classic acting order
	rank   []uint16  // by cell of the world: its place in order
}

// Bits in geometry.copies: the copy is one world's width or height further on or back.
const (
	copyRight uint8 = 1 << iota
	copyLeft
	copyDown
	copyUp
)

// border returns which margins hold copies of a cell of the world: 0 for most cells.
func (g *geometry) border(cell int) uint8 { return g.copies[cell>>1] >> (cell & 1 * 4) & 15 }

// toCopies returns the offsets from a cell of the world to its copies.
func (g *geometry) toCopies(cell int) []int { return g.ways[g.border(cell)&15] }

// home returns the cell of the world itself that a cell is or copies.
func (g *geometry) home(cell int) int {
	y := int(g.row[cell>>3])
	return int(g.rows[y]) + int(g.column[cell-y*g.pitch])
}

// toward returns the neighbour of a cell of the world in a direction. Only at a border need it be
// looked up.
func (g *geometry) toward(cell int, d direction) int {
	to := cell + g.offset[d&7]
	if g.border(cell) != 0 {
		to = g.home(to)
	}
	return to
}

// waysToCopies returns geometry.ways for the width and the height of a world.
func waysToCopies(across, down int) (ways [16][]int) {
	for where := range ways {
		bit := func(b uint8) bool { return uint8(where)&b != 0 }
		for _, y := range []int{0, down, -down} {
			if y > 0 && !bit(copyDown) || y < 0 && !bit(copyUp) {
				continue
			}
			if y != 0 {
				ways[where] = append(ways[where], y)
			}
			if bit(copyRight) {
				ways[where] = append(ways[where], y+across)
			}
			if bit(copyLeft) {
				ways[where] = append(ways[where], y-across)
			}
		}
	}
	return ways
}

func newGeometry(size int) *geometry {
	g := &geometry{size: size, pitch: (size + 2*margin + 7) &^ 7}
	g.cells = g.pitch * (size + 2*margin)
	g.row, g.copies, g.rank = make([]uint8, g.cells/8), make([]uint8, g.cells/2),
		make([]uint16, g.cells)
	for d := range direction(8) {
		dx, dy := d.step()
		g.offset[d] = dy*g.pitch + dx
	}
	for i := range g.view {
		g.view[i] = int32((i/side-maxView)*g.pitch + i%side - maxView)
	}
	for i := range g.row {
		g.row[i] = uint8(8 * i / g.pitch)
	}
	for i := -margin; i < size+margin; i++ {
		g.rows = append(g.rows, uint16(g.cell(0, i)-margin))
		g.column = append(g.column, uint8(g.cell(i, 0)%g.pitch))
	}
	g.ways = waysToCopies(size, size*g.pitch)
	var keys []uint64 // a hash, and below it the cell, which rises where hashes are equal
	for y := range size {
		for x := range size {
			i := g.cell(x, y)
			g.copies[i>>1] |= (copiesAlong(x, size, copyRight, copyLeft) | copiesAlong(y, size,
				copyDown, copyUp)) << (i & 1 * 4)
			keys = append(keys, uint64(orderKey(hashPosition(x, y)))<<16|uint64(i))
		}
	}
	slices.Sort(keys)
	for i, k := range keys {
		g.order = append(g.order, uint16(k))
		g.rank[uint16(k)] = uint16(i)
	}
	return g
}

func copiesAlong(x, size int, on, back uint8) (c uint8) {
	if x < margin {
		c |= on
	}
	if x >= size-margin {
		c |= back
	}
	return c
}

// cell returns the number of the cell at (x, y), which may lie up to one world away.
func (g *geometry) cell(x, y int) int {
	return ((y+g.size)%g.size+margin)*g.pitch + (x+g.size)%g.size + margin
}

// position is the inverse of cell.
func (g *geometry) position(cell int) (x, y int) {
	return cell%g.pitch - margin, cell/g.pitch - margin
}

// The original keeps its world in a hash map from positions to cells and lets amoebas act in the
// order in which that map lists them. The map is a tree with 32 branches a node, read branch by
// branch, so the order is that of the hash's base-32 digits, the least significant digit first. A
// position's hash is MurmurHash3's (Appleby, 2011) for an ordered collection of two integers. No
// two positions of a world of up to 250 x 250 cells have the same hash, as a test shows; row order
// would decide between them.

// orderKey reverses the digits of a hash, so that comparing keys compares digits from the least
// significant on.
func orderKey(hash uint32) uint32 {
	var key uint32
	for digit := range 6 {
		key |= hash >> (5 * digit) & 31 << (25 - 5*digit)
	}
	// the seventh digit holds the two highest bits, and the key has two bits left below the sixth
	return key<<2 | hash>>30
}

func hashPosition(x, y int) uint32 {
	h := uint32(1)
	h = 31*h + hashInt(uint64(x))
	h = 31*h + hashInt(uint64(y))
	return finishMurmur(mixMurmur(0, h), 2)
}

// hashInt is the hash of one integer.
func hashInt(v uint64) uint32 {
	if v == 0 {
		return 0
	}
	return finishMurmur(mixMurmur(mixMurmur(0, uint32(v)), uint32(v>>32)), 8)
}

// mixMurmur adds four bytes to a MurmurHash3.
func mixMurmur(h, k uint32) uint32 {
	k = bits.RotateLeft32(k*0xcc9e2d51, 15) * 0x1b873593
	return bits.RotateLeft32(h^k, 13)*5 + 0xe6546b64
}

// finishMurmur ends a MurmurHash3 over the given number of bytes.
func finishMurmur(h, length uint32) uint32 {
	h ^= length
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	return h ^ h>>16
}
