package amoeboid

import (
	"math"
	"strings"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// plainValue is the value of a position before the roll for the player to move, straight from the
// definition: every roll, every legal move, no memory, no pruning. Beyond a depth, which is
// endless from -1, or a mass A's result is beyond.
func plainValue(g *Graph, p Position, die, depth, mass int, beyond float64) float64 {
	sign := float64(1 - 2*p.Turn())
	switch p.Verdict() {
	case WonByA:
		return sign
	case WonByB:
		return -sign
	case Tied:
		return 0
	}
	if u := p.Units(); depth == 0 || int(u.Size()) > mass {
		return sign * beyond
	}
	sum := 0.0
	for roll := 1; roll <= die; roll++ {
		best := -1.0
		moves := plainMoves(g, p, roll)
		if len(moves) == 0 {
			moves = p.Moves(nil, g, roll)
		}
		for _, m := range moves {
			q := p
			q.Apply(m, roll)
			best = max(best, -plainValue(g, q, die, depth-1, mass, beyond))
		}
		sum += best
	}
	return sum / float64(die)
}

func TestSearchFindsThePlainValue(t *testing.T) {
	for _, c := range []struct {
		graph *Graph
		die   int
		depth int
		text  string
	}{
		{pathOf(t, 2), 6, 3, "A 1,0 0,1"},
		{pathOf(t, 2), 3, 4, "B 2,0 0,2"},
		{pathOf(t, 3), 2, 4, "A 1,0 . 0,1"},
		{pathOf(t, 3), 3, 3, "B 3,1 . 0,2"},
		{pathOf(t, 4), 2, 3, "A 2,0 . 0,1 0,2"},
		{boards(t)[2], 3, 2, "A 2,0 . / 0,1 0,3"},
		{boards(t)[0], 6, 2, "A 4,0 . . / . . . / . 0,3 ."},
		{boards(t)[0], 3, 2, "B 4,1 . . / . 2,2 . / . 0,3 ."},
		{boards(t)[7], 2, 3, "A 2,0 . 1,1 0,2"},
	} {
		p, _ := position(t, c.graph, c.text)
		for _, l := range []leaf{leafLost, leafWon} {
			want := plainValue(c.graph, p, c.die, c.depth, math.MaxInt, float64(2*int(l)-1))
			s := newSearch(c.graph, c.die, 12)
			s.begin(l, 0)
			if got := s.before(&p, c.depth, lowest, highest); math.Abs(got-want) > 1e-12 {
				t.Errorf("%s, %s, die %d, depth %d, leaf %d: %v, plain %v", c.graph.name, c.text,
					c.die, c.depth, l, got, want)
			}
			for _, window := range [][2]float64{{-1, want - 0.1}, {want + 0.1, 1},
				{want - 0.01, want + 0.01}, {-0.2, 0.2}} {
				alpha, beta := max(-1, window[0]), min(1, window[1])
				if alpha >= beta {
					continue
				}
				s.begin(l, 0)
				got := s.before(&p, c.depth, alpha, beta)
				inside := want > alpha && want < beta
				if inside && math.Abs(got-want) > 1e-12 || !inside && want >= beta &&
					(got < beta || got > want+1e-12) || !inside && want <= alpha &&
					(got > alpha || got < want-1e-12) {
					t.Errorf("%s, %s, depth %d, window %v..%v: %v, plain %v", c.graph.name,
						c.text, c.depth, alpha, beta, got, want)
				}
			}
		}
	}
}

func pathOf(t testing.TB, n int) *Graph {
	t.Helper()
	return proof.Must(path(n))(t)
}

func cycleOf(t testing.TB, n int) *Graph {
	t.Helper()
	return proof.Must(cycle(n))(t)
}

func TestSearchLeavesThePositionAsItWas(t *testing.T) {
	g := New().Graph()
	s := newSearch(g, 6, 12)
	wander(g, 4, 2, func(p *Position, roll int, _ *engine.Random) {
		before := *p
		s.begin(leafWorth, 2000)
		s.before(p, 2, lowest, highest)
		if *p != before {
			t.Fatalf("%s became %s", before.Text(g, 0), p.Text(g, 0))
		}
	})
}

func TestSolve(t *testing.T) {
	proof.Slow(t)
	g := New()
	for _, c := range []struct {
		text, value, move string
	}{
		// the last ply of the example game
		{"A5 . . . / 5,5 6,11 . / . 11,4 8,8", "1.0000", "b3 b2"},
		// nothing can be said yet
		{"A1 1,0 . . / . . . / . . 0,1", "-1.0000..1.0000", ""},
		{"A . . . / . 0,9 . / . . 9,0", "", ""},                                   // A is to roll
		{"B6 . . . / . 60,0 . / . . 0,16", "-1.0000..1.0000", ""},                 // Case IV
		{"B6 60,0 60,0 60,0 / 60,0 60,0 60,0 / 60,0 60,0 0,16", "-1.0000", "+c3"}, // no way out
	} {
		p, roll := position(t, g.Graph(), c.text)
		s := proof.Must(g.solve(p, roll, 300000))(t)
		if s.value.Low > s.value.High || c.value != "" && s.value.String() != c.value {
			t.Errorf("%s: value %s, want %s", c.text, s.value, c.value)
		}
		if c.move != "" && !strings.HasPrefix(g.Graph().MoveText(s.line[0].move), c.move) {
			t.Errorf("%s: line begins with %s, want %s", c.text, g.Graph().MoveText(s.line[0].move), c.move)
		}
		if s.Text() == "" {
			t.Errorf("%s: no text", c.text)
		}
	}
	over, _ := position(t, g.Graph(), "A . . . / . . . / . . 0,1")
	proof.Fails(g.solve(over, 0, 1000))(t, "nothing is left to solve")
}

// TestSolveKeepsWithinMemory solves positions with more legal moves, at once or after a reply, than
// can be listed.
func TestSolveKeepsWithinMemory(t *testing.T) {
	g := New()
	p, roll := position(t, g.Graph(), "A6 3000,2900 . . / . . . / . . 0,100")
	proof.Fails(g.solve(p, roll, 1000))(t, "legal moves")
	p, roll = position(t, g.Graph(), "B1 2000000,1900000 . . / . . . / . . 0,1")
	for _, budget := range []int64{1000, 10_000_000} {
		proof.Is(t, proof.Must(g.solve(p, roll, budget))(t).depth, 1, "plies deep")
	}
}

// TestTableMassIsAffordable holds the tables that Solve makes of itself against what a table may
// hold.
func TestTableMassIsAffordable(t *testing.T) {
	for _, g := range []*Game{game(t, pathOf(t, 2), 6), New()} {
		if mass := g.tableMass(math.MaxInt64); positions(g.Graph(), mass) > 1<<27 {
			t.Errorf("%s: a table of %d units", g.graph.name, mass)
		}
	}
}
