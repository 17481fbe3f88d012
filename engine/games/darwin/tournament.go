package darwin

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat/combin"

	"clade/engine"
	"clade/engine/system/parallel"
)

// entrant takes part in a tournament.
type entrant struct {
	name   string
	player engine.Player
}

// standing is an entrant's line in the table of a tournament of natural selection.
type standing struct {
	name    string
	games   int
	points  int
	endings [ascension + 1]int // games by ending
}

// mazeStanding is an entrant's line in the table of a maze tournament.
type mazeStanding struct {
	name   string
	runs   [mazeRuns]float64 // seconds; mazePenalty for a run that failed
	failed int
	mean   float64 // seconds, of the runs that the rule set counts
}

// Numbers of the tournaments (handbook, section 8, and the original program).
const (
	groupSize   = 4   // species in a game of natural selection
	mazeRuns    = 6   // of each entrant
	mazePenalty = 6.0 // seconds, for a run that failed; also the most that a run can count
)

// naturalSelection plays every combination of four entrants once on the game's map, in seats that
// the seed draws. It returns the table: most points first, then most dominations, then the order of
// entry. It returns an error for a maze, a map without room for four, and fewer than four entrants.
func (g *game) naturalSelection(entrants []entrant, seed engine.Seed) ([]standing, error) {
	switch {
	case g.maze || g.seats < groupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs a map with "+
			"starts for %d species; %q has %d", groupSize, g.settings.Map, g.seats)
	case len(entrants) < groupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs at least %d "+
			"entrants, not %d", groupSize, len(entrants))
	}
	type played struct {
		members []int // by seat
		endings [maxSeats]ending
	}
	games := make([]played, combin.Binomial(len(entrants), groupSize))
	every := engine.RoundRobin{Players: len(entrants), Seats: groupSize, Boards: 1}
	err := every.Each(context.Background(), func(_ *engine.Referee, b engine.Block) error {
		number := uint64(b.Combination)
		random := engine.NewRandom(uint64(seed.Name("seats").Num(number)))
		for k := groupSize - 1; k > 0; k-- {
			j := random.Below(k + 1)
			b.Members[k], b.Members[j] = b.Members[j], b.Members[k]
		}
		players := make([]engine.Player, groupSize)
		for k, e := range b.Members {
			players[k] = entrants[e].player
		}
		game := &games[number]
		game.members = b.Members
		_, game.endings = g.play(players, uint64(seed.Name("game").Num(number)), nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	table := make([]standing, len(entrants))
	for i, e := range entrants {
		table[i].name = e.name
	}
	for i := range games {
		for seat, e := range games[i].members {
			s, end := &table[e], games[i].endings[seat]
			s.games++
			s.points += end.points()
			s.endings[end]++
		}
	}
	slices.SortStableFunc(table, byPoints)
	return table, nil
}

// byPoints orders by points, then by dominations, more first.
func byPoints(a, b standing) int {
	return cmp.Or(cmp.Compare(b.points, a.points),
		cmp.Compare(b.endings[domination], a.endings[domination]))
}

// mazeTournament lets every entrant run the game's maze six times. It returns the table: lowest
// mean first, then the order of entry. The original's rules leave out an entrant's worst run, the
// handbook's count all six. It returns an error if the map is not a maze.
func (g *game) mazeTournament(entrants []entrant, seed engine.Seed) ([]mazeStanding, error) {
	if !g.maze {
		return nil, fmt.Errorf("darwin: a maze tournament needs a map with a treasure; %q has none",
			g.settings.Map)
	}
	table := make([]mazeStanding, len(entrants))
	failed := make([][mazeRuns]bool, len(entrants))
	_ = parallel.Each(context.Background(), mazeRuns*len(entrants), 0, func(_, i int) error {
		e, run := i/mazeRuns, i%mazeRuns
		r, endings := g.play([]engine.Player{entrants[e].player},
			uint64(seed.Name("run").Num(uint64(run))), nil)
		time := -r.Scores[0]
		if endings[0] != domination {
			failed[e][run], time = true, mazePenalty
		}
		table[e].runs[run] = min(time, mazePenalty)
		return nil
	})
	for e := range table {
		s := &table[e]
		s.name = entrants[e].name
		for _, f := range failed[e] {
			if f {
				s.failed++
			}
		}
		runs := s.runs
		slices.Sort(runs[:])
		counted := runs[:mazeRuns-1]
		if g.rules.allRuns {
			counted = runs[:]
		}
		sum := 0.0
		for _, t := range counted {
			sum += t
		}
		s.mean = sum / float64(len(counted))
	}
	slices.SortStableFunc(table, func(a, b mazeStanding) int { return cmp.Compare(a.mean, b.mean) })
	return table, nil
}

// TournamentHelp says what Tournament plays.
func (g *game) TournamentHelp() string {
	return `In the Darwin Game that is natural selection, every combination of four species
once on a map for four with points for how each game ended; or, on a map with a
treasure, six runs of every species through the maze.`
}

// Tournament holds the tournament of the game's map: of natural selection, or of mazes. Points are
// whole numbers, times in seconds.
func (g *game) Tournament(names []string, players []engine.Player, seed engine.Seed) ([][]string,
	error) {
	if len(names) != len(players) {
		return nil, fmt.Errorf("darwin: %d names for %d players", len(names), len(players))
	}
	entrants := make([]entrant, len(players))
	for i, p := range players {
		entrants[i] = entrant{names[i], p}
	}
	if g.maze {
		table, err := g.mazeTournament(entrants, seed)
		if err != nil {
			return nil, err
		}
		return mazeLines(table), nil
	}
	table, err := g.naturalSelection(entrants, seed)
	if err != nil {
		return nil, err
	}
	return standingLines(table), nil
}

// standingLines returns a table as text, with a line of names first.
func standingLines(table []standing) [][]string {
	lines := [][]string{{"rank", "name", "points", "games", "ascensions", "dominations",
		"majorities", "survivals", "losses"}}
	for i, s := range table {
		line := []string{strconv.Itoa(i + 1), s.name, strconv.Itoa(s.points), strconv.Itoa(s.games)}
		for e := ascension; ; e-- {
			line = append(line, strconv.Itoa(s.endings[e]))
			if e == lost {
				break
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// mazeLines returns a table as text, with a line of names first.
func mazeLines(table []mazeStanding) [][]string {
	head := []string{"rank", "name", "mean", "failed"}
	for run := range mazeRuns {
		head = append(head, "run"+strconv.Itoa(run+1))
	}
	lines := [][]string{head}
	for i, s := range table {
		line := []string{strconv.Itoa(i + 1), s.name, formatSeconds(s.mean), strconv.Itoa(s.failed)}
		for _, t := range s.runs {
			line = append(line, formatSeconds(t))
		}
		lines = append(lines, line)
	}
	return lines
}

func formatSeconds(t float64) string { return strconv.FormatFloat(t, 'f', 7, 64) }
