package gp

import (
	"math/rand/v2"
	"slices"
)

// SmallStep is a kind of variation that changes one parent so little that the child mostly plays as
// its parent does.
type SmallStep uint8

// The small steps. Each returns its parent unchanged where there is nothing to change, or where the
// child would pass a limit of Variation.
const (
	// Perturbation changes one to three nodes of one tree: a Const by a normal number of standard
	// deviation 0.1, a ConstInt or one number of a Rect by 1, all trimmed to their range. In one of
	// five cases it changes an operator for another one of the same signature instead (point
	// mutation; Poli, Langdon and McPhee, A Field Guide to Genetic Programming, 2008, section
	// 5.2.2).
	Perturbation SmallStep = iota
	// Hoist replaces a subtree by one of its own subtrees (Kinnear, 1993; gplearn's hoist
	// mutation).
	Hoist
	// Insertion puts a new operator above a node, which becomes one of its arguments with its
	// subtree, and grows the other arguments (DEAP's mutInsert).
	Insertion
	// PairedInsertion puts the same operator with the same arguments into two slots of one family:
	// above a node of one, and above the matching node of the other, where areas are turned by the
	// difference of the slots' headings. In a grammar without such slots it is Insertion.
	PairedInsertion
	// Transfer copies a subtree to the matching place in another slot of its family, with areas
	// turned by the difference of the slots' headings. In a grammar without such slots the child is
	// a copy.
	Transfer
	SmallSteps // their number
)

// Chance returns the chance of a small step.
func (v *Variation) Chance(s SmallStep) float64 {
	return [...]float64{v.Perturbation, v.Hoist, v.Insertion, v.PairedInsertion, v.Transfer}[s]
}

// Step returns the child of a small step. It shares with its parent the trees that did not change.
func (g *Grammar) Step(r *rand.Rand, s SmallStep, a Genome, v *Variation) Genome {
	c := slices.Clone(a)
	slots := g.drawSlots(r)
	i := slots.next()
	switch s {
	case Perturbation:
		c[i] = g.perturbed(r, c[i])
	case Hoist:
		c[i] = g.hoisted(r, c[i])
	case Insertion:
		g.insert(r, c, i, v)
	case PairedInsertion:
		if j, ok := g.drawSibling(r, i); ok {
			g.insertPaired(r, c, i, j, v)
		} else {
			g.insert(r, c, i, v)
		}
	case Transfer:
		if j, ok := g.drawSibling(r, i); ok {
			g.transfer(r, c, i, j, v)
		}
	}
	return g.settle(c)
}

// siblingDepth is the greatest depth of the arguments that an insertion grows.
const siblingDepth = 3

// perturbed returns a tree with one to three small changes.
func (g *Grammar) perturbed(r *rand.Rand, t Tree) Tree {
	t = slices.Clone(t)
	for range 1 + r.IntN(3) {
		if r.IntN(5) == 0 {
			g.swapOperator(r, t)
		} else {
			g.nudgeConstant(r, t)
		}
	}
	return t
}

// nudgeConstant changes one number of one constant of a tree.
func (g *Grammar) nudgeConstant(r *rand.Rand, t Tree) {
	i, ok := g.drawWhere(r, t, 0, len(t), func(n Node) bool { return g.shapes[n.Op].constant })
	if ok {
		t[i] = g.nudged(r, t[i])
	}
}

// drawWhere draws one of the nodes from start to end for which picks returns true.
func (g *Grammar) drawWhere(r *rand.Rand, t Tree, start, end int, picks func(Node) bool) (int,
	bool) {
	n := 0
	for _, node := range t[start:end] {
		if picks(node) {
			n++
		}
	}
	if n == 0 {
		return 0, false
	}
	left := r.IntN(n)
	return start + slices.IndexFunc(t[start:end], func(node Node) bool {
		if picks(node) {
			left--
		}
		return left < 0
	}), true
}

func (g *Grammar) nudged(r *rand.Rand, n Node) Node {
	sign := int8(1 - 2*r.IntN(2))
	switch g.Operators[n.Op].Form {
	case Const:
		v := float64(n.Float()) + float64(r.NormFloat64()*0.1)
		return ConstNode(n.Op, float32(min(1, max(-1, v))))
	case ConstInt:
		return ConstNode(n.Op, min(5, max(0, n.Float()+float32(sign))))
	default:
		q := n.Rect()
		*[...]*int8{&q.X, &q.Y, &q.W, &q.H}[r.IntN(4)] += sign
		return RectNode(n.Op, g.Rects.trimmed(q))
	}
}

