package evolve

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"clade/engine"
	"clade/engine/system/parallel"
)

// play plays a match and counts it.
func (b *breeder) play(w *worker, m engine.Match, first, second engine.Player,
	seed engine.Seed) engine.Outcome {
	o := w.referee.Match(m, b.Game, first, second, seed)
	w.tally.add(Tally{1, int64(o.Games)})
	return o
}

// beats plays a match of the selection between two individuals and tells whether the first wins.
// With parsimony the smaller one wins where a coin would decide.
func (b *breeder) beats(w *worker, x, y *Individual, seed engine.Seed) bool {
	m := engine.Match{Boards: b.Config.Boards, Once: b.Config.Once}
	if b.halves && !m.Once && x.twin(y) {
		winner, games := m.Toss(seed)
		w.tally.add(Tally{1, int64(games)})
		return winner == 0
	}
	o := b.play(w, m, x.Player, y.Player, seed)
	if b.Config.Parsimony && x.Size != y.Size && !m.Decided(&o) && o.Scores[0] == o.Scores[1] {
		return x.Size < y.Size
	}
	return o.Winner == 0
}

// fitter orders two individuals by fitness, the fitter first; with parsimony the smaller one comes
// first among equals.
func (b *breeder) fitter(x, y *Individual, fx, fy float64) int {
	if fx == fy && b.Config.Parsimony {
		return cmp.Compare(x.Size, y.Size)
	}
	return cmp.Compare(fy, fx) // a NaN is less than any number
}

// freeForAll plays games of more than two, all players in each: every board once in every rotation
// of the seats.
func (b *breeder) freeForAll(w *worker, players []engine.Player, boards int,
	seed engine.Seed) ([]engine.Standing, error) {
	t, err := w.referee.Standings(b.Game, players, boards, seed)
	if err != nil {
		return nil, err
	}
	w.tally.add(Tally{1, int64(t[0].Games)})
	return t, nil
}

// rank plays games among a group of individuals and returns their order, the best first.
func (b *breeder) rank(w *worker, group []*Individual, seed engine.Seed) ([]int, error) {
	if len(group) == 2 {
		if b.beats(w, group[0], group[1], seed) {
			return []int{0, 1}, nil
		}
		return []int{1, 0}, nil
	}
	order := shuffled(len(group), seed.Name("lot")) // breaks ties
	other := func(in *Individual) bool { return !in.twin(group[0]) }
	// All players are alike, and each is in every seat of every board.
	if b.halves && !slices.ContainsFunc(group, other) {
		w.tally.add(Tally{1, int64(b.Config.Boards * len(group))})
		return order, nil
	}
	players := make([]engine.Player, len(group))
	for i, in := range group {
		players[i] = in.Player
	}
	t, err := b.freeForAll(w, players, b.Config.Boards, seed)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(order, func(x, y int) int {
		p, q := &t[x], &t[y]
		c := cmp.Or(cmp.Compare(q.Wins, p.Wins), cmp.Compare(q.Score, p.Score))
		if c == 0 && b.Config.Parsimony {
			c = cmp.Compare(group[x].Size, group[y].Size)
		}
		return c
	})
	return order, nil
}

// Batch is the games of one step of a generation: numbered pieces, such as tournaments, each with
// an outcome of a few numbers. The outcome of a piece depends on its number only.
//
// The course of a population follows from its seeds and from the outcomes of its batches, so
// outcomes are all that machines need to exchange.
type Batch struct {
	Pieces, Width int // Width is how many numbers the outcome of a piece has

	workers int
	play    func(piece int, outcome []uint64) (Tally, error)
	valid   validity
}

// Tally counts what was played.
type Tally struct{ Matches, Games int64 }

func (t *Tally) add(more Tally) {
	t.Matches += more.Matches
	t.Games += more.Games
}

// Outcome is the outcome of a batch: the numbers of all pieces, in order.
type Outcome struct {
	Numbers []uint64
	Tally
}

// Evaluator returns the outcome of a batch, by playing it or from elsewhere. One that receives
// outcomes must check them with Batch.Check.
type Evaluator interface {
	Evaluate(ctx context.Context, b *Batch) (*Outcome, error)
	// End is called after the last batch of a generation. Its error ends the run.
	End() error
}

// local plays batches on this machine.
type local struct{}

func (local) Evaluate(ctx context.Context, b *Batch) (*Outcome, error) { return b.Play(ctx) }
func (local) End() error                                               { return nil }

// Play plays all pieces on this machine.
func (b *Batch) Play(ctx context.Context) (*Outcome, error) {
	o := &Outcome{Numbers: make([]uint64, b.Pieces*b.Width)}
	var matches, games atomic.Int64
	err := parallel.Each(ctx, b.Pieces, b.workers, func(_, i int) error {
		t, err := b.play(i, o.Numbers[i*b.Width:(i+1)*b.Width])
		matches.Add(t.Matches)
		games.Add(t.Games)
		return err
	})
	o.Tally = Tally{matches.Load(), games.Load()}
	return o, err
}

// Check returns an error for numbers that cannot be the outcome of the batch.
func (b *Batch) Check(numbers []uint64) error {
	if len(numbers) != b.Pieces*b.Width {
		return errors.New("a batch of another length")
	}
	if slices.ContainsFunc(numbers, func(v uint64) bool { return !b.valid(v) }) {
		return errors.New("a number that cannot be")
	}
	return nil
}

// validity tells whether a number can be a part of an outcome.
type validity func(v uint64) bool

func anything(uint64) bool { return true }

func finite(v uint64) bool {
	f := math.Float64frombits(v)
	return !math.IsNaN(f) && !math.IsInf(f, 0)
}

func below(n int) validity { return func(v uint64) bool { return v < uint64(n) } }

func equal(sum uint64) validity { return func(v uint64) bool { return v == sum } }
