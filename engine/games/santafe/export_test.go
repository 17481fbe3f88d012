package santafe

import (
	"fmt"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
	"clade/gp/export/exporttest"
	"clade/gp/proof"
)

// TestExports holds that ants, among them Koza's printed one, do the same all their life on the
// trail in every language.
func TestExports(t *testing.T) {
	g := New().(*game)
	koza := proof.Must(g.grammar.Parse(kozaText))(t)
	ants := enginetest.Bred(g, 300)
	for name, ge := range map[string]gp.Genome{"koza": koza, "random": ants[17],
		"largest": largest(ants)} {
		t.Run(name, func(t *testing.T) {
			p := proof.Must(g.Bind(ge))(t)
			var life engine.Tape
			result := g.Play([]engine.Player{p}, 1, &life)
			var w world
			w.begin()
			var lines strings.Builder
			var want []string
			for !w.over() {
				row, col := w.ahead()
				fmt.Fprintln(&lines, w.food[row]>>col&1)
				a := life.Decisions[0][w.time/perWord] >> (w.time % perWord * 2) & 3
				want = append(want, fmt.Sprint(a))
				w.do(action(a))
			}
			t.Logf("%d nodes, %v pieces in %d actions", ge.Size(), result.Scores[0], w.time)
			exporttest.Prove(t, exporttest.Species{World: "Santa Fe trail", Name: name},
				g.Export, ge, lines.String(), want)
		})
	}
}

func largest(all []gp.Genome) (most gp.Genome) {
	for _, ge := range all {
		if ge.Size() > most.Size() {
			most = ge
		}
	}
	return most
}
