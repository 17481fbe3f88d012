package gp

import "strings"

// RowWeight returns the weight of a cell of a layer with Rows.
func (f *Frame) RowWeight(layer, x, y int) int32 { return f.Rows[layer].at(x, y) }

// Print returns the trees of a genome, indented, each followed by a line break.
func (g *Grammar) Print(ge Genome) string {
	var b strings.Builder
	for _, t := range ge {
		g.printIndented(&b, t, 0)
		b.WriteByte('\n')
	}
	return b.String()
}
