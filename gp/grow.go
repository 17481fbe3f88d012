package gp

import (
	"math/rand/v2"
	"slices"
)

// Ramped returns a random genome by ramped half-and-half (Koza, 1992): for each tree a depth
// uniform in minDepth..maxDepth, then with equal chance the full or the grow method. A single node
// has depth 1.
func (g *Grammar) Ramped(r *rand.Rand, minDepth, maxDepth int) Genome {
	ge := make(Genome, len(g.Slots))
	for i, s := range g.Slots {
		depth := minDepth + r.IntN(maxDepth-minDepth+1)
		ge[i] = g.grow(nil, r, s.Type, depth, r.IntN(2) == 0)
	}
	return g.settle(ge)
}

// Sensors lists the operators of a type that read the world, without arguments or with areas only,
// in the grammar's order and without those that are switched off.
func (g *Grammar) Sensors(t Type) (sensors []Op) {
	for op, o := range g.Operators {
		reads := o.Result == t && !g.shapes[op].constant && (slices.Contains(g.leaves[t], Op(op)) ||
			slices.Contains(g.inner[t], Op(op)))
		if reads && !slices.ContainsFunc(o.Args, func(a Type) bool { return a != Area }) {
			sensors = append(sensors, Op(op))
		}
	}
	return sensors
}

// Single returns a genome with a sensor and random areas as the tree of each slot of its type; the
// other trees grow as by Ramped.
func (g *Grammar) Single(r *rand.Rand, sensor Op, minDepth, maxDepth int) Genome {
	ge := g.Ramped(r, minDepth, maxDepth)
	for i, s := range g.Slots {
		if s.Type != g.Operators[sensor].Result {
			continue
		}
		tree := Tree{Leaf(sensor)}
		for _, a := range g.Operators[sensor].Args {
			tree = g.grow(tree, r, a, g.typeDepth[a], false)
		}
		ge[i] = tree
	}
	return g.settle(ge)
}

// Grow returns a random tree of a type by the grow method: each node is drawn, all equally likely,
// from the operators whose shallowest tree fits in the remaining depth. Where none fits, because
// the type itself needs more depth, the shallowest operators are taken: the result is always
// finite.
func (g *Grammar) Grow(r *rand.Rand, t Type, depth int) Tree {
	return g.grow(nil, r, t, depth, false)
}

// Full returns a random tree of a type by the full method: like Grow, but leaves are taken only
// where no other operator fits.
func (g *Grammar) Full(r *rand.Rand, t Type, depth int) Tree {
	return g.grow(nil, r, t, depth, true)
}

func (g *Grammar) grow(tree Tree, r *rand.Rand, t Type, depth int, full bool) Tree {
	op := g.choose(r, t, max(depth, g.typeDepth[t]), full)
	tree = append(tree, g.randomNode(r, op))
	for _, a := range g.Operators[op].Args {
		tree = g.grow(tree, r, a, depth-1, full)
	}
	return tree
}

// choose draws an operator of a type whose shallowest tree is no deeper than depth; there must be
// one.
func (g *Grammar) choose(r *rand.Rand, t Type, depth int, full bool) Op {
	fitting := 0
	for _, op := range g.inner[t] {
		if g.opDepth[op] <= depth {
			fitting++
		}
	}
	leaves := len(g.leaves[t])
	if full && fitting > 0 {
		leaves = 0
	}
	i := r.IntN(leaves + fitting)
	if i < leaves {
		return g.leaves[t][i]
	}
	i -= leaves
	for _, op := range g.inner[t] {
		if g.opDepth[op] <= depth {
			if i == 0 {
				return op
			}
			i--
		}
	}
	panic("gp: choose: no operator of type " + t.String())
}

// randomNode returns a node of an operator, an ephemeral constant drawn from its whole range.
func (g *Grammar) randomNode(r *rand.Rand, op Op) Node {
	switch g.Operators[op].Form {
	case Const:
		return ConstNode(op, float32(float64(r.Float64()*2)-1))
	case ConstInt:
		return ConstNode(op, float32(r.IntN(6)))
	case RectC:
		return RectNode(op, g.Rects.at(r.IntN(g.Rects.count())))
	default:
		return Leaf(op)
	}
}
