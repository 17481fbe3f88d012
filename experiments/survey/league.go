package survey

import (
	"context"
	"fmt"
	"math"
	"sync"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/engine"
	"clade/engine/parallel"
	"clade/experiments/match"
	"clade/experiments/resultcache"
)

// League is a round robin of a game for two, rated.
type League struct {
	Players  []string
	Games    int // of each pair
	Pairings []rating.Pairing
	// Bradley-Terry with seat advantage and ties; 95 % intervals by bootstrap over boards
	Rated *rating.League
	// points of the row against the column, a win 1 and a tie a half, as a share; NaN on the
	// diagonal
	Points [][]float64
	Cycles monitor.Cycles // three-cycles that intervals support
	Curl   *monitor.CurlTest
	// by player: its part of the mixture that no player beats, of greatest entropy; nil where the
	// search for it did not settle
	Nash  []float64
	Alpha []float64 // by player: its share of alpha-rank, in the limit of great alpha
}

// Sizes of the resampling behind a league's intervals and tests.
const (
	leagueResamples = 1000
	leagueBlock     = 32 // boards that a goroutine plays at a time: four times sixteen games
	leagueMutants   = 50 // individuals of alpha-rank's population, as in its paper
)

// PlayLeague lets every player play every other one on a number of boards, each board once in
// either seat. The same arguments give the same league for any number of workers. Progress, if not
// nil, is called now and then with the number of boards, one call at a time. Blocks of games that
// the cache holds are not played; it may be nil.
func PlayLeague(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	boards int, seed engine.Seed, workers int, progress func(done, total int),
	cache *resultcache.Cache) (*League, error) {
	if info := g.Info(); info.MinSeats > 2 || info.MaxSeats < 2 {
		return nil, fmt.Errorf(
			"a league of pairs is for games for two, and %s has %d to %d seats; "+
				"clade league --seats plays more at a time", info.Name, info.MinSeats,
			info.MaxSeats)
	}
	l := &League{Players: names, Games: 2 * boards}
	var err error
	if l.Pairings, err = PlayPairs(ctx, g, players, boards, seed, workers, progress,
		cache); err != nil {
		return nil, err
	}
	return l, l.rate(seed)
}

// rate computes everything that follows from the pairings.
func (l *League) rate(seed engine.Seed) (err error) {
	n := len(l.Players)
	if l.Rated, err = rating.Rate(n, l.Pairings, confident, leagueResamples,
		seed.Name("bootstrap")); err != nil {
		return err
	}
	if l.Points, err = rating.Scores(n, l.Pairings); err != nil {
		return err
	}
	payoffs := rating.Payoffs(l.Points)
	if nash, _, err := rating.NashAverage(payoffs); err == nil {
		l.Nash = nash
	}
	if l.Alpha, err = rating.AlphaRankLimit(payoffs, leagueMutants); err != nil {
		return err
	}
	l.Cycles = monitor.CountCycles(n, l.Pairings, confident)
	if n > 2 {
		l.Curl, err = monitor.CurlSignificance(n, l.Pairings, leagueResamples, seed.Name("curl"))
	}
	return err
}

