package gp

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"clade/gp/input"
)

// Variation holds the settings by which children are made. PaperVariation is BrilliANT's.
type Variation struct {
	// Crossover, Mutation and Constants are the chances, 0..1, of subtree crossover, subtree
	// mutation and mutation of constants. They add up to at most 1; what is left copies the parent.
	Crossover float64 `toml:"crossover"`
	Mutation  float64 `toml:"mutation"`
	Constants float64 `toml:"constants"`
	// MaxDepth is the greatest depth of a tree, 1 or more. A deeper tree is replaced by its
	// parent's.
	MaxDepth int `toml:"max-depth"`
	// GrowDepth is the depth of the tree that subtree mutation grows, 1 up to
	// Grammar.DeepestGrowth.
	GrowDepth int `toml:"grow-depth"`
	// Slots is how many trees one variation changes, at least 1. More than there are counts as all.
	Slots int `toml:"slots"`
	// Exchange is the chance, 0..1, of each slot to be exchanged whole in a crossover.
	Exchange float64 `toml:"exchange"`
	// Inner is the chance, 0..1, that a node with arguments is selected rather than a leaf.
	Inner float64 `toml:"inner"`

	// Perturbation to Transfer are the chances of the small steps, see SmallStep. They count in the
	// sum of the chances. Where one of them is set, the kind of variation is drawn for each child
	// and not for each couple. The default 0 is left out of the fingerprint, so that studies
	// without small steps keep theirs.
	Perturbation    float64 `toml:"perturbation,omitempty" json:",omitempty"`
	Hoist           float64 `toml:"hoist,omitempty" json:",omitempty"`
	Insertion       float64 `toml:"insertion,omitempty" json:",omitempty"`
	PairedInsertion float64 `toml:"paired-insertion,omitempty" json:",omitempty"`
	Transfer        float64 `toml:"transfer,omitempty" json:",omitempty"`
	// DepthFair draws the node of an insertion from a random path down from the root, as depth-fair
	// crossover does (Kessler and Haynes, 1999). Without it all nodes are equally likely, and
	// nearly all nodes of a large tree are deep in it, where they have little effect. The default
	// false is left out of the fingerprint.
	DepthFair bool `toml:"depth-fair,omitempty" json:",omitempty"`
	// MaxNodes is the greatest number of nodes of a child; a larger parent may have children that
	// are no larger than it. The default 0 means Grammar.MaxNodes.
	MaxNodes int `toml:"max-nodes,omitempty" json:",omitempty"`
	// CrossoverKind is "subtree" (default), "size-fair" or "homologous", see the constants. It is
	// left out of the fingerprint where unset.
	CrossoverKind string `toml:"crossover-kind,omitempty" json:",omitempty" unset:"subtree"`
}

// PaperVariation is the variation of Jaśkowski, Krawiec and Wieloch (RA-05/07, 2007, Table 1), with
// ECJ's defaults where the paper is silent.
var PaperVariation = Variation{Crossover: 0.8, Mutation: 0.1, Constants: 0.1, MaxDepth: 8,
	GrowDepth: 5, Slots: 1, Inner: 0.9}

// Check returns an error for settings out of range. The error that it wraps does not name the
// package.
func (v *Variation) Check() error {
	if err := v.fault(); err != nil {
		return fmt.Errorf("gp: %w", err)
	}
	return nil
}

func (v *Variation) fault() error {
	chances := [...]float64{v.Exchange, v.Inner, v.Crossover, v.Mutation, v.Constants,
		v.Perturbation, v.Hoist, v.Insertion, v.PairedInsertion, v.Transfer}
	const apart = 2 // exchange and inner are not shares of the children
	sum := 0.0
	for i, name := range [...]string{"exchange", "inner", "crossover", "mutation", "constants",
		"perturbation", "hoist", "insertion", "paired-insertion", "transfer"} {
		p := chances[i]
		if !(p >= 0 && p <= 1) {
			return input.Faultf(name, "the chance %s must be in 0..1, not %v", name, p)
		}
		if i >= apart {
			sum += p
		}
	}
	if sum > 1+1e-9 {
		return fmt.Errorf("the chances of crossover, mutation, constants and small steps add "+
			"up to %.6g, more than 1", sum)
	}
	for i, n := range [...]int{v.MaxDepth, v.GrowDepth, v.Slots} {
		if name := [...]string{"max-depth", "grow-depth", "slots"}[i]; n < 1 {
			return input.Faultf(name, "%s must be at least 1, not %d", name, n)
		}
	}
	if v.MaxNodes < 0 {
		return input.Faultf("max-nodes", "max-nodes must be at least 0, not %d", v.MaxNodes)
	}
	kinds := []string{SubtreeCrossover, SizeFairCrossover, HomologousCrossover}
	if k := v.CrossoverKind; k != "" && !slices.Contains(kinds, k) {
		return input.Faultf("crossover-kind", "crossover-kind: %s",
			input.Unknown("setting", k, kinds))
	}
	return nil
}

