package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/combin"
)

// NativeTournament is a game whose source holds tournaments of a kind of its own.
type NativeTournament interface {
	// Tournament holds the tournament that the game's settings ask for, and returns its table: the
	// names of the columns, then a line a player, the best first. It returns an error for players
	// or settings that the source's tournament does not know, and that of ctx when it has ended.
	Tournament(ctx context.Context, t Tournament) ([][]string, error)
	// TournamentHelp says in sentences what is played.
	TournamentHelp() string
}

// Tournament is who takes part in a tournament, and how.
type Tournament struct {
	Names   []string
	Players []Player // of the names
	Rounds  int      // how often all of it is played; 1 or more
	Seed    Seed
	Workers int // goroutines; 0 means one a processor
	// if not nil, called now and then with the number of games or matches, one call at a time
	Progress func(done, total int)
}

// Meetings plays every combination of so many players once a round, and returns what play returns
// of each, by combinations in lexicographic order, round by round. Play gets the numbers of the
// players, rising, and a seed that is the meeting's own.
func Meetings[T any](ctx context.Context, t *Tournament, seats int,
	play func(members []int, seed Seed) T) ([]T, error) {
	meetings := make([]T, combin.Binomial(len(t.Players), min(seats, len(t.Players)))*t.Rounds)
	err := RoundRobin{Players: len(t.Players), Seats: seats, Boards: t.Rounds, Workers: t.Workers,
		Progress: t.Progress}.Each(ctx, func(_ *Referee, b Block) error {
		number := b.Combination*t.Rounds + b.First
		meetings[number] = play(b.Members, t.Seed.Num(uint64(number)))
		return nil
	})
	return meetings, err
}

// Table returns the table of a tournament of numbers by player: more of the first column is better,
// then of the second, and so on. Players without a difference keep their order. Numbers have two
// digits at most behind the point.
func (t *Tournament) Table(columns []string, numbers [][]float64) [][]string {
	order := make([]int, len(t.Players))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return slices.CompareFunc(numbers[b], numbers[a], cmp.Compare[float64]) })
	lines := [][]string{append([]string{"rank", "name"}, columns...)}
	for i, p := range order {
		line := []string{strconv.Itoa(i + 1), t.Names[p]}
		for _, x := range numbers[p] {
			line = append(line, strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64))
		}
		lines = append(lines, line)
	}
	return lines
}
