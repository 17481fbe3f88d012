package amoeboid

import (
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// plainExpectimax is Expectimax as its comment says it: every move, roll and reply, without bounds.
type plainExpectimax struct{}

func (plainExpectimax) Choose(t *Turn) Move {
	p := &t.Position
	t.moves = p.Menu(t.moves[:0], t.Graph, t.Roll)
	var l lottery
	for _, m := range t.moves {
		u := p.try(m, t.Roll)
		l.offer(m, t.plainExpect(), &t.Random)
		p.back(m, u)
	}
	return l.move
}

func (t *Turn) plainExpect() float64 {
	p := &t.Position
	opponent := p.Turn()
	if p.Verdict() != Open {
		return p.settled(1 - opponent)
	}
	sum := 0.0
	for roll := 1; roll <= t.Die; roll++ {
		best := worthLoss
		for _, m := range p.Menu(nil, t.Graph, roll) {
			u := p.try(m, roll)
			best = max(best, p.worth(opponent))
			p.back(m, u)
		}
		sum -= best
	}
	return sum / float64(t.Die)
}

// TestExpectimaxIsPlain plays the same games with bounds and without, and expects the same moves.
func TestExpectimaxIsPlain(t *testing.T) {
	proof.Slow(t)
	for _, s := range []Settings{
		{Board: "grid", Size: 3, Neighbours: 8, Die: 6, Limit: 40},
		{Board: "grid", Size: 4, Neighbours: 4, Die: 4, Limit: 20},
		{Board: "path", Size: 4, Neighbours: 8, Die: 6, Limit: 60},
		{Board: "star", Size: 5, Neighbours: 8, Die: 20, Limit: 40},
	} {
		g := proof.Must(FromSettings(s))(t)
		for seed := range uint64(8) {
			var opponent Mind = Greedy{}
			if seed%2 == 1 {
				opponent = Random{}
			}
			fast := g.Play([]engine.Player{Expectimax{}, opponent}, seed, nil)
			plain := g.Play([]engine.Player{plainExpectimax{}, opponent}, seed, nil)
			proof.Is(t, fast, plain, "%s, seed %d, without bounds", g.graph.name, seed)
		}
	}
}
