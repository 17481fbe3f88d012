package engine_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
)

func constants(g engine.Game, values ...float64) []engine.Player {
	var players []engine.Player
	for _, v := range values {
		players = append(players, enginetest.Constant(g, v))
	}
	return players
}

// TestRoundRobinOrder holds that combinations are numbered in lexicographic order, and that every
// one of them has all its boards once.
func TestRoundRobinOrder(t *testing.T) {
	want := [][]int{{0, 1, 2}, {0, 1, 3}, {0, 1, 4}, {0, 2, 3}, {0, 2, 4}, {0, 3, 4}, {1, 2, 3},
		{1, 2, 4}, {1, 3, 4}, {2, 3, 4}}
	for _, workers := range []int{0, 1, 3} {
		for _, block := range []int{0, 1, 3, 7, 100} {
			var lock sync.Mutex
			boards, last := make([][7]int, len(want)), 0
			rr := engine.RoundRobin{Players: 5, Seats: 3, Boards: 7, Block: block, Workers: workers,
				Progress: func(done, total int) {
					if done <= last || done > last+max(1, block) || total != 7*len(want) {
						t.Errorf("progress %d of %d after %d", done, total, last)
					}
					last = done
				}}
			err := rr.Each(t.Context(), func(_ *engine.Referee, b engine.Block) error {
				lock.Lock()
				defer lock.Unlock()
				if !slices.Equal(b.Members, want[b.Combination]) || b.End-b.First > max(1, block) {
					t.Errorf("%+v in blocks of %d", b, block)
				}
				for i := b.First; i < b.End; i++ {
					boards[b.Combination][i]++
				}
				return nil
			})
			proof.OK(t, err)
			for i, times := range boards {
				proof.Is(t, times, [7]int{1, 1, 1, 1, 1, 1, 1},
					"how often the boards of combination %d come up", i)
			}
			proof.Is(t, last, 7*len(want), "progress ends at")
		}
	}
}

func TestRoundRobinErrors(t *testing.T) {
	tests := []struct {
		rr   engine.RoundRobin
		want string
	}{
		{engine.RoundRobin{Players: 1, Seats: 2, Boards: 1}, "needs as many players, not 1"},
		{engine.RoundRobin{Players: 3, Seats: 2}, "on 0 boards"},
		{engine.RoundRobin{Players: 3, Boards: 1}, "with 0 seats"},
		{engine.RoundRobin{Players: 5000, Seats: 4, Boards: 1}, "take fewer"},
		{engine.RoundRobin{Players: 99, Seats: engine.MaxSeats, Boards: 1}, "take fewer"},
		{engine.RoundRobin{Players: 3, Seats: 2, Boards: 1}, "a fault of play"},
	}
	for _, test := range tests {
		err := test.rr.Each(t.Context(), func(*engine.Referee, engine.Block) error {
			return fmt.Errorf("a fault of play")
		})
		proof.Says(t, err, test.want)
	}
}

// firstWins is a game for any number, in which the first seat wins and every seat scores its
// player, an int.
type firstWins struct {
	engine.Game
	log map[uint64][]int // by board: who was in the first seat
}

func (g *firstWins) Info() engine.Info {
	return engine.Info{Name: "first", MinSeats: 1, MaxSeats: 4}
}

func (g *firstWins) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	g.log[seed] = append(g.log[seed], players[0].(int))
	r := engine.Result{}
	r.Win(0)
	for seat, p := range players {
		r.Scores[seat] = float64(p.(int))
		r.Marks[seat][1] = float32(p.(int))
	}
	return r
}

