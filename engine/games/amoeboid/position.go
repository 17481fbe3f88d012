package amoeboid

import "math/bits"

// The seats, which are also the players' letters in the document.
const (
	A = 0
	B = 1
)

// letters are the names of the seats.
var letters = [2]string{"A", "B"}

// Piece is an amoeba: its units of A and of B. The zero piece is an empty cell.
type Piece [2]int32

// Size returns the number of units.
func (p Piece) Size() int32 { return p[A] + p[B] }

// Position is what stands on the cells and who is to roll next. The zero value is an empty board
// with A to move.
type Position struct {
	cells  [maxCells]Piece
	owned  [2]uint64 // cells of each player's own pieces
	filled uint64    // cells with a piece
	turn   uint8
}

// Piece returns what stands on a cell.
func (p *Position) Piece(cell int) Piece { return p.cells[cell] }

// size returns the size of what stands on a cell. It reads the two numbers by themselves: a copy of
// the pair, of which one was just written, would wait for the processor's store buffer.
func (p *Position) size(cell int) int32 { return p.cells[cell][A] + p.cells[cell][B] }

// Set puts a piece on a cell; the zero piece empties it.
func (p *Position) Set(cell int, piece Piece) {
	p.cells[cell] = piece
	p.settle(uint(cell))
}

// settle updates the owner and the occupation of a cell. It uses signs instead of branches, which a
// processor could not predict.
func (p *Position) settle(cell uint) {
	bit, a, b := uint64(1)<<cell, int64(p.cells[cell][A]), int64(p.cells[cell][B])
	p.owned[A] = p.owned[A]&^bit | uint64((b-a)>>63)&bit
	p.owned[B] = p.owned[B]&^bit | uint64((a-b)>>63)&bit
	p.filled = p.filled&^bit | uint64(-(a|b)>>63)&bit
}

// Turn returns the seat that rolls next.
func (p *Position) Turn() int { return int(p.turn) }

// SetTurn gives the turn to a seat.
func (p *Position) SetTurn(seat int) { p.turn = uint8(seat & 1) }

// Owned returns the cells of a seat's own pieces, as bits.
func (p *Position) Owned(seat int) uint64 { return p.owned[seat] }

// Filled returns the cells with a piece, as bits.
func (p *Position) Filled() uint64 { return p.filled }

// Units returns how many units of A and of B are on the board.
func (p *Position) Units() Piece {
	var sum Piece
	for m := p.filled; m != 0; m &= m - 1 {
		c := p.cells[bits.TrailingZeros64(m)]
		sum[A] += c[A]
		sum[B] += c[B]
	}
	return sum
}

// Control returns the sum of the sizes of a seat's own pieces.
func (p *Position) Control(seat int) int32 {
	var sum int32
	for m := p.owned[seat]; m != 0; m &= m - 1 {
		sum += p.size(bits.TrailingZeros64(m))
	}
	return sum
}

// Verdict is how a game stands.
type Verdict uint8

// The verdicts.
const (
	Open Verdict = iota
	WonByA
	WonByB
	Tied
)

// Verdict tells whether the game is over: it is when a player owns no piece.
func (p *Position) Verdict() Verdict {
	a, b := p.owned[A] != 0, p.owned[B] != 0
	switch {
	case a && b:
		return Open
	case a:
		return WonByA
	case b:
		return WonByB
	default:
		return Tied
	}
}

// Move is one ply after the roll: a piece grows, then units are taken from a piece to a
// neighbouring cell. A move that takes nothing is for a turn without a legal move.
type Move struct {
	Grow, From, To uint8
	Take           Piece
}

// Pass tells whether the move takes nothing.
func (m Move) Pass() bool { return m.Take[A]|m.Take[B] == 0 }

// Apply makes a legal move with its roll and gives the turn to the other player.
func (p *Position) Apply(m Move, roll int) {
	p.cells[m.Grow][p.turn&1] += int32(roll)
	if !m.Pass() {
		from, to := &p.cells[m.From], &p.cells[m.To]
		from[A] -= m.Take[A]
		from[B] -= m.Take[B]
		to[A] += m.Take[A]
		to[B] += m.Take[B]
		p.settle(uint(m.From))
		p.settle(uint(m.To))
	}
	p.turn ^= 1
}

// Bits of a decision's number: three cells of six bits, then the units taken.
const takeBits = 23

// maxUnits bounds the units on a board, so that every move has a number.
const maxUnits = 1<<takeBits - 1

// code numbers a move for records and fingerprints.
func (m Move) code() uint64 {
	return uint64(m.Grow) | uint64(m.From)<<6 | uint64(m.To)<<12 | uint64(m.Take[A])<<18 | uint64(
		m.Take[B])<<(18+takeBits)
}

// moveOf is the inverse of code.
func moveOf(code uint64) Move {
	return Move{
		Grow: uint8(code & 63), From: uint8(code >> 6 & 63), To: uint8(code >> 12 & 63),
		Take: Piece{int32(code >> 18 & maxUnits), int32(code >> (18 + takeBits) & maxUnits)},
	}
}