// Cross returns the two children of a subtree crossover. In each of v.Slots rounds a slot is drawn
// in either parent independently, then a node in the first one's tree and a node of the same type
// in the second one's, and their subtrees are exchanged. A child that would pass MaxDepth or
// MaxNodes keeps its parent's tree; there is no second try. Parents must keep the limits. Trees
// that did not change are shared with the parents, so trees must never be written to. Other kinds
// of crossover, see SizeFairCrossover, draw the nodes in their own way.
func (g *Grammar) Cross(r *rand.Rand, a, b Genome, v *Variation) (Genome, Genome) {
	both := make(Genome, len(a)+len(b)) // one allocation: children of a couple mostly live as long
	c, d := both[:len(a):len(a)], both[len(a):]
	for i := range c {
		c[i], d[i] = a[i], b[i]
	}
	if v.Exchange > 0 {
		for i := range c {
			more := len(d[i]) - len(c[i])
			if r.Float64() < v.Exchange && !g.Slots[i].Kept && g.Slots[i].Type == g.Type(d[i][0]) &&
				g.holds(c, more, v) &&
				g.holds(d, -more, v) {
				c[i], d[i] = d[i], c[i]
			}
		}
	}
	inC, inD := g.drawSlots(r), g.drawSlots(r)
	for range min(v.Slots, inC.left()) {
		i, j := inC.next(), inD.next()
		if v.CrossoverKind == HomologousCrossover {
			j = i
		}
		t, u := c[i], d[j]
		if v.fairCrossover() {
			g.put(c, i, g.fair(r, t, u, v), v)
			g.put(d, j, g.fair(r, u, t, v), v)
			continue
		}
		m := g.selectNode(r, t, v.Inner)
		n, ok := g.selectTyped(r, u, g.Type(t[m]), v.Inner)
		if !ok {
			continue
		}
		mEnd, nEnd := g.End(t, m), g.End(u, n)
		p, q := t[m:mEnd], u[n:nEnd]
		if slices.Equal(p, q) {
			continue
		}
		more := len(q) - len(p)
		if g.level(t, m)+g.Depth(q) <= v.MaxDepth && g.holds(c, more, v) {
			c[i] = Splice(t, m, mEnd, q)
		}
		if g.level(u, n)+g.Depth(p) <= v.MaxDepth && g.holds(d, -more, v) {
			d[j] = Splice(u, n, nEnd, p)
		}
	}
	return g.settle(c), g.settle(d)
}

// Mutate returns a child in which subtrees of v.Slots different trees are replaced by grown ones. A
// tree that would pass MaxDepth or MaxNodes stays as it is.
func (g *Grammar) Mutate(r *rand.Rand, a Genome, v *Variation) Genome {
	c := append(Genome(nil), a...)
	slots := g.drawSlots(r)
	for range min(v.Slots, slots.left()) {
		i := slots.next()
		t := c[i]
		m := g.selectNode(r, t, v.Inner)
		end := g.End(t, m)
		grown := g.Grow(r, g.Type(t[m]), v.GrowDepth)
		if g.level(t, m)+g.Depth(grown) <= v.MaxDepth && g.holds(c, len(grown)-(end-m), v) {
			c[i] = Splice(t, m, end, grown)
		}
	}
	return g.settle(c)
}

// holds tells whether a genome with this many more nodes keeps within MaxNodes.
func (g *Grammar) holds(ge Genome, more int, v *Variation) bool {
	most := g.maxNodes
	if v.MaxNodes > 0 {
		most = min(most, v.MaxNodes)
	}
	return more <= 0 || ge.Size()+more <= most
}

// MutateConstants returns a child in which all ephemeral constants of a selected subtree, in
// v.Slots different trees, are moved: a Const by a normal number of standard deviation 1/3, a
// ConstInt and each number of a Rect by -1, 0 or 1; all trimmed to their range.
func (g *Grammar) MutateConstants(r *rand.Rand, a Genome, v *Variation) Genome {
	c := append(Genome(nil), a...)
	slots := g.drawSlots(r)
	for range min(v.Slots, slots.left()) {
		i := slots.next()
		t := append(Tree(nil), c[i]...)
		m := g.selectNode(r, t, v.Inner)
		for j, end := m, g.End(t, m); j < end; j++ {
			t[j] = g.moveConstant(r, t[j])
		}
		c[i] = t
	}
	return c
}

