package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"clade/gp"
	"clade/gp/proof"
)

// Fair crossovers make sound children within the limits, replace a subtree of n nodes by one of at
// most 2n+1, stay within their slot where they are homologous, and repeat with the same draws.
func TestFairCrossoversKeepTypesAndLimits(t *testing.T) {
	g := familyGrammar()
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		r := rand.New(rand.NewPCG(seed, 0))
		a, b := drawGenome(t, g, r, "a"), drawGenome(t, g, r, "b")
		v := gp.PaperVariation
		v.CrossoverKind = rapid.SampledFrom([]string{gp.SizeFairCrossover,
			gp.HomologousCrossover}).Draw(t, "kind")
		v.MaxDepth = rapid.IntRange(8, 12).Draw(t, "limit")
		v.MaxNodes = rapid.IntRange(0, 100).Draw(t, "nodes")
		before := g.Print(a) + g.Print(b)
		c, d := g.Cross(rand.New(rand.NewPCG(seed, 1)), a, b, &v)
		e, f := g.Cross(rand.New(rand.NewPCG(seed, 1)), a, b, &v)
		if g.Print(c) != g.Print(e) || g.Print(d) != g.Print(f) {
			t.Fatal("the same draws made other children")
		}
		for i, child := range []gp.Genome{c, d} {
			parent := []gp.Genome{a, b}[i]
			proof.OK(t, g.Check(child))
			if n := child.Size(); n > max(parent.Size(), g.MaxNodes()) ||
				v.MaxNodes > 0 && n > max(parent.Size(), v.MaxNodes) {
				t.Fatalf("%d nodes of %d, the parent has %d", n, v.MaxNodes, parent.Size())
			}
			if changed := changedTrees(parent, child); changed > 1 {
				t.Fatalf("%d trees changed", changed)
			}
			for j, tree := range child {
				if g.Depth(tree) > v.MaxDepth {
					t.Fatalf("depth %d of %d", g.Depth(tree), v.MaxDepth)
				}
				if more := len(tree) - len(parent[j]); more > len(parent[j])+1 {
					t.Fatalf("a tree of %d nodes has grown by %d", len(parent[j]), more)
				}
			}
		}
		if g.Print(a)+g.Print(b) != before {
			t.Fatal("a crossover wrote to a parent")
		}
	})
}

// Children of a size-fair crossover are on average as large as their parents, also where the other
// parent is far larger; those of subtree crossover are not.
func TestSizeFairCrossoverKeepsTheMeanSize(t *testing.T) {
	g := familyGrammar()
	r := rand.New(rand.NewPCG(1, 2))
	mean := func(kind string) float64 {
		v := gp.PaperVariation
		v.CrossoverKind, v.MaxDepth, v.MaxNodes = kind, 60, 0
		const children = 4000
		sum := 0.0
		for range children {
			small, large := g.Ramped(r, 4, 4), g.Ramped(r, 7, 7)
			c, _ := g.Cross(r, small, large, &v)
			sum += float64(c.Size() - small.Size())
		}
		return sum / children
	}
	fair, homologous := mean(gp.SizeFairCrossover), mean(gp.HomologousCrossover)
	subtree := mean(gp.SubtreeCrossover)
	t.Logf("mean growth: size-fair %.2f, homologous %.2f, subtree %.2f", fair, homologous, subtree)
	if math.Abs(fair) > 0.5 || math.Abs(homologous) > 0.5 || subtree < 1 {
		t.Errorf("mean growth: size-fair %.2f, homologous %.2f, subtree %.2f", fair, homologous, subtree)
	}
}

// A homologous crossover of a genome with itself mostly finds the very subtree that goes, where the
// size-fair one mostly finds another.
func TestHomologousCrossoverKeepsThePlace(t *testing.T) {
	proof.Slow(t)
	g := familyGrammar()
	r := rand.New(rand.NewPCG(3, 4))
	same := map[string]int{}
	for _, kind := range []string{gp.SizeFairCrossover, gp.HomologousCrossover} {
		v := gp.PaperVariation
		v.CrossoverKind, v.MaxDepth = kind, 60
		for range 1000 {
			a := g.Ramped(r, 6, 6)
			if c, _ := g.Cross(r, a, a, &v); g.Print(c) == g.Print(a) {
				same[kind]++
			}
		}
	}
	if same[gp.HomologousCrossover] <= same[gp.SizeFairCrossover] {
		t.Errorf("children like their parents: %v of 1,000", same)
	}
}
