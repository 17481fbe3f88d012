package gp_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// TestCrossoverDraws lists all children of a couple with their chances, by the definitions: of the
// nodes an inner one with chance 0.9 (Koza, 1992); of a size-fair crossover, one of n nodes with
// chance 1/n, else a smaller or a larger one such that the mean change is 0 (Langdon, 2000); of
// these a homologous one takes that which shares the longest way from the root.
func TestCrossoverDraws(t *testing.T) {
	spec := testSpec(true)
	spec.Slots = spec.Slots[:2]
	g := gp.MustGrammar(spec)
	a := proof.Must(g.Parse("(add (sub time hope) (if hungry (mul hope hope) (add time hope))) " +
		"(mul time (sub hope hope))"))(t)
	b := proof.Must(g.Parse("(mul (add hope (if (isSmaller time hope) time (sub hope time))) " +
		"(sub (mul time time) time)) (add (sub hope time) (mul hope time))"))(t)
	chances := func(tree gp.Tree, picks func(gp.Node) bool) []float64 {
		chance, kinds := make([]float64, len(tree)), [2][]int{} // leaves and inner nodes
		for i, n := range tree {
			if kind := min(1, len(g.Operators[n.Op].Args)); picks(n) {
				kinds[kind] = append(kinds[kind], i)
			}
		}
		for kind, all := range kinds {
			for _, i := range all {
				if chance[i] = 1 / float64(len(all)); len(kinds[1-kind]) > 0 {
					chance[i] *= []float64{0.1, 0.9}[kind]
				}
			}
		}
		return chance
	}
	way := func(tree gp.Tree, to int) (arguments []int) {
		for at := 0; at != to; {
			argument := 0
			for at++; g.End(tree, at) <= to; at = g.End(tree, at) {
				argument++
			}
			arguments = append(arguments, argument)
		}
		return arguments
	}
	fair := func(tree gp.Tree, m int, u gp.Tree, homologous bool) []float64 {
		n := g.End(tree, m) - m
		var sides [3][]int // smaller, equal, larger
		var change [3]float64
		for k := range u {
			if size := g.End(u, k) - k; g.Type(u[k]) == g.Type(tree[m]) && size <= 2*n+1 {
				side := 1
				if size < n {
					side = 0
				} else if size > n {
					side = 2
				}
				sides[side] = append(sides[side], k)
				change[side] += float64(size - n)
			}
		}
		draw, less, more := [3]float64{1: 1}, len(sides[0]), len(sides[2])
		if less > 0 && more > 0 {
			if draw[1] = 1 / float64(n); len(sides[1]) == 0 {
				draw[1] = 0
			}
			down, up := -change[0]/float64(less), change[2]/float64(more)
			draw[0], draw[2] = (1-draw[1])*up/(down+up), (1-draw[1])*down/(down+up)
		}
		chance := make([]float64, len(u))
		for side, all := range sides {
			for _, k := range all {
				best, longest := []int{k}, -1
				for j := range u {
					if homologous && g.Type(u[j]) == g.Type(u[k]) && g.End(u, j)-j == g.End(u, k)-k {
						shared, to, from := 0, way(tree, m), way(u, j)
						for shared < min(len(to), len(from)) && to[shared] == from[shared] {
							shared++
						}
						if shared > longest {
							best, longest = nil, shared
						}
						if shared == longest {
							best = append(best, j)
						}
					}
				}
				for _, j := range best {
					chance[j] += draw[side] / float64(len(all)*len(best))
				}
			}
		}
		return chance
	}
	for _, v := range []gp.Variation{{MaxDepth: 5}, {MaxDepth: 9, MaxNodes: a.Size() + 2},
		{MaxDepth: 5, CrossoverKind: gp.SizeFairCrossover},
		{MaxDepth: 9, MaxNodes: b.Size() + 1, CrossoverKind: gp.SizeFairCrossover},
		{MaxDepth: 9, CrossoverKind: gp.HomologousCrossover}} {
		v.Inner, v.Slots = 0.9, 1
		var want, got [2]map[string]float64
		parents := []gp.Genome{a, b}
		for side, parent := range parents {
			want[side], got[side] = map[string]float64{g.Print(parent): 0}, map[string]float64{}
		}
		add := func(side, i, m, j, n int, p float64) {
			child, u := append(gp.Genome(nil), parents[side]...), parents[1-side][j]
			child[i] = gp.Splice(child[i], m, g.End(child[i], m), u[n:g.End(u, n)])
			more := child.Size() - parents[side].Size()
			if g.Depth(child[i]) > v.MaxDepth || more > 0 && v.MaxNodes > 0 && child.Size() > v.MaxNodes {
				child = parents[side]
			}
			want[side][g.Print(child)] += p
		}
		couple := func(side, i, j int, slots float64) {
			tree, u := parents[side][i], parents[1-side][j]
			for m, p := range chances(tree, func(gp.Node) bool { return true }) {
				partners := chances(u, func(n gp.Node) bool { return g.Type(n) == g.Type(tree[m]) })
				if v.CrossoverKind != "" {
					partners = fair(tree, m, u, v.CrossoverKind == gp.HomologousCrossover)
				}
				for n, q := range partners {
					if add(side, i, m, j, n, slots*p*q); v.CrossoverKind == "" {
						add(1-side, j, n, i, m, slots*p*q)
					}
				}
			}
		}
		for i := range a {
			for j := range b {
				slots := 1. / 4
				if v.CrossoverKind == gp.HomologousCrossover {
					slots = float64(1-max(i-j, j-i)) / 2 // of the same slot
				}
				if couple(0, i, j, slots); v.CrossoverKind != "" {
					couple(1, j, i, slots)
				}
			}
		}
		draws := 4000.0
		if proof.Full() {
			draws *= 10
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range int(draws) {
			c, d := g.Cross(r, a, b, &v)
			got[0][g.Print(c)] += 1 / draws
			got[1][g.Print(d)] += 1 / draws
		}
		for side := range want {
			same := 1.0 // where there is no partner
			for _, p := range want[side] {
				same -= p
			}
			want[side][g.Print(parents[side])] += same
			for child := range got[side] {
				want[side][child] += 0 // each that is drawn stands in the list
			}
			for child, p := range want[side] {
				proof.Near(t, v.CrossoverKind+": "+child, got[side][child], p, 5*math.Sqrt(math.Abs(p)/draws))
			}
		}
	}
}
