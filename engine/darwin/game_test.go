package darwin

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
)

// short returns the game with a map and a time limit in seconds.
func short(t testing.TB, mapName string, seconds float64, change func(*Settings)) engine.Game {
	s := Defaults()
	s.Map, s.TimeLimit = mapName, seconds
	if change != nil {
		change(&s)
	}
	g, err := New().(engine.Adjustable).With(&s)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestSuite(t *testing.T) {
	for _, c := range []struct {
		name, maps string
		change     func(*Settings)
	}{
		{"faceoff", "ns_faceoff", nil},
		{"maze", "maze", nil},
		{"arena", "arena", func(s *Settings) { s.Arena.Species, s.Arena.Shrines, s.Arena.Enchanted, s.Arena.Mud = 4, 1, 3, 10 }},
		{"handbook", "ns_arena4", func(s *Settings) { s.Rules, s.SharedMap, s.EffortCost = "handbook", true, 1000 }},
		{"isometric", "ns_arena4", func(s *Settings) { s.View = "isometric" }},
	} {
		t.Run(c.name, func(t *testing.T) { enginetest.Run(t, short(t, c.maps, 0.05, c.change)) })
	}
}
