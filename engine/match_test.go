package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

// script is a game whose results by seat and seed are written in advance, so that the rules of a
// match can be tested alone.
type script struct {
	engine.Game
	play func(first, second engine.Player, board uint64) (scores [2]float64, winner int)
	log  *[]uint64
}

func (s script) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	if s.log != nil {
		*s.log = append(*s.log, seed)
	}
	scores, winner := s.play(players[0], players[1], seed)
	r := engine.Result{Fingerprint: engine.Hash(seed, uint64(winner))}
	r.Win(winner)
	r.Scores[0], r.Scores[1] = scores[0], scores[1]
	r.Marks[0][0], r.Marks[1][0] = 1, 2
	return r
}

// points gives each player, an int, that score, and lets the higher win.
func points(first, second engine.Player, _ uint64) ([2]float64, int) {
	scores := [2]float64{float64(first.(int)), float64(second.(int))}
	switch {
	case scores[0] > scores[1]:
		return scores, 0
	case scores[1] > scores[0]:
		return scores, 1
	default:
		return scores, engine.Tie
	}
}

// seatWins lets a seat win; scores are the players' own.
func seatWins(seat int) func(first, second engine.Player, board uint64) ([2]float64, int) {
	return func(first, second engine.Player, board uint64) ([2]float64, int) {
		scores, _ := points(first, second, board)
		return scores, seat
	}
}

func TestMatchRules(t *testing.T) {
	tests := []struct {
		name   string
		match  engine.Match
		play   func(first, second engine.Player, board uint64) ([2]float64, int)
		a, b   int
		winner int
		wins   [2]int
		games  int
	}{
		{"wins decide and stop the match", engine.Match{Boards: 3}, points, 1, 2, 1, [2]int{0, 4}, 4},
		{"the whole match", engine.Match{Boards: 3, Whole: true}, points, 2, 1, 0, [2]int{6, 0}, 6},
		{"one board is two games", engine.Match{Boards: 1}, points, 2, 1, 0, [2]int{2, 0}, 2},
		{"equal wins: the total score", engine.Match{Boards: 2}, seatWins(0), 1, 2, 1, [2]int{2, 2}, 4},
		{"one board once is one game", engine.Match{Boards: 1, Once: true}, seatWins(0), 1, 2, 0,
			[2]int{1, 0}, 1},
		{"two of three boards once", engine.Match{Boards: 3, Once: true}, points, 1, 2, 1,
			[2]int{0, 2}, 2},
		{"boards once, seats in turn", engine.Match{Boards: 3, Once: true}, seatWins(0), 1, 2, 0,
			[2]int{2, 1}, 3},
		{"only ties: the total score", engine.Match{Boards: 2}, seatWins(engine.Tie), 2, 1, 0,
			[2]int{0, 0}, 4},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := test.match.Play(script{play: test.play}, test.a, test.b, 7)
			if o.Winner != test.winner || o.Wins != test.wins || o.Games != test.games {
				t.Errorf("got winner %d, wins %v in %d games; want %d, %v in %d", o.Winner, o.Wins,
					o.Games, test.winner, test.wins, test.games)
			}
			proof.Is(t, o.Scores, [2]float64{float64(test.a * o.Games), float64(test.b * o.Games)},
				"total scores")
		})
	}
}

// TestMatchNeedsBoardsPlusOne holds that fewer than half the games decide nothing, even where they
// are more than the other's.
func TestMatchNeedsBoardsPlusOne(t *testing.T) {
	once := false
	play := func(first, second engine.Player, board uint64) ([2]float64, int) {
		scores, _ := points(first, second, board)
		if !once && first == 1 {
			once = true
			return scores, 0
		}
		return scores, engine.Tie
	}
	o := engine.Match{Boards: 2}.Play(script{play: play}, 1, 2, 7)
	if o.Wins != [2]int{1, 0} || o.Winner != 1 {
		t.Errorf("winner %d with wins %v; one win in four games decides nothing, and player 1 "+
			"has the higher score", o.Winner, o.Wins)
	}
}

// batch is a game that plays all games at once.
type batch struct {
	engine.Game
	batches int
}

func (b *batch) Batches([]engine.Player) bool { return true }

func (b *batch) PlayBatch(jobs []engine.Job, results []engine.Result) {
	b.batches++
	for i, job := range jobs {
		results[i] = b.Play(job.Players, job.Seed, nil)
	}
}

