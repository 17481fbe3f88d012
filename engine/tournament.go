package engine

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/combin"
)

// NativeTournament is a game whose original program has its own kind of tournament.
type NativeTournament interface {
	// Tournament plays the tournament that the game's settings describe, and returns its table: the
	// names of the columns, then a row for each player, the best first. It returns an error for
	// players or settings that the original's tournament does not have, and that of ctx when it has
	// ended.
	Tournament(ctx context.Context, t Tournament) ([][]string, error)
	// TournamentHelp describes the tournament in sentences.
	TournamentHelp() string
}

// Tournament describes who plays in a tournament, and how.
type Tournament struct {
	Names   []string
	Players []Player // of the names
	Rounds  int      // how often the whole tournament is played; at least 1
	Seed    Seed
	Workers int // goroutines; 0 means one for each processor
	// if not nil, called now and then with the number of games or matches so far, one call at a
	// time
	Progress func(done, total int)
}

// Meetings calls play for every combination of players that fills the seats, once a round, and
// returns its results by round, then by combination in lexicographic order. play gets the numbers
// of the players, rising, and a seed of its own.
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

// Table returns the table of a tournament from numbers by player. Players are sorted by the first
// column, the greatest number first, then by the second, and so on; equal players keep their order.
// Numbers are rounded to two decimals.
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
