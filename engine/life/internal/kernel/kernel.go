// Package kernel moves a board of Life with two colours by one generation, as fast as the processor can. It knows neither
// placements nor games: it maps words to words.
//
// A board is cut into tiles of 64 by 8 cells. A tile is Words consecutive words: the eight rows of the first colour, then the eight rows of the
// second; bit i of a row is the cell i columns from the tile's left edge. The tiles of a column of the board stand one behind the other from top to bottom with
// an empty tile at either end, and the columns stand from left to right, Stride tiles apart, with an empty column at either side. So the rows above and below
// a tile are near in memory, and the words left and right of a tile's rows are whole vectors, which no kernel has to shift across lanes.
//
// Every kernel adds up rows of three with the centre included, then three such sums. Of nine cells three live: alive next (a birth, or two friends and
// itself). Four live: alive next if it is alive now. A birth also needs a sum of nothing for the other colour.
package kernel

import (
	"fmt"
	"strings"
)

//go:generate go run -C gen . -out ../kernel_amd64.s -stubs ../stub_amd64.go -pkg kernel

// Sizes of a tile.
const (
	Rows    = 8        // rows of a tile, cells
	Columns = 64       // columns of a tile, cells
	Words   = 2 * Rows // words of a tile, both colours
)

// Mask says which cells of a tile exist, by row. The others are dead for ever.
type Mask [Rows]uint64

// Whole is the mask of a tile that lies wholly on the board.
func Whole() Mask {
	var m Mask
	for i := range m {
		m[i] = ^uint64(0)
	}
	return m
}

// Marks say which rows of a tile hold cells that differ from what stood in the target before, by tile: one bit a row.
type Marks struct {
	Rows []uint8 // any cell of the row
	West []uint8 // the first cell of the row
	East []uint8 // the last cell of the row
}

// NewMarks returns marks for a number of tiles.
func NewMarks(tiles int) Marks {
	all := make([]uint8, 3*tiles+8)
	return Marks{all[:tiles:tiles], all[tiles : 2*tiles : 2*tiles], all[2*tiles:]}
}

// Run is a number of tiles that follow each other in one column.
type Run struct{ At, N int32 }

// Kernel computes the next generation of the tiles of the runs, of which each has at least one, from src into dst, and sets their marks.
// The boards have equal length; stride is the number of tiles from one column to the next.
type Kernel struct {
	Name string
	Step func(dst, src []uint64, runs []Run, stride int, mask *Mask, marks Marks)
}

// Choose returns the kernel of a name, or the fastest that this processor runs for the name "".
func Choose(name string) (Kernel, error) {
	all := Available()
	if name == "" {
		return all[len(all)-1], nil
	}
	names := make([]string, len(all))
	for i, k := range all {
		if k.Name == name {
			return k, nil
		}
		names[i] = k.Name
	}
	return Kernel{}, fmt.Errorf("life: this processor has no kernel %q; it has %s", name, strings.Join(names, ", "))
}
