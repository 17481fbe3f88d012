package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/version"
)

// cellOf rebuilds the run.
func cellOf(t *protocol.RunTask, key string, scope player.Scope) (*study.Cell, error) {
	s, err := study.Parse(scope, t.Name+".toml", []byte(t.Study))
	if err != nil {
		return nil, fmt.Errorf("this program does not understand run %s: %w", key, err)
	}
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	if len(g.Cells) != 1 || g.Cells[0].Key != key {
		return nil, fmt.Errorf("this program would breed something else for run %s than the "+
			"coordinator's", key)
	}
	return &g.Cells[0], nil
}

// snapshotEvery is the time between two snapshots that a worker hands over.
const snapshotEvery = time.Minute

// aRun is a run in the hands of a worker.
type aRun struct {
	*study.Cell
	name    string // of its snapshots in the store, see protocol.WorkName
	scratch string // the directory of its own is in
}

func (r *aRun) dir() string { return r.Directory(r.scratch) }

// carry carries out one run. It returns nil only after the coordinator has the run on its disk, or
// does not want it any more. While the coordinator is away the run continues.
func (w *worker) carry(ctx context.Context, task broker.Task, sweep, key string) error {
	var t protocol.RunTask
	if err := json.Unmarshal(task.Data(), &t); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	if mine := version.This().Name(); t.Program != mine {
		return fmt.Errorf("run %s is for version %s, and this is %s: %w", key, t.Program, mine,
			errOther)
	}
	cell, err := cellOf(&t, key, w.Scope)
	if err != nil {
		return fault{err}
	}
	run := &aRun{cell, protocol.WorkName(sweep, key), filepath.Join(w.Scratch, sweep)}
	w.UnderWay.change(run.name, func(p *piece) { p.Study = t.Name })
	if err := w.fetch(ctx, run); err != nil {
		return ofMachine(err)
	}
	r := protocol.Result{Key: key, Host: w.Name}
	a, err := w.begin(ctx, sweep, run, &r)
	if err == nil && a.Anew {
		if err := w.anew(ctx, run); err != nil {
			return ofMachine(err)
		}
		a, err = w.begin(ctx, sweep, run, &r)
	}
	switch {
	case err == nil && a.Stored:
		_ = os.RemoveAll(run.dir()) // what stays behind only takes room
		return nil
	case err == nil && a.ShutOut:
		return errShutOut
	case err == nil && a.Error != "":
		return fmt.Errorf("the coordinator does not want run %s: %s", key, a.Error)
	}
	if err := w.handOver(ctx, run); err != nil { // or who was believed dead would not find out
		return ofMachine(err)
	}
	w.Log.Info("took a run", "run", key, "study", t.Name, "try", task.Deliveries(), "from",
		r.Generation)
	archive, err := w.run(ctx, task, run)
	if err == nil {
		r.Provenance, err = protocol.ReadProvenance(run.dir())
	}
	if err != nil {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
	defer cancel()
	if err := w.hand(last, &r, run.name+"."+w.id, archive); err != nil {
		return err
	}
	err = w.deliver(ctx, task, sweep, &r)
	switch {
	case err == nil:
		_ = os.RemoveAll(run.dir())
	case errors.Is(err, errAnew):
		return errors.Join(err, w.anew(ctx, run))
	case ctx.Err() != nil: // its coordinator is away
		return errors.Join(err, w.leave(ctx, run))
	}
	return err
}

// begin asks the coordinator whether to breed a run, from the state that is here.
func (w *worker) begin(ctx context.Context, sweep string, run *aRun,
	r *protocol.Result) (a protocol.Answer, err error) {
	if r.Provenance, err = protocol.ReadProvenance(run.dir()); err != nil {
		return a, err
	}
	r.Generation = max(0, rundir.Saved(run.dir()))
	return w.report(ctx, sweep, r)
}

// run breeds a run to its end and returns its archive. Meanwhile it hands over snapshots, the last
// when the context ends.
func (w *worker) run(ctx context.Context, task broker.Task, run *aRun) ([]byte, error) {
	handed := time.Now()
	beat := func() error {
		ctx, cancel := context.WithTimeout(context.Background(), w.Silence/2)
		defer cancel()
		err := w.fence(ctx, run)
		if err == nil {
			err = task.InProgress()
		}
		if err != nil || time.Since(handed) < min(snapshotEvery, 2*w.Silence) {
			return err
		}
		if err = w.handOver(ctx, run); err == nil {
			handed = time.Now()
		}
		return err
	}
	err := w.hold(ctx, run.name, beat, func(ctx context.Context) error {
		_, err := w.Carry(ctx, run.Cell, run.scratch, runner.Options{Workers: w.processors(),
			Command: os.Args, Progress: func(p evolve.Progress) {
				w.UnderWay.change(run.name, func(u *piece) {
					u.Generation, u.Seconds = p.Times.Generation+1, p.Times.Seconds
				})
			}})
		return err
	})
	switch {
	case err == nil:
		return protocol.Snapshot(run.dir())
	case errors.Is(err, evolve.ErrStopped) && !errors.Is(err, lease.ErrLost):
		if fault := w.leave(ctx, run); fault != nil {
			w.Log.Warn("what was bred could not be handed over, and is bred again", "error", fault)
		}
		return nil, err
	default:
		return nil, blame(ctx, err)
	}
}

// leave hands over a snapshot when the worker's context has ended. That may take a little longer
// than the context: a batch system grants some seconds between its signal and the end. Nobody wants
// a snapshot of a sweep that is over.
func (w *worker) leave(ctx context.Context, run *aRun) error {
	if errors.Is(context.Cause(ctx), broker.ErrOver) {
		return nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
	defer cancel()
	if err := w.fence(last, run); err != nil {
		return err
	}
	return w.handOver(last, run)
}

// fence returns lease.ErrLost if the newest snapshot of a run is not this worker's any more:
// another has taken the run, which begins with handing over a snapshot, or the run was handed in.
// Of two workers on one run, as after a network was cut, the later one continues.
func (w *worker) fence(ctx context.Context, run *aRun) error {
	by, err := w.Broker.By(ctx, run.name)
	if err == nil && by != w.id {
		err = lease.ErrLost
	}
	return err
}

// handOver replaces the stored snapshot of a run by a new one.
func (w *worker) handOver(ctx context.Context, run *aRun) error {
	saved := rundir.Saved(run.dir()) // before more is
	archive, err := protocol.Snapshot(run.dir())
	if err != nil {
		return err
	}
	if err := w.Broker.Put(ctx, run.name, w.id,
		protocol.SignSnapshot(w.Key, run.name, archive)); err != nil {
		return fmt.Errorf("cannot hand over a snapshot: %w", err)
	}
	w.UnderWay.change(run.name, func(p *piece) { p.handed = saved })
	return nil
}

// fetch gets the newest snapshot, unless the run is here already: whatever its state, it was bred
// from the same seed.
func (w *worker) fetch(ctx context.Context, run *aRun) error {
	if _, err := os.Stat(filepath.Join(run.dir(), rundir.ManifestFile)); err == nil {
		provenance, err := protocol.ReadProvenance(run.dir())
		if err != nil {
			return w.empty(run)
		}
		if provenance.Worker != w.id {
			provenance.Worker, provenance.Before = w.id, append(provenance.Before, nil)
		}
		return provenance.Write(run.dir())
	}
	signed, err := w.Broker.Get(ctx, run.name)
	if errors.Is(err, broker.ErrNone) {
		return w.empty(run)
	}
	if err != nil {
		return err
	}
	if err := w.restore(run, signed); err != nil {
		w.Log.Warn("a snapshot cannot be used; the run begins anew, and will be the same", "snapshot",
			run.name, "error", err)
		return w.empty(run)
	}
	saved := rundir.Saved(run.dir())
	w.UnderWay.change(run.name, func(p *piece) { p.handed = saved })
	return nil
}

// restore unpacks a worker's snapshot, and records who had a part in it. It refuses a missing or
// wrong signature, or this worker would answer for another's false result.
func (w *worker) restore(run *aRun, signed []byte) error {
	by, word, archive, err := protocol.OpenSnapshot(run.name, signed)
	if err == nil {
		err = protocol.Restore(archive, run.dir())
	}
	if err != nil {
		return err
	}
	if rundir.Saved(run.dir()) < 0 { // one from before the first checkpoint
		return w.empty(run)
	}
	provenance, err := protocol.ReadProvenance(run.dir())
	if err != nil {
		return err
	}
	provenance.Worker = w.id
	if by != w.id {
		provenance.Before = append(provenance.Before, word)
	}
	if _, err := provenance.Workers(run.name); err != nil {
		return err
	}
	return provenance.Write(run.dir())
}

// empty resets a run here.
func (w *worker) empty(run *aRun) error {
	provenance := protocol.Provenance{Worker: w.id}
	return errors.Join(os.RemoveAll(run.dir()), os.MkdirAll(run.dir(), 0o777),
		provenance.Write(run.dir()))
}

// anew resets a run here and in the store.
func (w *worker) anew(ctx context.Context, run *aRun) error {
	return errors.Join(w.empty(run), w.Broker.Remove(ctx, run.name))
}
