package darwin

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"clade/engine"
)

// Entrant takes part in a tournament.
type Entrant struct {
	Name   string
	Player engine.Player
}

// Standing is one entrant's line in the table of a tournament of natural selection.
type Standing struct {
	Name    string
	Games   int
	Points  int    // A 3, D 3, m 2, s 1, L 0
	Endings [5]int // how many games ended in each Ending
}

// MazeStanding is one entrant's line in the table of a maze tournament.
type MazeStanding struct {
	Name   string
	Runs   [MazeRuns]float64 // seconds; MazePenalty for a run that failed
	Failed int
	Mean   float64 // seconds, of the runs that the rule set counts
}

// Numbers of the tournaments (handbook, section 8, and the original program).
const (
	GroupSize   = 4   // species in a game of natural selection
	MazeRuns    = 6   // of each entrant
	MazePenalty = 6.0 // seconds, for a run that failed; also the most that a run can count
)

// NaturalSelection plays every combination of four different entrants once on the game's map, in
// seats that the seed draws, and returns the table: most points first, then most dominations, then
// the order of entry. It returns an error if the game is a maze or has no room for four, or if
// there are fewer than four entrants.
func NaturalSelection(g engine.Game, entrants []Entrant, seed engine.Seed) ([]Standing, error) {
	d, ok := g.(*game)
	switch {
	case !ok:
		return nil, fmt.Errorf("darwin: a tournament needs a game of this package, not a %T", g)
	case d.maze || d.seats < GroupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs a map with "+
			"starts for %d species; %q has %d", GroupSize, d.settings.Map, d.seats)
	case len(entrants) < GroupSize:
		return nil, fmt.Errorf("darwin: a tournament of natural selection needs at least %d "+
			"entrants, not %d", GroupSize, len(entrants))
	}
	groups := combinations(len(entrants))
	endings := make([][MaxSeats]Ending, len(groups))
	inParallel(len(groups), func(i int) {
		random := engine.NewRandom(uint64(seed.Name("seats").Num(uint64(i))))
		for k := GroupSize - 1; k > 0; k-- {
			j := random.Below(k + 1)
			groups[i][k], groups[i][j] = groups[i][j], groups[i][k]
		}
		players := make([]engine.Player, GroupSize)
		for k, e := range groups[i] {
			players[k] = entrants[e].Player
		}
		_, endings[i] = d.play(players, uint64(seed.Name("game").Num(uint64(i))), nil)
	})
	table := make([]Standing, len(entrants))
	for i, e := range entrants {
		table[i].Name = e.Name
	}
	for i, group := range groups {
		for seat, e := range group {
			s, end := &table[e], endings[i][seat]
			s.Games++
			s.Points += end.Points()
			s.Endings[end]++
		}
	}
	slices.SortStableFunc(table, byPoints)
	return table, nil
}

// byPoints orders by points, then by dominations, more first.
func byPoints(a, b Standing) int {
	return cmp.Or(cmp.Compare(b.Points, a.Points),
		cmp.Compare(b.Endings[Domination], a.Endings[Domination]))
}

// combinations lists all sets of four of n numbers, in ascending order.
func combinations(n int) (all [][GroupSize]int) {
	for a := range n {
		for b := a + 1; b < n; b++ {
			for c := b + 1; c < n; c++ {
				for d := c + 1; d < n; d++ {
					all = append(all, [GroupSize]int{a, b, c, d})
				}
			}
		}
	}
	return all
}

// MazeTournament lets every entrant run the game's maze six times and returns the table: lowest
// mean first, then the order of entry. The original's rules leave out each entrant's worst run, the
// handbook's count all six. It returns an error if the game is no maze or there is no entrant.
func MazeTournament(g engine.Game, entrants []Entrant, seed engine.Seed) ([]MazeStanding, error) {
	d, ok := g.(*game)
	switch {
	case !ok:
		return nil, fmt.Errorf("darwin: a tournament needs a game of this package, not a %T", g)
	case !d.maze:
		return nil, fmt.Errorf("darwin: a maze tournament needs a map with a treasure; %q has none",
			d.settings.Map)
	case len(entrants) == 0:
		return nil, fmt.Errorf("darwin: a maze tournament needs an entrant")
	}
	table := make([]MazeStanding, len(entrants))
	failed := make([][MazeRuns]bool, len(entrants))
	inParallel(MazeRuns*len(entrants), func(i int) {
		e, run := i/MazeRuns, i%MazeRuns
		r, endings := d.play([]engine.Player{entrants[e].Player},
			uint64(seed.Name("run").Num(uint64(run))), nil)
		time := -r.Scores[0]
		if endings[0] != Domination {
			failed[e][run], time = true, MazePenalty
		}
		table[e].Runs[run] = min(time, MazePenalty)
	})
	for e := range table {
		s := &table[e]
		s.Name = entrants[e].Name
		for _, f := range failed[e] {
			if f {
				s.Failed++
			}
		}
		runs := s.Runs
		slices.Sort(runs[:])
		counted := runs[:MazeRuns-1]
		if d.rules.AllRuns {
			counted = runs[:]
		}
		sum := 0.0
		for _, t := range counted {
			sum += t
		}
		s.Mean = sum / float64(len(counted))
	}
	slices.SortStableFunc(table, func(a, b MazeStanding) int { return cmp.Compare(a.Mean, b.Mean) })
	return table, nil
}

// inParallel calls f with 0..n-1, on all processors.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wait.Wait()
}

// Tournament holds the tournament of the game's map: of natural selection, or of mazes. Points are
// whole numbers, times are in seconds.
func (g *game) Tournament(names []string, players []engine.Player, seed engine.Seed) ([][]string,
	error) {
	if len(names) != len(players) {
		return nil, fmt.Errorf("darwin: %d names for %d players", len(names), len(players))
	}
	entrants := make([]Entrant, len(players))
	for i, p := range players {
		entrants[i] = Entrant{names[i], p}
	}
	if g.maze {
		table, err := MazeTournament(g, entrants, seed)
		if err != nil {
			return nil, err
		}
		return mazeLines(table), nil
	}
	table, err := NaturalSelection(g, entrants, seed)
	if err != nil {
		return nil, err
	}
	return standingLines(table), nil
}

// standingLines returns a table as text, with a line of names first.
func standingLines(table []Standing) [][]string {
	lines := [][]string{{"rank", "name", "points", "games", "ascensions", "dominations",
		"majorities", "survivals", "losses"}}
	for i, s := range table {
		line := []string{strconv.Itoa(i + 1), s.Name, strconv.Itoa(s.Points), strconv.Itoa(s.Games)}
		for e := Ascension; ; e-- {
			line = append(line, strconv.Itoa(s.Endings[e]))
			if e == Lost {
				break
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// mazeLines returns a table as text, with a line of names first.
func mazeLines(table []MazeStanding) [][]string {
	head := []string{"rank", "name", "mean", "failed"}
	for run := range MazeRuns {
		head = append(head, "run"+strconv.Itoa(run+1))
	}
	lines := [][]string{head}
	for i, s := range table {
		line := []string{strconv.Itoa(i + 1), s.Name, formatSeconds(s.Mean), strconv.Itoa(s.Failed)}
		for _, t := range s.Runs {
			line = append(line, formatSeconds(t))
		}
		lines = append(lines, line)
	}
	return lines
}

func formatSeconds(t float64) string { return strconv.FormatFloat(t, 'f', 7, 64) }
