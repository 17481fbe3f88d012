package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"clade/gp/kernels"
	"clade/gp/kernels/kerneltest"
)

// TestKernelsAreTwins gives all kernels the same random tiles and sets of them, with scattered tiles and with runs across words of the set.
func TestKernelsAreTwins(t *testing.T) {
	const rows, stride = 150, 152
	at, words := stride+1, Words64(rows)
	r := rand.New(rand.NewPCG(1, 2))
	random := func(sparse int) uint64 {
		w := r.Uint64()
		for range sparse {
			w &= r.Uint64()
		}
		return w
	}
	for round := range 60 {
		src, old := make([]uint64, 3*stride*Words), make([]uint64, 3*stride*Words)
		for i := range src {
			src[i], old[i] = random(round%5), random(round%5)
			src[i] &^= src[i] << Columns // a cell has one colour
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
		marks, changes := NewMarks(words), make([]Changes, words)
		Scalar().Step(want, src, at, awake, stride, &mask, marks)
		Scalar().Collect(changes, marks, awake)
		checkMarks(t, old, want, at, awake, changes)
		for _, l := range kernels.Available()[1:] {
			k := Of(l)
			dst, others, gathered := slices.Clone(old), NewMarks(words), make([]Changes, words)
			k.Step(dst, src, at, awake, stride, &mask, others)
			k.Collect(gathered, others, awake)
			checkCount(t, k, dst, at, awake)
			if !slices.Equal(dst, want) || !slices.Equal(gathered, changes) {
				t.Fatalf("round %d: %s differs from its twin: cells %v, changes %v", round, l, !slices.Equal(dst, want), !slices.Equal(gathered, changes))
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
		if c, w := k.Count(words, at, some, got), Scalar().Count(words, at, same, want); c != w || !slices.Equal(got, want) {
			t.Fatalf("%s counts %v and changes by %v, its twin %v and %v", k.Level, got, c, want, w)
		}
		if highest(some) != -1 || highest(same) != -1 {
			t.Fatal("counted tiles are still stale")
		}
	}
}

// checkMarks holds changes to what differs between old and new cells, and that no other tile was touched.
func checkMarks(t *testing.T, before, after []uint64, at int, awake Set, changes []Changes) {
	t.Helper()
	bit := func(of, i uint64) uint64 { return of >> i & 1 }
	for tile := range len(before)/Words - at {
		var diff Mask
		var all uint64
		for y := range diff {
			i := (at+tile)*Words + y
			diff[y] = before[i] ^ after[i]
			diff[y] = (diff[y] | diff[y]>>Columns) & (1<<Columns - 1)
			all |= diff[y]
		}
		if tile >= 64*len(awake) {
			if all != 0 {
				t.Fatalf("tile %d beside the column was touched", tile)
			}
			continue
		}
		i, c := uint64(tile%64), changes[tile/64]
		if bit(awake[tile/64], i) == 0 && all != 0 {
			t.Fatalf("tile %d was computed in its sleep", tile)
		}
		var any uint64
		if all != 0 {
			any = 1
		}
		got := [...]uint64{bit(c[Here].Any, i), bit(c[West].Any, i), bit(c[East].Any, i), bit(c[West].First, i), bit(c[West].Last, i), bit(c[East].First, i), bit(c[East].Last, i)}
		want := [...]uint64{any, all & 1, all >> (Columns - 1), diff[0] & 1, diff[7] & 1, diff[0] >> (Columns - 1), diff[7] >> (Columns - 1)}
		if got != want {
			t.Fatalf("tile %d: changes %v, want %v", tile, got, want)
		}
		if (bit(c[Here].First, i) == 1) != (diff[0] != 0) || (bit(c[Here].Last, i) == 1) != (diff[7] != 0) {
			t.Fatalf("tile %d: first and last row %d and %d", tile, bit(c[Here].First, i), bit(c[Here].Last, i))
		}
	}
}

// TestOutOfBounds holds that no kernel leaves its slices.
func TestOutOfBounds(t *testing.T) {
	words, mask := make([]uint64, 3*5*Words), Whole()
	for _, l := range kernels.Available() {
		for name, call := range map[string]func(){
			"above":   func() { Of(l).Step(words, words, 0, Set{1}, 5, &mask, NewMarks(1)) },
			"below":   func() { Of(l).Step(words, words, 6, Set{1 << 4}, 5, &mask, NewMarks(1)) },
			"target":  func() { Of(l).Step(words[:6*Words], words, 6, Set{1}, 5, &mask, NewMarks(1)) },
			"marks":   func() { Of(l).Step(words, words, 6, Set{1, 0}, 5, &mask, NewMarks(1)) },
			"counts":  func() { Of(l).Count(words, 6, Set{2}, make([][2]uint32, 1)) },
			"count":   func() { Of(l).Count(words, 14, Set{2}, make([][2]uint32, 64)) },
			"changes": func() { Of(l).Collect(nil, NewMarks(1), Set{1}) },
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s, %s: no panic", l, name)
					}
				}()
				call()
			}()
		}
	}
}

// Example moves a blinker in a board of one tile.
func Example() {
	const stride = 3
	now, next := make([]uint64, 3*stride*Words), make([]uint64, 3*stride*Words)
	at := stride + 1
	now[at*Words+3] = 0b111 << 10
	marks, mask := NewMarks(1), Whole()
	Scalar().Step(next, now, at, Set{1}, stride, &mask, marks)
	for y := 2; y < 5; y++ {
		fmt.Printf("%012b\n", next[at*Words+y])
	}
	var changes [1]Changes
	Scalar().Collect(changes[:], marks, Set{1})
	fmt.Printf("changed %v, first row %v, last row %v\n", changes[0][Here].Any, changes[0][Here].First, changes[0][Here].Last)
	// Output:
	// 100000000000
	// 100000000000
	// 100000000000
	// changed 1, first row 0, last row 0
}

// TestNoLegacySSE reads what the assembler makes of the kernels.
func TestNoLegacySSE(t *testing.T) { kerneltest.NoLegacySSE(t, "kernel_amd64.s", 200) }
