package amoeboid

import (
	"math"
	"math/bits"
)

// Expectimax makes the move of the menu with the greatest expectation: for every roll of the
// opponent the worth of the best reply from the same menu, averaged over the rolls. Among equals it
// draws one.
type Expectimax struct{}

// Choose weighs every move of the menu, and drops one as soon as it cannot be as good as the best
// so far.
func (Expectimax) Choose(t *Turn) Move {
	p := &t.Position
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	l := lottery{best: math.Inf(-1), trace: t.trace, on: t.Graph}
	for _, m := range t.moves {
		u := p.try(m, t.Roll)
		w, beaten := t.expect(l.best)
		p.back(m, u)
		if !beaten {
			l.offer(m, w, &t.Random)
		}
	}
	return l.move
}

// slack is for rounding: without it a bound could drop a move that equals the best.
const slack = 1e-9

// expect returns the worth, for the player who has just moved, of the position before the
// opponent's roll. It gives up, and returns that the move is beaten, once the worth must be less
// than best.
//
// The greatest rolls, which cost the most, come first. If the opponent can move a whole piece to an
// empty cell, each roll is worth at least that quiet reply to it, which bounds the rolls still to
// come. The bound at least halves the work, and changes no value: at the end the rolls are summed
// in their order.
func (t *Turn) expect(best float64) (worth float64, beaten bool) {
	p := &t.Position
	opponent := p.Turn()
	if p.owned[A] == 0 || p.owned[B] == 0 {
		return p.settled(1 - opponent), false
	}
	before := p.stance()
	var values [20]float64 // for the opponent, by roll less one: bounds at first
	bound := 0.0
	quiet := p.roams(t.Graph)
	for i := range t.Die {
		values[i] = worthLoss
		if quiet {
			s := before
			s.control[opponent] += int32(i + 1)
			values[i] = s.worth(opponent)
		}
		bound -= values[i]
	}
	largest, threatened := p.prominent(t.Graph, opponent)
	limit := float64((best - slack) * float64(t.Die))
	for i := t.Die - 1; i >= 0; i-- {
		if bound < limit {
			return 0, true
		}
		bound += values[i]
		values[i] = p.reply(t.Graph, before, i+1, largest, threatened)
		bound -= values[i]
	}
	sum := 0.0
	for _, v := range values[:t.Die] {
		sum -= v
	}
	return sum / float64(t.Die), false
}

// roams tells whether the player to move has a piece next to an empty cell.
func (p *Position) roams(g *Graph) bool {
	for m := p.owned[p.turn&1]; m != 0; m &= m - 1 {
		if g.near[bits.TrailingZeros64(m)]&^p.filled != 0 {
			return true
		}
	}
	return false
}

// Which piece grows, as far as it matters for a move's worth.
const (
	growsMoved  = iota // the piece that moves
	growsElse          // a piece that does not take part
	growsTarget        // the piece that is entered
	numGrows
)

// reply returns the worth, for the player to move, of the best move of the menu after a roll, from
// the stance before it. It goes through the menu without writing it down; moves that differ only in
// which bystander grows are worth the same.
func (p *Position) reply(g *Graph, before stance, roll, largest, threatened int) float64 {
	seat := p.turn & 1
	before.control[seat] += int32(roll)
	best, passes := worthLoss, true
	for f := p.owned[seat]; f != 0; f &= f - 1 {
		from := bits.TrailingZeros64(f)
		for t := g.near[from]; t != 0; t &= t - 1 {
			to := bits.TrailingZeros64(t)
			grows := [numGrows]bool{growsMoved: true}
			for _, grow := range [2]int{largest, threatened} {
				if grow == to {
					grows[growsTarget] = true
				} else if grow != from {
					grows[growsElse] = true
				}
			}
			for grow, may := range grows {
				if !may {
					continue
				}
				piece, target := p.cells[from], p.cells[to]
				switch grow {
				case growsMoved:
					piece[seat] += int32(roll)
				case growsTarget:
					target[seat] += int32(roll)
				}
				var parts [maxSplits]Piece
				n := splits(&parts, piece, target, int(seat))
				passes = passes && n == 0
				rest := before
				rest.add(piece, -1)
				rest.add(target, -1)
				for _, take := range parts[:n] {
					s := rest
					s.add(Piece{piece[A] - take[A], piece[B] - take[B]}, 1)
					s.add(Piece{target[A] + take[A], target[B] + take[B]}, 1)
					if best = max(best, s.worth(int(seat))); best == worthWin {
						return best
					}
				}
			}
		}
	}
	if passes {
		return before.worth(int(seat))
	}
	return best
}