// TestStandingsRotate holds that every board is played once in every rotation of the seats, and
// that what a seat gets is its player's.
func TestStandingsRotate(t *testing.T) {
	const boards = 5
	for seats := 1; seats <= 4; seats++ {
		g := &firstWins{log: map[uint64][]int{}}
		var r engine.Referee
		all := proof.Must(r.Standings(g, []engine.Player{0, 1, 2, 3}[:seats], boards, 7))(t)
		for i, s := range all {
			games := boards * seats
			want := engine.Standing{Games: games, Wins: boards, Score: float64(i * games)}
			want.Marks[1] = float64(i * games)
			proof.Is(t, s, want, "%d seats, player %d", seats, i)
		}
		proof.Is(t, len(g.log), boards, "%d seats: boards", seats)
		for board, firsts := range g.log {
			slices.Sort(firsts)
			proof.Is(t, len(slices.Compact(firsts)), seats, "board %x: who were first, %v", board, firsts)
		}
	}
	var r engine.Referee
	proof.Fails(r.Standings(&firstWins{}, make([]engine.Player, 5), 1, 1))(t, "first has 1 to 4")
}

// TestStandingsAdd holds that a standing is the sum of its parts.
func TestStandingsAdd(t *testing.T) {
	g := enginetest.Number(0)
	var r engine.Referee
	all := proof.Must(r.Standings(g, constants(g, 4, 3, 4), 6, 5))(t)
	for i, want := range []engine.Standing{{Games: 18, Ties: 18, Score: 18 * 3 * 4},
		{Games: 18, Ties: 18, Score: 18 * 3 * 3}, {Games: 18, Ties: 18, Score: 18 * 3 * 4}} {
		want.Marks[0] = 18 * 3
		proof.Is(t, all[i], want, "player %d", i)
		sum := all[i]
		if sum.Add(&all[i]); sum.Games != 36 || sum.Ties != 36 || sum.Marks[0] != 2*18*3 ||
			sum.Score != 2*all[i].Score {
			t.Errorf("twice %+v is %+v", all[i], sum)
		}
	}
}

// TestBoardsBatchChangesNothing compares boards played at once with boards played game by game, and
// parts of them with the whole.
func TestBoardsBatchChangesNothing(t *testing.T) {
	g := enginetest.Number(1)
	at := &batch{Game: g}
	var r engine.Referee
	for n := 2; n <= 4; n++ {
		players := constants(g, 0.4, 0.5, 0.45, 0.7)[:n]
		want := slices.Clone(r.Boards(g, players, 3, 0, 20))
		for _, played := range []engine.Game{at, g} {
			got := slices.Clone(r.Boards(played, players, 3, 0, 7))
			got = append(got, r.Boards(played, players, 3, 7, 20)...)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%T: the results of %d players differ", played, n)
			}
		}
		proof.Is(t, at.batches, 2*(n-1), "batches")
	}
}

