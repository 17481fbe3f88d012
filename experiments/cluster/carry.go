package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/lease"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// cell rebuilds the run. A worker whose program would breed something else, because its version is
// another, has another key for it and leaves it to others.
func (t *runTask) cell(scope player.Scope) (*study.Cell, error) {
	s, err := study.Parse(scope, t.Name+".toml", []byte(t.Study))
	if err != nil {
		return nil, fmt.Errorf("this program does not understand run %s: %w", t.Key, err)
	}
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	if len(g.Cells) != 1 || g.Cells[0].Key != t.Key {
		return nil, fmt.Errorf("this program would breed something else for run %s than "+
			"the coordinator's; use the same version", t.Key)
	}
	return &g.Cells[0], nil
}

// carry carries out one run. It returns nil only after the coordinator has the run on its disk.
func (w *worker) carry(ctx context.Context, msg jetstream.Msg) error {
	var t runTask
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	cell, err := t.cell(w.Scope)
	if err != nil {
		return err
	}
	l, err := w.take(ctx, leaseKey(t.Sweep, t.Key), w.name)
	if err != nil {
		return err
	}
	scratch := filepath.Join(w.Scratch, t.Sweep)
	dir := cell.Directory(scratch)
	if err := w.fetch(ctx, l, dir); err != nil {
		return err
	}
	w.Log.Info("took a run", "run", t.Key, "study", t.Name, "worker number", l.Number, "from",
		l.Snapshot)

	handOver := func(ctx context.Context) error {
		archive, err := snapshot(dir)
		if err != nil {
			return err
		}
		return l.handOver(ctx, archive)
	}
	var at atomic.Pointer[rundir.Times] // of the latest generation
	handed := time.Now()
	beat := func() error {
		if t := at.Load(); t != nil {
			l.Generation, l.Seconds = t.Generation+1, t.Seconds
		}
		err := w.sign(l, msg)
		if err != nil || time.Since(handed) < min(snapshotEvery, 2*w.Silence) {
			return err
		}
		ctx, cancel := context.WithTimeout(context.Background(), w.Silence/2)
		defer cancel()
		if err = handOver(ctx); err == nil {
			handed = time.Now()
		}
		return err
	}
	err = w.hold(ctx, l, beat, func(ctx context.Context) error {
		_, err := sweep.Carry(ctx, cell, scratch, runner.Options{Workers: w.processors(),
			Command: os.Args, Fence: l.fence,
			Progress: func(p evolve.Progress) { at.Store(&p.Times) }})
		return err
	})
	stopped := errors.Is(err, evolve.ErrStopped)
	r := result{Key: t.Key, Host: w.name}
	switch {
	case errors.Is(err, lease.ErrLost), errors.Is(err, lease.ErrHeld):
		return err
	case err == nil, stopped:
		// Handing over may outlive the worker's context a little: a batch system grants some
		// seconds between its signal and its last word.
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), w.Silence)
		defer cancel()
		handed := handOver(last)
		if stopped {
			return err
		}
		if handed != nil {
			return handed
		}
	default:
		r.Error = err.Error()
	}
	r.Object = l.Snapshot
	if err := w.deliver(ctx, msg, t.Sweep, &r); err != nil {
		return err
	}
	_ = os.RemoveAll(dir) // what stays behind only takes room
	return nil
}

// fetch brings the newest snapshot here, unless something is here already: whatever it is, it was
// bred from the same seed.
func (w *worker) fetch(ctx context.Context, l *heldLease, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil || l.Snapshot == "" {
		return nil
	}
	archive, err := w.objects.GetBytes(ctx, l.Snapshot)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return nil // lost; the run begins anew, and will be the same
	}
	if err != nil {
		return err
	}
	return restore(archive, dir)
}
