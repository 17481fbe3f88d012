package cluster

import (
	"context"
	"log/slog"

	"clade/evolve"
	"clade/evolve/spread"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Spread lets workers do a part of one run. Where the run has islands, workers breed them, and the
// run's directory keeps what they hand back until a checkpoint of the run holds it. Where it has
// one population, they play some of its games.
type Spread struct {
	Access Access
	Dir    string       // of the run
	Study  *study.Study // of the run
	Log    *slog.Logger
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
	if s.Study.Evolve.Islands > 1 {
		return spread.RemoteIslands{Serve: func(ctx context.Context, c *spread.Coordinator) error {
			return s.open(ctx, func(r *sharedRun) error { return r.shareIslands(ctx, c) })
		}}
	}
	return spread.RemoteGames{Serve: func(ctx context.Context, d *spread.Dispatcher) error {
		return s.open(ctx, func(r *sharedRun) error { return r.shareGames(ctx, d) })
	}}
}

// open connects for as long as the run is shared.
func (s Spread) open(ctx context.Context, share func(*sharedRun) error) error {
	alone := *s.Study
	alone.Sweep = nil
	text, err := alone.Text()
	if err != nil {
		return err
	}
	b, err := openBroker(ctx, &s.Access, "clade run "+s.Study.Name, s.Log)
	if err != nil {
		return err
	}
	defer b.conn.Close()
	return share(&sharedRun{b, call{workID(s.Dir),
		resolvedStudy{string(text), s.Study.Name}}, s.Dir})
}
