package enginetest

import "clade/gp"

// Without returns a genome in which an operator's calls are replaced by 0, or by a comparison that
// is never true.
func Without(g *gp.Grammar, ge gp.Genome, operator gp.Op) (other gp.Genome) {
	constant, _ := g.Lookup("const")
	smaller, _ := g.Lookup("isSmaller")
	zero := gp.ConstNode(constant, 0)
	for _, tree := range ge {
		var t gp.Tree
		for i := 0; i < len(tree); i++ {
			switch {
			case tree[i].Op != operator:
				t = append(t, tree[i])
				continue
			case g.Type(tree[i]) == gp.Bool:
				t = append(t, gp.Leaf(smaller), zero, zero)
			default:
				t = append(t, zero)
			}
			i = g.End(tree, i) - 1
		}
		other = append(other, t)
	}
	return other
}
