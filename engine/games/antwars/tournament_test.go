package antwars

import (
	"strconv"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// TestFifthGame holds who is ant 1 in a fifth game to the rules of the contest, as its page has
// them.
func TestFifthGame(t *testing.T) {
	for _, c := range []struct {
		food, best [2]float64
		want       int
	}{
		{[2]float64{20, 19}, [2]float64{6, 9}, 0},
		{[2]float64{19, 20}, [2]float64{9, 6}, 1},
		{[2]float64{20, 20}, [2]float64{9, 6}, 0},
		{[2]float64{20, 20}, [2]float64{6, 9}, 1},
	} {
		random := engine.NewRandom(1)
		proof.Is(t, (&series{food: c.food, best: c.best}).lead(&random), c.want, "%+v: ant 1", c)
	}
	drawn, random := [2]int{}, engine.NewRandom(1)
	for range 1000 {
		drawn[(&series{food: [2]float64{20, 20}}).lead(&random)]++
	}
	if drawn[0] < 400 || drawn[1] < 400 {
		t.Errorf("equal players are drawn %v", drawn)
	}
}

// TestTournament counts a tournament of built-in players: every match is won by three games, of
// five at most, every pair meets once a round, and the best come first.
func TestTournament(t *testing.T) {
	g := New().(*game)
	of := engine.Tournament{Names: []string{"random", "greedy", "super", "hyper"}, Rounds: 30, Seed: 7}
	for _, name := range of.Names {
		of.Players = append(of.Players, mustPlayer(t, name))
	}
	lines, err := g.Tournament(t.Context(), of)
	if err != nil || len(lines) != 5 {
		t.Fatal(lines, err)
	}
	var sums [4]int // matches won, games won, matches, games
	for _, line := range lines[1:] {
		for i := range sums {
			sums[i] += proof.Must(strconv.Atoi(line[2+i]))(t)
		}
	}
	pairs := 6 * of.Rounds
	if sums[0] != pairs || sums[2] != 2*pairs || 2*sums[1] != sums[3] || sums[1] <= 3*pairs ||
		sums[1] >= 5*pairs {
		t.Errorf("matches and games won, matches, games: %v", sums)
	}
	if lines[1][1] != "hyper" || lines[4][1] != "random" || lines[4][2] != "0" {
		t.Errorf("the order is %q", lines)
	}
	fifth := 0
	for round := range uint64(of.Rounds) {
		s := g.series(&of, [2]int{2, 3}, of.Seed.Num(round))
		if max(s.wins[0], s.wins[1]) != 3 || min(s.wins[0], s.wins[1]) > 2 {
			t.Errorf("a match ends %v", s.wins)
		}
		fifth += s.wins[0] + s.wins[1] - 4
	}
	if fifth <= -of.Rounds {
		t.Error("no match was close")
	}
}
