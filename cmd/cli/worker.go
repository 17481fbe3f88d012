//go:build !light

package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"clade/experiments/cluster"
	"clade/experiments/cluster/broker"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/input"
)

// here is the value of --nats that starts a server inside the sweep.
const here = "here"

// natsFlags are the flags of the connection to NATS.
type natsFlags struct {
	where  string
	listen string
	audit  float64
	access broker.Access
}

func (f *natsFlags) register(c *cobra.Command, where string) {
	s := c.Flags()
	s.StringVar(&f.where, "nats", "", where)
	s.StringVar(&f.access.Creds, "creds", "",
		"with --nats: file with credentials of a site's own NATS")
	s.StringVar(&f.access.CA, "tls-ca", "",
		"with --nats: file with the certificates to check the server's against (default: the "+
			"system's)")
	s.StringVar(&f.access.Cert, "tls-cert", "",
		"with --nats: file with a certificate to show to the server")
	s.StringVar(&f.access.Key, "tls-key", "", "with --nats: file with that certificate's key")
}

// registerCoordinator registers the flags of a command that gives work to workers.
func (f *natsFlags) registerCoordinator(c *cobra.Command, where string) {
	f.register(c, where)
	c.Flags().StringVar(&f.listen, "listen", "127.0.0.1:0",
		"with --nats here: a port of this machine alone, or HOST:PORT, :4222 for every address of "+
			"this machine; port 0 means any, and after a restart the same")
	c.Flags().Float64Var(&f.audit, "audit", 0.02,
		"with --nats: share of what workers hand in that is done again here and compared, besides "+
			"every worker's first; 0 for nothing at all")
}

// check refuses flags of a coordinator that have no effect or are out of range.
func (f *natsFlags) check(c *cobra.Command) error {
	if err := need(c, "nats", "creds", "tls-ca", "tls-cert", "tls-key", "listen",
		"audit"); err != nil {
		return err
	}
	if !(f.audit >= 0 && f.audit <= 1) {
		return misuse("--audit must be in 0..1")
	}
	if c.Flags().Changed("listen") && f.where != here {
		return misuse("--listen is for --nats here: a site's NATS listens where it does")
	}
	return nil
}

// find returns the access to the server: that of the file or URL, overridden by flags.
func (f *natsFlags) find() (broker.Access, error) {
	if (f.access.Cert == "") != (f.access.Key == "") {
		return broker.Access{}, errors.New("--tls-cert and --tls-key belong together")
	}
	a, err := broker.ReadAccess(f.where)
	if err != nil {
		return a, err
	}
	a.Creds, a.CA = cmp.Or(f.access.Creds, a.Creds), cmp.Or(f.access.CA, a.CA)
	a.Cert, a.Key = cmp.Or(f.access.Cert, a.Cert), cmp.Or(f.access.Key, a.Key)
	return a, nil
}

// open finds the server, or starts one for a directory. The function that it returns is called when
// the work ends, with whether it will be resumed: then our server's files stay, else they are
// removed.
func (f *natsFlags) open(dir string) (a broker.Access, end func(again bool), err error) {
	if f.where != here {
		if a, err = f.find(); err != nil {
			err = usageError{err}
		}
		return a, func(bool) {}, err
	}
	s, err := broker.Serve(dir, listenAt(f.listen))
	if err != nil {
		return a, nil, err
	}
	slog.Info("waiting for workers: clade worker --nats "+
		input.Quote(filepath.Join(dir, broker.AccessFile)), "url", s.Access.URL)
	return s.Inside, func(again bool) {
		if again {
			s.Shutdown()
			s.WaitForShutdown()
			return
		}
		s.End()
		if err := broker.Forget(dir); err != nil {
			slog.Warn("token and keys of the NATS server could not be removed", "error", err)
		}
	}, nil
}

// coordinate lets workers carry out a sweep.
func (f *natsFlags) coordinate(c *cobra.Command, dir string, grid *study.Grid) error {
	for i := range grid.Cells {
		if grid.Cells[i].Study.Evolve.Seconds > 0 {
			return misuse("evolve.seconds: what workers bred is checked by breeding it again, which " +
				"does not repeat where the clock ends a run; set evolve.games instead")
		}
	}
	access, end, err := f.open(dir)
	if err != nil {
		return err
	}
	defer func() { end(err != nil && !errors.Is(err, cluster.ErrFailed)) }()
	b, err := broker.Open(c.Context(), access, "clade sweep "+grid.Name, broker.Silence,
		slog.Default())
	if err != nil {
		return err
	}
	defer b.Close()
	defer showProgress(grid, dir)()
	err = cluster.Coordinator{Broker: b, Dir: dir, Grid: grid, Audit: f.audit,
		Log: slog.Default()}.Coordinate(c.Context())
	return err
}

