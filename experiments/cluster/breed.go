package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"

	"clade/evolve"
	"clade/evolve/spread"
	"clade/experiments/lease"
)

// breed breeds one epoch. It returns nil only after the run's machine has it on its disk, or does
// not want it any more.
func (w *worker) breed(ctx context.Context, msg jetstream.Msg) error {
	var t epochTask
	if err := json.Unmarshal(msg.Data(), &t); err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	shared, err := w.setupOf(t.resolvedStudy)
	if err != nil {
		return err
	}
	setup := *shared
	setup.Workers = w.processors()
	// While the run's machine is away nothing is bred for it.
	r := result{Key: t.Key, Host: w.name}
	answer, err := w.report(ctx, t.Run, &r)
	if err != nil {
		return fmt.Errorf("the run of epoch %s is away: %w", t.Key, err)
	}
	if answer == stored {
		return nil // it was bred, and the worker died before it could say so to the queue
	}
	l, err := w.take(ctx, leaseKey(t.Run, t.Key), w.name)
	if err != nil {
		return err
	}
	sealed, err := w.objects.GetBytes(ctx, t.Input)
	if err != nil {
		return err
	}
	epoch, err := spread.OpenEpoch(&setup, sealed)
	if err != nil {
		return err
	}
	w.Log.Info("took an epoch", "epoch", t.Key, "study", t.Name, "worker number", l.Number)
	var bred *spread.EpochResult
	err = w.hold(ctx, l, func() error { return w.sign(l, msg) },
		func(ctx context.Context) (err error) {
			bred, err = epoch.Breed(ctx, &setup)
			return err
		})
	switch {
	case errors.Is(err, lease.ErrLost):
		return err
	case ctx.Err() != nil:
		return evolve.ErrStopped
	case err != nil:
		r.Error = err.Error()
	default:
		if sealed, err = bred.Seal(&setup); err != nil {
			return err
		}
		r.Object = fmt.Sprintf("%s%s.%d.%d", objectPrefix(t.Run), t.Key, l.Number, l.revision)
		if _, err := w.objects.PutBytes(ctx, r.Object, sealed); err != nil {
			return fmt.Errorf("cannot hand an epoch over: %w", err)
		}
	}
	return w.deliver(ctx, msg, t.Run, &r)
}
