package antwars

import (
	"encoding/csv"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"clade/engine/enginetest"
	"clade/gp/proof"
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
// it in some situations. The last rows are the same ant with foresight, with which it was not bred.
// With as many games as the published table has it is the same table;
//
//	CLADE_UPDATE=1 go test ./engine/games/antwars -run TestSwaps -strength 6000
//
// writes that anew.
func TestSwaps(t *testing.T) {
	proof.Long(t)
	keen, foresight := keenGame(t), foresightGame(t)
	beside := func(m *memory, hyper int) bool { return m.beside(places[m.at].next[hyper]) }
	eighth := func(m *memory, hyper, _ int) bool {
		return m.points == decisive-1 && m.food.Has(int(places[m.at].next[hyper]))
	}
	inView := func(m *memory) int { return m.food.And(m.view).Count() }
	const file = "../../../results/antwars/swaps.csv"
	rows := [][]string{{"when", "games", "wins", "low", "high", "moves"}} // shares, moves a game
	games := *strengthGames
	for _, row := range []struct {
		about string
		g     *game
		when  func(m *memory, hyper, own int) bool
	}{
		{"never", keen, nil},
		{"always", keen, func(*memory, int, int) bool { return true }},
		{"the opponent is in view", keen, func(m *memory, _, _ int) bool { return m.enemy >= 0 }},
		{"it is not", keen, func(m *memory, _, _ int) bool { return m.enemy < 0 }},
		{"hyper steps beside the opponent", keen,
			func(m *memory, hyper, _ int) bool { return beside(m, hyper) }},
		{"the ant does", keen, func(m *memory, _, own int) bool { return beside(m, own) }},
		{"one bite makes more than half of the food", keen, eighth},
		{"no opponent in view, but food", keen,
			func(m *memory, _, _ int) bool { return m.enemy < 0 && inView(m) > 0 }},
		{"neither in view, food is remembered", keen, func(m *memory, _, _ int) bool {
			return m.enemy < 0 && inView(m) == 0 && m.food.Count() > 0
		}},
		{"neither in view nor remembered", keen,
			func(m *memory, _, _ int) bool { return m.enemy < 0 && m.food.Count() == 0 }},
		{"moves 1 to 10", keen, func(m *memory, _, _ int) bool { return m.time < 10 }},
		{"moves 11 to 20", keen, func(m *memory, _, _ int) bool { return 10 <= m.time && m.time < 20 }},
		{"moves 21 to 35", keen, func(m *memory, _, _ int) bool { return m.time >= 20 }},
		{"never; with foresight", foresight, nil},
		{"one bite makes more than half of the food; with foresight", foresight, eighth},
	} {
		bound := proof.Must(row.g.Bind(enginetest.Kept(t, row.g, "keen-seed613")))(t)
		p := &swapped{species: bound.(*species), sense: newSense(row.g), when: row.when}
		p.code.Load(p.sense.frame)
		won := wins(row.g, p, hyper{}, games)
		low, high := wilson(won, games)
		line := []string{row.about, strconv.Itoa(games)}
		for _, v := range []float64{float64(won) / float64(games), low, high,
			float64(p.moves) / float64(games)} {
			line = append(line, fmt.Sprintf("%.4f", v))
		}
		rows = append(rows, line)
		if row.about == "always" && won != games/2 {
			t.Errorf("hyper against itself wins %d of %d games", won, games)
		}
	}
	var table strings.Builder
	proof.OK(t, csv.NewWriter(&table).WriteAll(rows))
	published := proof.Must(os.ReadFile(file))(t)
	t.Log(table.String())
	if proof.Update() || strings.Contains(string(published), fmt.Sprintf("never,%d,", games)) {
		proof.Golden(t, file, table.String())
	}
}
