package antwars

import (
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../routine_amd64.s -stubs ../stub_amd64.go -pkg antwars

// chart is the tables of the kernels, which know its layout.
type chart struct {
	// By heading: how the window moves, and which of its cells were in view before.
	wraps, shifts, before [2][8]uint64
	columns               [2][16]uint64 // place.wraps by column
	farRows               numbers
	beliefs               [48]uint32
	step                  [2]numbers // rows and columns by heading
	spread                [4]numbers // the decision of each lane
	turns                 numbers    // of each lane
	diagonal              numbers    // twice that: the headings of diagonal moves
	hopes                 [2][2][gp.Lanes]uint32
	inView                gp.Bits
	second                float32 // what foodHope counts for the second move's food
	_                     [44]byte
	count                 numbers // 0..15
}

// routineOf returns the routine of a level.
func routineOf(level kernels.Level) *routine {
	switch level {
	case kernels.AVX512:
	case kernels.AVX2:
		return routineAVX2()
	default:
		return &routine{look, recall, enter, choose, march}
	}
	c := newChart()
	at := &c.wraps[0][0]
	return &routine{
		look: func(h *herd, ant int) (near, lost uint32) {
			return lookAVX512(&h.food[0][0], h.wings[ant].words(), h.wings[1-ant].words(),
				h.sight.words(), at)
		},
		recall: func(h *herd, ant int, time *numbers) {
			recallAVX512(h.wings[ant].words(), h.sight.words(), time.words(), at)
		},
		enter: func(h *herd, ant int, time *numbers, who uint32, b *gp.Batch) {
			enterAVX512(h.wings[ant].words(), h.sight.words(), time.words(), who, layersOf(b),
				farOf(b), scalarsOf(b), at)
		},
		choose: func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers) {
			chooseAVX512(&straight[0], &diagonal[0], who, heading.words(), at)
		},
		march: func(h *herd, ant int, who uint32) (killed uint32) {
			return marchAVX512(&h.food[0][0], h.wings[ant].words(), h.wings[1-ant].words(), who, at)
		},
	}
}

// routineAVX2 leaves to plain Go what vectors of eight games hardly speed up.
func routineAVX2() *routine {
	at := &newChart().wraps[0][0]
	return &routine{
		look: func(h *herd, ant int) (near, lost uint32) {
			return lookAVX2(&h.food[0][0], h.wings[ant].words(), h.wings[1-ant].words(),
				h.sight.words(), at)
		},
		recall: func(h *herd, ant int, time *numbers) {
			recallAVX2(h.wings[ant].words(), h.sight.words(), time.words(), at)
		},
		enter: func(h *herd, ant int, time *numbers, who uint32, b *gp.Batch) {
			enterAVX2(h.wings[ant].words(), h.sight.words(), time.words(), who, layersOf(b),
				farOf(b), scalarsOf(b), at)
		},
		choose: choose,
		march:  march,
	}
}

// What enter draws into, as words.
func layersOf(b *gp.Batch) *uint64  { return (*uint64)(unsafe.Pointer(b.Layer(layerFood))) }
func farOf(b *gp.Batch) *uint64     { return (*uint64)(unsafe.Pointer(b.Far(layerFood))) }
func scalarsOf(b *gp.Batch) *uint64 { return (*uint64)(unsafe.Pointer(b.Scalar(scalarTimeLeft))) }

// The kernels take all structures as words.
func (w *wing) words() *uint64    { return (*uint64)(unsafe.Pointer(w)) }
func (s *sight) words() *uint64   { return (*uint64)(unsafe.Pointer(s)) }
func (n *numbers) words() *uint64 { return (*uint64)(unsafe.Pointer(n)) }

func newChart() *chart {
	c := &chart{farRows: farRows, beliefs: beliefs, hopes: hopes, inView: inView,
		second: secondMove}
	for d, to := range places[centre].next {
		p := &places[to]
		var before gp.Bits
		recentre(&before, &inView, to)
		for half := range 2 {
			c.wraps[half][d], c.before[half][d] = p.wraps[half], before[half]
		}
		c.shifts[0][d], c.shifts[1][d] = uint64(p.shift), uint64(p.shift2)
		c.step[0][d], c.step[1][d] = uint32(directions[d][0]), uint32(directions[d][1])
	}
	for col := range side {
		for half := range 2 {
			c.columns[half][col] = places[col].wraps[half]
		}
	}
	for i := range c.count {
		c.count[i], c.turns[i], c.diagonal[i] = uint32(i), uint32(i%gp.Lanes),
			uint32(2*(i%gp.Lanes))
		for v := range c.spread {
			c.spread[v][i] = uint32(4*v + i/gp.Lanes)
		}
	}
	return c
}