// TestMatchBatchChangesNothing compares matches played at once with matches played game by game,
// stopped and whole.
func TestMatchBatchChangesNothing(t *testing.T) {
	g := enginetest.Number(1)
	at := &batch{Game: g}
	a, b := enginetest.Constant(g, 0.4), enginetest.Constant(g, 0.5)
	var r engine.Referee
	matches := 0
	for seed := range engine.Seed(100) {
		for _, m := range []engine.Match{{Boards: 6}, {Boards: 1}, {Boards: 3, Whole: true},
			{Boards: 4, Once: true, Whole: true}} {
			matches++
			if got, want := r.Match(m, at, a, b, seed), m.Play(g, a, b, seed); got != want {
				t.Fatalf("seed %d, %+v: %+v at once, %+v game by game", seed, m, got, want)
			}
		}
	}
	proof.Is(t, at.batches, matches, "batches")
}

func TestMatchCoin(t *testing.T) {
	heads := 0
	for seed := range engine.Seed(1000) {
		o := engine.Match{Boards: 1}.Play(script{play: points}, 1, 1, seed)
		again := engine.Match{Boards: 1}.Play(script{play: points}, 1, 1, seed)
		if o != again {
			t.Fatalf("seed %d: two plays differ", seed)
		}
		heads += o.Winner
	}
	if heads < 430 || heads > 570 { // 500 less and more 4.4 standard deviations
		t.Errorf("the coin fell on player 1 in %d of 1000 matches", heads)
	}
}

func TestMatchBoards(t *testing.T) {
	var log []uint64
	engine.Match{Boards: 3, Whole: true}.Play(script{play: points, log: &log}, 1, 2, 9)
	if len(log) != 6 {
		t.Fatalf("%d games, not 6", len(log))
	}
	seen := map[uint64]int{}
	for i, board := range log {
		proof.Is(t, board, log[i&^1], "the board of games %d and %d", i&^1, i)
		seen[board]++
	}
	proof.Is(t, len(seen), 3, "boards")
	var once []uint64
	engine.Match{Boards: 3, Whole: true, Once: true}.Play(script{play: points, log: &once}, 1, 2, 9)
	proof.Are(t, once, []uint64{log[0], log[2], log[4]}, "boards played once")
}

// TestMatchStopChangesNoWinner plays a noisy game whole and stopped.
func TestMatchStopChangesNoWinner(t *testing.T) {
	g := enginetest.Number(1)
	a, b := enginetest.Constant(g, 0.4), enginetest.Constant(g, 0.5)
	stopped := 0
	for seed := range engine.Seed(300) {
		for boards := 1; boards <= 6; boards++ {
			short := engine.Match{Boards: boards}.Play(g, a, b, seed)
			whole := engine.Match{Boards: boards, Whole: true}.Play(g, a, b, seed)
			if short.Winner != whole.Winner {
				t.Fatalf("seed %d, %d boards: player %d wins the stopped match and player %d the "+
					"whole one", seed, boards, short.Winner, whole.Winner)
			}
			if short.Games < whole.Games {
				stopped++
			}
		}
	}
	if stopped == 0 {
		t.Error("no match was stopped")
	}
}

// TestMatchRelabelled holds that the order in which two players are named changes nothing: the same
// games are played.
func TestMatchRelabelled(t *testing.T) {
	g := enginetest.Number(1)
	a, b := enginetest.Constant(g, 0.25), enginetest.Constant(g, 0.5)
	m := engine.Match{Boards: 5, Whole: true}
	for seed := range engine.Seed(100) {
		ab, ba := m.Play(g, a, b, seed), m.Play(g, b, a, seed)
		proof.Is(t, ab.Wins, [2]int{ba.Wins[1], ba.Wins[0]}, "seed %d: wins, relabelled", seed)
		if d := math.Abs(ab.Scores[0] - ba.Scores[1]); d > 1e-9 {
			t.Errorf("seed %d: scores %v and, relabelled, %v", seed, ab.Scores, ba.Scores)
		}
	}
}

func TestMatchWithoutBoardsPanics(t *testing.T) {
	proof.Panics(t, func() { engine.Match{}.Play(script{play: points}, 1, 2, 3) }, "no boards")
}

