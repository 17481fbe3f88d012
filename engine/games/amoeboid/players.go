package amoeboid

import (
	"fmt"
	"math/bits"
	"strconv"

	"clade/engine"
	"clade/gp"
)

// scratch is memory for minds.
type scratch struct {
	counts moveCount
	moves  []Move
	frame  *gp.Frame
	window []int8 // by middle and cell: the window's cell, -1 outside
	trace  *engine.Choice

	outcome outcome
}

// Players lists the built-in players, as far as known from the weakest to the strongest.
func (g *Game) Players() []engine.Entry {
	plain := func(name, about string, mind Mind) engine.Entry {
		return engine.FixedEntry("amoeboid", name, about, mind)
	}
	return []engine.Entry{
		plain("random", "makes every legal move with the same probability", Random{}),
		plain("greedy", "makes the move of a menu that leaves the greatest second advantage",
			Greedy{}),
		{Name: "solver",
			About: "searches as deep as the number of positions in brackets allows, 20000 by " +
				"default; over all moves where they are few",
			New: func(args string) (engine.Player, error) {
				budget := 20000
				if args != "" {
					n, err := strconv.Atoi(args)
					if err != nil || n < 1 || n > 1e9 {
						return nil, fmt.Errorf("amoeboid: solver takes a number of positions in "+
							"1..1000000000, as in solver(20000), not %q", args)
					}
					budget = n
				}
				return NewSolver(budget), nil
			}},
		plain("cautious", "plays the opening cases I to III of the game's authors", Cautious{}),
		plain("expectimax", "looks at every roll and the best reply to each of a menu of moves",
			Expectimax{}),
	}
}

// Random makes every legal move with the same probability.
type Random struct{}

// Choose draws a move without listing the others.
func (Random) Choose(t *Turn) Move {
	return t.counts.sample(t.Graph, &t.Position, t.Roll, &t.Random)
}

// undo holds what a move changes, so that it can be taken back.
type undo struct {
	grow, from, to Piece
	owned          [2]uint64
	filled         uint64
}

// try makes a move and returns what takes it back.
func (p *Position) try(m Move, roll int) undo {
	u := undo{p.cells[m.Grow], p.cells[m.From], p.cells[m.To], p.owned, p.filled}
	p.Apply(m, roll)
	return u
}

// back takes a move back.
func (p *Position) back(m Move, u undo) {
	p.cells[m.From], p.cells[m.To], p.cells[m.Grow] = u.from, u.to, u.grow
	p.owned, p.filled = u.owned, u.filled
	p.turn ^= 1
}

// Worths of a won and a lost position. That of an open position lies between them.
const (
	worthWin  = 1.0
	worthLoss = -1.0
)

// stance is the sum of the sizes and the number of each player's own pieces.
type stance struct{ control, count [2]int32 }

// stance returns that of the position.
func (p *Position) stance() stance {
	var s stance
	for m := p.filled; m != 0; m &= m - 1 {
		s.add(p.cells[bits.TrailingZeros64(m)], 1)
	}
	return s
}

// add adds a piece, or with sign -1 removes it.
func (s *stance) add(piece Piece, sign int32) {
	seat := A
	switch {
	case piece[A] == piece[B]:
		return
	case piece[B] > piece[A]:
		seat = B
	}
	s.control[seat] += sign * piece.Size()
	s.count[seat] += sign
}

// after returns the stance after a move that is not a pass, from the stance before it, without
// making the move.
func (s stance) after(p *Position, m Move, roll int) stance {
	seat := p.turn & 1
	from, to := p.cells[m.From], p.cells[m.To]
	s.control[seat] += int32(roll)
	switch m.Grow {
	case m.From:
		from[seat] += int32(roll)
	case m.To:
		to[seat] += int32(roll)
	}
	s.add(from, -1)
	s.add(to, -1)
	s.add(Piece{from[A] - m.Take[A], from[B] - m.Take[B]}, 1)
	s.add(Piece{to[A] + m.Take[A], to[B] + m.Take[B]}, 1)
	return s
}

// worth estimates a position for a seat: 1 if won, -1 if lost, 0 if tied, else 0.9 times the second
// advantage as a share of the sizes of all owned pieces.
func (s *stance) worth(seat int) float64 {
	mine, theirs := s.control[seat&1], s.control[1-seat&1]
	switch {
	case mine != 0 && theirs != 0:
		return 0.9 * float64(mine-theirs) / float64(mine+theirs)
	case mine != 0:
		return worthWin
	case theirs != 0:
		return worthLoss
	default:
		return 0
	}
}

// worth estimates a position for a seat, see stance.
func (p *Position) worth(seat int) float64 {
	s := p.stance()
	return s.worth(seat)
}

// settled returns the worth of a position in which a player owns nothing.
func (p *Position) settled(seat int) float64 {
	switch {
	case p.owned[seat] != 0:
		return worthWin
	case p.owned[1-seat] != 0:
		return worthLoss
	default:
		return 0
	}
}

// lottery draws one of the best of a stream of candidates; equal ones are equally likely.
type lottery struct {
	best  float64
	ties  int
	move  Move
	trace *engine.Choice // gets the candidates, if not nil
	on    *Graph         // with trace
}

// offer takes in a candidate.
func (l *lottery) offer(m Move, worth float64, r *engine.Random) {
	if l.trace != nil {
		l.trace.Candidates = append(l.trace.Candidates, engine.Candidate{Name: l.on.MoveText(m),
			At: middle(l.on, int(m.To)), Slot: -1, Utility: float32(worth)})
	}
	switch {
	case l.ties == 0 || worth > l.best:
		l.best, l.ties, l.move = worth, 1, m
	case worth == l.best:
		if l.ties++; r.Below(l.ties) == 0 {
			l.move = m
		}
	}
}

// Greedy makes the move of the menu that wins at once, else the one after which its second
// advantage is greatest. Among equals it draws one.
type Greedy struct{}

// Choose tries every move of the menu.
func (Greedy) Choose(t *Turn) Move {
	p := &t.Position
	seat := p.Turn()
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	if t.moves[0].Pass() {
		return t.moves[t.Random.Below(len(t.moves))]
	}
	before := p.stance()
	l := lottery{trace: t.trace, on: t.Graph}
	for _, m := range t.moves {
		s := before.after(p, m, t.Roll)
		w := float64(s.control[seat] - s.control[1-seat])
		if s.count[seat] == 0 || s.count[1-seat] == 0 {
			w = s.worth(seat) * maxUnits
		}
		l.offer(m, w, &t.Random)
	}
	return l.move
}

// danger returns the size of the largest piece of the other player that is next to a cell, 0 where
// there is none.
func (p *Position) danger(g *Graph, cell, seat int) int32 {
	var largest int32
	for m := g.near[cell] & p.owned[1-seat]; m != 0; m &= m - 1 {
		largest = max(largest, p.size(bits.TrailingZeros64(m)))
	}
	return largest
}

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
