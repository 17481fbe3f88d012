// Package spread lets several machines work on one run by breeding its islands. It does not
// transport messages, and no result depends on which machine did what.
//
// Only outcomes of games are exchanged, since a population follows from them and from the run's
// seeds. The run's machine keeps a Coordinator, which hands out epochs; another machine breeds an
// Epoch into an EpochResult, and the run repeats it without playing.
package spread

import (
	"context"
	"errors"
	"sync"

	"clade/gp/suggest"
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
		suggest.Each(err, func(err error) {
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