func TestOutcomeTotals(t *testing.T) {
	o := engine.Match{Boards: 2, Whole: true}.Play(script{play: points}, 1, 2, 5)
	// Each player sits twice in the seat that marks 1 and twice in the one that marks 2.
	if o.Marks[0][0] != 6 || o.Marks[1][0] != 6 {
		t.Errorf("marks %v", o.Marks)
	}
}

func TestRefereeAllocatesNothing(t *testing.T) {
	g := enginetest.Number(1)
	a, b := enginetest.Constant(g, 0.25), enginetest.Constant(g, 0.5)
	var r engine.Referee
	seed := engine.Seed(1)
	proof.Is(t, testing.AllocsPerRun(100, func() {
		r.Match(engine.Match{Boards: 6}, g, a, b, seed)
		seed++
	}), 0, "what a match allocates")
}

// BenchmarkLeague plays leagues of a hundred players on 500 boards a pair.
func BenchmarkLeague(b *testing.B) {
	g := enginetest.Number(1)
	players := make([]engine.Player, 100)
	for i := range players {
		players[i] = enginetest.Constant(g, float64(i)/100)
	}
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			rr := engine.RoundRobin{Players: len(players), Seats: 2, Boards: 500, Block: 32,
				Workers: workers}
			for i := range b.N {
				err := rr.Each(b.Context(), func(r *engine.Referee, part engine.Block) error {
					pair := []engine.Player{players[part.Members[0]], players[part.Members[1]]}
					r.Boards(g, pair, engine.Seed(i), part.First, part.End)
					return nil
				})
				proof.OK(b, err)
			}
		})
	}
}

// BenchmarkMatch plays matches of a game that costs nothing: what is left is the referee.
func BenchmarkMatch(b *testing.B) {
	g := enginetest.Number(1)
	p, q := enginetest.Constant(g, 0.25), enginetest.Constant(g, 0.5)
	var r engine.Referee
	b.ReportAllocs()
	for i := range b.N {
		r.Match(engine.Match{Boards: 6}, g, p, q, engine.Seed(i))
	}
}

// trio is a game for three in which a player, an int, always has that score.
type trio struct{ engine.Game }

func (trio) Info() engine.Info { return engine.Info{Name: "trio", MinSeats: 3, MaxSeats: 3} }

func (trio) Play(players []engine.Player, _ uint64, _ engine.Recorder) (r engine.Result) {
	for seat, p := range players {
		r.Scores[seat] = float64(p.(int))
	}
	r.WinBest(len(players))
	return r
}

// TestForTwo: who has less than two others that share the most has lost, and has not tied.
func TestForTwo(t *testing.T) {
	for seed := range uint64(9) { // the one alone has each of the seats
		for _, c := range []struct{ alone, others, winner int }{
			{7, 6, 0}, {6, 6, engine.Tie}, {-4, 6, 1},
		} {
			r := engine.ForTwo(trio{}).Play([]engine.Player{c.alone, c.others}, seed, nil)
			if r.Winner() != c.winner || r.Scores[0] != float64(c.alone) ||
				r.Scores[1] != float64(c.others) {
				t.Errorf("%d against two of %d: winner %d of %v", c.alone, c.others, r.Winner(), r.Scores[:2])
			}
		}
	}
}

// gatherForThree is the template as a game for three alone.
type gatherForThree struct {
	engine.Game
	engine.Batcher
}

func (g gatherForThree) Info() engine.Info {
	info := g.Game.Info()
	info.MinSeats = 3
	return info
}

// TestForTwoBatchChangesNothing: games of two, who hold three seats, are the same at once and
// alone.
func TestForTwoBatchChangesNothing(t *testing.T) {
	gather := enginetest.Gather()
	g := engine.ForTwo(gatherForThree{gather, gather.(engine.Batcher)})
	players := enginetest.Bound(t, g, enginetest.Bred(gather, 8)...)
	kernels := len(gather.(engine.Accelerated).Executors()) > 1
	proof.Is(t, g.(engine.Batcher).Batches(players[:2]), kernels, "games of two go at once")
	var r engine.Referee
	for i := range players[1:] {
		pair := players[i : i+2]
		want := slices.Clone(r.Boards(struct{ engine.Game }{g}, pair, 3, 0, 20))
		if got := r.Boards(g, pair, 3, 0, 20); !slices.Equal(got, want) {
			t.Fatalf("pair %d: the results differ", i)
		}
	}
}
