package amoeboid

import (
	"image"
	"math"
	"slices"

	"clade/engine"
)

// Weigh implements engine.Weigher. A turn with one move in its menu is not a choice. The utility of
// a move is, for Greedy, the second advantage after it, in units; for Expectimax, the expectation
// after the opponent's reply, from -1 for a loss to 1 for a win, without moves that cannot be the
// best; for a solver, the value of its deepest search; for Cautious, its rank in the case that is
// played.
func (g *Game) Weigh(p engine.Player, report func(*engine.Choice)) engine.Player {
	switch p := p.(type) {
	case *species:
		s := *p
		s.reads = g.vocabulary.all() // whatever the tree reads
		return &weigher{s, report}
	case Greedy, Expectimax, Cautious, *solver:
		return &tracer{p.(Mind), report}
	}
	return nil
}

// weigher is an evolved player, for one game, that reports its choices.
type weigher struct {
	species
	report func(*engine.Choice)
}

// Choose chooses as the species does.
func (w *weigher) Choose(t *Turn) Move {
	random := t.Random
	move := w.species.Choose(t)
	if len(t.moves) == 1 {
		return move
	}
	c := &engine.Choice{Actor: middle(t.Graph, int(move.From))}
	first := random.Below(len(t.moves))
	for i := range t.moves {
		m := t.moves[(first+i)%len(t.moves)]
		lane := t.sense(m, w.reads)
		if m == move {
			c.Chosen = i
		}
		c.Candidates = append(c.Candidates, engine.Candidate{Name: t.Graph.MoveText(m),
			At: middle(t.Graph, int(m.To)), Slot: slotMove, Turn: lane, View: i,
			Utility: w.code.EvalLane(slotMove, 0, lane, t.frame)})
		c.Views = append(c.Views, engine.View{Frame: t.frame.Clone(), Place: t.placer(int(m.To))})
	}
	c.Prospects = func() (all []float32) {
		p := &t.Position
		for i := range t.moves {
			m := t.moves[(first+i)%len(t.moves)]
			u := p.try(m, t.Roll)
			worth, _ := t.expect(math.Inf(-1))
			p.back(m, u)
			all = append(all, float32(1+worth)/2)
		}
		return all
	}
	w.report(c)
	return move
}

// tracer is a built-in player, for one game, that reports its choices.
type tracer struct {
	Mind
	report func(*engine.Choice)
}

// Choose chooses as the player does. A turn in which it weighs nothing up is not a choice.
func (k *tracer) Choose(t *Turn) Move {
	var c engine.Choice
	t.trace = &c
	move := k.Mind.Choose(t)
	t.trace = nil
	name := t.Graph.MoveText(move)
	c.Actor = middle(t.Graph, int(move.From))
	c.Chosen = slices.IndexFunc(c.Candidates,
		func(o engine.Candidate) bool { return o.Name == name })
	if c.Chosen >= 0 {
		k.report(&c)
	}
	return move
}

// placer returns where the cells of a window around a cell of the board are drawn.
func (t *Turn) placer(center int) func(int) (image.Point, bool) {
	g := t.Graph
	return func(cell int) (image.Point, bool) {
		for c, window := range t.window[center*g.n : (center+1)*g.n] {
			if int(window) == cell {
				return middle(g, c), true
			}
		}
		return image.Point{}, false
	}
}

// middle returns the pixel in the middle of a cell in the picture of scale 1.
func middle(g *Graph, cell int) image.Point {
	return g.at[cell].Mul(tile).Add(image.Pt(tile/2, tile/2))
}
