package antwars

import (
	"unsafe"

	"clade/gp"
	"clade/gp/kernels"
)

//go:generate go run -C gen . -out ../routine_amd64.s -stubs ../stub_amd64.go -pkg antwars

// chart is the tables of the kernels, whose generator reads its layout.
type chart struct {
	// By heading: how the window moves, and which of its cells were in view before.
	wraps, shifts, before [2][8]uint64
	columns               [2][16]uint64 // place.wraps by column
	farRows               numbers
	certainties           [80]uint32
	step                  [2]numbers             // rows and columns by heading
	spread                [4]numbers             // the decision of each lane
	turns                 numbers                // of each lane
	diagonal              numbers                // twice that: the headings of diagonal moves
	hopes                 [2][2][gp.Lanes]uint32 // near cells by slot: ahead, then around
	inView                gp.Bits
	second                float32 // what foodHope counts for the second move's food
	_                     [44]byte
	count                 numbers // 0..15
}

// routineOf returns the routine of a level with kernels. With AVX2, march is plain Go, which vectors
// of eight games hardly speed up.
func routineOf(level kernels.Level) *routine {
	r, at := &routine{march: march}, &newChart().wraps[0][0]
	look, recall, enter, draw, choose := lookAVX2, recallAVX2, enterAVX2, drawAVX2, chooseAVX2
	if level == kernels.AVX512 {
		look, recall, enter, draw, choose = lookAVX512, recallAVX512, enterAVX512, drawAVX512,
			chooseAVX512
		r.march = func(b *batch, ant int, who uint32) (killed uint32) {
			return marchAVX512(&b.food[0][0], b.sides[ant].words(), b.sides[1-ant].words(), who, at)
		}
	}
	r.draw = func(v *vista, s *side, anew, who uint32, in *gp.Batch) {
		draw((*uint64)(unsafe.Pointer(v)), s.words(), anew, who,
			(*uint64)(unsafe.Pointer(in.Layer(layerUnseen))), at)
	}
	r.choose = func(straight, diagonal *gp.LaneFloats, who uint32, heading *numbers) {
		choose(&straight[0], &diagonal[0], who, heading.words(), at)
	}
	r.look = func(b *batch, ant int) (near, lost uint32) {
		return look(&b.food[0][0], b.sides[ant].words(), b.sides[1-ant].words(), b.sight.words(), at)
	}
	r.recall = func(b *batch, ant int, time *numbers) {
		recall(b.sides[ant].words(), b.sight.words(), time.words(), at)
	}
	r.track = func(b *batch, ant int, t *tracked, v *vista, who, near uint32) {
		trackAVX2(&b.food[0][0], b.sides[ant].words(), b.sides[1-ant].words(),
			(*uint64)(unsafe.Pointer(t)), (*uint64)(unsafe.Pointer(v)), who, near,
			(*uint64)(unsafe.Pointer(places)))
	}
	r.enter = func(b *batch, ant int, time *numbers, who uint32, in *gp.Batch) {
		enter(b.sides[ant].words(), b.sight.words(), time.words(), who, layersOf(in), farOf(in),
			scalarsOf(in), at)
	}
	return r
}

// rating returns how a level tells what each move of an ant with foresight is worth.
func rating(level kernels.Level) func(h *hidden, keep *[cells]float32) {
	totals := totalsOf(level)
	return func(h *hidden, keep *[cells]float32) {
		words := (*uint64)(unsafe.Pointer(h))
		switch next := &places[h.at].next[0]; {
		case level == kernels.Scalar || h.food.Count() > mostPlanned:
			h.rate(keep, totals)
		case level == kernels.AVX2:
			rateAVX2(words, &keep[0], next, &worthApart[0], &apartAt[0][0], &nearApart[0][0])
		default:
			rateAVX512(words, &keep[0], next, &worthApart[0], &apartAt[0][0])
		}
	}
}

// totalsOf returns the totals of a level.
func totalsOf(level kernels.Level) totals {
	if level == kernels.Scalar {
		return (*hidden).totals
	}
	return func(h *hidden, keep *[cells]float32, ends int) {
		totalsAVX2((*uint64)(unsafe.Pointer(h)), &keep[0], uint64(ends), &unseenWorth[0],
			&apartAt[0][0])
	}
}

// apartAt holds the offsets in bytes of a cell's row and column in hidden.apart.
var apartAt = func() (t [cells][2]uint16) {
	for c := range t {
		const size = uint16(unsafe.Sizeof(hidden{}.apart[0][0]))
		t[c] = [2]uint16{uint16(c/width) * size, uint16(width+c%width) * size}
	}
	return t
}()

// nearApart holds what food counts for the neighbours of a cell, by how many rows it is below that
// cell, to which the board's width was added, and then by columns.
var nearApart = func() (t [4 * width][batchSize]float32) {
	for i := range t {
		for d, step := range directions {
			t[i][d] = worthApart[(i+width-step[i/(2*width)])%width]
		}
	}
	return t
}()

// fade multiplies belief.keep of some cells by a factor.
func (m *memory) fade(set gp.Bits, by float32) {
	switch keep := &m.belief.keep[0]; m.level {
	case kernels.Scalar:
		m.belief.fade(set, by)
	case kernels.AVX2:
		fadeAVX2(keep, set.Low, set.High, by)
	default:
		fadeAVX512(keep, set.Low, set.High, by)
	}
}

// What enter draws into, as words.
func layersOf(in *gp.Batch) *uint64  { return (*uint64)(unsafe.Pointer(in.Layer(0))) }
func farOf(in *gp.Batch) *uint64     { return (*uint64)(unsafe.Pointer(in.Far(layerFood))) }
func scalarsOf(in *gp.Batch) *uint64 { return (*uint64)(unsafe.Pointer(in.Scalar(0))) }

// The kernels take all structures as words.
func (s *side) words() *uint64    { return (*uint64)(unsafe.Pointer(s)) }
func (s *sight) words() *uint64   { return (*uint64)(unsafe.Pointer(s)) }
func (n *numbers) words() *uint64 { return (*uint64)(unsafe.Pointer(n)) }

func newChart() *chart {
	c := &chart{farRows: farRows, inView: inView, second: secondMove}
	for i, units := range certainty {
		c.certainties[i] = uint32(units)
	}
	for slot := range c.hopes {
		for k := range gp.Lanes {
			a := &aheads[slot][k]
			c.hopes[slot][0][k] = inPlanes(a.cell)[0]
			c.hopes[slot][1][k] = inPlanes(a.around)[0]
		}
	}
	for d, to := range places[centre].next {
		p := &places[to]
		before := recentre(inView, to)
		c.wraps[0][d], c.before[0][d] = p.wraps.Low, before.Low
		c.wraps[1][d], c.before[1][d] = p.wraps.High, before.High
		c.shifts[0][d], c.shifts[1][d] = uint64(p.shift), uint64(p.shift2)
		c.step[0][d], c.step[1][d] = uint32(directions[d][0]), uint32(directions[d][1])
	}
	for col := range width {
		c.columns[0][col], c.columns[1][col] = places[col].wraps.Low, places[col].wraps.High
	}
	for i := range c.count {
		c.count[i], c.turns[i], c.diagonal[i] = uint32(i), uint32(i%gp.Lanes), uint32(2*(i%gp.Lanes))
		for v := range c.spread {
			c.spread[v][i] = uint32(4*v + i/gp.Lanes)
		}
	}
	return c
}
