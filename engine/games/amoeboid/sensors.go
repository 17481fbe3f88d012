package amoeboid

import (
	"fmt"
	"math"
	"math/bits"

	"clade/engine"
	"clade/gp"
)

// species is an evolved player. It makes the move of the menu that its tree values most.
type species struct {
	code  *gp.Code
	reads []reading
}

// Bind compiles a genome into a player.
func (g *Game) Bind(ge gp.Genome) (engine.Player, error) {
	compiler := g.compile.Get().(*gp.Compiler)
	defer g.compile.Put(compiler)
	code, err := compiler.Compile(ge)
	if err != nil {
		return nil, fmt.Errorf("amoeboid: genome does not fit: %w", err)
	}
	return &species{code, g.vocabulary.readBy(ge)}, nil
}

// Choose evaluates the menu from a random place on, so that ties prefer no direction. A value that
// is not a number counts as the least.
func (s *species) Choose(t *Turn) Move {
	p := &t.Position
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	if len(t.moves) == 1 {
		return t.moves[0]
	}
	s.code.Load(t.frame)
	first := t.Random.Below(len(t.moves))
	best, choice := float32(math.Inf(-1)), first
	for i := range t.moves {
		k := first + i
		if k >= len(t.moves) {
			k -= len(t.moves)
		}
		lane := t.sense(t.moves[k], s.reads)
		if v := s.code.EvalLane(slotMove, 0, lane, t.frame); v > best {
			best, choice = v, k
		}
	}
	return t.moves[choice]
}

// compass returns by how many quarter turns clockwise a move differs from straight up (or from up
// and right), and whether it is diagonal.
func compass(dx, dy int) (turns int, diagonal bool) {
	diagonal = dx != 0 && dy != 0
	switch {
	case dx >= 0 && dy < 0:
		return 0, diagonal
	case dx > 0:
		return 1, diagonal
	case dy > 0:
		return 2, diagonal
	default:
		return 3, diagonal
	}
}

// sense fills the frame with what is read of the position after a move, and returns the lane in
// which it is turned as the move went.
func (t *Turn) sense(m Move, reads []reading) (lane int) {
	p, f, o := &t.Position, t.frame, &t.outcome
	seat := p.Turn()
	o.t, o.seat, o.to, o.before = t, seat, int(m.To), p.cells[m.To]
	o.ate, o.merged = p.owned[1-seat]>>m.To&1 != 0, p.owned[seat]>>m.To&1 != 0
	o.sums.done, o.dangers[A].done, o.dangers[B].done = false, false, false
	moved := p.try(m, t.Roll)
	lane, o.diagonal = compass(t.Graph.at[m.To].X-t.Graph.at[m.From].X,
		t.Graph.at[m.To].Y-t.Graph.at[m.From].Y)
	piece := &p.cells[m.To] // see size
	o.piece[A], o.piece[B], o.left = piece[A], piece[B], p.size(int(m.From))
	for i := range reads {
		switch r := &reads[i]; {
		case r.number != nil:
			f.SetScalar(r.index, r.number(o))
		case r.truth == nil:
			t.draw(r.index, r.cells(o))
		case r.truth(o):
			f.Flags[r.index] = 1<<gp.Lanes - 1
		default:
			f.Flags[r.index] = 0
		}
	}
	p.back(m, moved)
	return lane
}

// draw puts cells of the board on a layer, with the sizes of their pieces.
func (t *Turn) draw(layer int, cells uint64) {
	f := t.frame
	f.Layers[layer] = gp.Bits{}
	around, weights := t.window[t.outcome.to*t.Graph.n:], f.Weights[layer]
	for ; cells != 0; cells &= cells - 1 {
		c := bits.TrailingZeros64(cells)
		at := around[c]
		if at < 0 {
			continue
		}
		f.Layers[layer].Set(int(at))
		if weights != nil {
			weights[at] = t.Position.size(c)
		}
	}
}

// outcome is what senses are computed from: the position after a move, as the mover sees it.
type outcome struct {
	t                     *Turn
	seat, to              int
	before, piece         Piece // where the move ended, before and after it
	left                  int32 // what stayed behind
	ate, merged, diagonal bool
	sums                  sums
	dangers               [2]dangers
}

