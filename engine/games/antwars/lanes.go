package antwars

import (
	"math/bits"

	"clade/gp"
)

// keenBatch is what a batch of keen ants needs in addition. What follows from the cells that they
// track is computed for one game after the other, and then drawn into lanes.
type keenBatch struct {
	senses  [2]*sense
	tracks  [2]tracked
	memory  [2][batchSize]memory
	vista   vista
	undrawn uint32 // games whose vista has changed since it was drawn
	found   [batchSize]int32
	ahead   [batchSize][numSources][2]gp.Quad
}

// tracked is what the ants of a species know, as cells of the board. The generator of its kernel
// reads its layout.
type tracked struct {
	seen, food grounds // cells that have been in view, and food that an ant sees or remembers
	hunter     grounds // where the opponent may be when the ant looks again
	hunted     grounds // where it may have been when the ant looked
	view       grounds // what the ant sees
	fresh      grounds // for the first time
	late       grounds // of these, where there is no food but was perhaps
	fading     grounds // where the opponent may just eat food that may be there
}

func newKeenBatch(g *game) *keenBatch {
	k := &keenBatch{senses: [2]*sense{newSense(g), newSense(g)}}
	for ant := range k.memory {
		for i := range k.memory[ant] {
			k.memory[ant][i] = memory{beyond: g.settings.beyond(), level: g.level}
		}
	}
	return k
}

// begin forgets what ants perceived in other games, and sets whose ants decide; seat tells that of a
// species in a game.
func (k *keenBatch) begin(ant int, sp *species, seat func(ant, game int) int) {
	k.senses[ant].frame.For(sp.code)
	o := &k.tracks[ant]
	o.food, o.hunted = grounds{}, grounds{}
	for i := range k.memory[ant] {
		m := &k.memory[ant][i]
		m.begin(0)
		m.belief.begin(starts[seat(ant, i)])
		o.seen.put(i, m.belief.seen)
		o.hunter.put(i, m.belief.hunter)
	}
}

// of returns the cells of a game.
func (g *grounds) of(i int) gp.Bits { return gp.Bits{Low: g[0][i], High: g[1][i]} }

// put sets the cells of a game.
func (g *grounds) put(i int, set gp.Bits) { g[0][i], g[1][i] = set.Low, set.High }

// perceive updates what the ants of some games believe, and the layers and scalars that follow from
// it, the scalars as far as their trees read them.
func (k *keenBatch) perceive(b *batch, ant int, time *numbers, who uint32) {
	s, side, o := k.senses[ant], &b.sides[ant], &k.tracks[ant]
	k.undrawn = who
	for ; who != 0; who &= who - 1 {
		i := bits.TrailingZeros32(who) % batchSize
		m := &k.memory[ant][i]
		m.time, m.points = int(int32(time[i]))+m.beyond, int(side.points[i])
		m.at = uint8(side.row[i]*width + side.col[i])
		m.turn(o.view.of(i))
		m.food = o.food.of(i)
		m.belief.seen, m.belief.hunter = o.seen.of(i), k.vista.cells[layerHunter-layerUnseen].of(i)
		s.ahead = &k.ahead[i]
		m.belief.found += m.food.And(o.fresh.of(i)).Count()
		if s.doubts() {
			m.doubt(o.late.of(i), o.fading.of(i))
		}
		s.expect(m)
		k.found[i] = int32(m.belief.found)
	}
}

// enter enters the counts that only keen ants perceive into a batch.
func (k *keenBatch) enter(ant int, who uint32, in *gp.Batch) {
	s := k.senses[ant]
	scalars := s.frame.Reads().Scalars
	for _, c := range s.counts {
		if c.with == ofPaper || scalars>>c.index&1 == 0 {
			continue
		}
		to := in.Scalar(c.index)
		for i, left := 0, who; left != 0; i, left = i+1, left&(left-1) {
			v := float32(c.from + c.sign*k.found[bits.TrailingZeros32(left)%batchSize])
			*(*gp.Quad)(to[gp.Lanes*i:]) = gp.Quad{v, v, v, v}
		}
	}
}

// hope sets the scalars that differ from move to move, except foodHope, for the moves of a slot.
func (k *keenBatch) hope(ant, slot int, who uint32, in *gp.Batch) {
	s := k.senses[ant]
	scalars := s.frame.Reads().Scalars
	for _, c := range s.aheads {
		if scalars>>c.index&1 == 0 {
			continue
		}
		to := in.Scalar(c.index)
		for i, left := 0, who; left != 0; i, left = i+1, left&(left-1) {
			*(*gp.Quad)(to[gp.Lanes*i:]) = k.ahead[bits.TrailingZeros32(left)%batchSize][c.of][slot]
		}
	}
}
