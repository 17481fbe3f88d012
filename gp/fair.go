package gp

import "math/rand/v2"

// Kinds of crossover, for Variation.CrossoverKind.
const (
	// SubtreeCrossover exchanges two subtrees whatever their sizes. It is the default.
	SubtreeCrossover = "subtree"
	// SizeFairCrossover replaces a subtree of n nodes by one of at most 2n+1 of the other parent,
	// drawn such that children are on average as large as their parents (Langdon, Size fair and
	// homologous tree genetic programming crossovers, Genetic Programming and Evolvable Machines 1,
	// 2000). Each of the two children has its own draw.
	SizeFairCrossover = "size-fair"
	// HomologousCrossover draws a size as SizeFairCrossover does and, of the other parent's
	// subtrees of that size, takes the one whose path from the root shares the most steps with the
	// path to the replaced subtree. Both parents' subtrees are of the same slot.
	HomologousCrossover = "homologous"
)

// fair returns a tree in which a subtree of u replaces one of n nodes of t, or t itself where u has
// no subtree for a fair choice. With chance 1/n the new subtree has n nodes, too, if there is one.
// Else it is smaller or larger, with chances that make the expected change of size 0; all subtrees
// on the drawn side are equally likely.
func (g *Grammar) fair(r *rand.Rand, t, u Tree, v *Variation) Tree {
	m := g.selectNode(r, t, v.Inner)
	end, want := g.End(t, m), g.Type(t[m])
	n := end - m
	var count, sum [3]int // of the smaller, the equal and the larger subtrees
	for k := range u {
		if g.Type(u[k]) == want {
			if size := g.End(u, k) - k; size <= 2*n+1 {
				side := side(size - n)
				count[side]++
				sum[side] += size - n
			}
		}
	}
	const smaller, equal, larger = 0, 1, 2
	chosen := equal
	if count[smaller] > 0 && count[larger] > 0 && (count[equal] == 0 || r.Float64() >= 1/float64(n)) {
		less := float64(-sum[smaller]) / float64(count[smaller])
		more := float64(sum[larger]) / float64(count[larger])
		if chosen = smaller; r.Float64() < less/(less+more) {
			chosen = larger
		}
	}
	if count[chosen] == 0 {
		return t
	}
	left, k := r.IntN(count[chosen]), -1
	for left >= 0 {
		if k++; g.Type(u[k]) == want {
			if size := g.End(u, k) - k; size <= 2*n+1 && side(size-n) == chosen {
				left--
			}
		}
	}
	size := g.End(u, k) - k
	if v.CrossoverKind == HomologousCrossover {
		k = g.nearest(r, t, m, u, size)
	}
	return Splice(t, m, end, u[k:k+size])
}

// side returns 0 for a negative difference, 1 for none and 2 for a positive one.
func side(difference int) int { return 1 + min(1, max(-1, difference)) }

// nearest returns a node of u that has the type of node m of t and a subtree of the given size.
// Among those it draws one whose path from the root shares the most steps with the path to m.
func (g *Grammar) nearest(r *rand.Rand, t Tree, m int, u Tree, size int) int {
	best, ties, found := -1, 0, 0
	for k := range u {
		if g.Type(u[k]) != g.Type(t[m]) || g.End(u, k)-k != size {
			continue
		}
		shared := g.sharedWay(t, m, u, k)
		if shared > best {
			best, ties = shared, 0
		}
		if shared == best {
			if ties++; r.IntN(ties) == 0 {
				found = k
			}
		}
	}
	return found
}

// sharedWay returns how many steps down from the roots to the node m of t and n of u go to the same
// argument.
func (g *Grammar) sharedWay(t Tree, m int, u Tree, n int) int {
	steps := 0
	for i, k := 0, 0; i != m && k != n; steps++ {
		var a, b int
		i, a = g.towards(t, i, m)
		k, b = g.towards(u, k, n)
		if a != b {
			break
		}
	}
	return steps
}

// towards returns the child of the node i that holds the node m, and which argument it is.
func (g *Grammar) towards(t Tree, i, m int) (child, argument int) {
	child = i + 1
	for end := g.End(t, child); end <= m; end = g.End(t, child) {
		child = end
		argument++
	}
	return child, argument
}
