package engine

import (
	"cmp"
	"context"
	"flag"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/combin"
)

// NativeMatch is a game that can play single games as its original program does, with that
// program's flags, console lines and files.
type NativeMatch interface {
	// NativeMatch declares the original program's flags and returns how a game is played with them.
	NativeMatch(flags *flag.FlagSet) Native
}

// Native tells how a game's original program plays single games.
type Native struct {
	About    string            // sentences on the original's flags and files
	Examples []string          // operands and flags, one command each
	Names    []string          // that the original gives to players, by seat
	Settings []string          // of the game as the original plays it, KEY=VALUE
	Keys     []string          // flags that set the game's setting of the same name
	Aliases  map[string]string // the original's names for flags of every match

	// Begin opens the output of one game between players, which it calls by names. The original's
	// lines go to console and other remarks to notes. It returns an error where names, players and
	// flags do not fit, or if files cannot be written.
	Begin func(names, players []string, console, notes io.Writer) (NativeReport, error)
}

// NativeReport writes a game's output as the original program does, while the game is played.
type NativeReport interface {
	Recorder
	// Show returns a scene as the original draws it, and a line on each seat for a terminal.
	Show(Scene) (shown Scene, words []string)
	// Close writes the end of the output and returns it as a value for JSON. It returns the first
	// error of all writes.
	Close(Result) (end any, err error)
}

// Census is a game that can count more than scores from step to step.
type Census interface {
	// Count returns the measures and a recorder that takes them in one game.
	Count() ([]Measure, Counter)
}

// Counter is the recorder of a Census.
type Counter interface {
	Recorder
	// Series returns, for each measure, the values of a seat at 0, 1, 2 and so on. They are never
	// negative, and NaN where there is nothing to measure.
	Series(seat int) [][]float64
}

// Measure describes what a Census counts, and how a figure shows it.
type Measure struct {
	Name       string  // in data: lower case letters and hyphens
	Figure     string  // name of the figure in which it has a panel
	Title      string  // of the panel
	Unit, Axis string  // of the values, and name of the axis along which they are counted
	Scale      float64 // factor of the values in the figure; 100 is for shares, which are at most 1
	// Ends says that values past the end of a series count as 0, unless the series is empty.
	Ends bool
}

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
