package evolve

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"clade/gp/input"
)

// aside runs serve in a goroutine and returns a function that stops it, and returns what serve
// found at its end. If serve returns before that, its error goes to failed.
func aside(ctx context.Context, serve func(context.Context) error,
	failed func(error)) (stop func() error) {
	ctx, cancel := context.WithCancel(ctx)
	var group sync.WaitGroup
	var err error
	group.Go(func() {
		if err = serve(ctx); ctx.Err() == nil {
			failed(err)
		}
	})
	return func() error {
		cancel()
		group.Wait()
		var found []error
		input.Each(err, func(err error) {
			if !errors.Is(err, context.Canceled) {
				found = append(found, err)
			}
		})
		return errors.Join(found...)
	}
}

// monitor is a lock with a channel that is closed at the next change of the guarded data.
type monitor struct {
	mu      sync.Mutex
	changed chan struct{}
}

func newMonitor() monitor { return monitor{changed: make(chan struct{})} }

func (m *monitor) send() {
	close(m.changed)
	m.changed = make(chan struct{})
}

// wait waits until a condition, checked under the lock, holds.
func (m *monitor) wait(ctx context.Context, holds func() bool) error {
	for {
		m.mu.Lock()
		ok := holds()
		changed := m.changed
		m.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

// checkRemote returns an error for settings whose islands cannot be bred on other machines.
func (c *Config) checkRemote() error {
	if c.Islands < 2 {
		return fmt.Errorf(
			"islands must be 2 or more to be bred elsewhere, not %d; a sweep "+
				"spreads whole runs", c.Islands)
	}
	if c.Budgeted() {
		return errors.New("islands that are bred elsewhere run ahead of each other, and none " +
			"knows the games or seconds of all; set generations instead of games and seconds, or " +
			"spread whole runs by a sweep")
	}
	return nil
}

// replay is the evaluator that reads outcomes from a transcript of another machine.
type replay struct {
	c                  *Coordinator
	island, generation int
	transcript         *wire // nil until it is fetched
}

func (r *replay) Evaluate(ctx context.Context, b *Batch) (*Outcome, error) {
	if r.transcript == nil {
		content, err := r.c.fetch(ctx, r.island, r.generation)
		if err != nil {
			return nil, err
		}
		r.transcript = newReader(content)
	}
	o := &Outcome{}
	describe(r.transcript, o)
	err := r.transcript.err
	if err == nil {
		err = b.Check(o.Numbers)
	}
	if err != nil {
		return nil, r.untrue(err)
	}
	return o, nil
}

func (r *replay) untrue(what error) error {
	return fmt.Errorf("what was played elsewhere for island %d in generation %d does not "+
		"fit (%w): machines or programs do not agree, or it is damaged", r.island, r.generation,
		what)
}

func (r *replay) End() error {
	if len(r.transcript.b) > 0 {
		return r.untrue(errors.New("more than its batches"))
	}
	return nil
}
