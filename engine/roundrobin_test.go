package engine_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
)

func constants(g engine.Game, values ...float64) []engine.Player {
	var players []engine.Player
	for _, v := range values {
		players = append(players, enginetest.Constant(g, v))
	}
	return players
}

func TestRoundRobinOfTwo(t *testing.T) {
	g := enginetest.Number(0)
	table, err := engine.RoundRobin{Boards: 3}.Play(g, constants(g, 1, 3, 2), 5)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []engine.Standing{
		{Games: 12, Wins: 0, Matches: 0, Score: 12 * 3 * 1},
		{Games: 12, Wins: 12, Matches: 2, Score: 12 * 3 * 3},
		{Games: 12, Wins: 6, Matches: 1, Score: 12 * 3 * 2},
	} {
		want.Marks[0] = 12 * 3
		if table.Rows[i] != want {
			t.Errorf("player %d: %+v, want %+v", i, table.Rows[i], want)
		}
	}
	if got, want := table.Pairs[2][0],
		(engine.Pairing{Games: 6, Wins: 6, Matches: 1, Score: 36}); got != want {
		t.Errorf("player 2 against 0: %+v, want %+v", got, want)
	}
	if table.Pairs[1][1] != (engine.Pairing{}) {
		t.Errorf("player 1 against itself: %+v", table.Pairs[1][1])
	}
}

func TestRoundRobinOfMore(t *testing.T) {
	g := enginetest.Number(0)
	table, err := engine.RoundRobin{Seats: 3, Boards: 2}.Play(g, constants(g, 4, 3, 1, 1, 4), 5)
	if err != nil {
		t.Fatal(err)
	}
	// Each of 10 combinations plays 2 boards in 3 rotations; each player is in 6 combinations, each
	// pair in 3.
	for i, row := range table.Rows {
		if row.Games != 36 || row.Matches != 0 {
			t.Errorf("player %d: %+v", i, row)
		}
	}
	if got := table.Rows[0]; got.Wins != 18 || got.Ties != 18 {
		t.Errorf("player 0 wins the three combinations without its equal, and ties the others: %+v",
			got)
	}
	tests := []struct{ i, j, wins, ties int }{{0, 1, 18, 0}, {1, 0, 0, 0}, {2, 3, 0, 18},
		{0, 4, 0, 18}, {1, 2, 18, 0}}
	for _, test := range tests {
		if p := table.Pairs[test.i][test.j]; p.Games != 18 || p.Wins != test.wins ||
			p.Ties != test.ties {
			t.Errorf("player %d against %d: %+v, want %d wins and %d ties in 18", test.i, test.j,
				p, test.wins, test.ties)
		}
	}
}

// firstWins is a game for any number, in which the first seat wins and every seat scores its
// player, an int.
type firstWins struct {
	engine.Game
	log map[uint64][]int // by board: who was in the first seat
}

func (g *firstWins) Info() engine.Info {
	return engine.Info{Name: "first", MinSeats: 1, MaxSeats: engine.MaxSeats}
}

func (g *firstWins) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	g.log[seed] = append(g.log[seed], players[0].(int))
	r := engine.Result{Winner: 0}
	for seat, p := range players {
		r.Scores[seat] = float64(p.(int))
		r.Marks[seat][1] = float32(p.(int))
	}
	return r
}

// TestRoundRobinRotates holds that every board is played once in every rotation of the seats, and
// that what a seat gets is its player's.
func TestRoundRobinRotates(t *testing.T) {
	for _, seats := range []int{1, 3, 4} {
		g := &firstWins{log: map[uint64][]int{}}
		const boards, players = 5, 4
		table, err := engine.RoundRobin{Seats: seats, Boards: boards, Workers: 1}.Play(g,
			[]engine.Player{0, 1, 2, 3}, 7)
		if err != nil {
			t.Fatal(err)
		}
		bouts := map[int]int{1: 1, 3: 3, 4: 1}[seats] // of one player
		for i, row := range table.Rows {
			games := bouts * boards * seats
			want := engine.Standing{Games: games, Wins: games / seats, Score: float64(i * games)}
			want.Marks[1] = float64(i * games)
			if row != want {
				t.Errorf("%d seats, player %d: %+v, want %+v", seats, i, row, want)
			}
		}
		if want := bouts * players / seats * boards; len(g.log) != want {
			t.Errorf("%d seats: %d different boards, want %d", seats, len(g.log), want)
		}
		for board, firsts := range g.log {
			if slices.Sort(firsts); len(slices.Compact(firsts)) != seats {
				t.Errorf("%d seats, board %x: first were %v", seats, board, firsts)
			}
		}
	}
}

