package evolve

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync/atomic"

	"clade/engine/system/parallel"
)

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
