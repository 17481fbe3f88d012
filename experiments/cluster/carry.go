package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"clade/engine/system/durable"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// cellOf rebuilds the run.
func (w *worker) cellOf(t *task, key string) (*study.Cell, error) {
	s, err := w.read(t)
	if err != nil {
		return nil, err
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
	name    string // of its snapshots in the store, see workName
	scratch string // the directory of its own is in
}

func (r *aRun) dir() string { return r.Directory(r.scratch) }

// carry carries out one run. It returns nil only after the coordinator has the run on its disk, or
// does not want it any more. While the coordinator is away the run continues.
func (w *worker) carry(ctx context.Context, task broker.Task, t *task,
	id, key string) error {
	cell, err := w.cellOf(t, key)
	if err != nil {
		return fault{err}
	}
	run := &aRun{cell, workName(id, key), filepath.Join(w.Scratch, id)}
	w.UnderWay.change(run.name, func(p *piece) { p.study = t.Name })
	switch err = w.breedRun(ctx, task, run, t, id); {
	case err == nil:
		_ = os.RemoveAll(run.dir()) // what stays behind only takes room
	case errors.Is(err, errAnew):
		err = errors.Join(err, w.empty(run), w.Broker.Remove(ctx, run.name))
	}
	return err
}

// breedRun is carry without what becomes of the run here.
func (w *worker) breedRun(ctx context.Context, task broker.Task, run *aRun, t *task,
	id string) error {
	if err := w.fetch(ctx, run); err != nil {
		return ofMachine(err)
	}
	r, err := w.state(run)
	stored := false
	if err == nil {
		stored, err = w.report(ctx, id, r)
	}
	if stored || err != nil && !errors.Is(err, errUnheard) {
		return ofMachine(err)
	}
	if _, err := w.handOver(ctx, run); err != nil { // or who was believed dead would not find out
		return ofMachine(err)
	}
	w.Log.Info("took a run", "run", run.Key, "study", t.Name, "try", task.Deliveries(), "from",
		max(0, rundir.Saved(run.dir())))
	if err := w.run(ctx, task, run); err != nil {
		return err
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
	defer cancel()
	if r, err = w.state(run); err == nil {
		r.Sum, err = w.handOver(last, run)
	}
	if err != nil {
		return err
	}
	return w.deliver(ctx, task, id, r)
}

// state describes a run as it is here.
func (w *worker) state(run *aRun) (*result, error) {
	names, err := run.workers()
	return &result{Key: run.Key, Host: w.Name, Before: names[:max(0, len(names)-1)],
		Generation: max(0, rundir.Saved(run.dir()))}, err
}

// run breeds a run to its end. Meanwhile it hands over snapshots, the last when the context ends.
func (w *worker) run(ctx context.Context, task broker.Task, run *aRun) error {
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
		if _, err = w.handOver(ctx, run); err == nil {
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
		return nil
	case errors.Is(err, evolve.ErrStopped) && !errors.Is(err, sweep.ErrLost):
		if fault := w.leave(ctx, run); fault != nil {
			w.Log.Warn("what was bred could not be handed over, and is bred again", "error", fault)
		}
		return err
	default:
		return blame(ctx, err)
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
	_, err := w.handOver(last, run)
	return err
}

// fence returns sweep.ErrLost if the newest snapshot of a run is not this worker's any more:
// another has taken the run, which begins with handing over a snapshot, or the run was handed in.
// Of two workers on one run, as after a network was cut, the later one continues.
func (w *worker) fence(ctx context.Context, run *aRun) error {
	by, err := w.Broker.By(ctx, run.name)
	if err == nil && by != w.id {
		err = sweep.ErrLost
	}
	return err
}

// handOver replaces the stored snapshot of a run by a new one, and returns its SHA-256.
func (w *worker) handOver(ctx context.Context, run *aRun) (sum []byte, err error) {
	saved := rundir.Saved(run.dir()) // before more is
	archive, err := snapshot(run.dir())
	if err == nil {
		sum, err = w.put(ctx, run.name, archive)
	}
	if err == nil {
		w.UnderWay.change(run.name, func(p *piece) { p.handed = saved })
	}
	return sum, err
}

// partFile lists, in a run's directory, the workers that had a part in it, the present one last.
// It travels with the run.
const partFile = "begun-by"

func (r *aRun) workers() (names []string, err error) {
	_, err = durable.ReadJSON(filepath.Join(r.dir(), partFile), &names)
	return names, err
}

func (r *aRun) record(names ...string) error {
	return durable.WriteJSON(filepath.Join(r.dir(), partFile), names, 0o666)
}

// fetch gets the newest snapshot, unless the run is here already: whatever its state, it was bred
// from the same seed.
func (w *worker) fetch(ctx context.Context, run *aRun) error {
	if rundir.IsRun(run.dir()) || sweep.IsStaged(run.dir()) {
		names, err := run.workers()
		if len(names) == 0 || names[len(names)-1] != w.id { // an earlier process had it
			err = w.join(run)
		}
		if err != nil {
			return w.empty(run)
		}
		return nil
	}
	archive, err := w.Broker.Get(ctx, run.name)
	if errors.Is(err, broker.ErrNone) {
		return w.empty(run)
	}
	if err != nil {
		return err
	}
	if err = restore(archive, run.dir()); err == nil {
		err = w.join(run)
	}
	if err != nil {
		w.Log.Warn("a snapshot cannot be used; the run begins anew, and will be the same", "snapshot",
			run.name, "error", err)
		return w.empty(run)
	}
	saved := rundir.Saved(run.dir())
	if saved < 0 && !sweep.IsStaged(run.dir()) { // one from before the first checkpoint
		return w.empty(run)
	}
	w.UnderWay.change(run.name, func(p *piece) { p.handed = saved })
	return nil
}

// join records that this worker goes on with what others have bred. Whatever names they have left,
// there is one besides its own, or it would answer for another's false result.
func (w *worker) join(run *aRun) error {
	names, err := run.workers()
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == w.id })
	if len(names) == 0 {
		names = []string{"unknown"}
	}
	return run.record(append(names[:min(len(names), mostBefore)], w.id)...)
}

// empty resets a run here.
func (w *worker) empty(run *aRun) error {
	return errors.Join(os.RemoveAll(run.dir()), os.MkdirAll(run.dir(), 0o777), run.record(w.id))
}