func ExampleRoundRobin() {
	g := enginetest.Scissors()
	names := []string{"rock", "paper", "scissors"}
	players := []engine.Player{enginetest.Constant(g, 0), enginetest.Constant(g, 1),
		enginetest.Constant(g, 2)}
	rr := engine.RoundRobin{Players: len(players), Seats: 2, Boards: 10, Workers: 1}
	var wins [3]int
	err := rr.Each(context.Background(), func(r *engine.Referee, b engine.Block) error {
		pair := []engine.Player{players[b.Members[0]], players[b.Members[1]]}
		for i, result := range r.Boards(g, pair, 1, b.First, b.End) {
			wins[b.Members[result.Winner()^i&1]]++ // every second game has the seats turned
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	for i, name := range names {
		fmt.Println(name, "wins", wins[i])
	}
	// Output:
	// rock wins 20
	// paper wins 20
	// scissors wins 20
}

// TestGamesInPieces holds that games are the same in whatever pieces they are played, also such
// that begin with the second game of a board, by games with batches and without.
func TestGamesInPieces(t *testing.T) {
	g := enginetest.Number(1)
	for n := 2; n <= 3; n++ {
		players := constants(g, 0.25, 0.5, 0.75)[:n]
		for _, played := range []engine.Game{g, &batch{Game: g}} {
			var r engine.Referee
			whole := slices.Clone(r.Boards(played, players, 3, 0, 20))
			var pieces []engine.Result
			for _, end := range []int{1, 2, 7, 20, 20 * n} {
				pieces = append(pieces, r.Games(played, players, 3, len(pieces), end)...)
			}
			proof.Are(t, pieces, whole, "%d players of %T: the pieces", n, played)
			sum := proof.Must(r.Standings(played, players, 20, 5))(t)
			proof.Are(t, sum, engine.Sum(n, r.Boards(played, players, engine.BoardsOf(n, 5), 0, 20)),
				"%d players of %T", n, played)
		}
	}
}

func TestBracket(t *testing.T) {
	tests := []struct {
		entrants []int
		want     string // the matches, the higher number winning
	}{
		{[]int{7}, "[]"},
		{[]int{1, 2}, "[1-2]"},
		{[]int{3, 2, 1}, "[3-2 1-3]"},
		{[]int{1, 2, 3, 4}, "[1-2 3-4 2-4]"},
		{[]int{1, 2, 3, 4, 5}, "[1-2 3-4 5-2 4-5]"},
		{[]int{6, 6}, "[6-6]"},
	}
	for _, test := range tests {
		before := slices.Clone(test.entrants)
		matches := []string{}
		winner := engine.Bracket(test.entrants, func(a, b, index int) int {
			proof.Is(t, index, len(matches), "%v: match %d has the number", before, len(matches))
			matches = append(matches, fmt.Sprintf("%d-%d", a, b))
			return max(a, b)
		})
		if got := fmt.Sprint(matches); got != test.want || winner != slices.Max(before) {
			t.Errorf("%v: matches %s and winner %d; want %s", before, got, winner, test.want)
		}
		proof.Are(t, test.entrants, before, "the entrants afterwards")
	}
}

// TestBracketShape holds for every number of entrants: one match fewer than entrants, the one that
// lost plays no more, none has two byes, and no path is longer than another by more than one match.
func TestBracketShape(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 200; n++ {
		entrants := r.Perm(n)
		lost := make([]bool, n)
		played := make([]int, n)
		matches := 0
		winner := engine.Bracket(entrants, func(a, b, index int) int {
			if lost[a] || lost[b] || a == b {
				t.Fatalf("%d entrants: match %d is between %d and %d", n, index, a, b)
			}
			matches++
			played[a]++
			played[b]++
			if r.IntN(2) == 0 {
				a, b = b, a
			}
			lost[b] = true
			return a
		})
		if matches != n-1 || lost[winner] {
			t.Errorf("%d entrants: %d matches", n, matches)
		}
		rounds := 0
		for left := n; left > 1; left = (left + 1) / 2 {
			rounds++
		}
		if byes := rounds - played[winner]; byes < 0 || byes > 1 {
			t.Errorf("%d entrants: the winner had %d byes in %d rounds", n, byes, rounds)
		}
	}
}

func TestBracketPanics(t *testing.T) {
	for name, play := range map[string]func(){
		"nobody":   func() { engine.Bracket(nil, nil) },
		"stranger": func() { engine.Bracket([]int{4, 5}, func(int, int, int) int { return 1 }) },
	} {
		proof.Panics(t, play, "%s", name)
	}
}

func TestBracketAllocatesNothing(t *testing.T) {
	entrants := []int{5, 3, 8, 1, 9, 2, 7}
	higher := func(a, b, _ int) int { return max(a, b) }
	proof.Is(t, testing.AllocsPerRun(100, func() { engine.Bracket(entrants, higher) }), 0,
		"what a bracket allocates")
}

func ExampleBracket() {
	strength := []int{3, 9, 4, 7, 5}
	winner := engine.Bracket([]int{0, 1, 2, 3, 4}, func(a, b, _ int) int {
		if strength[a] > strength[b] {
			return a
		}
		return b
	})
	fmt.Println("entrant", winner, "wins")
	// Output: entrant 1 wins
}
