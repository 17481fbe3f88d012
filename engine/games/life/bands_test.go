package life

import (
	"runtime"
	"testing"
	"time"

	"clade/engine"
	"clade/engine/games/life/internal/kernel"
	"clade/gp/kernels"
	"clade/gp/proof"
)

// TestManyBands plays on boards of more bands than cores, with all workers that are asked for:
// where all columns have equal work, so that cuts stay where they are, and where one has it all.
// The number of bands changes now and then, and cells are placed along the cuts.
func TestManyBands(t *testing.T) {
	proof.Slow(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	for _, k := range kernels.Available() {
		t.Run(k.String(), func(t *testing.T) {
			if k > kernels.Scalar {
				proof.Alone(t)
			}
			for most := 2; most <= 5; most++ {
				r := engine.NewRandom(uint64(most))
				b := newBoard(200, 12*kernel.Columns, k)
				pulsars(t, b)
				// 12 columns are no five equal bands
				if stayed := playBands(t, b, &r, most); stayed < 8 && most < 5 {
					t.Errorf("%d bands: cuts stayed in %d of 24 generations, too few to test it", most,
						stayed)
				}
				b = newBoard(150, 5*kernel.Columns, k)
				for range 1500 {
					b.place(r.Below(150), 70+r.Below(20), colour(r.Below(2)))
				}
				b.step(1)
				playBands(t, b, &r, most)
			}
		})
	}
}

// playBands plays 24 generations in a number of bands or now and then fewer, holds them to the
// oracle, and returns how often the cuts stayed.
func playBands(t *testing.T, b *board, r *engine.Random, most int) (stayed int) {
	t.Helper()
	n := newNaive(b.height, b.width)
	b.each(func(y, x int, c colour) { n.place(y, x, c) })
	for g := range 24 {
		bands := most
		switch g % 8 {
		case 3:
			bands = 1
		case 7:
			bands = 1 + r.Below(most)
		}
		b.workers.alone, b.workers.debt = 0, 0
		if len(b.workers.sharing) == bands-1 && b.workers.fits(b, b.workers.sharing) {
			stayed++
		}
		b.advance(bands, 1)
		n.step(1)
		for _, h := range b.workers.sharing {
			for range 4 {
				y, x, c := r.Below(b.height), h.east.column*kernel.Columns-2+r.Below(4), colour(r.Below(2))
				if b.place(y, x, c) != n.place(y, x, c) {
					t.Fatalf("placing at (%d, %d) differs", y, x)
				}
			}
		}
		if g%4 == 3 {
			compare(t, b, n)
		}
	}
	proof.Is(t, len(b.workers.all), most-1, "workers of %d bands", most)
	return stayed
}

// TestWorkersEnd holds that a board need not be closed.
func TestWorkersEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := newBoard(300, 300, best())
	fill(b, 30)
	b.step(1)
	b.advance(2, 1)
	for began := time.Now(); b.workers.all[0].state.Load() != absent; time.Sleep(time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the worker still waits")
		}
	}
	w, began := b.workers.all[0], make(chan bool, 1)
	serve := w.run
	w.run = func() { began <- true; serve() }
	b.workers.alone, b.workers.debt = 0, 0
	b.advance(2, 1) // and begins anew, and may have ended again where the processors are busy
	select {
	case <-began:
	case <-time.After(20 * time.Second):
		t.Error("the worker did not begin anew")
	}
}

// TestWorkersRest holds that workers which do not pay are asked ever more seldom, and those which
// pay always.
func TestWorkersRest(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c := workers{work: func(band) int { return 0 }}
	asked := 0
	for range 1000 {
		if c.gather(1, 100) > 0 {
			asked++
			for c.all[0].state.Load() != absent { // it finds nothing to do
				runtime.Gosched()
			}
		}
	}
	if asked < 5 || asked > 12 {
		t.Errorf("workers without gain were asked in %d of 1000 generations", asked)
	}
}
