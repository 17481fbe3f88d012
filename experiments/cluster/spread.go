package cluster

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"clade/evolve"
	"clade/evolve/spread"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Spread lets workers breed the islands of one run.
type Spread struct {
	// Open connects to the workers, for as long as the run is shared. It is not called by Check.
	Open  func(ctx context.Context) (b protocol.Broker, closed func(), err error)
	Dir   string       // of the run
	Study *study.Study // of the run
	// Audit is the share of epochs, 0 to 1, that are bred again here and compared, besides every
	// worker's first. With 0 there are no audits.
	Audit float64
	Log   *slog.Logger

	chance func() float64 // in [0, 1); in tests another than that of math/rand
	id     string         // of the run; in tests another than workID's
}

// Check returns an error if the run cannot be spread.
func (s Spread) Check() error {
	setup, err := runner.Setup(s.Study)
	if err != nil {
		return err
	}
	setup.Remote = s.remote()
	return setup.Check()
}

// Into sets the options of a run so that it is spread.
func (s Spread) Into(o *runner.Options) { o.Remote = s.remote() }

func (s Spread) remote() evolve.Remote {
	trust, fault := s.newTrust()
	return spread.RemoteIslands{Serve: func(ctx context.Context, c *spread.Coordinator) error {
		return cmp.Or(fault, s.share(ctx, trust, c))
	}}
}

// share connects to the workers for as long as the run is shared.
func (s *Spread) share(ctx context.Context, trust *trust, c *spread.Coordinator) error {
	own := *s.Study // in the hash, founders' contents stand for their names
	own.Evolve.Founders.Species, own.Sweep = c.Setup().Config.Founders.Species, nil
	b, closed, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer closed()
	at := &islands{Broker: b, id: cmp.Or(s.id, workID(s.Dir)), study: &own,
		trust: trust, log: s.Log, coordinator: c}
	return errors.Join(at.share(ctx), trust.settle())
}
