package league

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"clade/engine"
	"clade/engine/system/parallel"
	"clade/evolve"
)

// Match is a number of boards that all players play in one game, each board once in every rotation
// of the seats.
type Match struct {
	Game    engine.Game
	Players []engine.Player
	Boards  int // at least 1
	Seed    engine.Seed
	Workers int // goroutines; 0 means GOMAXPROCS. Their number changes no result
	// called after each piece of the games, one call at a time; nil for nothing
	Progress func(done, total int)
	Cache    *Cache // what it holds is not played again; may be nil
}

const (
	// boards whose seeds are derived together, and which are added up together: sums of floats
	// depend on it
	blockBoards = 25
	// pieces of the games for each worker where there are few, so that all have some and end
	// together
	piecesEach = 4
	// blocks of a round for each worker. What was played before the round goes into the cache as
	// one sum
	roundBlocks = 256
	// what a piece must last to be kept by itself
	slowPiece = 100 * time.Millisecond
)

// played is the cached sum of the blocks before a round.
type played struct {
	Blocks int
	Sum    []engine.Standing
}

// Play plays the games of the match, and returns the standing of each player.
func (m *Match) Play(ctx context.Context) ([]engine.Standing, error) {
	n := len(m.Players)
	if info := m.Game.Info(); n < info.MinSeats || n > info.MaxSeats || m.Boards < 1 {
		return nil, fmt.Errorf(
			"a game of %d players on %d boards; %s is for %d to %d, on 1 or more",
			n, m.Boards, info.Name, info.MinSeats, info.MaxSeats)
	}
	workers := m.Workers
	workers = cmp.Or(workers, runtime.GOMAXPROCS(0))
	blocks := (m.Boards + blockBoards - 1) / blockBoards
	name := fmt.Sprintf("boards %016x", uint64(m.Seed))
	before, _ := Recall[played](m.Cache, name)
	for before.Blocks < blocks {
		end := min(before.Blocks+roundBlocks*workers, blocks)
		sums, err := m.round(ctx, before.Blocks, end, workers)
		if err != nil {
			return nil, Stopped(ctx, err)
		}
		for i, sum := range sums { // in order, because sums of floats depend on it
			if before.Blocks+i == 0 {
				before.Sum = sum
				continue
			}
			for p := range sum {
				before.Sum[p].Add(&sum[p])
			}
		}
		before.Blocks = end
		m.Cache.Record(name, before)
	}
	return before.Sum, nil
}

// round plays the games of blocks first..end-1 and adds up those of each.
func (m *Match) round(ctx context.Context, first, end, workers int) ([][]engine.Standing, error) {
	n := len(m.Players)
	games := func(block int) int { return n * min(blockBoards, m.Boards-block*blockBoards) }
	parts := n * blockBoards // single games
	if b, ok := m.Game.(engine.Batcher); ok && b.Batches(m.Players) {
		parts = min(parts, (piecesEach*workers+end-first-1)/(end-first))
	}
	all := make([]block, end-first)
	done := first * n * blockBoards
	var lock sync.Mutex // of blocks and progress
	referees := make([]engine.Referee, workers)
	err := parallel.Promptly(ctx, func() error {
		return parallel.Each(ctx, len(all)*parts, workers, func(worker, i int) error {
			at, part := i/parts, i%parts
			total := games(first + at)
			from, to := part*total/parts, (part+1)*total/parts
			if from == to {
				return nil // the last block is shorter
			}
			results := m.piece(&referees[worker], first+at, from, to)
			lock.Lock()
			defer lock.Unlock()
			all[at].add(n, total, from, results)
			if done += to - from; m.Progress != nil {
				m.Progress(done, n*m.Boards)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	sums := make([][]engine.Standing, len(all))
	for i := range all {
		sums[i] = all[i].sum
	}
	return sums, nil
}

// block holds the results of games that are added up together.
type block struct {
	results []engine.Result // while some are missing
	have    int
	sum     []engine.Standing
}

// add adds results, from a game on, and computes the sum when the block is complete.
func (b *block) add(players, games, from int, results []engine.Result) {
	b.have += len(results)
	if len(results) < games {
		if b.results == nil {
			b.results = make([]engine.Result, games)
		}
		copy(b.results[from:], results)
		results = b.results
	}
	if b.have == games {
		b.sum, b.results = engine.Sum(players, results), nil
	}
}

// piece plays games first..end-1 of a block.
func (m *Match) piece(r *engine.Referee, block, first, end int) []engine.Result {
	seed := engine.BoardsOf(len(m.Players), m.Seed.Num(uint64(block)))
	name := fmt.Sprintf("games %016x %d-%d", uint64(seed), first, end)
	type kept struct {
		engine.Result
		Winner int
	}
	if all, ok := Recall[[]kept](m.Cache, name); ok {
		results := make([]engine.Result, len(all))
		for i, k := range all {
			results[i] = k.Result
			results[i].Win(k.Winner)
		}
		return results
	}
	began := time.Now()
	results := r.Games(m.Game, m.Players, seed, first, end)
	if time.Since(began) >= slowPiece {
		all := make([]kept, len(results))
		for i := range results {
			all[i] = kept{results[i], results[i].Winner()}
		}
		m.Cache.Record(name, all)
	}
	return results
}

// Stopped returns the error of work that ended with its context, which wraps evolve.ErrStopped, or
// the error as it is.
func Stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("%w while it was measured; everything bred is saved", evolve.ErrStopped)
	}
	return err
}
