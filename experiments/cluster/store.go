package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

// incoming is the folder in a sweep's directory where snapshots are restored before they take their
// places.
const incoming = ".incoming"

// take stores a result. One that is here already is compared with it.
func (c *coordinator) take(ctx context.Context, worker string, r *protocol.Result) (protocol.Answer,
	error) {
	cell := c.cells[r.Key]
	if cell == nil {
		return protocol.Answer{}, fmt.Errorf("run %q is not of this sweep", r.Key)
	}
	var archive []byte
	var missing error
	before, err := r.Begun.Workers(protocol.LeaseKey(c.sweep, r.Key))
	if err != nil {
		return protocol.Answer{}, fmt.Errorf("run %s, of which somebody had a part: %w", r.Key, err)
	}
	by := origin{Worker: worker, Host: r.Host, Before: before,
		Joint: r.Begun.Worker != "" && r.Begun.Worker != worker || len(r.Begun.Before) > 0}
	if r.Object == "" && r.Error == "" {
		return c.mayGoOn(cell, by)
	}
	if r.Error == "" {
		if archive, missing = protocol.Fetch(ctx, c.Broker, r.Object, r.Sum); missing != nil &&
			!errors.Is(missing, broker.ErrNone) {
			return protocol.Answer{}, missing
		}
	}
	a, err := c.enter(ctx, cell, by, r, archive, missing)
	if a.Stored {
		drop(ctx, c.Broker, protocol.LeaseKey(c.sweep, r.Key), r.Object)
	}
	return a, err
}

// mayGoOn tells a worker whether it may go on with what others have begun.
func (c *coordinator) mayGoOn(cell *study.Cell, by origin) (protocol.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	have, err := runner.ReadSummary(cell.Directory(c.Dir))
	return protocol.Answer{Stored: have != nil, ShutOut: c.shutOut[by.Worker],
		Anew: c.refused(by)}, err
}

// enter takes a result with its archive, or the error that there is none.
func (c *coordinator) enter(ctx context.Context, cell *study.Cell, by origin, r *protocol.Result,
	archive []byte, missing error) (protocol.Answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over {
		return protocol.Answer{}, errors.New("the sweep has ended; the next one takes what is missing")
	}
	if c.shutOut[by.Worker] {
		return protocol.Answer{ShutOut: true}, nil
	}
	if r.Error == "" && c.refused(by) {
		return protocol.Answer{Anew: true}, nil
	}
	if err := c.fence(); err != nil {
		return protocol.Answer{}, err
	}
	have, err := runner.ReadSummary(cell.Directory(c.Dir))
	switch {
	case err != nil:
	case r.Error != "" && have == nil:
		c.failed[r.Key] = r.Error
		err = sweep.RecordFailure(cell, c.Dir, r.Error, r.Host)
	case r.Error != "" || missing != nil && have != nil:
		// it is here; what came before was taken, and cleared away
	case missing != nil:
		err = missing
	default:
		err = c.store(ctx, cell, archive, have, by)
	}
	return protocol.Answer{Stored: err == nil}, err
}

// store puts a run that is done in its place. What lies there of an attempt gives way.
func (c *coordinator) store(ctx context.Context, cell *study.Cell, archive []byte,
	have *runner.Summary, by origin) error {
	from := filepath.Join(c.Dir, incoming, cell.Key)
	if err := os.RemoveAll(from); err != nil {
		return err
	}
	if err := protocol.Restore(archive, from); err != nil {
		return err
	}
	defer os.RemoveAll(from)
	came, err := check(cell, from)
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
	by.Audit = c.due(by)
	if err := by.write(from); err != nil {
		return err
	}
	if err := c.place(ctx, from, cell.Directory(c.Dir)); err != nil {
		return err
	}
	c.origins[cell.Key] = by
	if by.Audit == auditDue {
		c.audits[cell.Key] = cell
	}
	return nil
}

// check holds a run that came from elsewhere to its cell: its manifest names the study, seed and
// program, and its fingerprint is the one of its files.
func check(cell *study.Cell, dir string) (*runner.Summary, error) {
	sum, err := runner.ReadSummary(dir)
	if err != nil {
		return nil, err
	}
	if sum == nil {
		return nil, fmt.Errorf("run %s is not over in what was handed over", cell.Key)
	}
	if err := sweep.Belongs(cell, dir); err != nil {
		return nil, err
	}
	m, err := runner.ReadManifest(dir)
	if err != nil {
		return nil, err
	}
	if mine := version.This().Name(); m.Name() != mine {
		return nil, fmt.Errorf("run %s was bred by version %s of the program, and this is %s",
			cell.Key, m.Name(), mine)
	}
	hash, err := runner.Hash(cell.Study)
	if err != nil {
		return nil, err
	}
	fingerprint, err := rundir.Fingerprint(dir, hash)
	if err == nil && fingerprint != sum.Fingerprint {
		err = fmt.Errorf("it says the fingerprint %s, and its files have %s", sum.Fingerprint,
			fingerprint)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s does not fit together: %w", cell.Key, err)
	}
	return sum, nil
}

// place moves the files of a run, the summary last of all: it says that the run is done. Whatever
// else came stays behind, or readers would take it for something of their own.
func (c *coordinator) place(ctx context.Context, from, to string) error {
	_, l, err := lease.Take(ctx, to, lease.TTL)
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	if err := c.empty(to); err != nil { // or files of two attempts would be mixed
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if n := e.Name(); n == runner.SummaryFile || n != originFile && !runner.Writes(n) {
			continue
		}
		if err := c.fence(); err != nil {
			return err
		}
		if err := os.Rename(filepath.Join(from, e.Name()),
			filepath.Join(to, e.Name())); err != nil {
			return err
		}
	}
	if err := durable.SyncDir(to); err != nil {
		return err
	}
	if err := c.fence(); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(from, runner.SummaryFile),
		filepath.Join(to, runner.SummaryFile)); err != nil {
		return err
	}
	return durable.SyncDir(to)
}

// empty removes all of a run's directory but its lease, the summary first of all: it says that the
// run is done. Whose run it was is told until all else is gone.
func (c *coordinator) empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	names := []string{runner.SummaryFile}
	for _, e := range entries {
		if n := e.Name(); n != runner.SummaryFile && n != originFile && n != lease.Folder {
			names = append(names, n)
		}
	}
	for _, name := range append(names, originFile) {
		if err := c.fence(); err != nil {
			return err
		}
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return durable.SyncDir(dir)
}
