package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
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
func cellOf(t *protocol.RunTask, scope player.Scope) (*study.Cell, error) {
	s, err := study.Parse(scope, t.Name+".toml", []byte(t.Study))
	if err != nil {
		return nil, fmt.Errorf("this program does not understand run %s: %w", t.Key, err)
	}
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	if len(g.Cells) != 1 || g.Cells[0].Key != t.Key {
		return nil, fmt.Errorf("this program would breed something else for run %s than the "+
			"coordinator's", t.Key)
	}
	return &g.Cells[0], nil
}

// snapshotEvery is the time between two snapshots that a worker hands over.
const snapshotEvery = time.Minute

// carry carries out one run. It returns nil only after the coordinator has the run on its disk.
func (w *worker) carry(ctx context.Context, task broker.Task) (err error) {
	var t protocol.RunTask
	if err := json.Unmarshal(task.Data(), &t); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	// A word of a subject has no dot, so that it leads nowhere as the name of a folder.
	if task.Subject() != broker.RunPrefix+t.Sweep+"."+t.Key {
		return fmt.Errorf("%w: it is for run %q of sweep %q", errDamaged, t.Key, t.Sweep)
	}
	if mine := version.This().Name(); t.Program != mine {
		return fmt.Errorf("run %s is for version %s, and this is %s: %w", t.Key, t.Program, mine,
			errOther)
	}
	l, err := takeLease(ctx, w.Broker, protocol.LeaseKey(t.Sweep, t.Key), w.Name, w.Log)
	if err != nil {
		return err
	}
	w.UnderWay.change(l.key, func(p *piece) { p.Study = t.Name })
	defer func() {
		if err == nil || ctx.Err() == nil { // or it tells what is lost
			w.UnderWay.end(l.key)
		}
	}()
	r := protocol.Result{Key: t.Key, Host: w.Name, Error: l.setAside()}
	dir := ""
	if r.Error == "" {
		cell, err := cellOf(&t, w.Scope)
		if err != nil {
			return l.failed(ctx, err)
		}
		scratch := filepath.Join(w.Scratch, t.Sweep)
		dir = cell.Directory(scratch)
		if err := w.fetch(ctx, l, dir); err != nil {
			return l.interrupted(ctx, err)
		}
		w.Log.Info("took a run", "run", t.Key, "study", t.Name, "worker number", l.Number, "from",
			l.Snapshot)
		archive, err := w.run(ctx, task, l, cell, scratch)
		if err == nil {
			r.Begun, err = protocol.ReadBegun(dir)
		}
		if err != nil {
			return err
		}
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
		defer cancel()
		if err := w.hand(last, &r, protocol.LeaseKey(t.Sweep, t.Key)+"."+w.id,
			archive); err != nil {
			return err
		}
	}
	err = w.deliver(ctx, task, t.Sweep, &r)
	if errors.Is(err, errAnew) {
		l.Snapshot = "" // or another would go on with it
		return l.interrupted(ctx, errors.Join(err, w.anew(dir)))
	}
	if err != nil && ctx.Err() != nil && dir != "" { // its coordinator is away
		return errors.Join(err, w.leave(ctx, l, dir))
	}
	if err != nil {
		return err
	}
	if dir != "" {
		_ = os.RemoveAll(dir) // what stays behind only takes room
	}
	return nil
}

