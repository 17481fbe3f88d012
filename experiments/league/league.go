// Package league plays bred players against each other: matches, leagues, free-for-alls, scores by
// step, and games that show which subtrees are introns. What was played may be cached, so that a
// call of hours that was interrupted continues where it stopped. It changes no run.
package league

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/engine"
	"clade/engine/system/parallel"
)

// League is a round robin of a game for two, rated by Bradley-Terry with seat advantage and ties.
// Its points count a win 1 and a tie a half.
type League struct {
	Ranking
	Pairings []rating.Pairing
	Curl     *monitor.CurlTest
	Spread   monitor.Spread // 95 % intervals
	// by player: its part of the mixture that no player beats, of greatest entropy; nil where the
	// search for it did not settle
	nash  []float64
	Alpha []float64 // by player: its share of alpha-rank, in the limit of great alpha
}

// Sizes of the resampling behind a league's intervals and tests.
const (
	confident       = 0.95
	leagueResamples = 1000
	spreadResamples = 200
	leagueBlock     = 32 // boards that a goroutine plays at a time: four times sixteen games
	leagueMutants   = 50 // individuals of alpha-rank's population, as in its paper
)

// PlayLeague plays every player against every other one on a number of boards, each board once in
// either seat. The same arguments give the same league for any number of workers. Progress, if not
// nil, is called now and then with the number of boards, one call at a time. Pair returns the
// boards and the cache of a pair; nil means Numbered without a cache.
func PlayLeague(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	boards int, seed engine.Seed, workers int, progress func(done, total int),
	pair func(a, b int) Pair) (*League, error) {
	if pair == nil {
		pair = Numbered(seed, len(players), nil)
	}
	if info := g.Info(); info.MaxSeats < 2 {
		return nil, fmt.Errorf("a league is for games for two or more, and %s has one seat", info.Name)
	}
	l := &League{Ranking: Ranking{Players: names, Games: 2 * boards}}
	var err error
	if l.Pairings, err = PlayPairs(ctx, g, players, boards, workers, progress, pair); err != nil {
		return nil, err
	}
	return l, l.rate(seed)
}

// rate computes everything that follows from the pairings.
func (l *League) rate(seed engine.Seed) (err error) {
	n := len(l.Players)
	if l.Standings, err = rating.Rate(n, l.Pairings, confident, leagueResamples,
		seed.Name("bootstrap")); err != nil {
		return err
	}
	if l.Points, err = rating.Scores(n, l.Pairings); err != nil {
		return err
	}
	payoffs := rating.Payoffs(l.Points)
	if nash, _, err := rating.NashAverage(payoffs); err == nil {
		l.nash = nash
	}
	if l.Alpha, err = rating.AlphaRankLimit(payoffs, leagueMutants); err != nil {
		return err
	}
	if n > 2 {
		l.Curl, err = monitor.CurlSignificance(n, l.Pairings, leagueResamples, seed.Name("curl"))
	}
	if err == nil {
		l.Spread, err = monitor.MeasureSpread(n, l.Pairings, confident, spreadResamples,
			seed.Name("spread"))
	}
	return err
}

// Pair holds the boards on which two players a < b meet, and the cache of their results.
type Pair struct {
	Seed  engine.Seed // of the boards
	Key   string      // begins the names of results in the cache
	Cache *Cache      // blocks of games that it holds are not played; may be nil
	Swap  bool        // the first game of a board, and what is kept, are those of b
}

// Numbered returns the pairs of n players, told apart by their numbers alone.
func Numbered(seed engine.Seed, n int, cache *Cache) func(a, b int) Pair {
	return func(a, b int) Pair {
		k := a*n - a*(a+1)/2 + b - a - 1 // in lexicographic order
		return Pair{Seed: seed.Num(uint64(k)), Cache: cache,
			Key: fmt.Sprintf("pair %016x %d", uint64(seed), k)}
	}
}

