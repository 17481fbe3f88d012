package life

import (
	"runtime"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/life/internal/kernel"
	"clade/gp/kernels"
)

// TestManyBands plays on boards of more bands than cores, with all helpers that are asked for:
// where all columns have equal work, so that cuts stay where they are, and where one has it all.
// The number of bands changes now and then, and cells are placed along the cuts.
func TestManyBands(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	for _, k := range kernels.Available() {
		for most := 2; most <= 5; most++ {
			r := engine.NewRandom(uint64(most))
			b := mustBoard(t, 200, 12*kernel.Columns, k)
			pulsars(t, b)
			// 12 columns are no five equal bands
			if stayed := playBands(t, b, &r, most); stayed < 8 && most < 5 {
				t.Errorf("%s, %d bands: cuts stayed in %d of 24 generations, too few to test it",
					k, most, stayed)
			}
			b = mustBoard(t, 150, 5*kernel.Columns, k)
			for range 1500 {
				b.Place(r.Below(150), 70+r.Below(20), Colour(r.Below(2)))
			}
			b.Step(1)
			playBands(t, b, &r, most)
		}
	}
}

// playBands plays 24 generations in a number of bands or now and then fewer, holds them to the
// oracle, and returns how often the cuts stayed.
func playBands(t *testing.T, b *Board, r *engine.Random, most int) (stayed int) {
	t.Helper()
	n := newNaive(b.height, b.width)
	b.Each(func(y, x int, c Colour) { n.place(y, x, c) })
	for g := range 24 {
		bands := most
		switch g % 8 {
		case 3:
			bands = 1
		case 7:
			bands = 1 + r.Below(most)
		}
		b.crew.alone, b.crew.debt = 0, 0
		if len(b.crew.sharing) == bands-1 && b.crew.fits(b, b.crew.sharing) {
			stayed++
		}
		b.advance(bands, 1)
		n.step()
		for _, h := range b.crew.sharing {
			for range 4 {
				y, x, c := r.Below(b.height), h.east.column*kernel.Columns-2+r.Below(4),
					Colour(r.Below(2))
				if b.Place(y, x, c) != n.place(y, x, c) {
					t.Fatalf("placing at (%d, %d) differs", y, x)
				}
			}
		}
		if g%4 == 3 {
			compare(t, b, n)
		}
	}
	if len(b.crew.helpers) != most-1 {
		t.Errorf("%d bands: %d helpers", most, len(b.crew.helpers))
	}
	return stayed
}

// TestHelpersEnd holds that nobody has to close a board.
func TestHelpersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := mustBoard(t, 300, 300, best())
	fill(b, 30)
	b.Step(1)
	b.advance(2, 1)
	for began := time.Now(); b.crew.helpers[0].state.Load() != absent; time.Sleep(
		time.Millisecond) {
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

// TestCrewRests holds that helpers which do not pay are asked ever more seldom, and those which pay
// always.
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
