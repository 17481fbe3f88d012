package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"

	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
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
		if errors.Is(err, sweep.ErrHeld) { // a sweep without NATS is on it
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
	err := held(context.Background(), dir, func(l *sweep.Lease) error {
		return sweep.Empty(l, dir, c.incoming(cell)+".empty", c.fence)
	})
	if err == nil {
		delete(c.origins, cell.Key)
		delete(c.audits, cell.Key)
	}
	return err
}

// workersFile holds, in a run's directory, the first generation of each remote worker that bred a
// part of the run.
const workersFile = ".workers.json"

// trust records which remote workers of a run were found right or wrong, by their names. It is safe
// for concurrent use.
type trust struct {
	dir, run string      // the run's directory and name
	audit    func() bool // chooses what is bred again; nil means that nothing is

	mu    sync.Mutex
	since map[string]int  // first generations in which workers had a part in the run
	right map[string]bool // workers that an audit has found to be right
	shut  map[string]bool // workers that were shut out
	// those of them that an audit of this process has found wrong, which are not on the disk yet
	caught []string
}

// newTrust reads the records of the run.
func (s *Spread) newTrust() (*trust, error) {
	shutOut, err := sweep.ReadShutOut(s.Dir)
	if err != nil {
		return nil, err
	}
	t := &trust{dir: s.Dir, run: s.Study.Name, since: map[string]int{}, right: map[string]bool{},
		shut: map[string]bool{}}
	for _, o := range shutOut {
		t.shut[o.Worker] = true
	}
	if s.Audit > 0 {
		chance := s.chance
		if chance == nil {
			chance = rand.Float64
		}
		t.audit = func() bool { return chance() < s.Audit }
	}
	if _, err := durable.ReadJSON(filepath.Join(s.Dir, workersFile), &t.since); err != nil {
		return nil, fmt.Errorf("the record of the run's workers cannot be read: %w", err)
	}
	return t, nil
}

// shouldAudit reports whether a result of a worker must be bred again here before it counts: the
// first of every worker must, and then those that audit chooses, which no worker can foresee.
func (t *trust) shouldAudit(worker string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.audit != nil && (!t.right[worker] || t.audit())
}

// markGood records that an audit has found a worker to be right.
func (t *trust) markGood(worker string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.right[worker] = true
}

// accept records that a result of a worker counts without an audit, in a generation. The record is
// on the disk when it returns. It returns an error if an audit has shut the worker out meanwhile.
func (t *trust) accept(worker string, generation int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.shut[worker] {
		return fmt.Errorf("worker %s was shut out", worker)
	}
	if since, known := t.since[worker]; known && since <= generation {
		return nil
	}
	since := maps.Clone(t.since)
	since[worker] = generation
	return t.save(since)
}

func (t *trust) save(since map[string]int) error {
	err := durable.WriteJSON(filepath.Join(t.dir, workersFile), since, 0o666)
	if err == nil {
		t.since = since
	}
	return err
}

// markBad shuts out a worker that an audit has found wrong, and reports whether the run may be
// false.
func (t *trust) markBad(worker string) (spoilt bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.shut[worker] {
		t.shut[worker], t.caught = true, append(t.caught, worker)
	}
	_, spoilt = t.since[worker]
	return spoilt
}

// shutOut reports whether a worker was shut out.
func (t *trust) shutOut(worker string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.shut[worker]
}

// worstFault returns the first generation in which the run may be false, or false if it is right.
func (t *trust) worstFault() (since int, spoilt bool) {
	for _, worker := range t.caught {
		if from, had := t.since[worker]; had && (!spoilt || from < since) {
			since, spoilt = from, true
		}
	}
	return since, spoilt
}

// settle ends the sharing of a run. If a worker that was shut out had a part in it, the checkpoints
// since then are removed, and the run continues from the one before.
func (t *trust) settle() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	since, spoilt := t.worstFault()
	if spoilt { // or a crash could leave the run as it is, with its liar listed
		if err := rundir.TakeBack(t.dir, since); err != nil {
			return err
		}
	}
	slices.Sort(t.caught)
	for _, worker := range t.caught {
		if err := sweep.RecordShutOut(t.dir, sweep.ShutOut{Worker: worker, Run: t.run,
			Differs: "what it had bred or played of the run"}); err != nil {
			return err
		}
		delete(t.since, worker)
	}
	if !spoilt {
		return nil
	}
	return t.save(t.since)
}
