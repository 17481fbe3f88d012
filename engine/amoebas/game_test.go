package amoebas

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp"
)

// small returns a game in a small world.
func small(t testing.TB, change func(*Settings)) *Game {
	t.Helper()
	s := DefaultSettings()
	s.WorldSize, s.Rounds = 16, 40
	if change != nil {
		change(&s)
	}
	g, err := New().With(&s)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}

func TestGameKeepsThePromises(t *testing.T) {
	t.Run("plain", func(t *testing.T) { enginetest.Run(t, small(t, nil)) })
	t.Run("memory", func(t *testing.T) {
		enginetest.Run(t, small(t, func(s *Settings) {
			s.Memory, s.Sizes, s.Order, s.Placement, s.MercyRound = true, []int{7, 9, 12}, "classic", "spaced", 10
			s.ViewDistance, s.Rounds = 2, 25
		}))
	})
}

var _ interface {
	engine.Game
	engine.Recordable
	engine.Roster
	engine.Adjustable
} = (*Game)(nil)

var _ gp.Genome
