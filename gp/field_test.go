package gp_test

import (
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// Words and vectors do what going from cell to cell does, by columns and rows that are computed
// here.
func TestField(t *testing.T) {
	proof.Slow(t)
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{1, 1}, {1, 32}, {32, 1}, {32, 32}, {31, 32}, {32, 31}, {24, 24},
		{9, 17}, {5, 3}} {
		field := gp.NewField(size[0], size[1])
		for range 60 {
			checkField(t, r, size[0], size[1], field, field.Plain())
		}
	}
}

func checkField(t *testing.T, r *rand.Rand, columns, rows int, fields ...*gp.Field) {
	t.Helper()
	// at returns the cell that lies x, y from another, or -1.
	at := func(from, x, y int) int {
		if x, y = from%32+x, from/32+y; x < 0 || x >= columns || y < 0 || y >= rows {
			return -1
		}
		return y*32 + x
	}
	var set, free, goal, all gp.Cells
	sparse := 1 + r.IntN(200)
	for i := range columns * rows {
		cell := i/columns*32 + i%columns
		all.Set(cell)
		if r.IntN(sparse) == 0 {
			set.Set(cell)
		}
		if r.IntN(3) != 0 {
			free.Set(cell)
		}
		if r.IntN(40) == 0 {
			goal.Set(cell)
		}
	}
	ways := [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}
	spread := func(reached gp.Cells, open func(cell int) bool) gp.Cells {
		more := reached
		for cell := range reached.Each {
			for _, way := range ways {
				if to := at(cell, way[0], way[1]); to >= 0 && open(to) {
					more.Set(to)
				}
			}
		}
		return more
	}
	far, reached := 0, set
	for {
		if met := reached.And(&goal); !met.Empty() {
			break
		}
		more := spread(reached, func(cell int) bool { return free.Has(cell) || goal.Has(cell) })
		if more == reached {
			far = -1
			break
		}
		reached, far = more, far+1
	}
	region := set
	for more := spread(region, free.Has); more != region; more = spread(region, free.Has) {
		region = more
	}
	from := r.IntN(rows)*32 + r.IntN(columns)
	for _, field := range fields {
		if field.All() != all {
			t.Fatalf("%d x %d: all cells are %x", columns, rows, field.All())
		}
		if got, ok := field.Distance(set, &goal, &free); ok != (far >= 0) || ok && got != far {
			t.Fatalf("%d x %d: %d, %v steps from %x to %x by %x, want %d", columns, rows, got, ok, set,
				goal, free, far)
		}
		if got := field.Flood(set, &free); got != region {
			t.Fatalf("%d x %d: flood of %x by %x: %x, want %x", columns, rows, set, free, got, region)
		}
		if got := field.Index(from); got != from/32*columns+from%32 {
			t.Fatalf("%d x %d: cell %d has index %d", columns, rows, from, got)
		}
		for d, way := range ways {
			if to := at(from, way[0], way[1]); to >= 0 && field.Towards(from, d) != to ||
				to < 0 && field.Towards(from, d) != from {
				t.Fatalf("%d x %d: direction %d of cell %d", columns, rows, d, from)
			}
		}
		checkWindow(t, field, &set, from, at)
	}
}

func checkWindow(t *testing.T, field *gp.Field, set *gp.Cells, from int,
	at func(from, x, y int) int) {
	t.Helper()
	for side := 1; side <= 11; side += 2 {
		g := viewsGrammar(side, true)
		f := g.NewFrame()
		f.CentreField(field, from)
		for l, layer := range g.Layers {
			f.DrawField(l, set)
			for i := range side * side {
				cell := at(from, i%side-side/2, i/side-side/2)
				want := cell >= 0 && set.Has(cell) || cell < 0 && layer.Walls
				if want = want && layer.Extent.Has(i); f.Layers[l].Has(i) != want {
					t.Fatalf("side %d: cell %d of layer %d from %d", side, i, l, from)
				}
			}
		}
	}
}

func TestFieldRefuses(t *testing.T) {
	for _, size := range [][2]int{{0, 1}, {1, 0}, {33, 1}, {1, 33}, {-1, 4}} {
		proof.Panics(t, func() { gp.NewField(size[0], size[1]) }, "a field of %v", size)
	}
}
