package life

import (
	"runtime"
	"sync/atomic"

	"clade/engine/games/life/internal/kernel"
	"clade/gp/kernels"
)

// workers compute bands of a board in parallel, one band each, and the caller computes one. A
// generation takes microseconds, less than waking a sleeping goroutine, so workers spin until the
// next one. They spin for a short time only and then end, so that a board need not be closed.
//
// A band is offered to its worker. The caller takes it back if its own is done and the worker has
// not begun, so a worker that is not scheduled costs nothing. The caller waits only for a worker
// that was interrupted in its band. If workers do not pay off, they get no bands for more and more
// generations. All this changes when and where a band is computed, never its contents.
type workers struct {
	work func(band) int // computes a band and returns the number of tiles
	all  []*worker
	// sharing holds the workers with bands of the last generation. Their cuts hold the edges of the
	// present one.
	sharing []*worker
	debt    int // tiles that workers must compute to make up for starting and awaiting them
	pause   int // length of the last pause in generations, 0 if workers have paid off since
	alone   int // generations left of the present pause
}

// worker computes a band a generation. What it and the caller write is in a cache line of its own.
type worker struct {
	_     [64]byte
	state atomic.Uint32
	tiles int // computed in the band
	band      // its parity comes with the offer
	work  func(band) int
	run   func()        // serve, made once
	done  chan struct{} // wakes the caller
	_     [112]byte     // 256 in all, which the allocator aligns
}

// States of a worker.
const (
	absent  uint32 = iota // without a goroutine
	idle                  // it waits for a band, or has not begun yet
	taken                 // it computes the band
	awaited               // it computes the band and wakes the caller then
	offered               // and offered + 1: worker or caller takes the band, of parity 0 or 1
)

// band is columns of a board to compute.
type band struct {
	first, end int  // first..end-1
	west, east *cut // to the bands beside it, nil at the board's edges
	parity     int  // of the present generation
}

// cut is the border of two bands. Neither reads the cells of the other, which would move every
// cache line along the cut from core to core and back in each generation. Instead, a band copies
// the edge of its outermost column here, and the other makes an image of that column from it.
type cut struct {
	column int               // the first to the right
	edges  [2][2]kernel.Edge // of even generations and of odd ones, on either side
	images [2][]uint64       // of the columns on either side
}

// The sides of a cut.
const (
	left = iota
	right
)

// edgeOf is the side of a column that lies at a cut, by the column's side of the cut.
var edgeOf = [2]kernel.Side{left: kernel.East, right: kernel.West}

// newCut returns a cut of a board, without a column yet.
func newCut(b *board) *cut {
	c := new(cut)
	apart := kernel.Words64(b.rows) * 64 // 128 bytes, so that edges share no cache line
	bits := make(kernel.Edge, 4*apart)
	for i := range 4 {
		c.edges[i/2][i%2] = bits[i*apart:][:b.rows:b.rows]
	}
	for i := range c.images {
		c.images[i] = make([]uint64, b.stride*kernel.Words)
	}
	return c
}

// take copies the edge of the column on a side of a cut, in the generation of a parity, to the cut.
func (b *board) take(c *cut, side, parity int) {
	b.kernel.Take(c.edges[parity][side], b.tiles[parity][c.column+side], edgeOf[side])
}

// image returns a column that stands for the one on a side of a cut when the column on the other
// side is computed, in the generation of a parity.
func (b *board) image(c *cut, side, parity int) []uint64 {
	b.kernel.Give(c.images[side], c.edges[parity][side], edgeOf[side])
	return c.images[side]
}

// leastTiles is the least number of tiles of a band: what a core computes in about two
// microseconds, several times the cost of handing a band over.
var leastTiles = [...]int{kernels.Scalar: 32, kernels.AVX2: 90, kernels.AVX512: 250}

const (
	patience     = 100_000 // looks at a state before sleeping, about half a nanosecond each
	looksOfLeast = 4_000   // looks while a core computes the least band
	startCost    = 10      // of a worker, in least bands
	sleepCost    = 1_000   // of sleeping until a worker is done, in least bands
	longestPause = 1 << 10 // generations without workers after they did not pay
)

func newWorker(work func(band) int) *worker {
	w := &worker{work: work, done: make(chan struct{}, 1)}
	w.run = w.serve
	return w
}

