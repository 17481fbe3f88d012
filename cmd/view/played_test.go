package view

import (
	"reflect"
	"testing"

	"clade/engine/enginetest"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/gp/proof"
)

// TestFreeForAllIsThatOfTheCommand plays three built-in players on a page and, with the seed of
// `clade league --seats 3`, here.
func TestFreeForAllIsThatOfTheCommand(t *testing.T) {
	g := enginetest.Gather()
	c := contest{game: g, names: []string{"nose", "drunk", "drunk"}, seats: 3}
	c.players = proof.Must(player.Scope{}.FindAll(g, c.names))(t)
	now, _, err := c.play(t.Context(), 4, nil)
	proof.OK(t, err)
	m := proof.Must(league.Play(t.Context(), g, c.names, c.players, 3, 4,
		league.Seed(1, 3), 0, nil, nil))(t)
	if want := cells(m.Ranked().Points); !reflect.DeepEqual(now.Points, want) {
		t.Errorf("the page has other points than the command")
	}
}
