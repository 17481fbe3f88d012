package life

import "testing"

func mustGame(t testing.TB, o Options) *Game {
	t.Helper()
	g, err := New().(*Game).With(&o)
	if err != nil {
		t.Fatal(err)
	}
	return g.(*Game)
}
