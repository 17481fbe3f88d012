package analysis

import "clade/gp"

// Primitives returns the share of each operator of the grammar among all nodes of the genomes.
// Shares add up to 1; without any node all are 0.
func Primitives(g *gp.Grammar, genomes []gp.Genome) []float64 {
	shares := make([]float64, len(g.Operators))
	total := 0
	for _, ge := range genomes {
		for _, t := range ge {
			for _, n := range t {
				shares[n.Op]++
			}
			total += len(t)
		}
	}
	for i := range shares {
		if total > 0 {
			shares[i] /= float64(total)
		}
	}
	return shares
}

// Coverage returns, by cell of the grammar's window, row by row, the share of the genomes'
// rectangles that cover it, unturned, in one slot, or in all of them where slot is -1; and the
// number of rectangles. Cells outside the window are not counted.
func Coverage(g *gp.Grammar, genomes []gp.Genome, slot int) (share []float64, rectangles int) {
	share = make([]float64, g.Window.Side*g.Window.Side)
	for _, ge := range genomes {
		for s, t := range ge {
			if slot >= 0 && s != slot {
				continue
			}
			for _, n := range t {
				if g.Operators[n.Op].Form != gp.RectC {
					continue
				}
				rectangles++
				for i, covered := range g.Covers(n.Rect(), 0) {
					if covered {
						share[i]++
					}
				}
			}
		}
	}
	for i := range share {
		if rectangles > 0 {
			share[i] /= float64(rectangles)
		}
	}
	return share, rectangles
}
