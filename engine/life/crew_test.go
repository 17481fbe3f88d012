package life

import (
	"runtime"
	"testing"
	"time"
)

// TestManyBands plays on boards of more bands than cores, with all helpers that are asked for.
func TestManyBands(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	for bands := 2; bands <= 5; bands++ {
		one, many := mustBoard(t, 70, 300, best()), mustBoard(t, 70, 300, best())
		fill(one, 30)
		fill(many, 30)
		for range 20 {
			one.Step(1)
			many.crew.alone = 0
			many.advance(bands, 1)
		}
		if len(many.crew.helpers) != bands-1 {
			t.Errorf("%d bands: %d helpers", bands, len(many.crew.helpers))
		}
		if one.Population() != many.Population() {
			t.Errorf("%d bands: %v live cells, not %v", bands, many.Population(), one.Population())
		}
		for y := range one.Height() {
			for x := range one.Width() {
				if one.At(y, x) != many.At(y, x) {
					t.Fatalf("%d bands: cell (%d, %d) is %d, not %d", bands, y, x, many.At(y, x), one.At(y, x))
				}
			}
		}
	}
}

// TestHelpersEnd holds that nobody has to close a board.
func TestHelpersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := mustBoard(t, 300, 300, best())
	fill(b, 30)
	b.Step(1)
	b.advance(2, 1)
	for began := time.Now(); b.crew.helpers[0].state.Load() != absent; time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the helper still waits")
		}
	}
	b.crew.alone, b.crew.debt = 0, 0
	b.advance(2, 1) // and begins anew
	if b.crew.helpers[0].state.Load() == absent {
		t.Error("the helper did not begin anew")
	}
}

// TestCrewRests holds that helpers which do not pay are asked ever more seldom, and those which pay always.
func TestCrewRests(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c := crew{work: func(band) int { return 0 }}
	asked := 0
	for range 1000 {
		if c.gather(1, 100) > 0 {
			asked++
			for c.helpers[0].state.Load() != absent { // it finds nothing to do
				runtime.Gosched()
			}
		}
	}
	if asked < 5 || asked > 12 {
		t.Errorf("helpers without gain were asked in %d of 1000 generations", asked)
	}
}
