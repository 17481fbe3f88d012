package gp_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"clade/gp"
)

// The tables and rotations do what going from cell to cell does.
func TestTorus(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, side := range []int{1, 3, 5, 7, 9, 11} {
		torus, n := gp.NewTorus(side), side*side
		for range 200 {
			var set gp.Bits
			for i := range n {
				if r.IntN(3) == 0 {
					set.Set(i)
				}
			}
			at := r.IntN(n)
			var window, beside gp.Bits
			for i := range n {
				if set.Has(torus.Cell(at, i%side-side/2, i/side-side/2)) {
					window.Set(i)
				}
				if set.Has(i) {
					for d := range 4 {
						beside.Set(torus.Towards(i, d))
					}
				}
			}
			if got := torus.Recentre(set, at); got != window {
				t.Fatalf("side %d: cell %d in the middle: %x, want %x", side, at, got, window)
			}
			radius := r.IntN(side)
			var square gp.Bits
			for y := -radius; y <= radius; y++ {
				for x := -radius; x <= radius; x++ {
					cell := torus.Cell(at, x, y)
					if square.Set(cell); torus.Cell(at, x+3*side, y-4*side) != cell {
						t.Fatalf("side %d: turns around the torus lead elsewhere", side)
					}
				}
			}
			if got := torus.Square(at, radius); got != square {
				t.Fatalf("side %d: %d around cell %d: %x, want %x", side, radius, at, got, square)
			}
			to := r.IntN(n)
			if x, y := torus.Offset(at, to); torus.Cell(at, x, y) != to || max(x, -x, y, -y) > side/2 {
				t.Fatalf("side %d: cell %d lies %d, %d from %d", side, to, x, y, at)
			}
			if got := torus.Neighbours(set); got != beside {
				t.Fatalf("side %d: beside %x: %x, want %x", side, set, got, beside)
			}
		}
	}
}

func TestTorusRefuses(t *testing.T) {
	for _, side := range []int{-1, 0, 4, 13} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("a torus of side %d", side)
				}
			}()
			gp.NewTorus(side)
		}()
	}
}

func ExampleTorus() {
	torus := gp.NewTorus(5)
	var food gp.Bits
	food.Set(torus.Cell(0, -1, 0)) // left of the corner: at the other edge
	seen := torus.Recentre(food, 0)
	fmt.Println(seen.Has(12-1), seen.Count())
	// Output: true 1
}
