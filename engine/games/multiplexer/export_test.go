package multiplexer

import (
	"fmt"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// TestExports holds that trees are the same function in every language: in all cases there are,
// whose order is ours.
func TestExports(t *testing.T) {
	g := New().(*game)
	perfect := proof.Must(g.grammar.Parse(perfectText))(t)
	for name, ge := range map[string]gp.Genome{"perfect": perfect,
		"random": enginetest.Bred(g, 100)[60]} {
		t.Run(name, func(t *testing.T) {
			answers := (&program{ge[0]}).run(newRegisters(len(ge[0])+1), g.kernel)
			var lines strings.Builder
			var want []string
			for n := range cases {
				for i := range inputs {
					fmt.Fprintf(&lines, "%d ", n>>i&1)
				}
				lines.WriteByte('\n')
				want = append(want, fmt.Sprint(answers[n/64]>>(n%64)&1))
			}
			t.Logf("%d nodes", ge.Size())
			exporttest.Prove(t, exporttest.Species{World: "11-multiplexer", Name: name},
				g.Export, ge, lines.String(), want)
		})
	}
}