// TestRoundRobinWorkers holds that the number of workers changes nothing, with more bouts than one
// block has.
func TestRoundRobinWorkers(t *testing.T) {
	g := enginetest.Number(1)
	var values []float64
	for i := range 60 {
		values = append(values, float64(i%7)/10)
	}
	for _, seats := range []int{2, 3} {
		players := constants(g, values[:60/(seats-1)]...)
		one, err := engine.RoundRobin{Seats: seats, Workers: 1}.Play(g, players, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{0, 2, 7} {
			last, bouts := 0, map[int]int{2: 60 * 59 / 2, 3: 30 * 29 * 28 / 6}[seats]
			rr := engine.RoundRobin{Seats: seats, Workers: workers,
				Progress: func(done, total int) {
					if last++; done != last || total != bouts {
						t.Errorf("progress %d of %d after %d; there are %d bouts", done, total,
							last-1,
							bouts)
					}
				}}
			many, err := rr.Play(g, players, 1)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(one, many) {
				t.Errorf("%d seats: %d workers change the table", seats, workers)
			}
			if last != bouts {
				t.Errorf("progress ends at %d of %d", last, bouts)
			}
		}
	}
}

// TestRoundRobinNewcomer holds that a player added at the end leaves the games of the others as
// they are.
func TestRoundRobinNewcomer(t *testing.T) {
	g := enginetest.Number(1)
	few, _ := engine.RoundRobin{Boards: 4}.Play(g, constants(g, .1, .2, .3), 8)
	more, _ := engine.RoundRobin{Boards: 4}.Play(g, constants(g, .1, .2, .3, .4), 8)
	for i := range few.Pairs {
		if !reflect.DeepEqual(few.Pairs[i], more.Pairs[i][:3]) {
			t.Errorf("player %d: %v, and with a newcomer %v", i, few.Pairs[i], more.Pairs[i])
		}
	}
}

func TestRoundRobinErrors(t *testing.T) {
	g := enginetest.Number(0)
	tests := []struct {
		rr      engine.RoundRobin
		players int
		want    string
	}{
		{engine.RoundRobin{Seats: 5}, 9, "number has 2 to 4"},
		{engine.RoundRobin{Seats: 1}, 9, "number has 2 to 4"},
		{engine.RoundRobin{}, 1, "needs as many players, not 1"},
		{engine.RoundRobin{Boards: -1}, 3, "neither can be negative"},
		{engine.RoundRobin{Seats: 4}, 5000, "take fewer"},
	}
	if _, err := (engine.RoundRobin{Seats: engine.MaxSeats}).Play(&firstWins{},
		make([]engine.Player, 99), 1); err == nil || !strings.Contains(err.Error(), "take fewer") {
		t.Errorf("more combinations than an integer holds: error %v", err)
	}
	for _, test := range tests {
		_, err := test.rr.Play(g, make([]engine.Player, test.players), 1)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v with %d players: error %v, want %q", test.rr, test.players, err,
				test.want)
		}
	}
}

func ExampleRoundRobin() {
	g := enginetest.Scissors()
	rock, paper, scissors := enginetest.Constant(g, 0), enginetest.Constant(g, 1),
		enginetest.Constant(g, 2)
	table, err := engine.RoundRobin{Boards: 1}.Play(g, []engine.Player{rock, paper, scissors}, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, name := range []string{"rock", "paper", "scissors"} {
		fmt.Println(name, table.Rows[i].Wins, "of", table.Rows[i].Games)
	}
	// Output:
	// rock 2 of 4
	// paper 2 of 4
	// scissors 2 of 4
}
