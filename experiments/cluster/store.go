package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/experiments/version"
)

// take stores a result, or records a try. A second result of a run is compared with the first.
func (c *coordinator) take(ctx context.Context, worker string, r *result) (answer,
	error) {
	cell, by := c.cells[r.Key], &sweep.Origin{Worker: worker, Host: r.Host,
		Before: r.Before[:min(len(r.Before), mostBefore)]}
	if cell == nil {
		return answer{}, fmt.Errorf("run %q is not of this sweep", r.Key)
	}
	c.receiving.Lock()
	defer c.receiving.Unlock()
	a, err := c.note(cell, by, r)
	if err == nil && a == (answer{}) && r.Sum != nil {
		came, fault := c.receive(ctx, cell, r)
		defer os.RemoveAll(c.incoming(cell)) // where it was restored
		if fault != nil {
			// what does not fit together is the newest snapshot, and would come again and again
			return answer{Anew: errors.Is(fault, errMisfit)}, fault
		}
		a, err = c.enter(ctx, cell, by, came)
	}
	if a.Stored { // what cannot be removed only takes space
		_ = c.Broker.Remove(ctx, workName(c.sweep, r.Key))
	}
	return a, err
}

// note refuses what is not accepted, and records the begin or the end of a try. An empty answer
// means that the run is to be bred or taken.
func (c *coordinator) note(cell *study.Cell, by *sweep.Origin, r *result) (answer,
	error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a, err := c.refuse(by)
	if err == nil && a == (answer{}) && c.audits[r.Key] != nil {
		a.Stored = true // it is bred again here, which moves its directory without the lock
	}
	if err != nil || a != (answer{}) || r.Sum != nil {
		return a, err
	}
	have, err := runner.ReadSummary(cell.Directory(c.Dir))
	if have != nil || err != nil || c.failed[r.Key] != "" {
		return answer{Stored: err == nil}, err
	}
	why := c.tries.note(r)
	if why == "" {
		return answer{}, nil
	}
	if err := c.fence(); err != nil {
		return answer{}, err
	}
	c.failed[r.Key] = why
	err = sweep.RecordFailure(cell, c.Dir, why, r.Host)
	return answer{Stored: err == nil}, err
}

// incoming returns the folder in which a received run is restored before it takes its place.
func (c *coordinator) incoming(cell *study.Cell) string {
	return filepath.Join(c.Dir, sweep.Incoming, cell.Key)
}

// receive restores and checks a received run; nil if it is no longer in the store. It may take
// long, which delays only other workers that hand runs in.
func (c *coordinator) receive(ctx context.Context, cell *study.Cell, r *result) (
	came *runner.Summary, err error) {
	archive, err := fetch(ctx, c.Broker, workName(c.sweep, r.Key), r.Sum)
	if errors.Is(err, broker.ErrNone) {
		return nil, nil
	}
	if err == nil {
		err = c.fence()
	}
	if err == nil {
		err = os.RemoveAll(c.incoming(cell))
	}
	if err == nil {
		err = restore(archive, c.incoming(cell))
	}
	if err != nil {
		return nil, err
	}
	if came, err = check(cell, c.incoming(cell)); err != nil {
		err = fmt.Errorf("%w: %w", errMisfit, err)
	}
	return came, err
}

// errMisfit says that what was handed in is not a run of this sweep and program.
var errMisfit = errors.New("it does not count")

// refuse returns the answer to a worker from which nothing, or this run, is not accepted; an empty
// one if it is. The caller holds the lock.
func (c *coordinator) refuse(by *sweep.Origin) (a answer, err error) {
	switch {
	case c.over:
		err = errors.New("the sweep has ended; the next one takes what is missing")
	case c.rejected.Alone[by.Worker]:
		a.ShutOut = true
	case c.rejected.Refuses(by):
		a.Anew, a.Error = true, "one that had a part in it also had one in a run that was bred again "+
			"and differs"
	}
	return a, err
}

// enter stores a restored run; nil stands for a run that is no longer in the store.
func (c *coordinator) enter(ctx context.Context, cell *study.Cell, by *sweep.Origin,
	came *runner.Summary) (answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a, err := c.refuse(by); err != nil || a != (answer{}) {
		return a, err
	}
	if err := c.fence(); err != nil {
		return answer{}, err
	}
	have, err := runner.ReadSummary(cell.Directory(c.Dir))
	switch {
	case err != nil:
	case came != nil:
		err = c.store(ctx, cell, came, have, by)
	case have == nil: // or what came before was taken, and cleared away
		err = broker.ErrNone
	}
	return answer{Stored: err == nil}, err
}

// store puts a finished run in its place. An unfinished attempt there gives way.
func (c *coordinator) store(ctx context.Context, cell *study.Cell, came, have *runner.Summary,
	by *sweep.Origin) error {
	if have != nil {
		if have.Fingerprint != came.Fingerprint {
			return fmt.Errorf("run %s came twice, with the fingerprints %s and %s: two programs "+
				"or machines do not agree", cell.Key, have.Fingerprint, came.Fingerprint)
		}
		return nil
	}
	by.Audit = c.due(by)
	if err := by.Write(came.Dir); err != nil {
		return err
	}
	// It is known before it is in its place: a disk may fail after that, and it would count.
	c.origins[cell.Key] = by
	if by.Audit == sweep.AuditDue {
		c.audits[cell.Key] = cell
	}
	dir := cell.Directory(c.Dir)
	err := held(ctx, dir, func(l *sweep.Lease) error {
		return sweep.Place(l, cell, came.Dir, dir, c.fence)
	})
	if err == nil {
		delete(c.failed, cell.Key) // one that was believed dead had it all the same
		delete(c.tries, cell.Key)
		return nil
	}
	if placed, look := runner.ReadSummary(dir); placed == nil && look == nil {
		delete(c.origins, cell.Key)
		delete(c.audits, cell.Key)
	}
	return err
}

// check verifies that a received run belongs to its cell: its manifest names the study, seed and
// program, and its fingerprint is that of its files.
func check(cell *study.Cell, dir string) (*runner.Summary, error) {
	if err := sweep.Bounded(dir); err != nil {
		return nil, err
	}
	sum, err := runner.ReadSummary(dir)
	if err != nil {
		return nil, err
	}
	if sum == nil {
		return nil, fmt.Errorf("what was handed in for run %s is not a finished run", cell.Key)
	}
	if err := sweep.Belongs(cell, dir, player.BuiltIns); err != nil {
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
	hash, err := sweep.Hash(cell, dir)
	if err != nil {
		return nil, err
	}
	fingerprint, err := rundir.Fingerprint(dir, hash)
	if err == nil && fingerprint != sum.Fingerprint {
		err = fmt.Errorf("its summary has the fingerprint %s, and its files have %s", sum.Fingerprint,
			fingerprint)
	}
	if err != nil {
		return nil, fmt.Errorf("run %s does not fit together: %w", cell.Key, err)
	}
	return sum, nil
}

// held changes a run's directory, which it holds meanwhile.
func held(ctx context.Context, dir string, change func(l *sweep.Lease) error) error {
	_, l, err := sweep.TakeLease(ctx, dir, sweep.LeaseTTL)
	if err != nil {
		return err
	}
	defer func() { _ = l.Release() }()
	return change(l)
}
