package spread

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/internal/wire"
)

// request is what a remote worker asks: what to play next of a batch, with what came of the last.
type request struct {
	joins      bool   // it has no population yet
	workers    int    // goroutines that play
	generation int    // where it joins, the first that it can use
	batch      int    // of the generation
	from, to   int    // pieces that it has played
	identity   uint64 // of its population
	outcomes   []uint64
}

func (q *request) describe(c *wire.Coder) {
	c.Bool(&q.joins)
	for _, v := range [...]*int{&q.workers, &q.generation, &q.batch, &q.from, &q.to} {
		wire.Int(c, v, math.MaxInt32)
	}
	wire.Int(c, &q.identity, math.MaxUint64)
	numbers(c, &q.outcomes)
	if q.from > q.to || q.workers < 1 || q.workers > 4096 {
		c.Fail("request")
	}
}

// reply is what a dispatcher answers.
type reply struct {
	kind       int
	from, to   int      // pieces, for replyPlay
	numbers    []uint64 // of the batch, for replyOutcome
	generation int      // for replyJoin
	population []byte   // for replyJoin
	past       []byte   // for replyJoin, the archive
}

// Kinds of replies.
const (
	replyWait    = iota // ask again
	replyPlay           // pieces from, to
	replyOutcome        // the numbers of the batch
	replyJoin           // take this population, of that generation
	replyOver           // the run needs no help any more
	replyDiffers        // the worker has another population
)

func (r *reply) describe(c *wire.Coder) {
	switch wire.Int(c, &r.kind, replyDiffers); r.kind {
	case replyPlay:
		wire.Int(c, &r.from, math.MaxInt32)
		wire.Int(c, &r.to, math.MaxInt32)
	case replyOutcome:
		numbers(c, &r.numbers)
	case replyJoin:
		wire.Int(c, &r.generation, math.MaxInt32)
		c.Text(&r.population)
		c.Text(&r.past)
	}
}

// Reasons for a remote worker to leave off.
var (
	errBehind = errors.New("spread: the run has gone on without this worker")
	errOver   = errors.New("spread: the run needs no help any more")
)

// Call brings a request to the run's dispatcher, and the reply back.
type Call func(ctx context.Context, request []byte) (reply []byte, err error)

// send makes a call again and again until there is a reply that says more than to wait.
func (call Call) send(ctx context.Context, q *request) (*reply, error) {
	for ctx.Err() == nil {
		content, err := call(ctx, wire.Encode(q.describe))
		if err != nil {
			return nil, err
		}
		r := &reply{}
		switch err := wire.Decode(content, r.describe); {
		case err != nil:
			return nil, fmt.Errorf("spread: a reply is damaged: %w", err)
		case r.kind == replyOver:
			return nil, errOver
		case r.kind != replyWait:
			return r, nil
		}
		q.from, q.to, q.outcomes = 0, 0, nil
	}
	return nil, ctx.Err()
}

// Serve plays games for a run of this setup until the run needs no help any more, or the context
// ends. An error of call ends it, so call should try again as long as there is hope.
func Serve(ctx context.Context, s *evolve.Setup, call Call) error {
	q := request{joins: true, workers: cmp.Or(s.Workers, runtime.GOMAXPROCS(0))}
	for {
		answer, err := call.send(ctx, &q)
		if err != nil {
			return done(err)
		}
		r, err := s.Replicate(ctx, answer.generation, 0, answer.population, answer.past)
		for err == nil {
			err = r.Step(&remote{call: call, request: request{workers: q.workers,
				generation: r.Generation, identity: evolve.Identity(r.Population)}}, nil)
			if err == nil && s.Config.Recalls() && s.Config.Crowns(r.Generation-1) {
				q.generation, err = r.Generation, errBehind // it does not know the new champion
			}
		}
		if !errors.Is(err, errBehind) {
			return done(err)
		}
	}
}

// done turns the end of the run into no error.
func done(err error) error {
	if errors.Is(err, errOver) {
		return nil
	}
	return err
}

// remote is the evaluator of a remote worker in a generation: it plays what it is handed until it
// is told the numbers of the whole batch.
type remote struct {
	call    Call
	request request // of the next batch
}

func (w *remote) End() error { return nil }

func (w *remote) Evaluate(ctx context.Context, b *evolve.Batch) (*evolve.Outcome, error) {
	q := w.request
	w.request.batch++
	for {
		r, err := w.call.send(ctx, &q)
		if err != nil {
			return nil, err
		}
		switch {
		case r.kind == replyJoin:
			return nil, errBehind
		case r.kind == replyPlay && r.from <= r.to && r.to <= b.Pieces:
			if q.outcomes, err = playRange(ctx, b, r.from, r.to); err != nil {
				return nil, err
			}
			q.from, q.to = r.from, r.to
		case r.kind == replyOutcome && b.Check(r.numbers) == nil:
			return &evolve.Outcome{Numbers: r.numbers}, nil
		default:
			return nil, fmt.Errorf("spread: this worker has another population than the run in "+
				"generation %d: machines or programs do not agree", q.generation)
		}
	}
}

// playRange plays pieces and returns the outcome of each with its matches and games.
func playRange(ctx context.Context, b *evolve.Batch, from, to int) ([]uint64, error) {
	width := b.Width + 2
	outcomes := make([]uint64, (to-from)*width)
	err := parallel.Each(ctx, to-from, b.Workers(), func(_, i int) error {
		o := outcomes[i*width : (i+1)*width]
		tally, err := b.PlayPiece(from+i, o[:b.Width])
		o[b.Width], o[b.Width+1] = uint64(tally.Matches), uint64(tally.Games)
		return err
	})
	return outcomes, err
}
