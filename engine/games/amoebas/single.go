package amoebas

import (
	"encoding/binary"
	"math/bits"

	"clade/gp"
)

// Where there are kernels an evolved amoeba decides in vectors: its view is drawn (with AVX2 by Go),
// the trees are evaluated under the four turns in lockstep, and the best is picked.
// TestExecutorsAgree checks that it decides as it does without them. README.md says what else was
// tried, such as evaluating many amoebas at once.

// single is memory for the decisions of one seat's evolved function in one world, one at a time.
type single struct {
	peek
	solo                 *gp.Solo
	fuel, energy, health [64]uint8 // weights, by cell
}

// peek is what the kernels need in order to draw what one amoeba sees. They know its layout.
type peek struct {
	row       uint64        // bytes of a row of a plane
	bitRow    uint64        // bytes of a row of a bit plane
	occupancy [2]*uint8     // world.occupied and that of the species
	planes    [3]*uint8     // fuel, energy and health
	weights   [3]*[64]uint8 // out: theirs
	weighs    uint64        // which of them: see weighsFuel
	sight     uint64
	corner    uint64                // the cell in the upper left corner of the greatest view
	scalars   [numCounts / 2]uint64 // the first counts, 32 bits each
	units     [numCounts]float32
	quads     *gp.Quad      // out: these scalars, under all turns
	layers    *gp.SoloLayer // out: the first layers
	occupied  cellSet       // out: those of view
	friends   cellSet
}

// kernelLayers is how many layers the kernels draw: the first rows. Plain Go draws the rest.
const kernelLayers = 5

func newSingle(solo *gp.Solo, words *vocabulary, w *world, seat int) *single {
	m := &single{solo: solo}
	m.layers, m.weights = solo.Layer(0), [3]*[64]uint8{&m.fuel, &m.energy, &m.health}
	m.occupancy, m.planes[0] = [2]*uint8{&w.occupied[0], &w.species[seat][0]}, &w.fuel[0]
	for i, r := range words.layers {
		if r.weight != weightNone {
			solo.Layer(i).Weights = m.weights[r.weight-weightFuel]
		}
	}
	for i := range m.units {
		m.units[i] = words.scalars[i].unit
	}
	m.row, m.bitRow = uint64(w.g.pitch), uint64(w.g.pitch>>3)
	return m
}

// decide is Act in vectors.
func (e *evolved) decide(v *view, m *scratch) action {
	e.draw(v, m)
	p := &m.peek
	may := v.w.constants.legal(v.Energy, p.occupied, p.friends)
	if may == 0 {
		return action{}
	}
	m.solo.Eval(may.slots(), m.situation, m.utilities[:])
	return chosen(pickOne(m.level, &m.utilities, may), v.Random.Below(8))
}

// slots returns the set of the slots that score the options, and rest.
func (o options) slots() uint64 {
	const each = 0x010101 // the lowest bit of moves, hits and divisions
	straight := o>>1&(0x55*each) + 0x7f*each
	diagonal := o&(0x55*each) + 0x7f*each // the highest bit says whether there is any
	set := straight>>7&1<<slotMove | diagonal>>7&1<<slotMoveDiagonal |
		straight>>15&1<<slotHit | diagonal>>15&1<<slotHitDiagonal |
		straight>>23&1<<slotDivide | diagonal>>23&1<<slotDivideDiagonal | 1<<slotRest
	return uint64(set)
}

// sketch is draw with AVX2, whose vectors do not draw faster than words.
func (e *evolved) sketch(v *view, m *scratch, occupied, friends cellSet) {
	w, p := v.w, &m.peek
	if m.loaded != e.code {
		m.solo.Load(e.code)
		m.loaded, p.weighs = e.code, e.weight()
	}
	for i, n := range v.counts() {
		m.set(i, float32(n)*p.units[i])
	}
	for reads := e.reads; reads != 0; reads &= reads - 1 {
		i := bits.TrailingZeros64(reads)
		m.set(i, e.words.scalars[i].value(v))
	}
	sets := grouped(w.sight, occupied, friends)
	m.situation = situation(sets[groupHostiles], friends)
	for i := range e.words.layers {
		m.solo.Layer(i).Cells = uint64(sets[e.words.layers[i].among])
	}
	for left := p.weighs; left != 0; left &= left - 1 {
		by := bits.TrailingZeros64(left)
		plane, at, to := w.weights(weightFuel+by), v.cell+int(w.g.view[0]), p.weights[by]
		for y := range side { // each row over what is too much of the one before it
			binary.LittleEndian.PutUint64(to[side*y:], word(plane, at))
			at += w.g.pitch
		}
	}
}

// set sets a scalar under all turns.
func (m *single) set(i int, u float32) {
	q := m.solo.Scalar(i)
	q[0], q[1], q[2], q[3] = u, u, u, u
}

// draw does for a solo what fill does for a frame.
func (e *evolved) draw(v *view, m *scratch) {
	w, p := v.w, &m.peek
	if m.loaded != e.code {
		m.solo.Load(e.code)
		m.loaded, p.quads, p.weighs = e.code, m.solo.Scalar(0), e.weight()
	}
	if p.weighs&weighsEnergy != 0 && (w.planes[planeEnergy] == nil || p.planes[1] == nil) {
		p.planes[1] = &w.plane(planeEnergy)[0]
	}
	if p.weighs&weighsHealth != 0 && (w.planes[planeHealth] == nil || p.planes[2] == nil) {
		p.planes[2] = &w.plane(planeHealth)[0]
	}
	p.sight, p.corner = uint64(w.sight), uint64(v.cell-margin*w.g.pitch-margin)
	counts := v.counts()
	p.scalars[0] = uint64(uint32(counts[0])) | uint64(counts[1])<<32
	p.scalars[1] = uint64(uint32(counts[2])) | uint64(counts[3])<<32
	peekOne(p)
	m.situation = situation(p.occupied&^p.friends, p.friends)
	for reads := e.reads; reads != 0; reads &= reads - 1 {
		i := bits.TrailingZeros64(reads)
		m.set(i, e.words.scalars[i].value(v))
	}
	if len(e.words.layers) == kernelLayers {
		return
	}
	sets := grouped(w.sight, p.occupied, p.friends)
	for i := kernelLayers; i < len(e.words.layers); i++ {
		m.solo.Layer(i).Cells = uint64(sets[e.words.layers[i].among])
	}
}

// weight returns the set of planes that the code reads.
func (e *evolved) weight() (set uint64) {
	for i, r := range e.words.layers {
		if e.weighs>>i&1 != 0 {
			set |= 1 << (r.weight - weightFuel)
		}
	}
	return set
}

// Bits of peek.weighs.
const (
	weighsFuel = 1 << iota
	weighsEnergy
	weighsHealth
)

// bestRest is set in what pickOne returns if nothing is better than to rest.
const bestRest = 1 << 24

// chosen returns the first of the best options clockwise from start.
func chosen(best options, start int) action {
	if best&bestRest != 0 {
		return action{}
	}
	d := best.all().from(start)
	return action{Command: best.command(d), Direction: d}
}
