package match

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// person has resigned, or has not.
type person bool

func (p person) Resigned() bool { return bool(p) }
func (person) Undone() int      { return 2 }

// The winner by the rules has Won, unless the person gave up.
func TestNew(t *testing.T) {
	for _, c := range []struct {
		winner, seat int
		resigned     bool
		want         string
	}{{0, 0, false, Won}, {1, 0, false, lost}, {1, 1, false, Won}, {engine.Tie, 1, false, tied},
		{0, 0, true, lost}, {engine.Tie, 0, true, lost}} {
		r := &engine.Record{Game: "g", Seed: 3, Scores: []float64{5, 7}, Winner: c.winner, Steps: 9}
		s := NewGame(r, "hyper", c.seat, person(c.resigned))
		if s.Result != c.want || s.Seat != c.seat+1 || s.Score != r.Scores[c.seat] ||
			s.Other != r.Scores[1-c.seat] || s.Undone != 2 || s.Resigned != c.resigned {
			t.Errorf("%+v: %+v", c, s)
		}
	}
}

// TestBehind: who has less than two others that tie for the most has not tied.
func TestBehind(t *testing.T) {
	r := &engine.Record{Scores: []float64{6, -4, 6}, Winner: engine.Tie}
	for seat, want := range []string{tied, lost, tied} {
		proof.Is(t, NewGame(r, "ear", seat, person(false)).Result, want, "seat %d of %v", seat, r.Scores)
	}
}

func TestField(t *testing.T) {
	for _, c := range []struct {
		least, most int
		named, want string
	}{
		{2, 2, "a", "a"}, {3, 3, "a", "a a"}, {3, 3, "a b", "a b"}, {2, 4, "a", "a"},
		{1, 1, "", ""},
		{3, 3, "a b c", "g has 3 seats, one of them yours; name one opponent, or one for each of the others, not 3"},
		{3, 5, "", "g has 3 to 5 seats, one of them yours; name one opponent, or one for each of the others, not 0"},
		{4, 4, "a b", "g has 4 seats, one of them yours; name one opponent, or one for each of the others, not 2"},
	} {
		names, err := Field(engine.Info{Name: "g", MinSeats: c.least, MaxSeats: c.most},
			strings.Fields(c.named))
		got := strings.Join(names, " ")
		if err != nil {
			got = err.Error()
		}
		proof.Is(t, got, c.want, "%q in %d to %d seats", c.named, c.least, c.most)
	}
}

func TestHistory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "games.jsonl")
	if h, err := ReadGames(path); h != nil || err != nil {
		t.Fatalf("a file that is not there: %v, %v", h, err)
	}
	games := []Game{
		{Game: "antwars", Version: 1, Opponent: "hyper", Seed: 1, Seat: 1, Result: Won, Score: 9,
			Other: 6, Steps: 70},
		{Game: "antwars", Version: 1, Opponent: "hyper", Seed: 2, Seat: 2, Result: lost,
			Resigned: true, Score: 1, Other: 8, Steps: 70},
		{Game: "amoeboid", Version: 1, Settings: "size = 3\n", Opponent: "greedy", Seed: 3, Seat: 1,
			Result: tied, Undone: 3, Score: 0.5, Other: 0.5, Steps: 400},
		{Game: "amoeboid", Version: 1, Settings: "size = 5\n", Opponent: "greedy", Seed: 4, Seat: 1,
			Result: Won, Score: 1, Steps: 12},
	}
	for i, s := range games {
		if i == 2 { // the machine has stopped in the middle of a line that was longer than the next
			f := proof.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0))(t)
			proof.Must(f.WriteString(`{"game":"` + strings.Repeat("x", 500)))(t)
			f.Close()
		}
		proof.OK(t, s.Append(path))
	}
	h := proof.Must(ReadGames(path))(t)
	proof.Is(t, len(h), len(games), "games")
	for i := range games {
		proof.Is(t, h[i], games[i], "game %d", i)
	}
	sum := h.Tally(games[0])
	if sum.Games != 2 || sum.Undone != 0 || h.Tally(games[2]).Undone != 1 || sum.Wins != 1 ||
		sum.Losses != 1 || sum.Score != 5 || sum.Other != 7 || sum.Low > 0.5 ||
		sum.High < 0.5 {
		t.Errorf("%+v", sum)
	}
	proof.Is(t, h.Tally(games[3]).Games, 1, "games on the large board")
	proof.OK(t, os.WriteFile(path, []byte("{}\nmoves\n"), 0o666))
	proof.Fails(ReadGames(path))(t, ":2:")
}