// own and enemy return the cells of either player's pieces.
func (o *outcome) own() uint64   { return o.t.Position.owned[o.seat] }
func (o *outcome) enemy() uint64 { return o.t.Position.owned[1-o.seat] }

// neutral returns the cells of neutral pieces.
func (o *outcome) neutral() uint64 { return o.t.Position.filled &^ (o.own() | o.enemy()) }

// empty returns the cells of the board without a piece.
func (o *outcome) empty() uint64 { return ^o.t.Position.filled & (1<<o.t.Graph.n - 1) }

// hunters returns the enemy pieces that could eat the moved piece after their best roll, if they
// stood next to it.
func (o *outcome) hunters() (cells uint64) {
	for m := o.enemy(); m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		if o.t.Position.size(c)+int32(o.t.Die) >= o.piece.Size() {
			cells |= 1 << c
		}
	}
	return cells
}

// sums are totals over all pieces.
type sums struct {
	done               bool
	mine, theirs, lead int32 // sizes of own pieces and the enemy's; own units less the enemy's
	largest            int32 // enemy piece
}

// summed adds up the pieces, once for a move.
func (o *outcome) summed() *sums {
	n, p := &o.sums, &o.t.Position
	if n.done {
		return n
	}
	*n = sums{done: true}
	for m := p.filled; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		n.lead += p.cells[c][o.seat] - p.cells[c][1-o.seat]
	}
	for m := o.own(); m != 0; m &= m - 1 {
		n.mine += p.size(bits.TrailingZeros64(m))
	}
	for m := o.enemy(); m != 0; m &= m - 1 {
		size := p.size(bits.TrailingZeros64(m))
		n.theirs += size
		n.largest = max(n.largest, size)
	}
	return n
}

// dangers says which pieces of a player the other one's pieces next to them may eat.
type dangers struct {
	done       bool
	endangered uint64 // after the best roll
	threat     int32  // size of what could eat the piece where the move ended, if it is endangered
	exposed    int32  // size of the largest endangered piece
	prey       int32  // size of the largest piece that needs no roll
	chances    prospect
}

// endangered finds out which pieces of a seat may be eaten, once for a move.
func (o *outcome) endangered(seat int) *dangers {
	n, p := &o.dangers[seat], &o.t.Position
	if n.done {
		return n
	}
	*n = dangers{done: true}
	for m := p.owned[seat]; m != 0; m &= m - 1 {
		c := bits.TrailingZeros64(m)
		size, hunter := p.size(c), p.danger(o.t.Graph, c, seat)
		if hunter == 0 {
			continue
		}
		n.chances.offer(size, hunter)
		if hunter >= size {
			n.prey = max(n.prey, size)
		}
		if hunter+int32(o.t.Die) >= size {
			n.endangered |= 1 << c
			n.exposed = max(n.exposed, size)
			if c == o.to {
				n.threat = hunter
			}
		}
	}
	return n
}

// prospect is the size of the largest piece that may be eaten from each roll on, by roll.
type prospect [21]int32

// offer adds a piece that a hunter next to it may eat if the roll makes up what the hunter lacks.
// The die has at most 20 sides.
func (p *prospect) offer(prey, hunter int32) {
	if need := max(1, prey-hunter); need < int32(len(p)) {
		p[need] = max(p[need], prey)
	}
}

// mean averages over the rolls of a die.
func (p *prospect) mean(die int) float32 {
	var largest, sum int32
	for _, prey := range p[1 : die+1] {
		largest = max(largest, prey)
		sum += largest
	}
	return float32(sum) / float32(die)
}

// windows numbers, for each cell as the middle, the window's cell of every cell of the board, -1
// outside.
func windows(g *Graph) []int8 {
	table := make([]int8, g.n*g.n)
	for center := range g.n {
		for c := range g.n {
			d := g.at[c].Sub(g.at[center])
			i, ok := window.Cell(d.X, d.Y)
			if !ok {
				i = -1
			}
			table[center*g.n+c] = int8(i)
		}
	}
	return table
}
