package enginetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"clade/engine"
	"clade/gp"
	"clade/gp/proof"
)

// checkWeigh plays genomes from Weigh against themselves.
func checkWeigh(s *subject) error {
	g, ok := s.game.(engine.Weigher)
	if !ok {
		return nil
	}
	if p := g.Weigh(nil, nil); p != nil {
		return fmt.Errorf("Weigh took no player for a %T", p)
	}
	for _, ge := range append(randomGenomes(s.game, 3), Bred(s.game, 3)...) {
		for _, seed := range s.seeds {
			if err := s.weigh(g, ge, seed); err != nil {
				return fmt.Errorf("seed %d, genome %v: %w", seed, ge.Size(), err)
			}
		}
	}
	return nil
}

func (s *subject) weigh(g engine.Weigher, ge gp.Genome, seed uint64) error {
	plain, err := s.game.Bind(ge)
	if err != nil {
		return err
	}
	w := weighed{grammar: s.game.Grammar(), genome: ge}
	telling := g.Weigh(plain, w.look)
	if telling == nil {
		return fmt.Errorf("a player of Bind cannot tell")
	}
	var players, silent []engine.Player
	for range s.info.MinSeats {
		players, silent = append(players, plain), append(silent, plain)
	}
	players[0] = telling
	if err := same("silent and telling", s.game.Play(silent, seed, nil),
		s.game.Play(players, seed, nil)); err != nil {
		return err
	}
	if w.err == nil && w.choices == 0 {
		return fmt.Errorf("no choice was told of")
	}
	return w.err
}

// weighed compares traced choices with the trees.
type weighed struct {
	grammar *gp.Grammar
	genome  gp.Genome
	choices int
	err     error
}

func (w *weighed) look(c *engine.Choice) {
	w.choices++
	if w.err == nil {
		w.err = w.compare(c)
	}
}

func (w *weighed) compare(c *engine.Choice) error {
	best := c.Best(func(i int) float32 { return c.Candidates[i].Utility })
	if best != c.Chosen && c.Note == "" {
		return fmt.Errorf("choice %d: candidate %d is the best, and %d was taken", w.choices, best,
			c.Chosen)
	}
	// Players search long for prospects.
	if c.Prospects != nil && (w.choices%16 == 1 || proof.Full()) {
		all := c.Prospects()
		if len(all) != len(c.Candidates) || slices.ContainsFunc(all,
			func(p float32) bool { return !(p >= 0 && p <= 1) }) {
			return fmt.Errorf("choice %d: %d candidates have the prospects %v", w.choices,
				len(c.Candidates), all)
		}
	}
	kept := c.Clone()
	for i, k := range kept.Candidates {
		if k.Slot < 0 {
			continue
		}
		tree, frame := w.genome[k.Slot], kept.Views[k.View].Frame
		value := w.grammar.Walk(tree, frame, k.Turn)
		if !equalFloats(value, k.Utility) {
			return fmt.Errorf("choice %d, candidate %d, %s: the tree is worth %v, the utility %v",
				w.choices, i, k.Name, value, k.Utility)
		}
		trace := w.grammar.Trace(tree, frame, k.Turn)
		if !trace[0].Taken || !equalFloats(trace[0].Number, value) {
			return fmt.Errorf("choice %d, candidate %d: Trace gives %v, Walk %v", w.choices, i,
				trace[0], value)
		}
	}
	for _, v := range kept.Views {
		for cell := range w.grammar.Window.Side * w.grammar.Window.Side {
			v.Place(cell)
		}
	}
	return nil
}

// equalFloats reports whether two numbers have the same bits, or are both NaN.
func equalFloats(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

// asking returns two genomes: in each tree of the first a sensor chooses between two random trees;
// the second always takes the same one. Both are nil for an operator that is not a sensor, and for
// a grammar without conditionals.
func asking(g *gp.Grammar, op gp.Op, seed uint64) (asks, asksNot gp.Genome) {
	sensor := g.Operators[op]
	branch, canBranch := lookup(g, gp.If)
	smaller, canCompare := lookup(g, gp.IsSmaller)
	number, hasNumbers := lookup(g, gp.ConstInt)
	if sensor.Form < gp.Scalar || sensor.Form >= gp.Foreign || !canBranch ||
		sensor.Result == gp.Float && !(canCompare && hasNumbers) {
		return nil, nil
	}
	r := rand.New(rand.NewPCG(seed, uint64(op)))
	question := gp.Tree{gp.Leaf(op)}
	for _, a := range sensor.Args {
		question = append(question, g.Full(r, a, g.TypeDepth(a))...)
	}
	if sensor.Result == gp.Float {
		limit := gp.Tree{gp.ConstNode(number, float32(r.IntN(4)))}
		question = append(append(gp.Tree{gp.Leaf(smaller)}, limit...), question...)
	}
	for _, slot := range g.Slots {
		no := g.Full(r, slot.Type, 4)
		if slot.Type != gp.Float {
			asks, asksNot = append(asks, no), append(asksNot, no)
			continue
		}
		tree := append(gp.Tree{gp.Leaf(branch)}, question...)
		tree = append(append(tree, g.Full(r, slot.Type, 4)...), no...)
		asks, asksNot = append(asks, tree), append(asksNot, no)
	}
	return asks, asksNot
}
