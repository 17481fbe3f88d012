package enginetest

import (
	"math/rand/v2"

	"clade/gp"
)

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
