package engine

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"sync"

	"gonum.org/v1/gonum/stat/combin"

	"clade/engine/system/parallel"
)

// RoundRobin is a schedule in which every combination of as many players as a game has seats meets
// on a number of boards. The caller decides what is played on a board.
type RoundRobin struct {
	Players int // numbered from 0
	Seats   int // players of one combination
	Boards  int // of each combination
	// most boards of one combination that a goroutine plays at a time; 0 means 1. A Batcher is
	// faster with more games at once
	Block   int
	Workers int // goroutines; 0 means one for each processor
	// if not nil, called after each block with the number of boards, one call at a time
	Progress func(done, total int)
}

// Block is consecutive boards of one combination of players.
type Block struct {
	Combination int   // its number, in lexicographic order
	Members     []int // rising
	First, End  int   // boards First..End-1
}

// maxCombinations bounds the combinations of a round robin, far above what can be played in
// practice.
const maxCombinations = 1 << 31

// Each calls play for every block, from several goroutines and in any order, with a referee for
// each goroutine. It returns the error of ctx if that has ended, else an error of play; see
// parallel.Each. It also returns an error if there are fewer players than seats, or more than
// maxCombinations.
func (rr RoundRobin) Each(ctx context.Context, play func(r *Referee, b Block) error) error {
	if rr.Seats < 1 || rr.Boards < 1 || rr.Block < 0 || rr.Workers < 0 {
		return fmt.Errorf("engine: a round robin with %d seats on %d boards, %d at a time by %d "+
			"workers", rr.Seats, rr.Boards, rr.Block, rr.Workers)
	}
	if rr.Players < rr.Seats {
		return fmt.Errorf("engine: a round robin with %d seats needs as many players, not %d",
			rr.Seats, rr.Players)
	}
	if combin.GeneralizedBinomial(float64(rr.Players), float64(rr.Seats)) > maxCombinations {
		return fmt.Errorf("engine: %d players in %d seats make more than %d combinations; take "+
			"fewer of either", rr.Players, rr.Seats, maxCombinations)
	}
	rr.Workers = cmp.Or(rr.Workers, runtime.GOMAXPROCS(0))
	length := max(rr.Block, 1)
	blocks := (rr.Boards + length - 1) / length
	total := combin.Binomial(rr.Players, rr.Seats)
	var lock sync.Mutex // of progress
	done := 0
	referees := make([]Referee, rr.Workers)
	return parallel.Each(ctx, total*blocks, rr.Workers, func(worker, i int) error {
		b := Block{Combination: i / blocks, First: i % blocks * length}
		b.Members = combin.IndexToCombination(nil, b.Combination, rr.Players, rr.Seats)
		b.End = min(b.First+length, rr.Boards)
		if err := play(&referees[worker], b); err != nil || rr.Progress == nil {
			return err
		}
		lock.Lock()
		defer lock.Unlock()
		done += b.End - b.First
		rr.Progress(done, total*rr.Boards)
		return nil
	})
}

// Standing is the totals of a player over some games.
type Standing struct {
	Games int               // games played
	Wins  int               // games won by the rules of the game
	Ties  int               // games that nobody won
	Score float64           // total
	Marks [MaxMarks]float64 // total of each mark
}

// Standings plays games between all players at once, each board once in every rotation of the
// seats, and returns the standing of each. It returns an error if the game does not have that many
// seats.
func (r *Referee) Standings(g Game, players []Player, boards int, seed Seed) ([]Standing, error) {
	if info := g.Info(); len(players) < info.MinSeats || len(players) > info.MaxSeats {
		return nil, fmt.Errorf("engine: a game with %d seats; %s has %d to %d", len(players),
			info.Name, info.MinSeats, info.MaxSeats)
	}
	return Sum(len(players), r.Boards(g, players, BoardsOf(len(players), seed), 0, boards)), nil
}

// BoardsOf returns the seed of the boards of Standings.
func BoardsOf(players int, seed Seed) Seed {
	for i := range players {
		seed = seed.Num(uint64(i))
	}
	return seed.Name("board")
}

// Sum returns the standings of n players over games that Referee.Boards has played.
func Sum(n int, games []Result) []Standing {
	all := make([]Standing, n)
	if n == 2 { // marks are binary32 sums, as in a match
		var o Outcome
		for i := range games {
			o.add(&games[i], i&1)
		}
		for p := range all {
			all[p] = Standing{Games: o.Games, Wins: o.Wins[p],
				Ties: o.Games - o.Wins[0] - o.Wins[1], Score: o.Scores[p]}
			for i, mark := range o.Marks[p] {
				all[p].Marks[i] = float64(mark)
			}
		}
		return all
	}
	for i, result := range games {
		for p := range all {
			seat := (p + i) % n
			s := Standing{Games: 1, Wins: count(result.Winner() == seat),
				Ties: count(result.Winner() == Tie), Score: result.Scores[seat]}
			for k, mark := range result.Marks[seat] {
				s.Marks[k] = float64(mark)
			}
			all[p].Add(&s)
		}
	}
	return all
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Add adds the totals of more games.
func (s *Standing) Add(more *Standing) {
	s.Games += more.Games
	s.Wins += more.Wins
	s.Ties += more.Ties
	s.Score += more.Score
	for i, mark := range more.Marks {
		s.Marks[i] += mark
	}
}
