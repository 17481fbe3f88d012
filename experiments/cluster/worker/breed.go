package worker

import (
	"context"

	"clade/evolve/spread"
	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
)

// breedEpoch breeds one epoch. It returns nil only after the run's machine has stored the result,
// or does not want it any more. While that machine is away nothing is bred for it.
func (w *worker) breedEpoch(ctx context.Context, task broker.Task, t *protocol.Task,
	run, key string) error {
	r := protocol.Result{Key: key, Host: w.Name}
	if stored, err := w.report(ctx, run, &r); stored || err != nil {
		return err
	}
	name := protocol.WorkName(run, key)
	w.UnderWay.change(name, func(p *piece) { p.study, p.epoch = t.Name, true })
	w.Log.Info("took an epoch", "epoch", key, "study", t.Name, "try", task.Deliveries())
	sealed, err := protocol.Fetch(ctx, w.Broker, name, t.Sum)
	if err != nil {
		return err
	}
	if sealed, err = w.epoch(ctx, task, t, sealed); err != nil {
		return blame(ctx, err)
	}
	if r.Sum, err = w.put(ctx, name+"."+w.id, sealed); err != nil {
		return err
	}
	return w.deliver(ctx, task, run, &r)
}

// epoch breeds an epoch and returns the sealed result.
func (w *worker) epoch(ctx context.Context, task broker.Task, t *protocol.Task,
	sealed []byte) ([]byte, error) {
	s, err := w.read(t)
	if err != nil {
		return nil, err
	}
	setup, err := runner.Setup(s)
	if err != nil {
		return nil, err
	}
	setup.Workers = w.processors()
	epoch, err := spread.OpenEpoch(&setup, sealed)
	if err != nil {
		return nil, err
	}
	err = w.hold(ctx, task.Subject(), task.InProgress, func(ctx context.Context) error {
		bred, err := epoch.Breed(ctx, &setup)
		if err == nil {
			sealed, err = bred.Seal(&setup)
		}
		return err
	})
	return sealed, err
}