// spread lets workers breed the islands of a run, if the flags say so, until the function that it
// returns is called.
func (f *natsFlags) spread(c *cobra.Command, o *runner.Options, dir string,
	s *study.Study) (end func(), err error) {
	if err := f.check(c); err != nil {
		return nil, err
	}
	if f.where == "" {
		return func() {}, nil
	}
	part := cluster.Spread{Dir: dir, Study: s, Audit: f.audit, Log: slog.Default()}
	if err := part.Check(); err != nil {
		return nil, usageError{err}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	access, shut, err := f.open(dir)
	if err != nil {
		return nil, err
	}
	b, err := broker.Open(c.Context(), access, "clade run "+s.Name, broker.Silence, slog.Default())
	if err != nil {
		shut(true)
		return nil, err
	}
	part.Broker = b
	part.Into(o)
	return func() {
		b.Close()
		sum, err := runner.ReadSummary(dir)
		shut(err != nil || sum == nil)
	}, nil
}

func newWorker(scope *player.Scope) *cobra.Command {
	var f natsFlags
	var scratch string
	var workers int
	var idle time.Duration
	c := &cobra.Command{
		Use:   "worker --nats WHERE",
		Short: "Carry out runs, or parts of runs, that are offered over NATS",
		Long: `Takes runs from sweeps, and islands from runs, that were started with --nats,
and carries them out. Workers join and leave at any time, on any machine.
Stopped by Ctrl-C, SIGTERM or SIGHUP, a worker hands over what it has; killed,
it loses a minute or two, which another breeds again, to the same bytes.`,
		Example: `  clade worker --nats runs/my/nats.json
  clade worker --nats tls://nats.example.org:4222 --creds me.creds --workers 8 \
    --idle 10m`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			from := *scope
			if from.Trust < player.Programs {
				from.Trust = player.BuiltIns
			}
			if f.where == "" {
				return misuse("--nats is missing: a URL, or the file nats.json of a sweep")
			}
			access, err := f.find()
			if err != nil {
				return usageError{err}
			}
			joining, cancel := c.Context(), func() {}
			if idle > 0 { // for a server, too
				joining, cancel = context.WithTimeout(joining, idle)
			}
			host, _ := os.Hostname()
			b, err := broker.Join(joining, access, "clade worker on "+host, slog.Default())
			cancel()
			if err != nil {
				return err
			}
			defer b.Close()
			if scratch == "" {
				if scratch, err = os.MkdirTemp("", "clade-worker-"); err != nil {
					return err
				}
				defer os.RemoveAll(scratch)
			}
			ctx, leave := b.Served(c.Context())
			defer leave(nil)
			var at cluster.UnderWay
			w := cluster.Worker{Broker: b, Scope: from, Scratch: scratch, Workers: workers,
				Idle: idle, Log: slog.Default(), UnderWay: &at}
			lost := func() string {
				if all := at.Lost(); all != "" {
					return "not handed over, and bred again by others: " + all
				}
				return "what was under way is handed over"
			}
			err = saving(c, func() error { return w.Work(ctx) }, lost)
			switch {
			case err != nil:
				return err
			case errors.Is(context.Cause(ctx), broker.ErrOver):
				slog.Info("this worker ends: " + broker.ErrOver.Error())
			case ctx.Err() != nil:
				return fmt.Errorf("%w; %s", context.Cause(ctx), lost())
			}
			return nil
		},
	}
	f.register(c, "where the work is: a URL, or the file nats.json in a sweep's or run's directory")
	c.Flags().StringVar(&scratch, "scratch", "",
		"directory for runs under way; one that is kept lets a worker that comes back go on "+
			"(default: a temporary one)")
	c.Flags().IntVar(&workers, "workers",
		0, "runs or islands at a time (default: one a processor); with fewer islands than "+
			"processors in all, 1 lets each island use many")
	c.Flags().DurationVar(&idle, "idle", 0,
		"leave when there was nothing to do for this long, such as 10m (default: stay)")
	return c
}