// PlayPairs plays boards in both seats for every pair of players, as PlayLeague. Pairs are spread
// over workers in blocks of boards, so that many short pairings keep all of them busy.
func PlayPairs(ctx context.Context, g engine.Game, players []engine.Player, boards int,
	seed engine.Seed, workers int, progress func(done, total int),
	cache *resultcache.Cache) ([]rating.Pairing, error) {
	var pairings []rating.Pairing
	for a := range players {
		for b := a + 1; b < len(players); b++ {
			pairings = append(pairings, rating.Pairing{A: a, B: b})
		}
	}
	var lock sync.Mutex // of the pairings; counts do not depend on the order of blocks
	rr := engine.RoundRobin{Players: len(players), Seats: 2, Boards: boards, Block: leagueBlock,
		Workers: workers, Progress: progress}
	err := each(ctx, rr, func(r *engine.Referee, b engine.Block) error {
		name := fmt.Sprintf("pair %016x %d %d", uint64(seed), b.Combination, b.First)
		counts, ok := resultcache.Recall[[9]int](cache, name)
		if !ok {
			var p rating.Pairing
			pair := []engine.Player{players[b.Members[0]], players[b.Members[1]]}
			results := r.Boards(g, pair, seed.Num(uint64(b.Combination)), b.First, b.End)
			for i := 0; i < len(results); i += 2 {
				p.Add(outcome(results[i].Winner(), 0), outcome(results[i+1].Winner(), 1))
			}
			counts = p.Boards
			cache.Record(name, counts)
		}
		lock.Lock()
		defer lock.Unlock()
		for k, c := range counts {
			pairings[b.Combination].Boards[k] += c
		}
		return nil
	})
	return pairings, match.Stopped(ctx, err)
}

// each plays the blocks of a round robin, and does not wait for a long game when ctx has ended.
func each(ctx context.Context, rr engine.RoundRobin,
	play func(*engine.Referee, engine.Block) error) error {
	return parallel.Promptly(ctx, func() error { return rr.Each(ctx, play) })
}

// BoardSeed returns the seed of the first board of the players a < b, of n, in PlayPairs: of both
// games there, in the first of which a has the first seat.
func BoardSeed(seed engine.Seed, n, a, b int) engine.Seed {
	pair := a*n - a*(a+1)/2 + b - a - 1 // its number in lexicographic order
	return seed.Num(uint64(pair)).Num(0)
}

// outcome returns what a game was for the player in a seat.
func outcome(winner, seat int) rating.Outcome {
	switch winner {
	case engine.Tie:
		return rating.Tie
	case seat:
		return rating.Win
	default:
		return rating.Loss
	}
}

// Table returns the ratings as data: a row a player, strongest first, in Elo, with its shares of
// the Nash average and of alpha-rank.
func (l *League) Table() *analysis.Table {
	t := analysis.NewTable("player", "elo", "elo_low", "elo_high", "rank_low", "rank_high", "nash",
		"alpha_rank")
	for _, s := range l.Rated.Standings {
		elo := func(x float64) float64 { return x * rating.EloPerNat }
		t.Add(l.Players[s.Player], elo(s.Strength.Estimate), elo(s.Strength.Low),
			elo(s.Strength.High), s.RankLow, s.RankHigh, l.NashShare(s.Player), l.Alpha[s.Player])
	}
	return t
}

// NashShare returns a player's part of the Nash average, NaN where none was found.
func (l *League) NashShare(player int) float64 {
	if l.Nash == nil {
		return math.NaN()
	}
	return l.Nash[player]
}

// Draw saves the league's figures with their data into a directory and returns the paths. Without
// formats it writes all of them.
func (l *League) Draw(dir string, formats ...figure.Format) ([]string, error) {
	return figure.SaveAll(l.Figures(), dir, formats)
}

// Figures returns ratings, results and the test for intransitivity, and the disc embedding.
func (l *League) Figures() []*figure.Figure {
	var names []string // strongest first
	points := make([][]float64, len(l.Players))
	for i, s := range l.Rated.Standings {
		names = append(names, l.Players[s.Player])
		for _, other := range l.Rated.Standings {
			points[i] = append(points[i], l.Points[s.Player][other.Player])
		}
	}
	figures := []*figure.Figure{figure.Ratings(l.Players, l.Rated.Standings),
		figure.RoundRobin(names, points)}
	if l.Curl != nil {
		figures = append(figures, figure.Curl(l.Curl))
	}
	if discs, err := monitor.Embed(rating.Payoffs(points), 1); err == nil && len(discs) > 0 {
		figures = append(figures, figure.Disc(names, discs[0]))
	}
	return figures
}