// trimmed returns the nearest rectangle in range.
func (rr RectRange) trimmed(q Rect) Rect {
	centre := func(v int8) int8 { return min(rr.Centre, max(-rr.Centre, v)) }
	side := func(v int8) int8 { return min(rr.Side, max(1, v)) }
	return Rect{centre(q.X), centre(q.Y), side(q.W), side(q.H)}
}

// swapOperator gives one node without a constant another operator of the same signature.
func (g *Grammar) swapOperator(r *rand.Rand, t Tree) {
	i := r.IntN(len(t))
	s := g.shapes[t[i].Op]
	var others []Op
	for op := range Op(len(g.Operators)) {
		if op != t[i].Op && g.shapes[op] == s && g.Operators[op].Weight != Unused {
			others = append(others, op)
		}
	}
	if !s.constant && len(others) > 0 {
		t[i] = Leaf(others[r.IntN(len(others))])
	}
}

// hoisted returns a tree in which a subtree is replaced by one of its own subtrees.
func (g *Grammar) hoisted(r *rand.Rand, t Tree) Tree {
	m := g.selectNode(r, t, 1)
	end := g.End(t, m)
	j, ok := g.drawWhere(r, t, m+1, end, func(n Node) bool { return g.Type(n) == g.Type(t[m]) })
	if !ok {
		return t
	}
	return Splice(t, m, end, t[j:g.End(t, j)])
}

// insertion is an operator to put above a node, with its other arguments.
type insertion struct {
	op       Op
	keep     int    // the argument that the node becomes
	siblings []Tree // the other arguments, in order
}

// drawInsertion draws an operator that can stand above a node of a type: an addition, product,
// conditional, conjunction or disjunction. These can be small steps, where a difference or a
// negation would reverse the value.
func (g *Grammar) drawInsertion(r *rand.Rand, t Type) (n insertion, ok bool) {
	var ops []Op
	for _, op := range g.inner[t] {
		switch g.Operators[op].Form {
		case Add, Mul, If, And, Or:
			ops = append(ops, op)
		}
	}
	if len(ops) == 0 {
		return n, false
	}
	n.op = ops[r.IntN(len(ops))]
	args := g.Operators[n.op].Args
	for n.keep = r.IntN(len(args)); args[n.keep] != t; {
		n.keep = r.IntN(len(args))
	}
	for i, a := range args {
		if i != n.keep {
			n.siblings = append(n.siblings, g.Grow(r, a, 1+r.IntN(siblingDepth)))
		}
	}
	return n, true
}

// above returns a tree with the insertion above node m.
func (n *insertion) above(g *Grammar, t Tree, m int) Tree {
	end := g.End(t, m)
	c := make(Tree, 0, len(t)+n.nodes())
	c = append(append(c, t[:m]...), Leaf(n.op))
	rest := n.siblings
	for i := range g.Operators[n.op].Args {
		if i == n.keep {
			c = append(c, t[m:end]...)
		} else {
			c = append(c, rest[0]...)
			rest = rest[1:]
		}
	}
	return append(c, t[end:]...)
}

// nodes returns how many nodes an insertion adds.
func (n *insertion) nodes() int {
	sum := 1
	for _, s := range n.siblings {
		sum += len(s)
	}
	return sum
}

// turned returns the insertion with its areas turned by eighths of a turn clockwise.
func (n *insertion) turned(g *Grammar, eighths int) insertion {
	c := insertion{op: n.op, keep: n.keep}
	for _, s := range n.siblings {
		c.siblings = append(c.siblings, g.turned(s, eighths))
	}
	return c
}

// put makes t the tree of slot i if the limits allow it, and tells whether they did.
func (g *Grammar) put(c Genome, i int, t Tree, v *Variation) bool {
	if g.Depth(t) > v.MaxDepth || !g.holds(c, len(t)-len(c[i]), v) {
		return false
	}
	c[i] = t
	return true
}

