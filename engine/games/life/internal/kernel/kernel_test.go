package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp/kernels"
	"clade/gp/proof"
)

// TestKernelsAreTwins gives all kernels the same random tiles and sets of them, with scattered
// tiles and with runs across words of the set.
func TestKernelsAreTwins(t *testing.T) {
	const rows = 150
	words := Words64(rows)
	r := rand.New(rand.NewPCG(1, 2))
	random := func(sparse int) uint64 {
		w := r.Uint64()
		for range sparse {
			w &= r.Uint64()
		}
		return w
	}
	for round := range 60 {
		var columns [3][]uint64 // the middle one is computed
		for i := range columns {
			columns[i] = make([]uint64, (rows+2)*Words)
			for j := range columns[i] {
				columns[i][j] = random(round % 5)
				columns[i][j] &^= columns[i][j] << Columns // a cell has one colour
			}
		}
		old := make([]uint64, (rows+2)*Words)
		for i := range old {
			old[i] = random(round % 5)
		}
		awake, mask := make(Set, words), Mask{}
		for i := range mask {
			mask[i] = ^random(1) >> Columns * Both
		}
		for i := range awake {
			switch w := random(round % 7); round % 3 {
			case 0:
				awake[i] = w
			case 1:
				awake[i] = ^w
			default:
				awake[i] = w | w<<1 | w<<2 | w<<3 | w<<4
			}
		}
		awake[words-1] &= 1<<(rows%64) - 1
		want := slices.Clone(old)
		marks, wake := NewMarks(words), make([]uint64, 3*words)
		scalar().Step(want, columns[0], columns[1], columns[2], awake, &mask, marks)
		scalar().Collect(wake, marks, awake)
		checkWake(t, old, want, 1, awake, wake)
		for _, l := range kernels.Available()[1:] {
			k := Of(l)
			dst, others, gathered := slices.Clone(old), NewMarks(words), make([]uint64, 3*words)
			k.Step(dst, columns[0], columns[1], columns[2], awake, &mask, others)
			k.Collect(gathered, others, awake)
			checkCount(t, k, dst, 1, awake)
			if !slices.Equal(dst, want) || !slices.Equal(gathered, wake) {
				t.Fatalf("round %d: %s differs from its twin: cells %v, tiles to wake %v", round,
					l, !slices.Equal(dst, want), !slices.Equal(gathered, wake))
			}
		}
	}
}

// checkCount holds the counts of a kernel to those of its twin, with old counts and afresh.
func checkCount(t *testing.T, k Kernel, words []uint64, at int, awake Set) {
	t.Helper()
	got, want := make([][2]uint32, 64*len(awake)), make([][2]uint32, 64*len(awake))
	for i := range got {
		got[i] = [2]uint32{uint32(i), 7}
		want[i] = got[i]
	}
	for range 2 {
		some, same := slices.Clone(awake), slices.Clone(awake)
		if c, w := k.Count(words, at, some, got), scalar().Count(words, at, same, want); c != w ||
			!slices.Equal(got, want) {
			t.Fatalf("%s counts %v and changes by %v, its twin %v and %v", k.Level, got, c, want, w)
		}
		if highest(some) != -1 || highest(same) != -1 {
			t.Fatal("counted tiles are still stale")
		}
	}
}

// checkWake holds the tiles to wake to what differs between old and new cells, and that no other
// tile was touched.
func checkWake(t *testing.T, before, after []uint64, at int, awake Set, wake []uint64) {
	t.Helper()
	want := make([]uint64, len(wake))
	put := func(kind, tile int) {
		if tile >= 0 && tile < 64*len(awake) {
			want[kind*len(awake)+tile/64] |= 1 << (tile % 64)
		}
	}
	for tile := range len(before)/Words - at {
		for y := range Rows {
			i := (at+tile)*Words + y
			diff := before[i] ^ after[i]
			diff = (diff | diff>>Columns) & (1<<Columns - 1)
			if diff != 0 && (tile >= 64*len(awake) || awake[tile/64]>>(tile%64)&1 == 0) {
				t.Fatalf("tile %d was touched in its sleep", tile)
			}
			for kind, cells := range []uint64{diff, diff & 1, diff >> (Columns - 1)} {
				if cells == 0 {
					continue
				}
				put(kind, tile)
				switch y {
				case 0:
					put(kind, tile-1)
				case Rows - 1:
					put(kind, tile+1)
				}
			}
		}
	}
	if !slices.Equal(wake, want) {
		t.Fatalf("tiles to wake: %x, want %x", wake, want)
	}
}

