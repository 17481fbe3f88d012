package claims

import (
	"testing"

	"clade/engine/amoeboid"
)

// plainWins is what assault asks, straight from the definition.
func plainWins(s *assault, p amoeboid.Position, turns int) bool {
	for _, m := range s.sharp(nil, &p) {
		q := after(p, m, rollOfA)
		won := q.Verdict() == amoeboid.WonByA
		if q.Verdict() == amoeboid.Open && turns > 1 {
			won = true
			for _, r := range q.Moves(nil, s.g, rollOfB) {
				next := after(q, r, rollOfB)
				if v := next.Verdict(); v != amoeboid.WonByA &&
					(v != amoeboid.Open || !plainWins(s, next, turns-1)) {
					won = false
					break
				}
			}
		}
		if won {
			return true
		}
	}
	return false
}

func TestAssaultFindsWhatPlainSearchFinds(t *testing.T) {
	won := 0
	for _, text := range []string{
		"A . . . / . 9,0 . / . . 0,3",
		"A 9,9 9,9 . / 9,9 30,0 . / . . 0,3",
		"A 9,9 9,9 9,9 / 9,9 20,0 . / 9,9 9,9 0,2",
		"A 9,9 9,9 9,9 / 9,9 12,0 . / 9,9 9,9 0,2",
		"A 9,9 9,9 9,9 / 9,9 30,0 0,2 / 9,9 9,9 0,2",
		"A 9,9 9,9 9,9 / 9,9 10,0 0,2 / 9,9 9,9 0,2",
		"A 5,5 9,9 9,9 / 2,9 25,0 9,9 / 9,9 9,9 0,2",
		"A 9,9 9,9 9,9 / 12,9 7,0 0,3 / 9,9 9,9 9,9",
		"A 8,8 8,8 8,8 / . 2,0 0,3 / 8,8 9,8 0,1",
	} {
		for turns := 1; turns <= 2; turns++ {
			p := at(text)
			s := assault{g: board(), limit: 1 << 40}
			got, want := s.wins(p, turns), plainWins(&s, p, turns)
			if got != want {
				t.Errorf("%s, %d turns: %v, plain %v", text, turns, got, want)
			}
			if got {
				won++
			}
		}
	}
	if won < 4 || won > 14 {
		t.Errorf("%d of 18 are won: the positions tell nothing", won)
	}
}

// TestAssaultFromTheCorner proves the smallest case.
func TestAssaultFromTheCorner(t *testing.T) {
	if testing.Short() {
		t.Skip("a second")
	}
	s := assault{g: board(), limit: 10_000}
	if !s.wins(corners(46, 1, amoeboid.A), 5) {
		t.Errorf("not proved in %d positions", s.nodes)
	}
}
