package life

import (
	"strconv"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
)

// TestTournament counts a tournament of built-in players on a small hill, where two that do the
// same tie: a tie is a win for both, as the contest's page has it.
func TestTournament(t *testing.T) {
	o := defaults()
	o.Width, o.Height, o.Generations = 32, 32, 4
	g := mustGame(t, o)
	idle := script(make([][][2]int, o.Generations))
	of := engine.Tournament{Names: []string{"random", "tiles", "idle", "idle"}, Rounds: 3, Seed: 1,
		Players: []engine.Player{enginetest.Player(t, g, "random"), enginetest.Player(t, g, "tiles"),
			idle, idle}}
	lines, err := g.Tournament(t.Context(), of)
	if err != nil || len(lines) != 5 {
		t.Fatal(lines, err)
	}
	wins, ties := 0, 0
	for _, line := range lines[1:] {
		w, err1 := strconv.Atoi(line[2])
		n, err2 := strconv.Atoi(line[5])
		if err1 != nil || err2 != nil || line[4] != "9" {
			t.Errorf("%q: %v, %v", line, err1, err2)
		}
		wins, ties = wins+w, ties+n
	}
	if games := 6 * of.Rounds; ties < 2*of.Rounds || wins != games+ties/2 {
		t.Errorf("%d wins and %d ties in %d games", wins, ties, 6*of.Rounds)
	}
}