func (g *Grammar) moveConstant(r *rand.Rand, n Node) Node {
	step := func() int8 { return int8(r.IntN(3)) - 1 }
	switch g.Operators[n.Op].Form {
	case Const:
		v := float64(n.Float()) + float64(r.NormFloat64()/3)
		return ConstNode(n.Op, float32(min(1, max(-1, v))))
	case ConstInt:
		return ConstNode(n.Op, min(5, max(0, n.Float()+float32(step()))))
	case RectC:
		q := n.Rect()
		return RectNode(n.Op, g.Rects.trimmed(Rect{q.X + step(), q.Y + step(), q.W + step(),
			q.H + step()}))
	default:
		return n
	}
}

// level returns the number of nodes above a node: 0 for the root. Node i is above node m if the
// subtree of i ends after m.
func (g *Grammar) level(t Tree, m int) int {
	// The loop goes backwards from m and counts open arguments. A node is above m if fewer are open
	// before it than before any node between it and m. No branch depends on the tree.
	level, open, least := 0, 0, 0
	for i := m - 1; i >= 0; i-- {
		open += 1 - int(g.shapes[t[i].Op].arity)
		above := int(uint(open-least-1) >> 63) // 1 where open <= least
		level += above
		least = min(least, open)
	}
	return level
}

// selectNode draws a node as Koza's selector does: with chance inner one with arguments, else a
// leaf; all of the kind equally likely; any node where there is none of the kind.
func (g *Grammar) selectNode(r *rand.Rand, t Tree, inner float64) int {
	return g.drawNode(r, t, inner, numTypes)
}

// selectTyped is selectNode among the nodes of a type; false where there is none.
func (g *Grammar) selectTyped(r *rand.Rand, t Tree, want Type, inner float64) (int, bool) {
	i := g.drawNode(r, t, inner, want)
	return i, i >= 0
}

// tally is what a node of each operator adds to a count: 1 for a leaf, 2^32 for an inner node, 0
// for a node that is not eligible.
type tally [maxOperators]uint64

func (t *tally) of(n Node) uint64 { return t[n.Op&(maxOperators-1)] }

const innerTally = 1 << 32

// makeTallies makes the tally of each type, the last one of all types.
func (g *Grammar) makeTallies() {
	for i := range g.Operators {
		s := &g.shapes[i]
		one := uint64(1)
		if s.inner != 0 {
			one = innerTally
		}
		g.tallies[s.result][i], g.tallies[numTypes][i] = one, one
	}
}

// drawNode draws among the nodes of a type, numTypes for any. Neither of its loops has a branch
// that depends on the tree.
func (g *Grammar) drawNode(r *rand.Rand, t Tree, inner float64, of Type) int {
	tally := &g.tallies[of]
	counts := uint64(0)
	for i := range t {
		counts += tally.of(t[i])
	}
	leaves, inners := int(uint32(counts)), int(counts>>32)
	if r.Float64() < inner && inners > 0 || leaves == 0 {
		if inners == 0 {
			return -1
		}
		left := uint64(r.IntN(inners))
		for i := range t {
			if left -= tally.of(t[i]) >> 32; int64(left) < 0 {
				return i
			}
		}
	}
	left := uint64(r.IntN(leaves))
	for i := range t {
		if left -= uint64(uint32(tally.of(t[i]))); int64(left) < 0 {
			return i
		}
	}
	panic("gp: drawNode: counted wrongly")
}

// Splice returns a new tree in which sub stands for the nodes from start to end.
func Splice(t Tree, start, end int, sub Tree) Tree {
	c := make(Tree, 0, len(t)-(end-start)+len(sub))
	c = append(c, t[:start]...)
	c = append(c, sub...)
	return append(c, t[end:]...)
}

// slotDraw draws slots that are not kept, without replacement.
type slotDraw struct {
	r     *rand.Rand
	n     int
	drawn uint64
}

func (g *Grammar) drawSlots(r *rand.Rand) slotDraw {
	s := slotDraw{r: r, n: len(g.Slots)}
	for i := range g.Slots {
		if g.Slots[i].Kept {
			s.drawn |= 1 << i
		}
	}
	return s
}

// left returns how many slots can still be drawn.
func (s *slotDraw) left() int { return s.n - bits.OnesCount64(s.drawn) }

func (s *slotDraw) next() int {
	for {
		if i := s.r.IntN(s.n); s.drawn>>i&1 == 0 {
			s.drawn |= 1 << i
			return i
		}
	}
}

// SmallSteps tells whether the chance of any small step is set, so that children are made one by
// one.
func (v *Variation) SmallSteps() bool {
	return v.Perturbation+v.Hoist+v.Insertion+v.PairedInsertion+v.Transfer > 0
}

func (v *Variation) fairCrossover() bool {
	return v.CrossoverKind == SizeFairCrossover || v.CrossoverKind == HomologousCrossover
}
