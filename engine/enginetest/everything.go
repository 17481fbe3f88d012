package enginetest

import (
	"fmt"
	"strings"
	"testing"

	"clade/gp"
)

// Everything returns a genome whose every tree of type Float uses every operator of the grammar in
// a place that changes its value, with other weights in each: what an executor or an exporter
// lacks of the vocabulary shows in its decisions. Variants have other weights.
func Everything(tb testing.TB, g *gp.Grammar, variant int) gp.Genome {
	tb.Helper()
	var trees []string
	for slot := range g.Slots {
		trees = append(trees, everything(g, slot, variant))
	}
	ge, err := g.Parse(strings.Join(trees, " "))
	if err != nil {
		tb.Fatal(err)
	}
	return ge
}

// everything returns the tree of a slot as text.
func everything(g *gp.Grammar, slot, variant int) string {
	var terms []string
	for i, op := range g.Operators {
		weight := fmt.Sprintf("(const %.3f)", float64(((7+variant)*i+5*slot+variant)%13-6)/8+0.03)
		near := func(k int) string {
			return fmt.Sprintf("(rect %d %d %d %d)", (i+slot+k)%3-1, (i+k)%2-1, 1+2*((i+k)%2),
				1+2*((slot+k)%2))
		}
		switch op.Form {
		case gp.Scalar:
			terms = append(terms, fmt.Sprintf("(mul %s %s)", weight, op.Name))
		case gp.Flag:
			terms = append(terms, fmt.Sprintf("(if %s %s (const 0.1))", op.Name, weight))
		case gp.Any:
			terms = append(terms, fmt.Sprintf("(if (or (%s %s) (not (%s %s))) %s (constint 2))",
				op.Name, near(0), op.Name, near(1), weight))
		case gp.Count, gp.Sum, gp.Least, gp.Greatest:
			terms = append(terms, fmt.Sprintf("(mul %s (%s %s))", weight, op.Name, near(0)),
				fmt.Sprintf("(if (and (isSmaller (%s %s) %s) (not (isEqual (%[1]s %[2]s) "+
					"(%[1]s %[4]s)))) (const -0.2) (const 0.15))", op.Name, near(1), weight,
					near(2)))
		}
	}
	for n := 0; len(terms) > 1; n++ {
		word := [...]string{"add", "sub"}[n%2]
		terms = append(terms[2:], fmt.Sprintf("(%s %s %s)", word, terms[0], terms[1]))
	}
	return terms[0]
}
