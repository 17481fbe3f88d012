package study

import (
	"slices"
	"strings"
	"testing"

	"clade/engine/games/all"
	"clade/experiments/player"
)

// TestDefaultsHaveNames sweeps over defaults that are written "" or [], in studies as users write
// them; what they are called is what experiments/reference.toml and the games say of them.
func TestDefaultsHaveNames(t *testing.T) {
	for key, c := range map[string]struct{ head, values, shown string }{
		"evolve.variation.crossover-kind": {"", `["", "size-fair"]`, "subtree"},
		"evolve.hall-draw":                {"evolve.hall = 3\n", `["", "nash"]`, "uniform"},
		"evolve.race.games": {"evolve.selection = \"race\"\nevolve.elites = 5\n",
			`[[], [8, 16]]`, "none"},
		"measure.against": {"", `[[], ["greedy"]]`, "none"},
	} {
		text := "game = \"antwars\"\n" + c.head + "[sweep.settings]\n" + key + " = " + c.values + "\n"
		scope := player.Scope{Games: all.Games(), Trust: player.Files}
		s, err := Parse(scope, "s.toml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		g, err := s.Grid()
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		first := &g.Cells[0]
		if first.Values[0] != c.shown || first.Group != key[strings.LastIndexByte(key, '.')+1:]+" "+c.shown {
			t.Errorf("%s is shown as %q in the group %q, want %q", key, first.Values[0], first.Group,
				c.shown)
		}
		if v := first.Study.Values()[key]; v != c.shown && key != "measure.against" {
			t.Errorf("%s differs as %q, want %q", key, v, c.shown)
		}
		if slices.ContainsFunc(g.Cells, func(c Cell) bool { return c.Values[0] == "" }) {
			t.Errorf("%s: an empty cell", key)
		}
	}
}
