package gp

import (
	"clade/gp/proof"
	"fmt"
	"math/rand/v2"
	"testing"
)

// chainGrammar is untyped, with operators of up to the given number of arguments.
func chainGrammar(arity int) *Grammar {
	s := Spec{Slots: []Slot{{Name: "s", Type: Bool}},
		Operators: []Operator{{Name: "leaf", Form: Foreign, Result: Bool}}}
	for a := 1; a <= arity; a++ {
		args := make([]Type, a)
		for i := range args {
			args[i] = Bool
		}
		s.Operators = append(s.Operators, Operator{Name: fmt.Sprintf("f%d", a), Form: Foreign,
			Result: Bool, Args: args})
	}
	return MustGrammar(s)
}

// TestDepths holds the quick count of depth against the plain one, around the depth where the quick
// one ends.
func TestDepths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for arity := 1; arity <= 4; arity++ {
		g := chainGrammar(arity)
		for range 300 {
			if tree := g.Grow(r, Bool, 1+r.IntN(9)); g.Depth(tree) != g.anyDepth(tree) {
				t.Fatalf("%s: depth %d, want %d", g.PrintTree(tree), g.Depth(tree), g.anyDepth(tree))
			}
		}
		for depth := 1; depth <= 300; depth += 1 + depth/60*7 {
			first, last := Tree{}, Tree{} // the deep part first, and last
			for range depth - 1 {
				first = append(first, Leaf(Op(arity)))
				last = append(last, Leaf(Op(arity)))
				for range arity - 1 {
					last = append(last, Leaf(0))
				}
			}
			first, last = append(first, Leaf(0)), append(last, Leaf(0))
			for range (depth - 1) * (arity - 1) {
				first = append(first, Leaf(0))
			}
			if g.Depth(first) != depth || g.Depth(last) != depth {
				t.Fatalf("arity %d: depths %d and %d, want %d", arity, g.Depth(first), g.Depth(last), depth)
			}
		}
	}
}

// TestRamped has the depths of ramped half-and-half by hand, where each level goes on with chance a
// half: a sixth is full at 2, 3 or 4; of the others a half ends at each level, or at the limit.
func TestRamped(t *testing.T) {
	const draws = 20000
	g, r, got := chainGrammar(1), rand.New(rand.NewPCG(1, 1)), [5]float64{}
	for range draws {
		got[g.Depth(g.Ramped(r, 2, 4)[0])] += 1.0 / draws
	}
	for depth, want := range [5]float64{0, 1. / 4, 1. / 3, 11. / 48, 3. / 16} {
		proof.Near(t, fmt.Sprint("share of depth ", depth), got[depth], want, 0.015)
	}
}

// TestLevels holds the level of every node of random trees against the number of subtrees around
// it.
func TestLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for arity := 1; arity <= 4; arity++ {
		g := chainGrammar(arity)
		for range 100 {
			tree := g.Grow(r, Bool, 1+r.IntN(9))
			around := make([]int, len(tree))
			for i := range tree {
				for m := i + 1; m < g.End(tree, i); m++ {
					around[m]++
				}
			}
			for m := range tree {
				if level := g.level(tree, m); level != around[m] {
					t.Fatalf("%s: level %d of node %d, want %d", g.PrintTree(tree), level, m, around[m])
				}
			}
		}
	}
}

func TestUntypedTreesAreChecked(t *testing.T) {
	g := chainGrammar(3)
	for _, tt := range []struct {
		tree Tree
		ok   bool
	}{
		{Tree{{Op: 0}}, true},
		{Tree{{Op: 2}, {Op: 0}, {Op: 1}, {Op: 0}}, true},
		{nil, false},
		{Tree{{Op: 1}}, false},
		{Tree{{Op: 0}, {Op: 0}}, false},
		{Tree{{Op: 4}}, false},
		{Tree{{Op: 0, bits: 1}}, false},
	} {
		if err := g.checkTree(tt.tree, Bool); (err == nil) != tt.ok {
			t.Errorf("%v: %v", tt.tree, err)
		}
		if g.checkTree(tt.tree, Float) == nil {
			t.Errorf("%v passes as a Float", tt.tree)
		}
	}
}

// TestDeepestGrowth holds the greatest depth of growth against the largest trees, of which those of
// the chain grammars are full in their widest operator.
func TestDeepestGrowth(t *testing.T) {
	// 2^20-1, (3^13-1)/2 and (4^10-1)/3 nodes
	for arity, want := range map[int]int{1: maxTextNodes, 2: 20, 3: 13, 4: 10} {
		proof.Is(t, chainGrammar(arity).DeepestGrowth(), want, "arity %d: depth", arity)
	}
	leaves := MustGrammar(Spec{Slots: []Slot{{Name: "s", Type: Bool}},
		Operators: []Operator{{Name: "leaf", Form: Foreign, Result: Bool}}})
	proof.Is(t, leaves.DeepestGrowth(), infinite, "leaves only: depth")
	// A Bool takes two levels at least: at depth d the largest tree is smaller(x, y) over full
	// trees of depth d-1.
	typed := MustGrammar(Spec{Slots: []Slot{{Name: "s", Type: Bool}}, Operators: []Operator{
		{Name: "one", Form: Foreign, Result: Float}, {Name: "both", Form: Foreign, Result: Float,
			Args: []Type{Float, Float}},
		{Name: "smaller", Form: Foreign, Result: Bool, Args: []Type{Float, Float}},
	}})
	proof.Is(t, typed.DeepestGrowth(), 20, "two types: depth")
}

// TestChildrenStayPlayable crosses and mutates genomes as large as can be compiled, with nothing
// else in the way.
func TestChildrenStayPlayable(t *testing.T) {
	proof.Slow(t)
	two := []Type{Float, Float}
	g := MustGrammar(Spec{
		Slots: []Slot{{Name: "a", Type: Float}, {Name: "b", Type: Float}},
		Operators: []Operator{{Name: "time", Form: Scalar, Result: Float},
			{Name: "add", Form: Add, Result: Float, Args: two},
			{Name: "sub", Form: Sub, Result: Float, Args: two}},
		Scalars: 1,
	})
	r := rand.New(rand.NewPCG(1, 1))
	large := func(depth, more int) Genome {
		var tree Tree
		for range more {
			tree = append(tree, Leaf(1), Leaf(0))
		}
		return Genome{append(tree, g.Full(r, Float, depth)...), Tree{Leaf(0)}}
	}
	a, b := large(13, (maxNodes-1-8191)/2), large(12, 3000)
	compiler := NewCompiler(g)
	v := Variation{MaxDepth: maxNodes, GrowDepth: 12, Slots: 2, Inner: 0.9, Exchange: 0.5}
	changed := 0
	for range 60 {
		c, d := g.Cross(r, a, b, &v)
		for _, child := range []Genome{c, d, g.Mutate(r, a, &v)} {
			proof.Must(compiler.Compile(child))(t)
			if n := child.Size(); n != a.Size() && n != b.Size() {
				changed++
			}
		}
	}
	if changed < 60 {
		t.Errorf("only %d of 180 children have another size than their parents", changed)
	}
}
