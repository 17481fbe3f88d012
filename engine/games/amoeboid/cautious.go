package amoeboid

import (
	"math/bits"
)

// Cautious follows the advice of the game's authors, their opening cases I to III; after them it
// wins if it can, and else keeps away from danger. Where they leave a choice: at a difference of 5
// it attacks from 60 units on ("advanced"); "the centre" is any cell next to both pieces.
type Cautious struct{}

// advanced is the size from which a difference of 5 is worth the attack.
const advanced = 60

// Choose finds the case and the move for it.
func (Cautious) Choose(t *Turn) Move {
	p, seat := &t.Position, t.Position.Turn()
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	for _, m := range t.moves {
		u := p.try(m, t.Roll)
		won := p.Verdict() != Open && p.settled(seat) == worthWin
		p.back(m, u)
		if won {
			t.because("wins at once")
			if t.trace != nil {
				(&lottery{trace: t.trace, on: t.Graph}).offer(m, worthWin, &t.Random)
			}
			return m
		}
	}
	own, other := p.owned[seat], p.owned[1-seat]
	single := bits.OnesCount64(own) == 1 && bits.OnesCount64(other) == 1 && p.filled == own|other
	if mine, theirs := bits.TrailingZeros64(own), bits.TrailingZeros64(other); single &&
		!t.Graph.adjacent(mine, theirs) {
		return t.opening(mine, theirs)
	}
	return t.middle()
}

// because notes the reason of a move.
func (t *Turn) because(note string) {
	if t.trace != nil {
		t.trace.Note = note
	}
}

// opening plays cases I to III: two whole pieces that are not neighbours.
func (t *Turn) opening(mine, theirs int) Move {
	p, g := &t.Position, t.Graph
	size := p.grown(mine, t.Roll).Size()
	lead := size - p.size(theirs)
	attack := lead >= 6 || lead == 5 && size >= advanced
	near := g.near[theirs]
	l := lottery{trace: t.trace, on: t.Graph}
	t.because("opening: moves the whole piece where the enemy's does not reach")
	if attack {
		t.because("opening: large enough to attack, moves the whole piece next to the enemy's")
	}
	for _, m := range t.moves {
		if m.Take.Size() != size {
			continue
		}
		w := 0.0
		if (near>>m.To&1 != 0) == attack {
			w = 1
		}
		l.offer(m, w, &t.Random)
	}
	return l.move
}

// middle plays on from case III: a threatened piece splits in half; with an advantage above 6 an
// enemy piece is made neutral with exactly its size; else one is eaten; else the mover keeps away.
func (t *Turn) middle() Move {
	p, seat := &t.Position, t.Position.Turn()
	lead := p.Control(seat) - p.Control(1-seat)
	l := lottery{trace: t.trace, on: t.Graph}
	t.because("keeps what the enemy may eat small; above 1: makes an enemy piece neutral, or " +
		"eats it")
	for _, m := range t.moves {
		l.offer(m, t.caution(m, seat, lead), &t.Random)
	}
	return l.move
}

// caution ranks a move of the middle game.
func (t *Turn) caution(m Move, seat int, lead int32) float64 {
	p, g := &t.Position, t.Graph
	target := p.cells[m.To]
	enemy := p.owned[1-seat]>>m.To&1 != 0
	u := p.try(m, t.Roll)
	defer p.back(m, u)
	if p.owned[seat] == 0 {
		return -4
	}
	var lost int32 // what the enemy may eat at the worst roll
	for c := p.owned[seat]; c != 0; c &= c - 1 {
		cell := bits.TrailingZeros64(c)
		if size := p.size(cell); p.danger(g, cell, seat)+int32(t.Die) >= size &&
			p.danger(g, cell, seat) > 0 {
			lost = max(lost, size)
		}
	}
	w := -float64(lost) / float64(p.Control(seat))
	switch {
	case !enemy:
		return w
	case lead > 6 && p.cells[m.To][A] == p.cells[m.To][B]:
		return w + 1 + float64(target.Size())/maxUnits
	case lead <= 6 && p.owned[seat]>>m.To&1 != 0:
		return w + 1 + float64(target.Size())/maxUnits
	}
	return w
}
