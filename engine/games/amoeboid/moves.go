package amoeboid

import (
	"math"
	"math/bits"

	"clade/engine"
)

// The legal moves of a position are too many to list for a single random one, and their number has
// a closed form. A part (i, j) of a piece (a, b) may go to a cell of size s when i+j >= s, that is
// when the rest (a-i, b-j) has at most a+b-s units: a triangle cut by the piece's rectangle.
// Counting and sampling work on these triangles and list no parts.

// triangle returns twice the number of pairs of non-negative numbers with a sum of at most t.
func triangle(t int64) int64 {
	t = max(t, -1)
	return (t + 1) * (t + 2)
}

// parts returns how many parts of a piece may go to a cell of the given size: to an empty cell as
// many as to a cell of one unit.
func parts(p Piece, size int32) int64 {
	a, b, s := int64(p[A]), int64(p[B]), int64(max(size, 1))
	return (triangle(a+b-s) - triangle(b-s-1) - triangle(a-s-1)) / 2
}

// part returns the k-th of the parts that the function parts counts, k from 0.
func part(p Piece, size int32, k int64) Piece {
	a, b := int64(p[A]), int64(p[B])
	rest := a + b - int64(max(size, 1)) // most units left behind; rows by units of A left behind
	full := max(0, min(a, rest-b)+1)    // rows in which all of B may stay: b+1 parts each
	if k < full*(b+1) {
		return Piece{int32(a - k/(b+1)), int32(b - k%(b+1))}
	}
	k -= full * (b + 1)
	first := rest - full + 1 // parts of the next row; every further row has one fewer
	d := float64(2*first + 1)
	row := int64((d - math.Sqrt(float64(d*d)-float64(8*k))) / 2)
	for row > 0 && row*first-row*(row-1)/2 > k {
		row--
	}
	for (row+1)*first-(row+1)*row/2 <= k {
		row++
	}
	k -= row*first - row*(row-1)/2
	return Piece{int32(a - full - row), int32(b - k)}
}

// reach returns how many moves take a part of a piece from a cell, with the other cells as they
// are.
func (p *Position) reach(g *Graph, cell int, piece Piece) int64 {
	near := g.near[cell]
	n := int64(bits.OnesCount64(near&^p.filled)) * parts(piece, 0)
	for m := near & p.filled; m != 0; m &= m - 1 {
		n += parts(piece, p.size(bits.TrailingZeros64(m)))
	}
	return n
}

// moveCount is the number of legal moves of a position and a roll, split by the piece that grows.
type moveCount struct {
	still  [maxCells]int64 // moves of each own piece while no piece grows
	byGrow [maxCells]int64
	total  int64
}

// count counts the moves. Growing a piece changes the moves of that piece, and those of its
// neighbours onto it.
func (n *moveCount) count(g *Graph, p *Position, roll int) {
	own := p.owned[p.turn&1]
	var all int64
	for m := own; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		n.still[c] = p.reach(g, c, p.cells[c])
		all += n.still[c]
	}
	n.total = 0
	for m := own; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		grown := p.grown(c, roll)
		moves := all - n.still[c] + p.reach(g, c, grown)
		for o := own & g.near[c]; o != 0; o &= o - 1 {
			d := p.cells[bits.TrailingZeros64(o)]
			moves += parts(d, grown.Size()) - parts(d, p.size(c))
		}
		n.byGrow[c] = moves
		n.total += moves
	}
}

// grown returns the mover's piece on a cell after it has grown.
func (p *Position) grown(cell, roll int) Piece {
	piece := p.cells[cell]
	piece[p.turn&1] += int32(roll)
	return piece
}

// countMoves returns the number of legal moves (which piece grows, which moves, which part, where
// to) after a roll.
func (p *Position) countMoves(g *Graph, roll int) int64 {
	var n moveCount
	n.count(g, p, roll)
	return n.total
}

