package spread

import (
	"context"
	"errors"
	"math"

	"clade/evolve"
	"clade/evolve/wire"
)

// describe names what came of a batch. A transcript is a generation of an island as it was played:
// the outcomes of its batches.
func describe(c *wire.Coder, o *evolve.Outcome) {
	wire.Int(c, &o.Matches, math.MaxInt32)
	wire.Int(c, &o.Games, math.MaxInt32)
	numbers(c, &o.Numbers)
}

func numbers(c *wire.Coder, v *[]uint64) {
	wire.Slice(c, v, func(n *uint64) { wire.Int(c, n, math.MaxUint64) })
}

// recorder is the evaluator that plays batches here and writes a transcript.
type recorder struct{ wire.Coder }

func (r *recorder) Evaluate(ctx context.Context, b *evolve.Batch) (*evolve.Outcome, error) {
	o, err := b.Play(ctx)
	if err == nil {
		describe(&r.Coder, o)
	}
	return o, err
}

func (r *recorder) End() error { return nil }

// replay is the evaluator that reads a transcript, which comes from another machine.
type replay struct {
	c                  *Coordinator
	island, generation int
	transcript         *wire.Coder // nil before it was fetched
}

func (r *replay) Evaluate(ctx context.Context, b *evolve.Batch) (*evolve.Outcome, error) {
	if r.transcript == nil {
		content, err := r.c.fetch(ctx, r.island, r.generation)
		if err != nil {
			return nil, err
		}
		r.transcript = wire.NewReader(content)
	}
	o := &evolve.Outcome{}
	describe(r.transcript, o)
	err := r.transcript.Err()
	if err == nil {
		err = b.Check(o.Numbers)
	}
	if err != nil {
		return nil, r.untrue(err)
	}
	return o, nil
}

func (r *replay) untrue(what error) error {
	r.c.discard()
	return untrue(r.island, r.generation, what)
}

func (r *replay) End() error {
	if len(r.transcript.Bytes()) > 0 {
		return r.untrue(errors.New("more than its batches"))
	}
	return nil
}
