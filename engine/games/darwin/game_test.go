package darwin

import (
	"os"
	"path/filepath"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// short returns the game with a map and a time limit in seconds.
func short(t testing.TB, mapName string, seconds float64, change func(*settings)) *game {
	s := defaults()
	s.Map, s.TimeLimit = mapName, seconds
	if change != nil {
		change(&s)
	}
	g := proof.Must(New().(engine.Adjustable).With(&s))(t)
	return g.(*game)
}

// The bound on decisions holds where all of a crowd decide and end within a moment.
func TestDecisionsOfACrowd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "crowd.map")
	crowd := blank(52, 52, ' ')
	for i := range 2500 {
		crowd.set(1+i%50, 1+i/50, "01"[min(i, 1)])
	}
	proof.OK(t, os.WriteFile(path, crowd.text(), 0o600))
	g := short(t, path, 0.05, nil)
	var tape engine.Tape
	g.Play([]engine.Player{player(t, g, "rover"), player(t, g, "apple")}, 1, &tape)
	if n, bound := len(tape.Decisions[1]), g.Info().Decisions; n < 2000 || n > bound {
		t.Errorf("%d decisions of 2499 creatures; the bound is %d", n, bound)
	}
}

func TestSuite(t *testing.T) {
	proof.Slow(t)
	for _, c := range []struct {
		name, maps string
		seconds    float64 // long enough for chance to come up, and for somebody to win
		change     func(*settings)
	}{
		{"faceoff", "ns_faceoff", 0.05, nil},
		{"maze", "maze", 0.3, nil},
		{"arena", "arena", 0.05,
			func(s *settings) {
				s.Arena.Species, s.Arena.Shrines, s.Arena.Enchanted, s.Arena.Mud = 4, 1, 3, 10
			}},
		{"handbook", "ns_arena4", 1,
			func(s *settings) { s.Rules, s.SharedMap, s.EffortCost = "handbook", true, 1000 }},
		{"isometric", "ns_arena4", 0.05, func(s *settings) { s.View = "isometric" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			if proof.Quick() && c.name != "faceoff" && c.name != "handbook" {
				t.Skip("two kinds of map share memory as all do; drawing the others takes long")
			}
			enginetest.Run(t, short(t, c.maps, c.seconds, c.change))
		})
	}
}

// TestKeys wants a key of its own for each action, for a person at a terminal or a page.
func TestKeys(t *testing.T) {
	used := map[string]string{}
	for _, a := range deeds {
		if other, ok := used[a.Key]; ok || len(a.Key) != 1 {
			t.Errorf("%s has the key %q, which %q has too", a.Name, a.Key, other)
		}
		used[a.Key] = a.Name
	}
}