// sample returns a random legal move, each equally likely, or a random growth if there is none.
func (n *moveCount) sample(g *Graph, p *Position, roll int, r *engine.Random) Move {
	own := p.owned[p.turn&1]
	n.count(g, p, roll)
	if n.total == 0 {
		return Move{Grow: uint8(nth(own, r.Below(bits.OnesCount64(own))))}
	}
	k := below(r, n.total)
	grow := 0
	for m := own; m != 0; m &= m - 1 {
		grow = bits.TrailingZeros64(m)
		if k < n.byGrow[grow] {
			break
		}
		k -= n.byGrow[grow]
	}
	grown := p.grown(grow, roll)
	for m := own; m != 0; m &= m - 1 {
		from := bits.TrailingZeros64(m)
		piece := p.cells[from]
		if from == grow {
			piece = grown
		}
		for o := g.near[from]; o != 0; o &= o - 1 {
			to := bits.TrailingZeros64(o)
			size := p.size(to)
			if to == grow {
				size = grown.Size()
			}
			fits := parts(piece, size)
			if k < fits {
				return Move{uint8(grow), uint8(from), uint8(to), part(piece, size, k)}
			}
			k -= fits
		}
	}
	panic("amoeboid: fewer moves than counted")
}

// nth returns the k-th cell of a set, k from 0.
func nth(set uint64, k int) int {
	for ; k > 0; k-- {
		set &= set - 1
	}
	return bits.TrailingZeros64(set)
}

// below returns a number in 0..n-1, each equally likely (Lemire, 2019, with 64 bits: large pieces
// have more than 2^32 parts).
func below(r *engine.Random, n int64) int64 {
	high, low := bits.Mul64(r.Uint64(), uint64(n))
	if low < uint64(n) {
		for threshold := -uint64(n) % uint64(n); low < threshold; {
			high, low = bits.Mul64(r.Uint64(), uint64(n))
		}
	}
	return int64(high)
}

// Moves appends every legal move after a roll: by growing piece, moving piece, target, units of A,
// units of B. Where none is legal it appends a growth without a move for each own piece.
func (p *Position) Moves(dst []Move, g *Graph, roll int) []Move {
	own := p.owned[p.turn&1]
	before := len(dst)
	for m := own; m != 0; m &= m - 1 {
		grow := bits.TrailingZeros64(m)
		for o := own; o != 0; o &= o - 1 {
			from := bits.TrailingZeros64(o)
			piece := p.cells[from]
			if from == grow {
				piece = p.grown(grow, roll)
			}
			for t := g.near[from]; t != 0; t &= t - 1 {
				to := bits.TrailingZeros64(t)
				size := p.size(to)
				if to == grow {
					size += int32(roll)
				}
				dst = appendParts(dst, Move{Grow: uint8(grow), From: uint8(from), To: uint8(to)}, piece, size)
			}
		}
	}
	if len(dst) == before {
		for m := own; m != 0; m &= m - 1 {
			dst = append(dst, Move{Grow: uint8(bits.TrailingZeros64(m))})
		}
	}
	return dst
}

// appendParts appends the move with each part of the piece that may go to a cell of the given size.
func appendParts(dst []Move, m Move, piece Piece, size int32) []Move {
	size = max(size, 1)
	for i := int32(0); i <= piece[A]; i++ {
		for j := max(0, size-i); j <= piece[B]; j++ {
			m.Take = Piece{i, j}
			dst = append(dst, m)
		}
	}
	return dst
}

// Legal tells whether the move may be made after a roll.
func (p *Position) Legal(g *Graph, m Move, roll int) bool {
	own := p.owned[p.turn&1]
	if own>>m.Grow&1 == 0 {
		return false
	}
	if m.Pass() {
		return m.From == 0 && m.To == 0 && p.countMoves(g, roll) == 0
	}
	if own>>m.From&1 == 0 || g.near[m.From]>>m.To&1 == 0 {
		return false
	}
	piece, size := p.cells[m.From], p.size(int(m.To))
	if m.From == m.Grow {
		piece = p.grown(int(m.From), roll)
	}
	if m.To == m.Grow {
		size += int32(roll)
	}
	return m.Take[A] >= 0 && m.Take[B] >= 0 && m.Take[A] <= piece[A] && m.Take[B] <= piece[B] &&
		m.Take.Size() >= size
}
