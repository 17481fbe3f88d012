package league

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/rating"
	"clade/engine"
)

// FreeForAll is a league of a game for three or more at once, rated by Plackett-Luce. Its points
// are the games in which a player was placed before the other, a shared place a half.
type FreeForAll struct {
	Ranking
	Seats int // players of a game
}

// maxGames bounds the games of a free-for-all.
const maxGames = 1 << 24

func playFreeForAll(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	seats, boards int, seed engine.Seed, workers int, progress func(done, total int),
	cache *Cache) (*FreeForAll, error) {
	if info := g.Info(); seats < info.MinSeats || seats > info.MaxSeats || seats > len(players) {
		return nil, fmt.Errorf("a free-for-all of %d seats needs as many players, and a game with "+
			"that many seats: %s has %d to %d, and there are %d players", seats, info.Name,
			info.MinSeats, info.MaxSeats, len(players))
	}
	if combin.GeneralizedBinomial(float64(len(players)), float64(seats)) >
		float64(maxGames/(seats*boards)) {
		return nil, fmt.Errorf("every %d of %d players on %d boards are more than "+
			"%d games; take fewer players or boards", seats, len(players), boards, maxGames)
	}
	games := make([]rating.Finish, combin.Binomial(len(players), seats)*boards*seats)
	rr := engine.RoundRobin{Players: len(players), Seats: seats, Boards: boards, Workers: workers,
		Progress: progress}
	err := each(ctx, rr, func(r *engine.Referee, b engine.Block) error {
		seated := make([]engine.Player, seats)
		for i, m := range b.Members {
			seated[i] = players[m]
		}
		first := b.Combination * boards // boards have numbers of their own in each combination
		name := fmt.Sprintf("free %016x %d", uint64(seed), first+b.First)
		ends, ok := Recall[[]end](cache, name)
		if !ok {
			for _, result := range r.Boards(g, seated, seed, first+b.First, first+b.End) {
				ends = append(ends, end{slices.Clone(result.Scores[:seats]), result.Winner()})
			}
			cache.Record(name, ends)
		}
		for i := range ends {
			board, turn := first+b.First+i/seats, i%seats
			// games of a board stand in the order of the members in the first seat
			games[board*seats+(seats-turn)%seats] = finish(&ends[i], b.Members, board, turn)
		}
		return nil
	})
	if err = Stopped(ctx, err); err != nil {
		return nil, err
	}
	m := &FreeForAll{Ranking{Players: names, Games: boards * seats,
		Points: ahead(len(players), games)}, seats}
	m.Standings, err = rating.RatePlackettLuce(len(players), games, confident,
		leagueResamples, seed.Name("bootstrap"))
	return m, err
}

// end is the result of a game, by seat.
type end struct {
	Scores []float64
	Winner int
}

// finish returns the places of a game in which member i sat in seat (i+turn) mod n. Players stand
// in the order of their seats.
func finish(e *end, members []int, board, turn int) rating.Finish {
	n := len(members)
	f := rating.Finish{Board: board, Scores: slices.Clone(e.Scores)}
	for seat := range members {
		f.Players = append(f.Players, members[(seat+n-turn)%n])
	}
	if e.Winner != engine.Tie {
		f.Scores[e.Winner] = math.Inf(1)
	}
	return f
}

// ahead returns the shares of games in which each player was placed before each other one.
func ahead(players int, games []rating.Finish) [][]float64 {
	points, met := make([][]float64, players), make([][]float64, players)
	for i := range points {
		points[i], met[i] = make([]float64, players), make([]float64, players)
	}
	for _, g := range games {
		for i, a := range g.Players {
			for j, b := range g.Players {
				met[a][b]++
				if g.Scores[i] > g.Scores[j] {
					points[a][b]++
				} else if g.Scores[i] == g.Scores[j] {
					points[a][b] += 0.5
				}
			}
		}
	}
	for i := range points {
		for j := range points {
			points[i][j] /= met[i][j]
		}
		points[i][i] = math.NaN()
	}
	return points
}

// Table returns the ratings as data: a row a player, strongest first, as League.Table does.
func (m *FreeForAll) Table() *analysis.Table {
	return m.table(nil, func(int) []any { return nil })
}

// FirstBoard returns the game of Play among n players in which two of them met first: the players
// in the order of their seats, and the seed.
func FirstBoard(seed engine.Seed, n, seats, boards, a, b int) (members []int, board engine.Seed) {
	if seats == 2 {
		return []int{a, b}, Numbered(seed, n, nil)(min(a, b), max(a, b)).Seed.Num(0)
	}
	members = []int{min(a, b), max(a, b)}
	for i := 0; len(members) < seats; i++ {
		if i != a && i != b {
			members = append(members, i)
		}
	}
	slices.Sort(members)
	combination := combin.CombinationIndex(members, n, seats)
	return members, seed.Num(uint64(combination * boards))
}

// Figures draws ratings and who was placed before whom.
func (m *FreeForAll) Figures() []*figure.Figure {
	ratings, names, points := m.figure()
	return []*figure.Figure{ratings, figure.PlacedBefore(names, points)}
}
