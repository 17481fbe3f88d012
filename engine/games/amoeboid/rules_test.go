package amoeboid

import (
	"slices"
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// boards are one of each kind.
func boards(t testing.TB) []*Graph {
	t.Helper()
	must := func(g *Graph, err error) *Graph {
		proof.OK(t, err)
		return g
	}
	return []*Graph{
		must(grid(3, 8)), must(grid(3, 4)), must(grid(2, 8)), must(grid(5, 8)), must(path(4)),
		must(cycle(5)), must(star(6)),
		must(parseGraph("kite", "cells 4\nedge 0 1\nedge 1 2\nedge 2 0\nedge 2 3\nstart 0 3\n")),
	}
}

func position(t testing.TB, g *Graph, text string) (Position, int) {
	t.Helper()
	p, roll, err := ParsePosition(g, text)
	proof.OK(t, err)
	return p, roll
}

// exampleGame is the game at the end of the document: roll and move of every ply.
var exampleGame = []struct {
	roll int
	move string
}{
	{3, "a1 b1 4,0"}, {2, "c3 b3 0,3"}, {3, "b1 c1 7,0"}, {1, "b3 a3 0,4"}, {2, "c1 b2 9,0"},
	{4, "a3 a2 0,4"}, {5, "b2 a2 14,0"}, {2, "a3 b3 0,3"},
	{4, "a2 b2 18,4"}, {4, "b3 c3 0,7"}, {6, "b2 c3 8,1"}, {4, "a3 a2 0,4"}, {1, "b2 a2 5,1"},
	{6, "a3 b3 0,4"}, {5, "b2 b3 11,0"}, {4, "a3 b2 0,9"},
	{5, "b3 b2 16,4"},
}

func TestExampleGame(t *testing.T) {
	g := New().Graph()
	p := g.opening()
	printed := map[int]string{ // by plies played: the boards that the document prints
		2: "A . 4,0 . / . . . / . 0,3 .", 4: "A . . 7,0 / . . . / 0,4 . .",
		6: "A . . . / 0,4 9,0 . / 0,4 . .", 8: "A . . . / 14,4 . . / 0,3 0,3 .",
		10: "A . . . / . 18,4 . / 0,3 . 0,7", 12: "A . . . / 0,4 16,3 . / 0,3 . 8,8",
		14: "A . . . / 5,5 12,2 . / 0,5 0,4 8,8",
		16: "A . . . / 5,5 6,11 . / . 11,4 8,8",
	}
	for i, ply := range exampleGame {
		m, err := p.ParseMove(g, ply.move, ply.roll)
		if err != nil {
			t.Fatalf("ply %d: %v", i+1, err)
		}
		if p.Verdict() != Open {
			t.Fatalf("ply %d: the game is over", i+1)
		}
		p.Apply(m, ply.roll)
		if want, ok := printed[i+1]; ok && p.Text(g, 0) != want {
			t.Errorf("after ply %d: %s, printed %s", i+1, p.Text(g, 0), want)
		}
	}
	proof.Is(t, p.Verdict(), WonByA, "the verdict of %s", p.Text(g, 0))
}

// plainMoves lists the legal moves straight from the rules.
func plainMoves(g *Graph, p Position, roll int) []Move {
	var moves []Move
	seat := p.Turn()
	owns := func(q *Position, c int) bool { return q.Piece(c)[seat] > q.Piece(c)[1-seat] }
	for grow := range g.Cells() {
		if !owns(&p, grow) {
			continue
		}
		q := p
		piece := q.Piece(grow)
		piece[seat] += int32(roll)
		q.Set(grow, piece)
		for from := range g.Cells() {
			for to := range g.Cells() {
				if !owns(&q, from) || !g.adjacent(from, to) {
					continue
				}
				for i := int32(0); i <= q.Piece(from)[A]; i++ {
					for j := int32(0); j <= q.Piece(from)[B]; j++ {
						if i+j > 0 && i+j >= q.Piece(to).Size() {
							moves = append(moves, Move{uint8(grow), uint8(from), uint8(to), Piece{i, j}})
						}
					}
				}
			}
		}
	}
	return moves
}

// wander plays random plies on a board and calls f before each, with the legal moves' roll.
func wander(g *Graph, seed uint64, plies int, f func(p *Position, roll int, r *engine.Random)) {
	r := engine.NewRandom(seed)
	var n moveCount
	for range plies {
		p := g.opening()
		for range 30 {
			roll := 1 + r.Below(6)
			f(&p, roll, &r)
			p.Apply(n.sample(g, &p, roll, &r), roll)
			if p.Verdict() != Open {
				break
			}
		}
	}
}

func TestMovesAreThoseOfTheRules(t *testing.T) {
	for _, g := range boards(t) {
		var n moveCount
		wander(g, 1, 4, func(p *Position, roll int, r *engine.Random) {
			want := plainMoves(g, *p, roll)
			if got := p.countMoves(g, roll); got != int64(len(want)) {
				t.Fatalf("%s: %s with %d: %d moves counted, there are %d", g.name, p.Text(g, 0),
					roll, got, len(want))
			}
			got := p.Moves(nil, g, roll)
			for _, m := range got {
				if !p.Legal(g, m, roll) {
					t.Fatalf("%s: %s with %d: %v is listed and not legal", g.name, p.Text(g, 0), roll, m)
				}
			}
			before := p.stance()
			for _, m := range p.Menu(nil, g, roll) {
				if !slices.Contains(got, m) {
					t.Fatalf("%s: %s with %d: %v is on the menu and not legal", g.name, p.Text(g, 0), roll, m)
				}
				q := *p
				q.Apply(m, roll)
				if !m.Pass() && before.after(p, m, roll) != q.stance() {
					t.Fatalf("%s: %s with %d: %v leaves %v, foreseen %v", g.name, p.Text(g, 0),
						roll, m, q.stance(), before.after(p, m, roll))
				}
			}
			if len(want) > 0 && !slices.Equal(got, want) {
				t.Fatalf("%s: %s with %d: moves differ from the rules", g.name, p.Text(g, 0), roll)
			}
			if m := n.sample(g, p, roll, r); !slices.Contains(got, m) {
				t.Fatalf("%s: %s with %d: sampled %v", g.name, p.Text(g, 0), roll, m)
			}
		})
	}
}

func TestPartsAreNumbered(t *testing.T) {
	for _, piece := range []Piece{{1, 0}, {0, 3}, {4, 4}, {9, 2}, {3, 7}, {40, 1}} {
		for size := int32(0); size <= piece.Size()+1; size++ {
			seen := map[Piece]bool{}
			for k := range parts(piece, size) {
				q := part(piece, size, k)
				if q[A] < 0 || q[B] < 0 || q[A] > piece[A] || q[B] > piece[B] ||
					q.Size() < max(1, size) || seen[q] {
					t.Fatalf("part %d of %v for size %d: %v", k, piece, size, q)
				}
				seen[q] = true
			}
			proof.Is(t, len(seen), len(appendParts(nil, Move{}, piece, size)), "%v for size %d: parts",
				piece, size)
		}
	}
	piece := Piece{2_000_000, 1_999_999} // beyond 2^32 parts
	for _, size := range []int32{0, 3_000_000, 3_999_998} {
		n := parts(piece, size)
		for _, k := range []int64{0, 1, n / 3, n / 2, n - 1} {
			if q := part(piece, size, k); q[A] < 0 || q[B] < 0 || q[A] > piece[A] ||
				q[B] > piece[B] || q.Size() < size {
				t.Errorf("part %d of %v for size %d: %v", k, piece, size, q)
			}
		}
	}
}

func TestEverySampledMoveIsEquallyLikely(t *testing.T) {
	g := New().Graph()
	p, roll := position(t, g, "A2 2,1 . 0,2 / . 3,0 . / 1,1 . 0,4")
	moves := p.Moves(nil, g, roll)
	const rounds = 200
	seen := map[Move]int{}
	var n moveCount
	r := engine.NewRandom(7)
	for range rounds * len(moves) {
		seen[n.sample(g, &p, roll, &r)]++
	}
	chi := 0.0
	for _, m := range moves {
		d := float64(seen[m] - rounds)
		chi += d * d / rounds
	}
	// The statistic has about len(moves)-1 degrees of freedom; six standard deviations above its
	// mean is beyond chance.
	if free := float64(len(moves) - 1); chi > free+6*1.5*sqrt(free) {
		t.Errorf("chi square %v over %v degrees of freedom", chi, free)
	}
}

func sqrt(x float64) float64 {
	y := x
	for range 50 {
		y = (y + x/y) / 2
	}
	return y
}

func TestRulesInDoubt(t *testing.T) {
	three := New().Graph()
	path, _ := path(2)
	for _, c := range []struct {
		name, position, move string
		g                    *Graph
		after, problem       string
	}{
		{"one piece grows and another moves", "A3 2,0 . . / . . . / 1,0 . 0,4", "+a3 a1 b1 2,0",
			three, "B . 2,0 . / . . . / 4,0 . 0,4", ""},
		{"units of both move", "A1 5,2 . . / . . . / . . 0,4", "a1 b2 3,2", three,
			"B 3,0 . . / . 3,2 . / . . 0,4", ""},
		{"only units of the other move", "A1 5,2 . . / . . . / . . 0,4", "a1 b2 0,2", three,
			"B 6,0 . . / . 0,2 . / . . 0,4", ""},
		{"what stays may be the other's", "A1 5,2 . . / . . . / . . 0,4", "a1 b2 6,0", three,
			"B 0,2 . . / . 6,0 . / . . 0,4", ""},
		{"an equal is eaten", "A1 2,0 . . / . 0,3 . / . . 0,4", "a1 b2 3,0", three,
			"B . . . / . 3,3 . / . . 0,4", ""},
		{"a larger is not", "A1 2,0 . . / . 0,4 . / . . 0,4", "a1 b2 3,0", three, "",
			"3 units cannot eat the 4 on b2"},
		{"own pieces join", "A1 2,0 2,0 . / . . . / . . 0,4", "a1 b1", three,
			"B . 5,0 . / . . . / . . 0,4", ""},
		{"a target that has grown is larger", "A3 2,0 2,0 . / . . . / . . 0,4", "+b1 a1 b1 2,0",
			three, "", "2 units cannot eat the 5 on b1"},
		{"neutral pieces do not grow", "A3 2,2 2,0 . / . . . / . . 0,4", "+a1 b1 c1 2,0", three, "",
			"a1 is not yours, it cannot grow"},
		{"neutral pieces do not move", "A3 2,2 2,0 . / . . . / . . 0,4", "+b1 a1 c1 2,0", three, "",
			"a1 is not yours, it cannot move"},
		{"where nothing can move the growth stays", "A1 1,0 0,9", "+0", path, "B 2,0 0,9", ""},
		{"nobody passes by choice", "A1 1,0 .", "+0", path, "", "takes nothing"},
		{"nothing is not a part", "A1 1,0 .", "0 1 0,0", path, "", "take at least one unit"},
	} {
		p, roll := position(t, c.g, c.position)
		m, err := p.ParseMove(c.g, c.move, roll)
		if c.problem != "" {
			proof.Says(t, err, c.problem)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p.Apply(m, roll)
		proof.Is(t, p.Text(c.g, 0), c.after, "%s", c.name)
	}
}

func TestVerdicts(t *testing.T) {
	g, _ := path(3)
	for text, want := range map[string]Verdict{
		"A 1,0 . 0,1": Open, "A 1,0 2,2 .": WonByA, "B . 2,2 0,1": WonByB, "A 1,1 2,2 .": Tied,
		"A . . .": Tied,
	} {
		p, _ := position(t, g, text)
		proof.Is(t, p.Verdict(), want, "%s", text)
	}
	p, roll := position(t, g, "A1 1,0 0,2 .")
	m := proof.Must(p.ParseMove(g, "0 1 2,0", roll))(t)
	p.Apply(m, roll)
	proof.Is(t, p.Verdict(), Tied, "the last two pieces made one neutral: %s", p.Text(g, 0))
}

// TestTheorems holds in every game: the units of a player are the rolls' sum and one; a
// winner has both advantages; no rule is broken by the incremental owners.
func TestTheorems(t *testing.T) {
	for _, g := range boards(t) {
		var n moveCount
		r := engine.NewRandom(3)
		for range 60 {
			p := g.opening()
			sum := Piece{1, 1}
			for range 60 {
				roll := 1 + r.Below(6)
				sum[p.Turn()] += int32(roll)
				p.Apply(n.sample(g, &p, roll, &r), roll)
				if p.Units() != sum {
					t.Fatalf("%s: units %v, rolls %v", p.Text(g, 0), p.Units(), sum)
				}
				again, _ := position(t, g, p.Text(g, 0))
				if again != p {
					t.Fatalf("%s: owners differ from those of the same board", p.Text(g, 0))
				}
				v := p.Verdict()
				first, second := sum[A]-sum[B], p.Control(A)-p.Control(B)
				if v == WonByA && (first <= 0 || second <= 0) || v == WonByB && (first >= 0 || second >= 0) {
					t.Fatalf("%s: won without an advantage", p.Text(g, 0))
				}
				if v != Open {
					break
				}
			}
		}
	}
}
