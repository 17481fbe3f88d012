package gp_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// The tables and rotations do what going from cell to cell does, by columns and rows that are
// computed here.
func TestGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, side := range []int{1, 3, 5, 7, 9, 11} {
		for _, walls := range []bool{false, true} {
			grid, n := gp.NewTorus(side), side*side
			if walls {
				grid = gp.NewWalled(side)
			}
			for range 200 {
				checkGrid(t, r, grid, side, n, walls)
			}
		}
	}
}

func checkGrid(t *testing.T, r *rand.Rand, grid *gp.Grid, side, n int, walls bool) {
	t.Helper()
	// at returns the cell that lies x, y from another, or -1.
	at := func(from, x, y int) int {
		x, y = from%side+x, from/side+y
		if walls && (x < 0 || x >= side || y < 0 || y >= side) {
			return -1
		}
		return (y+10*side)%side*side + (x+10*side)%side
	}
	var set, free, goal gp.Bits
	for i := range n {
		if r.IntN(3) == 0 {
			set.Set(i)
		}
		if r.IntN(2) == 0 {
			free.Set(i)
		}
		if r.IntN(9) == 0 {
			goal.Set(i)
		}
	}
	from := r.IntN(n)
	var window, beside, square gp.Bits
	for i := range n {
		if cell := at(from, i%side-side/2, i/side-side/2); cell >= 0 && set.Has(cell) {
			window.Set(i)
		}
		for d, way := range [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}} {
			to := at(i, way[0], way[1])
			if set.Has(i) && to >= 0 {
				beside.Set(to)
			}
			if to < 0 {
				to = i
			}
			if got := grid.Towards(i, d); got != to {
				t.Fatalf("side %d: direction %d of cell %d is %d, want %d", side, d, i, got, to)
			}
		}
	}
	if got := grid.Recentre(set, from); got != window {
		t.Fatalf("side %d: cell %d in the middle: %x, want %x", side, from, got, window)
	}
	if got := grid.Neighbours(set); got != beside {
		t.Fatalf("side %d: beside %x: %x, want %x", side, set, got, beside)
	}
	radius := r.IntN(side)
	for y := -radius; y <= radius; y++ {
		for x := -radius; x <= radius; x++ {
			cell := at(from, x, y)
			if got, ok := grid.Cell(from, x, y); ok != (cell >= 0) || ok && got != cell {
				t.Fatalf("side %d: %d, %d of cell %d: %d, %v", side, x, y, from, got, ok)
			}
			if cell >= 0 && max(x, -x, y, -y) <= side/2 {
				square.Set(cell)
			}
		}
	}
	if got := grid.Square(from, radius); got != square {
		t.Fatalf("side %d: %d around cell %d: %x, want %x", side, radius, from, got, square)
	}
	to := r.IntN(n)
	x, y := grid.Offset(from, to)
	if at(from, x, y) != to || !walls && max(x, -x, y, -y) > side/2 {
		t.Fatalf("side %d: cell %d lies %d, %d from %d", side, to, x, y, from)
	}
	reached, far := set, -1
	for steps := 0; ; steps++ {
		if far < 0 && !reached.And(goal).Empty() {
			far = steps
		}
		more := reached
		for i := range n {
			for _, way := range [4][2]int{{0, -1}, {1, 0}, {0, 1}, {-1, 0}} {
				next := at(i, way[0], way[1])
				if reached.Has(i) && next >= 0 && (free.Has(next) || far < 0 && goal.Has(next)) {
					more.Set(next)
				}
			}
		}
		if more == reached {
			break
		}
		reached = more
	}
	if got, ok := grid.Distance(set, goal, free); ok != (far >= 0) || ok && got != far {
		t.Fatalf("side %d: %d, %v steps from %x to %x, want %d", side, got, ok, set, goal, far)
	}
	reached = set
	for range n {
		for i := range n {
			for d := range 4 {
				if to := grid.Towards(i, d); reached.Has(i) && free.Has(to) {
					reached.Set(to)
				}
			}
		}
	}
	if got := grid.Flood(set, free); got != reached {
		t.Fatalf("side %d: flood of %x: %x, want %x", side, set, got, reached)
	}
}

func TestGridRefuses(t *testing.T) {
	for _, side := range []int{-1, 0, 4, 13} {
		for _, make := range []func(int) *gp.Grid{gp.NewTorus, gp.NewWalled} {
			proof.Panics(t, func() { make(side) }, "a grid of side %d", side)
		}
	}
}

func ExampleGrid() {
	for _, grid := range []*gp.Grid{gp.NewTorus(5), gp.NewWalled(5)} {
		var food gp.Bits
		food.Set(4) // the upper right corner: beyond the edge, left of the first cell
		seen := grid.Recentre(food, 0)
		fmt.Println(seen.Has(12-1), seen.Count())
	}
	// Output:
	// true 1
	// false 0
}
