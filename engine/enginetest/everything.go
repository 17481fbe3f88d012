package enginetest

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"clade/gp"
	"clade/gp/proof"
)

// Everything returns a genome in which every tree of type Float uses every operator of the grammar
// in a place that changes its value, so that an operator that an executor or exporter lacks changes
// decisions. Variants differ in their weights.
func Everything(tb testing.TB, g *gp.Grammar, variant int) gp.Genome {
	tb.Helper()
	var trees []string
	for slot := range g.Slots {
		trees = append(trees, everything(g, slot, variant))
	}
	ge := proof.Must(g.Parse(strings.Join(trees, " ")))(tb)
	return ge
}

// everything returns the tree of a slot as text.
func everything(g *gp.Grammar, slot, variant int) string {
	var terms []string
	r := rand.New(rand.NewPCG(uint64(variant), uint64(slot)))
	for _, op := range g.Operators {
		// Each variant gives some operators much weight and others little.
		part := [...]float64{1, 1, 0.2, 0.05}[r.IntN(4)] * float64(1-2*r.IntN(2))
		weight := fmt.Sprintf("(const %.3f)", part*(0.5+r.Float64()/2))
		far := min(3, int(g.Rects.Centre))
		near := func() string {
			return fmt.Sprintf("(rect %d %d %d %d)", r.IntN(2*far+1)-far, r.IntN(2*far+1)-far,
				1+r.IntN(3), 1+r.IntN(3))
		}
		switch op.Form {
		case gp.Scalar:
			terms = append(terms, fmt.Sprintf("(mul %s %s)", weight, op.Name))
		case gp.Flag:
			terms = append(terms, fmt.Sprintf("(if %s %s (const 0.1))", op.Name, weight))
		case gp.Any:
			text := [...]string{"(if (or (%s %s) (not (%[1]s %[3]s))) %[4]s (constint 2))",
				"(if (%s %s) (if (%[1]s %[3]s) (constint 0) %[4]s) (const 0.1))"}[r.IntN(2)]
			terms = append(terms, fmt.Sprintf(text, op.Name, near(), near(), weight))
		case gp.Count, gp.Sum, gp.Least, gp.Greatest:
			terms = append(terms, fmt.Sprintf("(mul %s (%s %s))", weight, op.Name, near()),
				fmt.Sprintf("(if (%s (isSmaller (%s %s) %s) (not (isEqual (%[2]s %[3]s) "+
					"(%[2]s %[5]s)))) (const %.3[6]f) (mul (const %.3[6]f) (constint %[7]d)))",
					[...]string{"and", "or"}[r.IntN(2)], op.Name, near(), weight, near(), part/2,
					r.IntN(6)))
		}
	}
	// Sensors that are equal for all candidates decide only together with those that are not.
	for len(terms) > 1 {
		word := [...]string{"add", "sub", "add", "sub", "mul"}[r.IntN(5)]
		terms = append(terms[2:], fmt.Sprintf("(%s %s %s)", word, terms[0], terms[1]))
	}
	return terms[0]
}
