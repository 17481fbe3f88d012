package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"clade/evolve"
	"clade/evolve/spread"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/lease"
	"clade/experiments/cluster/protocol"
)

// breedEpoch breeds one epoch. It returns nil only after the run's machine has it on its disk, or
// does not want it any more.
func (w *worker) breedEpoch(ctx context.Context, task broker.Task) (err error) {
	var t protocol.EpochTask
	if err := json.Unmarshal(task.Data(), &t); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	// While the run's machine is away nothing is bred for it.
	r := protocol.Result{Key: t.Key, Host: w.Name}
	a, err := w.report(ctx, t.Run, &r)
	if err != nil {
		return fmt.Errorf("the run of epoch %s is away: %w", t.Key, err)
	}
	if a.Stored {
		return nil // it was bred, and the worker died before it could say so to the queue
	}
	if a.ShutOut {
		return errShutOut
	}
	l, err := takeLease(ctx, w.Broker, protocol.LeaseKey(t.Run, t.Key), w.Name, w.Log)
	if err != nil {
		return err
	}
	w.UnderWay.change(l.key, func(p *piece) { p.Study, p.Epoch = t.Name, true })
	defer func() {
		if err == nil || ctx.Err() == nil { // or it tells what is lost
			w.UnderWay.end(l.key)
		}
	}()
	if r.Error = l.setAside(); r.Error == "" {
		w.Log.Info("took an epoch", "epoch", t.Key, "study", t.Name, "worker number", l.Number)
		sealed, err := protocol.Fetch(ctx, w.Broker, t.Input, t.Sum)
		if err != nil {
			return l.interrupted(ctx, err)
		}
		sealed, err = w.epoch(ctx, task, l, &t, sealed)
		switch {
		case errors.Is(err, lease.ErrLost):
			return err
		case ctx.Err() != nil:
			return evolve.ErrStopped
		case err != nil:
			return l.failed(ctx, err)
		}
		name := fmt.Sprintf("%s%s.%d.%d", protocol.EpochObjects(t.Run), t.Key, l.Number, l.revision)
		if err := w.hand(ctx, &r, name, sealed); err != nil {
			return err
		}
	}
	return w.deliver(ctx, task, t.Run, &r)
}

// epoch breeds an epoch and returns the sealed result.
func (w *worker) epoch(ctx context.Context, task broker.Task, l *heldLease,
	t *protocol.EpochTask, sealed []byte) ([]byte, error) {
	shared, err := w.setupOf(t.ResolvedStudy)
	if err != nil {
		return nil, err
	}
	setup := *shared
	setup.Workers = w.processors()
	epoch, err := spread.OpenEpoch(&setup, sealed)
	if err != nil {
		return nil, err
	}
	err = w.hold(ctx, l, func() error { return w.sign(l, task) },
		func(ctx context.Context) error {
			bred, err := epoch.Breed(ctx, &setup)
			if err == nil {
				sealed, err = bred.Seal(&setup)
			}
			return err
		})
	return sealed, err
}
