// Package cluster coordinates sweeps and runs that many machines carry out. Workers (package
// worker) are handed runs and islands of runs, and may join, leave, crash or cheat. The package
// decides no result: files in the run directories do.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// lookEvery is the time between two looks at what is missing.
const lookEvery = 2 * time.Second

// Coordinator offers the missing runs of a sweep to workers and writes what they hand back into the
// sweep's directory, which alone says what is done.
type Coordinator struct {
	Broker protocol.Broker
	Dir    string
	Grid   *study.Grid
	// Audit is the share of runs, 0 to 1, that are bred again here and compared, besides every
	// worker's first and those that more than one worker has bred. With 0 there are no audits.
	Audit float64
	Log   *slog.Logger
}

// coordinator is a Coordinator at work.
type coordinator struct {
	Coordinator
	sweep string
	cells map[string]*study.Cell
	// carry carries a run out here; in tests another than sweep.Carry
	carry sweep.Carrier
	// fence is called before every change of a directory; its error leaves it as it is
	fence  func() error
	chance func() float64 // in [0, 1), which no worker can foresee

	receiving parallel.Lock // held while a run that came is restored and takes its place
	mu        parallel.Lock
	failed    map[string]string        // why, by key
	origins   map[string]*sweep.Origin // of the runs that workers have bred, by key
	rejected  *sweep.Rejected
	audits    map[string]*study.Cell // that are due
	tries     tries
	over      bool // nobody audits any more, so nothing is taken
}

// ErrFailed is wrapped by the error of a sweep that is over, but for runs that have failed.
var ErrFailed = errors.New("these runs have failed; the next sweep tries them again")

// Coordinate works until every run is done or has failed. If the context ends first, workers
// continue what they have and hand it over to the next coordinator.
func (c Coordinator) Coordinate(ctx context.Context) error {
	return newCoordinator(c).coordinate(ctx)
}

func newCoordinator(c Coordinator) *coordinator {
	at := &coordinator{Coordinator: c, sweep: workID(c.Dir), cells: map[string]*study.Cell{},
		failed: map[string]string{}, tries: tries{}, carry: sweep.Carry,
		fence: func() error { return nil }, chance: rand.Float64, mu: parallel.NewLock(),
		receiving: parallel.NewLock()}
	for i := range c.Grid.Cells {
		at.cells[c.Grid.Cells[i].Key] = &c.Grid.Cells[i]
	}
	return at
}

func (c *coordinator) coordinate(ctx context.Context) (err error) {
	if err := c.remember(); err != nil {
		return err
	}
	defer func() { // questions may be on their way that came before
		c.mu.Lock()
		tidy := c.over
		c.over = true
		c.mu.Unlock()
		c.receiving.Lock()
		defer c.receiving.Unlock()
		if tidy {
			err = errors.Join(err, c.fence(), sweep.Tidy(c.Dir))
		}
	}()
	stop, err := answerResults(c.Broker, c.Log, c.sweep, c.take)
	if err != nil {
		return err
	}
	defer stop()
	working, end := context.WithCancelCause(ctx)
	var auditing sync.WaitGroup
	auditing.Go(func() { end(c.auditAll(working)) })
	defer auditing.Wait()
	defer end(nil)
	workers, err := newRoster(c.Broker, c.sweep, c.Log)
	if err != nil {
		return err
	}
	defer workers.stop()
	for {
		missing, err := c.missing()
		if err != nil {
			return err
		}
		if missing == nil {
			return c.faults()
		}
		for i := range missing {
			if err := offer(working, c.Broker, broker.RunPrefix+protocol.WorkName(c.sweep, missing[i].Key),
				missing[i].Study, nil); err != nil {
				c.Log.Warn(err.Error()) // a server that is away comes back
				break
			}
		}
		c.watch(working, workers)
		if ctx.Err() != nil {
			return fmt.Errorf("%w; workers finish what they have, and the same command takes it",
				evolve.ErrStopped)
		}
		if working.Err() != nil { // an audit could not be carried out
			return context.Cause(working)
		}
	}
}

// missing lists the runs that are neither done nor failed. It returns nil, and the sweep is over,
// if there is none and no audit is due, which could put runs back.
func (c *coordinator) missing() ([]study.Cell, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	open := study.Grid{} // without what waits for an audit, which is not read at each look
	for _, cell := range c.Grid.Cells {
		if c.failed[cell.Key] == "" && c.audits[cell.Key] == nil {
			open.Cells = append(open.Cells, cell)
		}
	}
	missing, err := sweep.Missing(&open, c.Dir)
	if err != nil {
		return nil, err
	}
	if c.over = len(missing)+len(c.audits) == 0; c.over {
		return nil, nil
	}
	return append([]study.Cell{}, missing...), nil
}

func (c *coordinator) faults() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []error
	for i := range c.Grid.Cells {
		cell := &c.Grid.Cells[i]
		if why := c.failed[cell.Key]; why != "" {
			all = append(all, fmt.Errorf("%s seed %d (%s): %s", cell.Group, cell.Study.Seed,
				cell.Directory(c.Dir), why))
		}
	}
	if len(all) == 0 {
		return nil
	}
	return fmt.Errorf("%w:\n%w", ErrFailed, errors.Join(all...))
}

// watch records the workers and their work in the sweep's directory, for people to read, and waits.
func (c *coordinator) watch(ctx context.Context, workers *roster) {
	if all := workers.look(); all != nil {
		if err := sweep.RecordWorkers(c.Dir, all); err != nil {
			c.Log.Warn("the workers are not recorded", "error", err)
		}
	}
	broker.Wait(ctx, lookEvery)
}