// run breeds a run to its end and returns its archive. Meanwhile it hands snapshots over, the last
// when the context ends.
func (w *worker) run(ctx context.Context, task broker.Task, l *heldLease, cell *study.Cell,
	scratch string) ([]byte, error) {
	dir := cell.Directory(scratch)
	var over atomic.Int64 // generations
	handed := time.Now()
	beat := func() error {
		if at := int(over.Load()); at > 0 {
			if at > l.Generation {
				l.further()
			}
			l.Generation = at
		}
		err := w.sign(l, task)
		if err != nil || time.Since(handed) < min(snapshotEvery, 2*w.Silence) {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), w.Silence/2)
		defer cancel()
		if err = w.handOver(ctx, l, dir); err == nil {
			handed = time.Now()
		}
		return err
	}
	err := w.hold(ctx, l, beat, func(ctx context.Context) error {
		_, err := w.Carry(ctx, cell, scratch, runner.Options{Workers: w.processors(),
			Command: os.Args, Fence: l.fence,
			Progress: func(p evolve.Progress) {
				over.Store(int64(p.Times.Generation) + 1)
				w.UnderWay.change(l.key, func(u *piece) {
					u.Generation, u.Seconds = p.Times.Generation+1, p.Times.Seconds
				})
			}})
		return err
	})
	switch {
	case errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return nil, err
	case err == nil:
		return protocol.Snapshot(dir)
	case errors.Is(err, evolve.ErrStopped):
		l.further()
		if fault := w.leave(ctx, l, dir); fault != nil {
			w.Log.Warn("what was bred could not be handed over, and is bred again", "error", fault)
		}
		return nil, err
	default:
		return nil, l.failed(context.WithoutCancel(ctx), err)
	}
}

// leave hands a snapshot over when the worker's context has ended. That may outlive the context a
// little: a batch system grants some seconds between its signal and its last word. Of a sweep that
// is over nobody wants one.
func (w *worker) leave(ctx context.Context, l *heldLease, dir string) error {
	if errors.Is(context.Cause(ctx), broker.ErrOver) {
		return nil
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
	defer cancel()
	return w.handOver(last, l, dir)
}

// handOver hands a snapshot of a run over.
func (w *worker) handOver(ctx context.Context, l *heldLease, dir string) error {
	saved := rundir.Saved(dir) // before more is
	archive, err := protocol.Snapshot(dir)
	if err == nil {
		err = l.handOver(ctx, w.Key, archive)
	}
	if err == nil {
		w.UnderWay.change(l.key, func(p *piece) { p.handed = saved })
	}
	return err
}

// fetch brings the newest snapshot here, unless something is here already: whatever it is, it was
// bred from the same seed.
func (w *worker) fetch(ctx context.Context, l *heldLease, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil {
		begun, err := protocol.ReadBegun(dir)
		if err != nil {
			return w.anew(dir)
		}
		if begun.Worker != w.id {
			begun.Worker, begun.Before = w.id, append(begun.Before, nil)
		}
		return begun.Write(dir)
	}
	if l.Snapshot == "" {
		return w.anew(dir)
	}
	by, sum, wrong := broker.Verify(l.key, l.Word)
	if wrong == nil {
		archive, err := protocol.Fetch(ctx, w.Broker, l.Snapshot, sum)
		switch {
		case err == nil:
			wrong = w.restore(l, by, archive, dir)
		case errors.Is(err, broker.ErrNone), errors.Is(err, protocol.ErrSwapped):
			wrong = err
		default:
			return err
		}
	}
	if wrong != nil {
		w.Log.Warn("a snapshot cannot be used; the run begins anew, and will be the same", "snapshot",
			l.Snapshot, "error", wrong)
		return w.anew(dir)
	}
	saved := rundir.Saved(dir)
	w.UnderWay.change(l.key, func(p *piece) { p.handed = saved })
	return nil
}

// restore goes on with a worker's snapshot, and notes who had a part in it. Whose word is missing
// or wrong is not believed, or this worker would answer for another's lie.
func (w *worker) restore(l *heldLease, by string, archive []byte, dir string) error {
	if err := protocol.Restore(archive, dir); err != nil {
		return err
	}
	// One that was taken before the first checkpoint, while the disk did not answer, has nothing to
	// go on with.
	if _, err := os.Stat(filepath.Join(dir, rundir.StateFolder)); err != nil {
		return fmt.Errorf("a snapshot without a checkpoint: %w", err)
	}
	begun, err := protocol.ReadBegun(dir)
	if err != nil {
		return err
	}
	begun.Worker = w.id
	if by != w.id {
		begun.Before = append(begun.Before, l.Word)
	}
	if _, err := begun.Workers(l.key); err != nil {
		return err
	}
	return begun.Write(dir)
}

// anew lets a run begin from nothing.
func (w *worker) anew(dir string) error {
	begun := protocol.Begun{Worker: w.id}
	return errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o777), begun.Write(dir))
}