// TestEdges holds that every kernel takes the cells of an edge, and that a column with an edge
// alone has those cells and no others.
func TestEdges(t *testing.T) {
	const rows = 70
	r := rand.New(rand.NewPCG(1, 2))
	column := make([]uint64, (rows+2)*Words)
	for i := range column {
		column[i] = r.Uint64()
	}
	for _, side := range []Side{West, East} {
		want := make(Edge, rows)
		for i, row := range column[Words : (rows+1)*Words] {
			for colour := range 2 {
				if row>>(int(side)+Columns*colour)&1 != 0 {
					want.Put(i/Rows, i%Rows, colour)
				}
			}
		}
		for _, l := range kernels.Available() {
			k, got, image := Of(l), make(Edge, rows), slices.Repeat([]uint64{7}, len(column))
			k.Take(got, column, side)
			proof.Are(t, got, want, "%s, side %d: the edge", l, side)
			k.Give(image, got, side)
			for i, row := range image {
				cells := column[i] & (1 << side * Both)
				if i < Words || i >= (rows+1)*Words {
					cells = 7 // the empty tiles are not touched
				}
				if row != cells {
					t.Fatalf("%s, side %d: row %d of the image is %x, want %x", l, side, i, row, cells)
				}
			}
		}
	}
}

// TestOutOfBounds holds that no kernel leaves its slices.
func TestOutOfBounds(t *testing.T) {
	words, mask := make([]uint64, 5*Words), Whole()
	for _, l := range kernels.Available() {
		calls := map[string]func(){
			"below": func() {
				Of(l).Step(words, words, words, words, Set{1 << 3}, &mask, NewMarks(1))
			},
			"target": func() {
				Of(l).Step(words[:2*Words], words, words, words, Set{1}, &mask, NewMarks(1))
			},
			"west": func() {
				Of(l).Step(words, words[:2*Words], words, words, Set{1}, &mask, NewMarks(1))
			},
			"east": func() {
				Of(l).Step(words, words, words, words[:2*Words], Set{1}, &mask, NewMarks(1))
			},
			"marks": func() {
				Of(l).Step(words, words, words, words, Set{1, 0}, &mask, NewMarks(1))
			},
			"counts":  func() { Of(l).Count(words, 1, Set{2}, make([][2]uint32, 1)) },
			"count":   func() { Of(l).Count(words, 4, Set{2}, make([][2]uint32, 64)) },
			"edge":    func() { Of(l).Take(make(Edge, 4), words, West) },
			"image":   func() { Of(l).Give(words, make(Edge, 4), East) },
			"nothing": func() { Of(l).Take(nil, words[:2*Words], West) },
			"changes": func() { Of(l).Collect(nil, NewMarks(1), Set{1}) },
		}
		if see := Of(l).See; see != nil {
			calls["see"] = func() {
				see(new([MaxSites]Window), &Sites{Y: [MaxSites]int32{8}}, 0, 1,
					&View{Now: words, Last: words, Height: 8, Width: 8, Stride: 3})
			}
		}
		for name, call := range calls {
			proof.Panics(t, call, "%s, %s", l, name)
		}
	}
}

// Example moves a blinker in a board of one tile.
func Example() {
	now, next, empty := make([]uint64, 3*Words), make([]uint64, 3*Words), make([]uint64, 3*Words)
	now[Words+3] = 0b111 << 10
	marks, mask := NewMarks(1), Whole()
	scalar().Step(next, empty, now, empty, Set{1}, &mask, marks)
	for y := 2; y < 5; y++ {
		fmt.Printf("%012b\n", next[Words+y])
	}
	var wake [3]uint64
	scalar().Collect(wake[:], marks, Set{1})
	fmt.Printf("to wake: here %b, to the left %b, to the right %b\n", wake[0], wake[1], wake[2])
	// Output:
	// 100000000000
	// 100000000000
	// 100000000000
	// to wake: here 1, to the left 0, to the right 0
}
