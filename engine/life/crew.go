package life

import (
	"runtime"
	"sync/atomic"

	"clade/gp/kernels"
)

// crew computes bands of a board at the same time: helpers one each, and the caller one. A
// generation takes microseconds, less than waking a goroutine that sleeps, so helpers wait for the
// next one awake. They do so for a short time and then end, so that nobody has to close a board.
//
// A band is offered to its helper, and the caller takes it back when its own is done and nobody has
// begun: so a helper that the machine does not let run costs nothing. Only one held up amid its
// band is waited for. Helpers that do not pay are left alone for more and more generations. All
// this changes when and where a band is computed, never what.
type crew struct {
	work    func(band) int // computes a band and returns the number of tiles
	helpers []*helper
	// those with bands of the last generation, whose cuts hold the edges of the present one
	sharing []*helper
	// tiles that helpers must still compute to make up for what starting them or waiting for them
	// cost
	debt  int
	pause int // generations of the last time without helpers, 0 if they paid since
	alone int // generations to come without helpers
}

// helper computes a band a generation. What it and the caller write stands in a cache line of its
// own.
type helper struct {
	_     [64]byte
	state atomic.Uint32
	tiles int // computed in the band
	band      // its parity comes with the offer
	work  func(band) int
	run   func()        // serve, made once
	done  chan struct{} // wakes the caller
	_     [112]byte     // 256 in all, which the allocator aligns
}

// States of a helper.
const (
	absent  uint32 = iota // there is no goroutine
	idle                  // it waits for a band, or has not begun yet
	taken                 // it computes the band
	awaited               // it computes the band and wakes the caller then
	offered               // and offered + 1: whoever comes first takes the band, of parity 0 or 1
)

// leastTiles is the least number of tiles of a band: what a core computes in about two
// microseconds, several times what handing a band over takes.
var leastTiles = [...]int{kernels.Scalar: 32, kernels.AVX2: 90, kernels.AVX512: 250}

const (
	// looks at a state before going to sleep, of about half a nanosecond each
	patience     = 100_000
	looksOfLeast = 4_000   // looks while a core computes the least band
	startCost    = 10      // starting a helper costs as much as computing so many least bands
	sleepCost    = 1_000   // the same of sleeping until one is done: the machine has other work
	longestPause = 1 << 10 // generations without helpers after they did not pay
)

func newHelper(work func(band) int) *helper {
	h := &helper{work: work, done: make(chan struct{}, 1)}
	h.run = h.serve
	return h
}

// serve computes bands until none was offered for long.
func (h *helper) serve() {
	for looks := 0; looks < patience || !h.state.CompareAndSwap(idle, absent); looks++ {
		offer := h.state.Load()
		if offer < offered || !h.state.CompareAndSwap(offer, taken) {
			continue
		}
		h.compute(offer)
		if !h.state.CompareAndSwap(taken, idle) {
			h.state.Store(idle)
			h.done <- struct{}{}
		}
		looks = 0
	}
}

// compute computes the band that was offered.
func (h *helper) compute(offer uint32) {
	d := h.band
	d.parity = int(offer - offered)
	h.tiles = h.work(d)
}

// offer gives the helper its band in a generation of a parity.
func (h *helper) offer(parity int) {
	offer := offered + uint32(parity)
	if !h.state.CompareAndSwap(idle, offer) { // it ended just now
		h.state.Store(offer)
		go h.run()
	}
}

// finish sees to it that the helper's band is computed. It tells whether the helper did it, and
// whether the caller slept meanwhile, which it does after so many looks.
func (h *helper) finish(looks int) (helped, slept bool) {
	if offer := h.state.Load(); offer >= offered && h.state.CompareAndSwap(offer, idle) {
		h.compute(offer)
		return false, false
	}
	for range looks {
		if h.state.Load() != taken {
			return true, false
		}
	}
	if !h.state.CompareAndSwap(taken, awaited) {
		return true, false
	}
	<-h.done
	return true, true
}

// share computes a generation of a board in a number of bands, for which there must be helpers, and
// returns the number of tiles. least is the least number of tiles of a band.
func (c *crew) share(b *Board, whole band, bands, least int) (tiles int) {
	helpers := c.helpers[:bands-1]
	c.cut(b, helpers)
	for _, h := range helpers {
		h.offer(whole.parity)
	}
	last := helpers[len(helpers)-1]
	whole.first, whole.west = last.end, last.east
	own := c.work(whole)
	tiles = own
	for _, h := range helpers {
		helped, slept := h.finish(patience + own/least*looksOfLeast)
		if helped {
			c.debt -= h.tiles
		}
		if slept {
			c.debt += sleepCost * least
			c.rest()
		}
		tiles += h.tiles
	}
	if c.debt <= 0 {
		c.debt, c.pause = 0, 0
	}
	return tiles
}

// cut gives each helper its band, of about equal numbers of tiles by the last generation. Bands
// that were so then stay as they are, because finding others means to read what helpers wrote.
func (c *crew) cut(b *Board, helpers []*helper) {
	if c.fits(b, helpers) {
		return
	}
	c.sharing = helpers
	bands := len(helpers) + 1
	var west *cut
	first, done := 0, 0
	for i, h := range helpers {
		if h.east == nil {
			h.east = newCut(b)
		}
		h.first, h.west = first, west
		for ; first < b.columns && done*bands < (i+1)*b.computed; first++ {
			done += b.tilesOf(first)
		}
		h.end, west = first, h.east
		west.column = first
		b.take(west, left, b.parity)
		b.take(west, right, b.parity)
	}
}

// fits tells whether the same helpers had bands of about their share in the last generation. So no
// band is empty, and those who had them left all edges behind.
func (c *crew) fits(b *Board, helpers []*helper) bool {
	if len(c.sharing) != len(helpers) {
		return false
	}
	bands := len(helpers) + 1
	for _, h := range helpers {
		if off := h.tiles*bands - b.computed; 32*max(off, -off) > b.computed {
			return false
		}
	}
	return true
}

// gather returns how many helpers there are for the next generation, n at most; none if it is
// better done alone. least is the least number of tiles of a band.
func (c *crew) gather(n, least int) int {
	if c.alone > 0 {
		c.alone--
		return 0
	}
	if len(c.helpers) < n {
		for n = min(n, runtime.GOMAXPROCS(0)-1); len(c.helpers) < n; {
			c.helpers = append(c.helpers, newHelper(c.work))
		}
	}
	owed := c.debt
	for _, h := range c.helpers[:n] {
		if h.state.Load() != absent {
			continue
		}
		if owed > 0 { // those who ended had not paid
			c.debt = 0
			c.rest()
			return 0
		}
		h.state.Store(idle)
		go h.run()
		c.debt += startCost * least
	}
	return n
}

// rest begins a time without helpers, twice as long as the last.
func (c *crew) rest() {
	c.pause = min(2*c.pause+1, longestPause)
	c.alone = c.pause
}
