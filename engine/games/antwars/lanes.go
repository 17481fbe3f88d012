package antwars

import (
	"math/bits"

	"clade/gp"
)

// keenBatch is what a batch of keen ants needs in addition. What they perceive is computed for one
// game after the other, and then drawn into lanes.
type keenBatch struct {
	board  board
	senses [2]*sense
	memory [2][batchSize]memory
	vista  vista
	found  [batchSize]int32
	ahead  [batchSize][numSources][2]gp.Quad
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

// begin forgets what ants perceived in other games, and sets whose ants decide.
func (k *keenBatch) begin(ant int, sp *species) {
	k.senses[ant].frame.For(sp.code)
	for i := range k.memory[ant] {
		k.memory[ant][i].begin(0)
	}
}

// perceive updates what the ants of some games believe, and the layers and scalars that follow from
// it, the scalars as far as their trees read them.
func (k *keenBatch) perceive(b *batch, ant int, time *numbers, who uint32) {
	s := k.senses[ant]
	for ; who != 0; who &= who - 1 {
		i := bits.TrailingZeros32(who) % batchSize
		m := &k.memory[ant][i]
		at := &k.board
		at.food = gp.Bits{Low: b.food[0][i], High: b.food[1][i]}
		for a := range b.sides {
			side := &b.sides[a]
			at.at[a] = uint8(side.row[i]*width + side.col[i])
			at.dead[a], at.score[a] = side.alive>>i&1 == 0, uint8(side.points[i])
		}
		m.update(at, ant, int(int32(time[i]))+m.beyond)
		s.ahead = &k.ahead[i]
		s.believe(m)
		s.expect(m)
		k.found[i] = int32(m.belief.found)
		for l, set := range [vistas]gp.Bits{m.belief.unseen(), m.belief.hunter} {
			k.vista.cells[l][0][i], k.vista.cells[l][1][i] = set.Low, set.High
		}
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