// PlayPairs plays boards in both seats for every pair of players, as PlayLeague; in a game for more
// than two, engine.ForTwo says how. Pairs are spread over workers in blocks of boards, so that many
// short pairings keep all of them busy.
func PlayPairs(ctx context.Context, g engine.Game, players []engine.Player, boards int,
	workers int, progress func(done, total int), pair func(a, b int) Pair) ([]rating.Pairing,
	error) {
	g = engine.ForTwo(g)
	var pairings []rating.Pairing
	for a := range players {
		for b := a + 1; b < len(players); b++ {
			pairings = append(pairings, rating.Pairing{A: a, B: b})
		}
	}
	var lock sync.Mutex // of the pairings and progress; counts do not depend on the order of blocks
	done := 0
	rr := engine.RoundRobin{Players: len(players), Seats: 2, Boards: boards, Block: leagueBlock,
		Workers: workers}
	err := each(ctx, rr, func(r *engine.Referee, b engine.Block) error {
		meet := pair(b.Members[0], b.Members[1])
		seated := []engine.Player{players[b.Members[0]], players[b.Members[1]]}
		if meet.Swap {
			slices.Reverse(seated)
		}
		name := fmt.Sprintf("%s %d", meet.Key, b.First)
		part := cached{End: b.First}
		if known, ok := Recall[cached](meet.Cache, name); ok && known.End <= b.End {
			part = known
		}
		tell := func(boards int) {
			lock.Lock()
			defer lock.Unlock()
			if done += boards; progress != nil && boards > 0 {
				progress(done, len(pairings)*rr.Boards)
			}
		}
		tell(part.End - b.First)
		batcher, ok := g.(engine.Batcher)
		batched := ok && batcher.Batches(seated)
		for began := time.Now(); part.End < b.End && ctx.Err() == nil; {
			first := part.End
			if part.End++; batched {
				part.End = b.End
			}
			var p rating.Pairing
			p.Boards = part.Counts
			results := r.Boards(g, seated, meet.Seed, first, part.End)
			for i := 0; i < len(results); i += 2 {
				p.Add(outcome(results[i].Winner(), 0), outcome(results[i+1].Winner(), 1))
			}
			part.Counts = p.Boards
			tell(part.End - first)
			if part.End == b.End || ctx.Err() != nil || time.Since(began) >= slowPart {
				meet.Cache.Record(name, part)
				began = time.Now()
			}
		}
		lock.Lock()
		defer lock.Unlock()
		for k, c := range part.Counts {
			if meet.Swap { // the other's outcomes, and the other's first game is the second
				k = 3*(2-k%3) + 2 - k/3
			}
			pairings[b.Combination].Boards[k] += c
		}
		return ctx.Err()
	})
	return pairings, Stopped(ctx, err)
}

// cached is the cached part of a block: its boards before End.
type cached struct {
	End    int
	Counts [9]int
}

// slowPart is how long boards must take to be cached before their block has ended.
const slowPart = 100 * time.Millisecond

// each plays the blocks of a round robin, and does not wait for a long game when ctx has ended.
func each(ctx context.Context, rr engine.RoundRobin,
	play func(*engine.Referee, engine.Block) error) error {
	return parallel.Promptly(ctx, func() error { return rr.Each(ctx, play) })
}

// outcome returns the outcome of a game for the player in a seat.
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

// Table returns a table of the ratings: a row for each player, strongest first, in Elo, with its
// points as a share, and its shares of the Nash average and of alpha-rank. A rating is NaN if the
// games determine only a bound; bound says which, and the bound is one end of the interval.
func (l *League) Table() *analysis.Table {
	return l.table([]string{"points", "nash", "alpha_rank"}, func(player int) []any {
		return []any{overall(l.Points[player]), l.NashShare(player), l.Alpha[player]}
	})
}

// Boards returns a table of the results behind the ratings: a row for each pair, with the number of
// boards by the ends of the player's two games on a board, the one in the first seat before the one
// in the second.
func (l *League) Boards() *analysis.Table {
	ends := [...]string{"loss", "tie", "win"} // in the order of rating.Outcome
	columns := []string{"player", "opponent"}
	for i := range (rating.Pairing{}).Boards {
		columns = append(columns, ends[i/3]+"_"+ends[i%3])
	}
	t := analysis.NewTable(columns...)
	for _, p := range l.Pairings {
		row := []any{l.Players[p.A], l.Players[p.B]}
		for _, n := range p.Boards {
			row = append(row, n)
		}
		t.Add(row...)
	}
	return t
}

// overall returns the mean of the shares that are not NaN.
func overall(shares []float64) float64 {
	sum, n := 0.0, 0.0
	for _, s := range shares {
		if !math.IsNaN(s) {
			sum, n = sum+s, n+1
		}
	}
	return sum / n
}

// NashShare returns a player's share of the Nash average, NaN if none was found.
func (l *League) NashShare(player int) float64 {
	if l.nash == nil {
		return math.NaN()
	}
	return l.nash[player]
}

// Figures returns ratings, results and the test for intransitivity, and the disc embedding.
func (l *League) Figures() []*figure.Figure {
	ratings, names, points := l.figure()
	figures := []*figure.Figure{ratings, figure.RoundRobin(names, points)}
	if l.Curl != nil {
		figures = append(figures, figure.Curl(l.Curl))
	}
	if discs, err := monitor.Embed(rating.Payoffs(points), 1); err == nil && len(discs) > 0 {
		figures = append(figures, figure.Disc(names, discs[0]))
	}
	return figures
}
