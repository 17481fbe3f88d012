package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// remember reads what the sweep's directory says of its workers.
func (c *coordinator) remember() (err error) {
	c.origins, c.audits = map[string]*sweep.Origin{}, map[string]*study.Cell{}
	if c.rejected, err = sweep.ReadRejected(c.Dir); err != nil {
		return err
	}
	for key, cell := range c.cells {
		dir := cell.Directory(c.Dir)
		o, err := sweep.ReadOrigin(dir)
		if err != nil {
			return err
		}
		if o == nil {
			continue
		}
		sum, err := runner.ReadSummary(dir)
		switch {
		case err != nil:
			return err
		case sum == nil: // an earlier version died while it placed the run, which comes again
			continue
		case c.rejected.Refuses(o) && o.Audit != sweep.AuditSame:
			if err := c.putBack(cell); err != nil { // a crash came between
				return err
			}
			continue
		case o.Audit == sweep.AuditDue && c.Audit == 0: // whose workers are all believed
			o.Audit = ""
			if err := cmp.Or(c.fence(), o.Write(dir)); err != nil {
				return err
			}
		case o.Audit == sweep.AuditDue:
			c.audits[key] = cell
		}
		c.origins[key] = o
	}
	return nil
}

// due decides whether a run is to be audited.
func (c *coordinator) due(by *sweep.Origin) sweep.Audit {
	if c.Audit == 0 {
		return ""
	}
	for _, o := range c.origins {
		if o.Worker == by.Worker && !o.Joint() && !by.Joint() {
			if c.chance() < c.Audit {
				return sweep.AuditDue
			}
			return ""
		}
	}
	return sweep.AuditDue
}

// auditAll carries out the audits that are due, until the context ends.
func (c *coordinator) auditAll(ctx context.Context) error {
	for ctx.Err() == nil {
		c.mu.Lock()
		keys := slices.Sorted(maps.Keys(c.audits))
		c.mu.Unlock()
		if len(keys) == 0 {
			broker.Wait(ctx, lookEvery/2)
			continue
		}
		err := c.audit(ctx, c.cells[keys[0]])
		if errors.Is(err, lease.ErrHeld) { // a sweep without NATS is on it
			broker.Wait(ctx, lookEvery/2)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// audit breeds a run again, as any sweep does with runs that were handed in, and compares. If they
// differ the result of this machine counts, and all other runs in which the worker had a part go
// back into the queue, except those that were bred again to the same bytes. An audit that could not
// be carried out stays due.
func (c *coordinator) audit(ctx context.Context, cell *study.Cell) error {
	if _, err := c.carry(ctx, cell, c.Dir, runner.Options{Fence: c.fence,
		Warn: func(s string) { c.Log.Warn(s, "audit", cell.Key) }}); err != nil {
		return fmt.Errorf("cannot breed run %s again, to compare: %w", cell.Key, err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	their := c.origins[cell.Key]
	same, err := sweep.ReadOrigin(cell.Directory(c.Dir))
	if err != nil {
		return err
	}
	if same != nil {
		c.Log.Info("a run was bred again, to the same bytes", "run", cell.Key, "worker", same.Worker)
		c.origins[cell.Key] = same
		delete(c.audits, cell.Key)
		return nil
	}
	c.Log.Error("a run was bred again and differs; this machine is believed", "run", cell.Key,
		"worker", their.Worker, "host", their.Host)
	if c.rejected, err = sweep.ReadRejected(c.Dir); err != nil {
		return err
	}
	for key, o := range c.origins {
		if key != cell.Key && c.rejected.Refuses(o) && o.Audit != sweep.AuditSame {
			if err := c.putBack(c.cells[key]); err != nil {
				return err
			}
		}
	}
	delete(c.origins, cell.Key)
	delete(c.audits, cell.Key)
	return nil
}

// putBack removes a run, which is then missing.
func (c *coordinator) putBack(cell *study.Cell) error {
	dir := cell.Directory(c.Dir)
	err := held(context.Background(), dir, func(l *lease.Lease) error {
		return sweep.Empty(l, dir, c.incoming(cell)+".empty", c.fence)
	})
	if err == nil {
		delete(c.origins, cell.Key)
		delete(c.audits, cell.Key)
	}
	return err
}
