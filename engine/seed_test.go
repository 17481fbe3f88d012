package engine_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

var _ rand.Source = (*engine.Random)(nil)

// TestRandomIsSplitMix64 compares with the numbers that the generator's reference code prints for
// this seed.
func TestRandomIsSplitMix64(t *testing.T) {
	r := engine.NewRandom(1234567)
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423,
		4593380528125082431, 16408922859458223821} {
		proof.Is(t, r.Uint64(), want, "number %d", i)
	}
}

func TestRandomBelow(t *testing.T) {
	r := engine.NewRandom(1)
	for _, n := range []int{1, 2, 3, 8, 15, 121} {
		const draws = 200000
		counts := make([]int, n)
		for range draws {
			counts[r.Below(n)]++
		}
		mean := float64(draws) / float64(n)
		for v, c := range counts {
			if !(math.Abs(float64(c)-mean) <= 5*math.Sqrt(mean)) {
				t.Errorf("Below(%d) gave %d in %d of %d draws", n, v, c, draws)
			}
		}
	}
	for range 1000 {
		if v := r.Below(1<<32 - 1); v < 0 || v >= 1<<32-1 {
			t.Fatalf("%d is not below 2^32-1", v)
		}
	}
}

func TestRandomFloat(t *testing.T) {
	r := engine.NewRandom(2)
	sum := 0.0
	const draws = 100000
	for range draws {
		v := r.Float()
		if v < 0 || v >= 1 {
			t.Fatalf("%v is not in [0, 1)", v)
		}
		sum += v
	}
	if mean := sum / draws; !(math.Abs(mean-0.5) <= 0.005) {
		t.Errorf("the mean is %v", mean)
	}
}

// TestSeedPaths holds that different paths, also those that are easily confused, have different
// seeds.
func TestSeedPaths(t *testing.T) {
	paths := map[engine.Seed]string{}
	add := func(s engine.Seed, path string) {
		if other, twice := paths[s]; twice {
			t.Errorf("%s and %s are one seed", other, path)
		}
		paths[s] = path
	}
	for root := range engine.Seed(20) {
		add(root.Name("a").Name("b"), fmt.Sprint(root, "/a/b"))
		add(root.Name("b").Name("a"), fmt.Sprint(root, "/b/a"))
		add(root.Name("ab"), fmt.Sprint(root, "/ab"))
		add(root.Name(""), fmt.Sprint(root, "/empty"))
		for i := range uint64(20) {
			add(root.Num(i), fmt.Sprint(root, "/", i))
			for j := range uint64(20) {
				add(root.Num(i).Num(j), fmt.Sprint(root, "/", i, "/", j))
			}
		}
	}
}

func TestRandomAllocatesNothing(t *testing.T) {
	proof.Is(t, testing.AllocsPerRun(100, func() {
		r := engine.NewRandom(uint64(engine.Seed(1).Name("food").Num(3)))
		r.Below(15)
	}), 0, "what a stream allocates")
}

func ExampleSeed() {
	run := engine.Seed(42)
	match := run.Name("match").Num(7) // the same whenever and wherever match 7 is played
	board := engine.NewRandom(uint64(match.Name("board").Num(0)))
	fmt.Println(board.Below(100) < 100)
	// Output: true
}
