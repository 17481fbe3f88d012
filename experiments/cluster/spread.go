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

// Spread lets workers do a part of one run. Where the run has islands, workers breed them, and the
// run's directory keeps what they hand back until a checkpoint of the run holds it. Where it has
// one population, they play some of its games.
type Spread struct {
	// Open connects to the workers, for as long as the run is shared. It is not called by Check.
	Open  func(ctx context.Context) (b protocol.Broker, closed func(), err error)
	Dir   string       // of the run
	Study *study.Study // of the run
	// Audit is the share of epochs and pieces, 0 to 1, that are bred or played again here and
	// compared, besides every worker's first. With 0 there are no audits.
	Audit float64
	Log   *slog.Logger

	chance func() float64 // in [0, 1); in tests another than that of math/rand
	id     string         // of the run; in tests another than workID's
}

// Check tells why the run cannot be spread; nil if it can.
func (s Spread) Check() error {
	setup, err := runner.Setup(s.Study)
	if err != nil {
		return err
	}
	setup.Remote = s.remote()
	return setup.Check()
}

// Into lets the run that is carried out with these options be spread.
func (s Spread) Into(o *runner.Options) { o.Remote = s.remote() }

func (s Spread) remote() evolve.Remote {
	trust, fault := s.newTrust()
	if s.Study.Evolve.Islands > 1 {
		return spread.RemoteIslands{Serve: func(ctx context.Context, c *spread.Coordinator) error {
			own := *s.Study // in the hash, founders' contents stand for their names
			own.Evolve.Founders.Species = c.Setup().Config.Founders.Species
			s.Study = &own
			return cmp.Or(fault, s.share(ctx, trust, func(r *sharedRun) error {
				return r.shareIslands(ctx, c)
			}))
		}}
	}
	return spread.RemoteGames{Trust: trust, Serve: func(ctx context.Context,
		d *spread.Dispatcher) error {
		return cmp.Or(fault, s.share(ctx, trust, func(r *sharedRun) error {
			return r.shareGames(ctx, d)
		}))
	}}
}

// share connects for as long as the run is shared.
func (s *Spread) share(ctx context.Context, trust *spread.Trust,
	share func(*sharedRun) error) error {
	alone := *s.Study
	alone.Sweep = nil
	resolved, err := resolve(&alone)
	if err != nil {
		return err
	}
	b, closed, err := s.Open(ctx)
	if err != nil {
		return err
	}
	defer closed()
	return errors.Join(share(&sharedRun{Broker: b, dir: s.Dir, trust: trust, log: s.Log,
		Call: protocol.Call{Run: cmp.Or(s.id, workID(s.Dir)), ResolvedStudy: resolved}}), s.settle(trust))
}