// drawPlace draws the node above which an operator is put. With DepthFair it is any node of a
// random path down from the root, through arguments that are not areas.
func (g *Grammar) drawPlace(r *rand.Rand, t Tree, v *Variation) int {
	if !v.DepthFair {
		return r.IntN(len(t))
	}
	place := 0
	for i, level := 0, 1; i >= 0; level++ {
		if r.IntN(level) == 0 {
			place = i
		}
		next, open := -1, 0
		k := i + 1
		for range g.Operators[t[i].Op].Args {
			if g.Type(t[k]) != Area {
				if open++; r.IntN(open) == 0 {
					next = k
				}
			}
			k = g.End(t, k)
		}
		i = next
	}
	return place
}

func (g *Grammar) insert(r *rand.Rand, c Genome, i int, v *Variation) {
	m := g.drawPlace(r, c[i], v)
	if n, ok := g.drawInsertion(r, g.Type(c[i][m])); ok {
		g.put(c, i, n.above(g, c[i], m), v)
	}
}

func (g *Grammar) insertPaired(r *rand.Rand, c Genome, i, j int, v *Variation) {
	m := g.drawPlace(r, c[i], v)
	k := g.matching(c[i], m, c[j])
	n, ok := g.drawInsertion(r, g.Type(c[i][m]))
	if !ok || g.Type(c[j][k]) != g.Type(c[i][m]) {
		return
	}
	turned := n.turned(g, g.Slots[j].Heading-g.Slots[i].Heading)
	before, u := c[i], turned.above(g, c[j], k)
	if g.put(c, i, n.above(g, c[i], m), v) && !g.put(c, j, u, v) {
		c[i] = before
	}
}

func (g *Grammar) transfer(r *rand.Rand, c Genome, i, j int, v *Variation) {
	m := g.selectNode(r, c[i], v.Inner)
	want := g.Type(c[i][m])
	k := g.matching(c[i], m, c[j])
	if g.Type(c[j][k]) != want {
		var ok bool
		if k, ok = g.selectTyped(r, c[j], want, v.Inner); !ok {
			return
		}
	}
	sub := g.turned(c[i][m:g.End(c[i], m)], g.Slots[j].Heading-g.Slots[i].Heading)
	g.put(c, j, Splice(c[j], k, g.End(c[j], k), sub), v)
}

// drawSibling draws another slot of a slot's family.
func (g *Grammar) drawSibling(r *rand.Rand, i int) (int, bool) {
	var siblings []int
	for j, s := range g.Slots {
		if j != i && !s.Kept && s.Family != "" && s.Family == g.Slots[i].Family &&
			s.Type == g.Slots[i].Type {
			siblings = append(siblings, j)
		}
	}
	if len(siblings) == 0 {
		return 0, false
	}
	return siblings[r.IntN(len(siblings))], true
}

// matching follows the path from the root of t to node m in u, as long as the operators on it
// agree, and returns the node of u where it ends.
func (g *Grammar) matching(t Tree, m int, u Tree) int {
	i, k := 0, 0
	for i != m && t[i].Op == u[k].Op {
		// Step down to the argument that holds m.
		i, k = i+1, k+1
		for end := g.End(t, i); end <= m; end = g.End(t, i) {
			i, k = end, g.End(u, k)
		}
	}
	return k
}

// turned returns a tree whose areas are turned about the actor by eighths of a turn clockwise.
func (g *Grammar) turned(t Tree, eighths int) Tree {
	c := append(Tree(nil), t...)
	for i, n := range c {
		if g.Operators[n.Op].Form == RectC {
			c[i] = RectNode(n.Op, g.Rects.trimmed(n.Rect().Turned(eighths)))
		}
	}
	return c
}

// Turned returns the rectangle with its centre moved about the actor by eighths of a turn
// clockwise, along the square ring on which it lies, so that a straight neighbour becomes a
// diagonal one. A quarter turn in either direction exchanges its sides.
func (q Rect) Turned(eighths int) Rect {
	x, y := int(q.X), int(q.Y)
	for range eighths & 7 {
		x, y = eighth(x, y)
	}
	if eighths&3 == 2 {
		q.W, q.H = q.H, q.W
	}
	q.X, q.Y = int8(x), int8(y)
	return q
}

// eighth moves a cell along its square ring by an eighth of it, clockwise with y pointing down.
func eighth(x, y int) (int, int) {
	n := max(x, -x, y, -y)
	for range n {
		switch {
		case y == -n && x < n:
			x++
		case x == n && y < n:
			y++
		case y == n && x > -n:
			x--
		default:
			y--
		}
	}
	return x, y
}
