// Package cluster carries sweeps and runs out on many machines over NATS JetStream, which hands
// runs, islands of runs, and games of one population to workers that come and go. It decides no
// result: files in the run directories do.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"clade/engine/durable"
	"clade/evolve"
	"clade/experiments/lease"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Coordinator offers the missing runs of a sweep to workers and writes what they hand back into the
// sweep's directory, which alone says what is done.
type Coordinator struct {
	Access Access
	Dir    string
	Grid   *study.Grid
	Log    *slog.Logger
}

// coordinator is a Coordinator at work.
type coordinator struct {
	*broker
	Coordinator
	sweep string
	cells map[string]*study.Cell

	mu     sync.Mutex
	failed map[string]string // why, by key
}

// incoming is the folder in a sweep's directory where snapshots are restored before they take their
// places.
const incoming = ".incoming"

// Coordinate goes on until every run is done or has failed. When the context ends first, workers go
// on with what they have and hand it over to the next coordinator.
func (c Coordinator) Coordinate(ctx context.Context) error {
	at := &coordinator{Coordinator: c, sweep: workID(c.Dir), cells: map[string]*study.Cell{},
		failed: map[string]string{}}
	for i := range c.Grid.Cells {
		at.cells[c.Grid.Cells[i].Key] = &c.Grid.Cells[i]
	}
	var err error
	if at.broker, err = openBroker(ctx, &c.Access, "clade sweep "+c.Grid.Name,
		c.Log); err != nil {
		return err
	}
	defer at.conn.Close()
	results, err := at.results(at.sweep, at.take)
	if err != nil {
		return err
	}
	defer func() { _ = results.Drain() }()
	for {
		missing, err := at.missing()
		if err != nil {
			return err
		}
		if len(missing) == 0 {
			return at.faults()
		}
		for _, m := range missing {
			if err := at.offer(ctx, runPrefix+m.Sweep+"."+m.Key, m); err != nil {
				c.Log.Warn(err.Error()) // a server that is away comes back
				break
			}
		}
		at.watch(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("%w; workers finish what they have, and the same command takes it",
				evolve.ErrStopped)
		}
	}
}

// missing lists the runs that are neither done nor failed.
func (c *coordinator) missing() ([]*runTask, error) {
	cells, err := sweep.Missing(c.Grid, c.Dir)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var missing []*runTask
	for i := range cells {
		if c.failed[cells[i].Key] != "" {
			continue
		}
		text, err := cells[i].Study.Text()
		if err != nil {
			return nil, err
		}
		missing = append(missing, &runTask{c.sweep, cells[i].Key,
			resolvedStudy{string(text), cells[i].Study.Name}})
	}
	return missing, nil
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
	return errors.Join(all...)
}

// watch writes for some seconds into the run directories who is on them, for the progress table.
func (c *coordinator) watch(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, lookEvery)
	defer cancel()
	w, err := c.leases.Watch(ctx, c.sweep+".*", jetstream.IgnoreDeletes())
	if err != nil {
		wait(ctx, lookEvery)
		return
	}
	defer func() { _ = w.Stop() }()
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-w.Updates():
			if !open {
				wait(ctx, lookEvery)
				return
			}
			if e == nil || time.Since(e.Created()) > silence {
				continue
			}
			var r leaseRecord
			cell := c.cells[strings.TrimPrefix(e.Key(), c.sweep+".")]
			if cell != nil && json.Unmarshal(e.Value(), &r) == nil {
				_ = sweep.RecordRemote(cell, c.Dir,
					sweep.Remote{Worker: r.Worker, Generation: r.Generation, Seconds: r.Seconds})
			}
		}
	}
}

// take stores a result. One that is here already is compared with it.
func (c *coordinator) take(ctx context.Context, r *result) (string, error) {
	cell := c.cells[r.Key]
	if cell == nil {
		return "", fmt.Errorf("run %q is not of this sweep", r.Key)
	}
	if r.Error != "" {
		c.mu.Lock()
		c.failed[r.Key] = r.Error
		c.mu.Unlock()
		return stored, sweep.RecordFailure(cell, c.Dir, r.Error, r.Host)
	}
	archive, err := c.objects.GetBytes(ctx, r.Object)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		if sum, err := runner.ReadSummary(cell.Directory(c.Dir)); err == nil && sum != nil {
			return stored, nil // it was taken before, and cleared away
		}
	}
	if err == nil {
		err = c.store(ctx, cell, archive)
	}
	if err != nil {
		return "", err
	}
	c.drop(ctx, leaseKey(c.sweep, r.Key), r.Object)
	return stored, nil
}

// store puts a run that is done in its place. What lies there of an attempt gives way.
func (c *coordinator) store(ctx context.Context, cell *study.Cell, archive []byte) error {
	from := filepath.Join(c.Dir, incoming, cell.Key)
	if err := os.RemoveAll(from); err != nil {
		return err
	}
	if err := restore(archive, from); err != nil {
		return err
	}
	defer os.RemoveAll(from)
	came, err := runner.ReadSummary(from)
	if err != nil {
		return err
	}
	if came == nil {
		return fmt.Errorf("run %s is not over in what was handed over", cell.Key)
	}
	to := cell.Directory(c.Dir)
	have, err := runner.ReadSummary(to)
	if err != nil {
		return err
	}
	if have != nil {
		if have.Fingerprint != came.Fingerprint {
			return fmt.Errorf("run %s came twice, with the fingerprints %s and %s: two programs "+
				"or machines do not agree", cell.Key, have.Fingerprint, came.Fingerprint)
		}
		return nil
	}
	_, l, err := lease.Take(ctx, to, lease.TTL)
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	return place(from, to)
}

// place moves the files of a run, the summary last of all: it says that the run is done.
func place(from, to string) error {
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == runner.SummaryFile {
			continue
		}
		target := filepath.Join(to, e.Name())
		if err := os.RemoveAll(target); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, e.Name()), target); err != nil {
			return err
		}
	}
	if err := durable.SyncDir(to); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(from, runner.SummaryFile),
		filepath.Join(to, runner.SummaryFile)); err != nil {
		return err
	}
	return durable.SyncDir(to)
}
