package survey

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/stat/combin"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/rating"
	"clade/engine"
	"clade/experiments/runner"
)

// Melee is a league of a game for three or more at once, rated.
type FreeForAll struct {
	Players []string
	Seats   int // players of a game
	Games   int // of each combination of players
	// Plackett-Luce, strongest first; 95 % intervals by bootstrap over boards
	Standings []rating.Standing
	// share of their games in which the row was placed before the column, a shared place a half;
	// NaN on the diagonal
	Ahead [][]float64
}

// maxMelee bounds the games of a melee, more than anybody waits for.
const maxGames = 1 << 24

// PlayMelee lets every combination of players that fills the seats play on a number of boards, each
// board once in every rotation of the seats. The winner by the rules has the first place, and the
// scores give the others. The same arguments give the same melee for any number of workers.
// Progress, if not nil, is called after each game, one call at a time.
func PlayFreeForAll(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	seats,
	boards int, seed engine.Seed, workers int, progress func(done, total int)) (*FreeForAll,
	error) {
	if info := g.Info(); seats < 3 || seats < info.MinSeats || seats > info.MaxSeats ||
		seats > len(players) {
		return nil, fmt.Errorf("a melee of %d seats needs three or more of them, as "+
			"many players, and a game with so many: %s has %d to %d, and there are %d players",
			seats, info.Name, info.MinSeats, info.MaxSeats, len(players))
	}
	if combin.GeneralizedBinomial(float64(len(players)), float64(seats)) >
		float64(maxGames/(seats*boards)) {
		return nil, fmt.Errorf("every %d of %d players on %d boards are more than "+
			"%d games; take fewer players or boards", seats, len(players), boards, maxGames)
	}
	fields := combin.Combinations(len(players), seats)
	games := make([]rating.Finish, len(fields)*boards*seats)
	var lock sync.Mutex // of progress
	done := 0
	err := runner.Each(ctx, len(games), workers, func(i int) error {
		field, board, turn := fields[i/(boards*seats)], i/seats, i%seats
		games[i] = playFinish(g, players, field, board, turn, seed)
		lock.Lock()
		defer lock.Unlock()
		if done++; progress != nil {
			progress(done, len(games))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m := &FreeForAll{Players: names, Seats: seats, Games: boards * seats,
		Ahead: ahead(len(players), games)}
	m.Standings, err = rating.RatePlackettLuce(len(players), games, leagueConfident,
		leagueResamples, seed.Name("bootstrap"))
	return m, err
}

// playFinish plays a board with the field turned by a number of seats.
func playFinish(g engine.Game, players []engine.Player, field []int, board, turn int,
	seed engine.Seed) rating.Finish {
	f := rating.Finish{Board: board}
	var seated []engine.Player
	for seat := range field {
		p := field[(seat+turn)%len(field)]
		f.Players, seated = append(f.Players, p), append(seated, players[p])
	}
	r := g.Play(seated, uint64(seed.Num(uint64(board))), nil)
	f.Scores = append(f.Scores, r.Scores[:len(field)]...)
	if r.Winner != engine.Tie {
		f.Scores[r.Winner] = math.Inf(1)
	}
	return f
}

// ahead counts who was placed before whom.
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

// Table returns the ratings as data: a row a player, strongest first, in Elo.
func (m *FreeForAll) Table() *analysis.Table {
	t := analysis.NewTable("player", "elo", "elo_low", "elo_high", "rank_low", "rank_high")
	for _, s := range m.Standings {
		elo := func(x float64) float64 { return x * rating.EloPerNat }
		t.Add(m.Players[s.Player], elo(s.Strength.Estimate), elo(s.Strength.Low),
			elo(s.Strength.High), s.RankLow, s.RankHigh)
	}
	return t
}

// Draw saves ratings and who was placed before whom, with their data, into a directory and returns
// the paths. Without formats it writes all of them.
func (m *FreeForAll) Draw(dir string, formats ...figure.Format) ([]string, error) {
	var names []string // strongest first
	points := make([][]float64, len(m.Players))
	for i, s := range m.Standings {
		names = append(names, m.Players[s.Player])
		for _, other := range m.Standings {
			points[i] = append(points[i], m.Ahead[s.Player][other.Player])
		}
	}
	return runner.SaveAll([]*figure.Figure{figure.Ratings(m.Players, m.Standings),
		figure.RoundRobin(names, points)}, dir, formats)
}
