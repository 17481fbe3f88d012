package claims

import (
	"testing"

	"clade/engine"
	"clade/engine/games/amoeboid"
	"clade/gp/proof"
)

// TestCentreWins plays the policy of the centre from the least difference that it needs, A rolling
// ones, against every roll and every legal move of B.
func TestCentreWins(t *testing.T) {
	proof.Slow(t)
	var policy centrePolicy
	const size, turns = 1, 4
	difference, ok := policy.enough(size, true, turns)
	if !ok {
		t.Fatal("no difference is enough")
	}
	plies := 0
	var attack func(p amoeboid.Position, turns int)
	attack = func(p amoeboid.Position, turns int) {
		if turns == 0 {
			t.Fatalf("not won in time: %s", p.Text(board(), 0))
		}
		m := policy.move(p, 1, turns)
		if !p.Legal(board(), m, 1) {
			t.Fatalf("%s: illegal move %s", p.Text(board(), 1), board().MoveText(m))
		}
		p = after(p, m, 1)
		if v := p.Verdict(); v != amoeboid.Open {
			if v != amoeboid.WonByA {
				t.Fatalf("lost or tied: %s", p.Text(board(), 0))
			}
			return
		}
		for roll := 1; roll <= die; roll++ {
			for _, r := range p.Moves(nil, board(), roll) {
				plies++
				attack(after(p, r, roll), turns-1)
			}
		}
	}
	attack(corners(size+int32(difference), size, amoeboid.A), turns)
	if plies < 5000 {
		t.Errorf("only %d plies of B were tried", plies)
	}
}

// TestCentreWinsGames plays the policy from several positions with all dice against players who are
// not in its book.
func TestCentreWinsGames(t *testing.T) {
	proof.Long(t)
	var policy centrePolicy
	turn := amoeboid.NewTurn(board(), die)
	for _, c := range []struct {
		size   int32
		corner bool
		turns  int
		cells  [2]int // of A and B
	}{{16, true, 8, [2]int{0, 8}}, {16, false, 8, [2]int{0, 5}}, {40, true, 6, [2]int{3, 2}}} {
		difference, ok := policy.enough(c.size, c.corner, c.turns)
		if !ok {
			t.Fatalf("size %d: no difference is enough", c.size)
		}
		for seed := range uint64(21) {
			var p amoeboid.Position
			p.Set(c.cells[0], amoeboid.Piece{c.size + int32(difference), 0})
			p.Set(c.cells[1], amoeboid.Piece{0, c.size})
			mind := []amoeboid.Mind{amoeboid.Greedy{}, amoeboid.Expectimax{}, amoeboid.Random{}}[seed%3]
			r := engine.NewRandom(seed)
			for left := c.turns; p.Verdict() == amoeboid.Open; left-- {
				if left == 0 {
					t.Fatalf("size %d, seed %d: not won in time: %s", c.size, seed, p.Text(board(), 0))
				}
				roll := 1 + r.Below(die)
				m := policy.move(p, roll, left)
				if !p.Legal(board(), m, roll) {
					t.Fatalf("%s: illegal move %s", p.Text(board(), roll), board().MoveText(m))
				}
				if p = after(p, m, roll); p.Verdict() == amoeboid.Open {
					turn.Position, turn.Roll, turn.Random = p, 1+r.Below(die), r
					p = after(p, mind.Choose(turn), turn.Roll)
					r = turn.Random
				}
			}
			proof.Is(t, p.Verdict(), amoeboid.WonByA, "size %d, seed %d: %s", c.size, seed,
				p.Text(board(), 0))
		}
	}
}

// TestCentreNeedsNoMoreWithMoreTurns compares neighbours of the table.
func TestCentreNeedsNoMoreWithMoreTurns(t *testing.T) {
	proof.Slow(t)
	var policy centrePolicy
	for _, corner := range []bool{true, false} {
		last := 1 << 30
		for _, turns := range centreTurns {
			if difference, ok := policy.enough(1, corner, turns); ok {
				if difference > last {
					t.Errorf("%d turns need %d, fewer need %d", turns, difference, last)
				}
				last = difference
			}
		}
	}
}

// TestCentreEverySize holds the bound for every size against the search for sizes beyond those it
// was made from.
func TestCentreEverySize(t *testing.T) {
	var policy centrePolicy
	for _, c := range []struct {
		filled, cell uint8
		turns        int8
	}{{0b11110000, 0, 4}, {0b11110001, 1, 4}, {0b11100100, 0, 4}, {0b10100001, 1, 4}} {
		bound := policy.everySize(c.filled, c.cell, c.turns)
		if bound > 40 {
			t.Errorf("%+v: no bound, or a bad one: %d", c, bound)
		}
		for size := 2*largeSize(c.turns) - 20; size < 2*largeSize(c.turns); size++ {
			s := ringState{filled: c.filled, cell: c.cell, size: size, least: widest, turns: c.turns}
			if !policy.wins(s, int(size)+bound) {
				t.Errorf("%+v: %d more than %d units are not enough", c, bound, size)
			}
		}
		if policy.everySize(c.filled, c.cell, 1) < 1000 {
			t.Errorf("%+v: a single turn is enough", c)
		}
	}
	proof.Is(t, policy.everySize(0b11111110, 0, 1), rest,
		"units that a piece is worth which cannot move")
}
