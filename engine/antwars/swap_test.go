package antwars

import (
	"fmt"
	"strings"
	"testing"

	"clade/gp"
	"clade/gp/export/exporttest"
)

// swapped is an evolved ant that leaves some decisions to hyper.
type swapped struct {
	*species
	sense *sense
	when  func(m *memory, hyper, own int) bool // hyper decides; nil for never
	moves int                                  // that differ from what the ant would have done
}

func (p *swapped) Move(m *memory) int {
	other := hyper{}.Move(m) // which tracks
	own := p.choose(m, p.sense)
	if p.when == nil || !p.when(m, other, own) {
		return own
	}
	if own != other {
		p.moves++
	}
	return other
}

// TestSwaps shows where hyper is better than a kept ant: the ant plays hyper, and hyper decides for
// it in some situations. Then the ant decides alone, but foodOutlook stands in its trees where
// foodRoute did. The table that is published comes from
//
//	go test ./engine/antwars -run TestSwaps -v -strength 20000
func TestSwaps(t *testing.T) {
	g := foresightGame(t)
	kept := exporttest.Genome(t, g.grammar, "../../results/antwars/keen-seed613.species")
	foresees, err := g.grammar.Parse(strings.ReplaceAll(g.grammar.Print(kept), "foodRoute",
		"foodOutlook"))
	if err != nil {
		t.Fatal(err)
	}
	beside := func(m *memory, hyper int) bool { return m.beside(places[m.at].next[hyper]) }
	eighth := func(m *memory, hyper, _ int) bool {
		return m.points == decisive-1 && m.food.Has(int(places[m.at].next[hyper]))
	}
	inView := func(m *memory) int { return m.food.And(m.view).Count() }
	var table strings.Builder
	games := *strengthGames
	for _, row := range []struct {
		about string
		ant   gp.Genome
		when  func(m *memory, hyper, own int) bool
	}{
		{"never", kept, nil},
		{"always", kept, func(*memory, int, int) bool { return true }},
		{"the opponent is in view", kept, func(m *memory, _, _ int) bool { return m.enemy >= 0 }},
		{"it is not", kept, func(m *memory, _, _ int) bool { return m.enemy < 0 }},
		{"hyper steps beside the opponent", kept,
			func(m *memory, hyper, _ int) bool { return beside(m, hyper) }},
		{"the ant does", kept, func(m *memory, _, own int) bool { return beside(m, own) }},
		{"one bite wins the game", kept, eighth},
		{"no opponent in view, but food", kept,
			func(m *memory, _, _ int) bool { return m.enemy < 0 && inView(m) > 0 }},
		{"neither in view, food is remembered", kept, func(m *memory, _, _ int) bool {
			return m.enemy < 0 && inView(m) == 0 && m.food.Count() > 0
		}},
		{"neither in view nor remembered", kept,
			func(m *memory, _, _ int) bool { return m.enemy < 0 && m.food.Count() == 0 }},
		{"moves 1 to 10", kept, func(m *memory, _, _ int) bool { return m.time < 10 }},
		{"moves 11 to 20", kept,
			func(m *memory, _, _ int) bool { return 10 <= m.time && m.time < 20 }},
		{"moves 21 to 35", kept, func(m *memory, _, _ int) bool { return m.time >= 20 }},
		{"never; with foodOutlook", foresees, nil},
		{"one bite wins the game; with foodOutlook", foresees, eighth},
	} {
		bound, err := g.Bind(row.ant)
		if err != nil {
			t.Fatal(err)
		}
		p := &swapped{species: bound.(*species), sense: newSense(g), when: row.when}
		p.code.Load(p.sense.frame)
		won := wins(g, p, hyper{}, games)
		low, high := wilson(won, games)
		fmt.Fprintf(&table, "%-42s %5.1f %%  %5.1f-%.1f  %.2f moves a game\n", row.about,
			100*float64(won)/float64(games), 100*low, 100*high, float64(p.moves)/float64(games))
		if row.about == "always" && won != games/2 {
			t.Errorf("hyper against itself wins %d of %d games", won, games)
		}
	}
	t.Logf("wins in %d games against hyper where hyper decides when\n%s", games, &table)
}