// serve computes bands until none has been offered for patience looks.
func (w *worker) serve() {
	for looks := 0; looks < patience || !w.state.CompareAndSwap(idle, absent); looks++ {
		offer := w.state.Load()
		if offer < offered || !w.state.CompareAndSwap(offer, taken) {
			continue
		}
		w.compute(offer)
		if !w.state.CompareAndSwap(taken, idle) {
			w.state.Store(idle)
			w.done <- struct{}{}
		}
		looks = 0
	}
}

// compute computes the band that was offered.
func (w *worker) compute(offer uint32) {
	d := w.band
	d.parity = int(offer - offered)
	w.tiles = w.work(d)
}

// offer offers the worker its band in a generation of a parity.
func (w *worker) offer(parity int) {
	offer := offered + uint32(parity)
	if !w.state.CompareAndSwap(idle, offer) { // it has ended
		w.state.Store(offer)
		go w.run()
	}
}

// finish returns when the band is computed. worked says that the worker computed it, and slept that
// the caller had to sleep, which it does after some looks.
func (w *worker) finish(looks int) (worked, slept bool) {
	if offer := w.state.Load(); offer >= offered && w.state.CompareAndSwap(offer, idle) {
		w.compute(offer)
		return false, false
	}
	for range looks {
		if w.state.Load() != taken {
			return true, false
		}
	}
	if !w.state.CompareAndSwap(taken, awaited) {
		return true, false
	}
	<-w.done
	return true, true
}

// share computes a generation of a board in a number of bands, for which there must be workers, and
// returns the number of tiles. least is the least number of tiles of a band.
func (s *workers) share(b *board, whole band, bands, least int) (tiles int) {
	sharing := s.all[:bands-1]
	s.cut(b, sharing)
	for _, w := range sharing {
		w.offer(whole.parity)
	}
	last := sharing[len(sharing)-1]
	whole.first, whole.west = last.end, last.east
	own := s.work(whole)
	tiles = own
	for _, w := range sharing {
		worked, slept := w.finish(patience + own/least*looksOfLeast)
		if worked {
			s.debt -= w.tiles
		}
		if slept {
			s.debt += sleepCost * least
			s.rest()
		}
		tiles += w.tiles
	}
	if s.debt <= 0 {
		s.debt, s.pause = 0, 0
	}
	return tiles
}

// cut gives each worker its band, of about equal numbers of tiles by the last generation. Bands of
// about equal numbers stay as they are, because finding others means reading what workers wrote.
func (s *workers) cut(b *board, sharing []*worker) {
	if s.fits(b, sharing) {
		return
	}
	s.sharing = sharing
	bands := len(sharing) + 1
	var west *cut
	first, done := 0, 0
	for i, w := range sharing {
		if w.east == nil {
			w.east = newCut(b)
		}
		w.first, w.west = first, west
		for ; first < b.columns && done*bands < (i+1)*b.computed; first++ {
			done += b.tilesOf(first)
		}
		w.end, west = first, w.east
		west.column = first
		b.take(west, left, b.parity)
		b.take(west, right, b.parity)
	}
}

// fits tells whether the same workers had bands of about equal numbers of tiles in the last
// generation. If so, no band is empty, and all edges are in the cuts.
func (s *workers) fits(b *board, sharing []*worker) bool {
	if len(s.sharing) != len(sharing) {
		return false
	}
	bands := len(sharing) + 1
	for _, w := range sharing {
		if off := w.tiles*bands - b.computed; 32*max(off, -off) > b.computed {
			return false
		}
	}
	return true
}

// gather returns the number of workers for the next generation, n at most; 0 if the caller is
// faster alone. least is the least number of tiles of a band.
func (s *workers) gather(n, least int) int {
	if s.alone > 0 {
		s.alone--
		return 0
	}
	if len(s.all) < n {
		for n = min(n, runtime.GOMAXPROCS(0)-1); len(s.all) < n; {
			s.all = append(s.all, newWorker(s.work))
		}
	}
	owed := s.debt
	for _, w := range s.all[:n] {
		if w.state.Load() != absent {
			continue
		}
		if owed > 0 { // workers ended before they had paid off
			s.debt = 0
			s.rest()
			return 0
		}
		w.state.Store(idle)
		go w.run()
		s.debt += startCost * least
	}
	return n
}

// rest begins a pause without workers, twice as long as the last.
func (s *workers) rest() {
	s.pause = min(2*s.pause+1, longestPause)
	s.alone = s.pause
}
