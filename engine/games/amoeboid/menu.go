package amoeboid

import "math/bits"

// maxSplits is the most parts of one piece that the menu offers for one target.
const maxSplits = 8

// Menu appends a menu of moves: a few sensible ones, because a position has tens to thousands of
// legal moves, most of them alike. The piece that grows is the one that moves, the mover's largest,
// or the one next to the largest enemy. The part that moves is one of splits. All moves are legal
// and different, and their order is fixed: by moving piece, target, part, growth. If no move is
// legal, the menu holds the growths alone.
func (p *Position) Menu(dst []Move, g *Graph, roll int) []Move {
	seat := p.Turn()
	own := p.owned[seat]
	largest, threatened := p.prominent(g, seat)
	before := len(dst)
	for f := own; f != 0; f &= f - 1 {
		from := bits.TrailingZeros64(f)
		grows := [3]int{from, largest, threatened}
		for t := g.near[from]; t != 0; t &= t - 1 {
			to := bits.TrailingZeros64(t)
			for k, grow := range grows {
				if k > 0 && grow == from || k > 1 && grow == largest {
					continue
				}
				piece, target := p.cells[from], p.cells[to]
				if grow == from {
					piece[seat] += int32(roll)
				}
				if grow == to {
					target[seat] += int32(roll)
				}
				var parts [maxSplits]Piece
				for _, take := range parts[:splits(&parts, piece, target, seat)] {
					dst = append(dst, Move{uint8(grow), uint8(from), uint8(to), take})
				}
			}
		}
	}
	if len(dst) == before {
		return p.Moves(dst, g, roll)
	}
	return dst
}

// prominent returns the mover's largest piece, and the one next to the largest enemy piece, which
// is the largest if no enemy is near. Of equal ones it returns the first.
func (p *Position) prominent(g *Graph, seat int) (largest, threatened int) {
	var size, danger int32
	for m := p.owned[seat]; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if s := p.size(c); s > size {
			size, largest = s, c
		}
		if d := p.danger(g, c, seat); d > danger {
			danger, threatened = d, c
		}
	}
	if danger == 0 {
		threatened = largest
	}
	return largest, threatened
}

// splits writes the menu's parts of a piece for one target and returns their number: the whole;
// half; one unit; all but what keeps the rest owned by the mover; all own units without the
// other's; the other's units, covered so that the part stays the mover's; the fewest own units that
// may enter; the fewest that also win or hold the majority there. Where this names none of the
// other's units, the part has none.
func splits(parts *[maxSplits]Piece, piece, target Piece, seat int) int {
	own, foreign, need := piece[seat], piece[1-seat], max(1, target.Size())
	n := 0
	var offered [maxSplits]uint64
	offer := func(o, f int32) {
		if o|f|(own-o)|(foreign-f)|(o+f-need) < 0 {
			return
		}
		part := uint64(o) | uint64(f)<<32
		for _, other := range offered[:n] {
			if other == part {
				return
			}
		}
		offered[n], parts[n][seat], parts[n][1-seat] = part, o, f
		n++
	}
	offer(own, foreign)
	offer(own/2, 0)
	offer(1, 0)
	offer(own-foreign-1, 0)
	offer(own, 0)
	offer(foreign+1, foreign)
	offer(need, 0)
	offer(max(need, target[1-seat]-target[seat]+1), 0)
	return n
}
