package cluster

import (
	"cmp"
	"context"
	"errors"
	"log/slog"

	"clade/evolve/spread"
	"clade/experiments/cluster/protocol"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Spread lets workers breed the islands of one run.
type Spread struct {
	Broker protocol.Broker // Check needs none
	Dir    string          // of the run
	Study  *study.Study    // of the run
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
	setup.Remote = spread.RemoteIslands{}
	return setup.Check()
}

// Into sets the options of a run so that it is spread.
func (s Spread) Into(o *runner.Options) { o.Remote = spread.RemoteIslands{Serve: s.share} }

func (s Spread) share(ctx context.Context, c *spread.Coordinator) error {
	trust, err := s.newTrust()
	if err != nil {
		return err
	}
	own := *s.Study // in the hash, founders' contents stand for their names
	own.Evolve.Founders.Species, own.Sweep = c.Setup().Config.Founders.Species, nil
	at := &islands{Broker: s.Broker, id: cmp.Or(s.id, workID(s.Dir)), study: &own,
		trust: trust, log: s.Log, coordinator: c}
	return errors.Join(at.share(ctx), trust.settle())
}
