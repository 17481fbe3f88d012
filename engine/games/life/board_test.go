package life

import (
	"testing"

	"clade/engine"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// sides are heights and widths around the sizes of tiles and bit sets.
var sides = []int{1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 70, 127, 128, 129, 130, 200}

// best returns the highest level that this processor runs.
func best() kernels.Level {
	all := kernels.Available()
	return all[len(all)-1]
}

// compare fails where the board and the oracle differ.
func compare(t *testing.T, b *board, n *naive) {
	t.Helper()
	for y := range n.height {
		for x := range n.width {
			if b.at(y, x) != n.at(y, x) {
				t.Fatalf("%s, %d x %d: cell (%d, %d) is %d, want %d", b.kernel.Level, n.height,
					n.width, y, x, b.at(y, x), n.at(y, x))
			}
		}
	}
	if b.population() != n.population() {
		t.Fatalf("%s, %d x %d: population %v, want %v", b.kernel.Level, n.height, n.width,
			b.population(), n.population())
	}
}

// play plays a random game on the oracle and on a board of each kernel, and compares them after
// every generation.
func play(t *testing.T, height, width, generations, dense int, seed uint64) {
	t.Helper()
	r, n := engine.NewRandom(seed), newNaive(height, width)
	var boards []*board
	for _, k := range kernels.Available() {
		boards = append(boards, newBoard(height, width, k))
	}
	put := func(cells int) {
		for range cells {
			y, x, c := r.Below(height+2)-1, r.Below(width+2)-1, colour(r.Below(2))
			placed := n.place(y, x, c)
			for _, b := range boards {
				if b.place(y, x, c) != placed {
					t.Fatalf("%s, %d x %d: placing at (%d, %d) differs", b.kernel.Level, height, width,
						y, x)
				}
			}
		}
	}
	put(height * width * dense / 100)
	for range generations {
		if r.Below(3) == 0 {
			put(r.Below(8))
		}
		pace := 1 + r.Below(3)
		n.step(1)
		for _, b := range boards {
			b.advance(pace, 1)
			compare(t, b, n)
		}
	}
	for _, b := range boards {
		compareOrder(t, b, n)
	}
}

// compareOrder fails where a board counts its cells in another order than that of the rules: by
// columns of blocks of 64 by 8.
func compareOrder(t *testing.T, b *board, n *naive) {
	t.Helper()
	for c := range colour(2) {
		i := 0
		for x := 0; x < n.width; x += 64 {
			for at := range n.height * 64 {
				y, x := at/64, x+at%64
				if x >= n.width || n.at(y, x) != c {
					continue
				}
				if got := b.nth(c, i); got != (cell{int32(y), int32(x)}) {
					t.Fatalf("cell %d of colour %d is %v, not at (%d, %d)", i, c, got, y, x)
				}
				i++
			}
		}
	}
}

func TestBoardEqualsOracle(t *testing.T) {
	proof.Slow(t)
	for i, h := range sides {
		for j, w := range sides {
			if (i+j)%4 == 0 || h+w > 384 {
				play(t, h, w, 12, 5+(i*7+j*13)%60, uint64(i*100+j))
			}
		}
	}
	play(t, 70, 200, 400, 1, 9) // long, sparse: most tiles sleep
	play(t, 600, 130, 10, 30, 10)
	play(t, 40, 700, 20, 20, 11)
}

// TestAllNeighbourhoods moves a cell with each of the 3^9 neighbourhoods that there are.
func TestAllNeighbourhoods(t *testing.T) {
	const side, apart = 141, 4
	n := newNaive(side*apart, side*apart)
	for i := range 19683 {
		for cell, code := 0, i; cell < 9; cell, code = cell+1, code/3 {
			if c := colour(code % 3); c != dead {
				n.place(i/side*apart+cell/3, i%side*apart+cell%3, c)
			}
		}
	}
	var boards []*board
	for _, k := range kernels.Available() {
		b := newBoard(n.height, n.width, k)
		for i, c := range n.cells {
			if c != dead {
				b.place(i/n.width, i%n.width, c)
			}
		}
		boards = append(boards, b)
	}
	n.step(1)
	for _, b := range boards {
		b.step(1)
		compare(t, b, n)
	}
}

func FuzzBoard(f *testing.F) {
	for i, s := range sides {
		f.Add(uint16(s), uint16(sides[len(sides)-1-i]), uint8(i*5), uint64(i))
	}
	f.Fuzz(func(t *testing.T, height, width uint16, dense uint8, seed uint64) {
		play(t, int(height%300)+1, int(width%300)+1, 8, int(dense%80), seed)
	})
}

func TestBoardRow(t *testing.T) {
	b := newBoard(20, 100, best())
	r := engine.NewRandom(1)
	for range 600 {
		b.place(r.Below(20), r.Below(100), colour(r.Below(2)))
	}
	for y := -8; y < 28; y++ {
		for x := -32; x < 100; x++ {
			for c := range colour(2) {
				row := b.row(c, y, x)
				for i := range 64 {
					if got := row>>i&1 != 0; got != (b.at(y, x+i) == c) {
						t.Fatalf("Row(%d, %d, %d) bit %d = %v", c, y, x, i, got)
					}
				}
			}
		}
	}
}

func TestBoardStepDoesNotAllocate(t *testing.T) {
	b := newBoard(300, 300, best())
	pulsars(t, b)
	proof.Is(t, testing.AllocsPerRun(20,
		func() { b.step(1); b.place(5, 5, colourA); b.population(); b.nth(colourA, 0) }), 0,
		"allocations a generation")
}

func fill(b *board, percent int) {
	r := engine.NewRandom(1)
	for y := range b.height {
		for x := range b.width {
			if r.Below(100) < percent {
				b.place(y, x, colour(r.Below(2)))
			}
		}
	}
}
