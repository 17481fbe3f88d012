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

// naturalSelection plays every combination of four entrants once a round on the game's map, in
// random seats. It returns the table: most points first, then most dominations, then the order of
// entry. It returns an error for a maze, a map without room for four, and fewer than four entrants.
func (g *game) naturalSelection(ctx context.Context, t *engine.Tournament) ([]standing, error) {
	switch {
	case g.maze || g.seats < groupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs a map with "+
			"starts for %d species; %q has %d", groupSize, g.settings.Map, g.seats)
	case len(t.Players) < groupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs at least %d "+
			"entrants, not %d", groupSize, len(t.Players))
	}
	type played struct {
		members []int // by seat
		endings [maxSeats]ending
	}
	games := make([]played, combin.Binomial(len(t.Players), groupSize)*t.Rounds)
	every := engine.RoundRobin{Players: len(t.Players), Seats: groupSize, Boards: t.Rounds,
		Workers: t.Workers, Progress: t.Progress}
	err := every.Each(ctx, func(_ *engine.Referee, b engine.Block) error {
		number, seed := uint64(b.Combination), t.Seed
		if b.First > 0 {
			seed = seed.Name("round").Num(uint64(b.First))
		}
		random := engine.NewRandom(uint64(seed.Name("seats").Num(number)))
		for k := groupSize - 1; k > 0; k-- {
			j := random.Below(k + 1)
			b.Members[k], b.Members[j] = b.Members[j], b.Members[k]
		}
		players := make([]engine.Player, groupSize)
		for k, e := range b.Members {
			players[k] = t.Players[e]
		}
		game := &games[b.Combination*t.Rounds+b.First]
		game.members = b.Members
		_, game.endings = g.play(players, uint64(seed.Name("game").Num(number)), nil)
		return nil
	})
	if err != nil {
		return nil, err
	}
	table := make([]standing, len(t.Players))
	for i := range table {
		table[i].name = t.Names[i]
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
func (g *game) mazeTournament(ctx context.Context, t *engine.Tournament) ([]mazeStanding, error) {
	if !g.maze {
		return nil, fmt.Errorf("darwin: a maze tournament needs a map with a treasure; %q has none",
			g.settings.Map)
	}
	if t.Rounds != 1 {
		return nil, fmt.Errorf("darwin: a maze tournament has %d runs of each, and one round",
			mazeRuns)
	}
	table := make([]mazeStanding, len(t.Players))
	failed := make([][mazeRuns]bool, len(t.Players))
	err := parallel.Each(ctx, mazeRuns*len(t.Players), t.Workers, func(_, i int) error {
		e, run := i/mazeRuns, i%mazeRuns
		r, endings := g.play([]engine.Player{t.Players[e]},
			uint64(t.Seed.Name("run").Num(uint64(run))), nil)
		time := -r.Scores[0]
		if endings[0] != domination {
			failed[e][run], time = true, mazePenalty
		}
		table[e].runs[run] = min(time, mazePenalty)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for e := range table {
		s := &table[e]
		s.name = t.Names[e]
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
func (g *game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	if g.maze {
		table, err := g.mazeTournament(ctx, &t)
		if err != nil {
			return nil, err
		}
		return mazeLines(table), nil
	}
	table, err := g.naturalSelection(ctx, &t)
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
