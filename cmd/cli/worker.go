package cli

import (
	"cmp"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"clade/experiments/cluster"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// here is the value of --nats that starts a server inside the sweep.
const here = "here"

// natsFlags are the flags that say where NATS is.
type natsFlags struct {
	where  string
	listen string
	access cluster.Access
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
	c.Flags().StringVar(&f.listen, "listen", ":0",
		"with --nats here: address and port; port 0 means any, and after a restart the same")
}

// check refuses flags of a command that gives work to workers which say nothing.
func (f *natsFlags) check(c *cobra.Command) error {
	if err := need(c, "nats", "creds", "tls-ca", "tls-cert", "tls-key", "listen"); err != nil {
		return err
	}
	if c.Flags().Changed("listen") && f.where != here {
		return misuse("--listen is for --nats here: a site's NATS listens where it does")
	}
	return nil
}

// find returns how to reach the server: as the file or URL says, and what flags say besides.
func (f *natsFlags) find() (cluster.Access, error) {
	if (f.access.Cert == "") != (f.access.Key == "") {
		return cluster.Access{}, errors.New("--tls-cert and --tls-key belong together")
	}
	a, err := cluster.ReadAccess(f.where)
	if err != nil {
		return a, err
	}
	a.Creds, a.CA = cmp.Or(f.access.Creds, a.Creds), cmp.Or(f.access.CA, a.CA)
	a.Cert, a.Key = cmp.Or(f.access.Cert, a.Cert), cmp.Or(f.access.Key, a.Key)
	return a, nil
}

// open finds the server, or starts one for a directory, until the function that it returns is
// called.
func (f *natsFlags) open(dir string) (access cluster.Access, end func(), err error) {
	if f.where != here {
		if access, err = f.find(); err != nil {
			err = usageError{err}
		}
		return access, func() {}, err
	}
	s, err := cluster.Serve(dir, f.listen)
	if err != nil {
		return access, nil, err
	}
	slog.Info("waiting for workers: clade worker --nats "+filepath.Join(dir, cluster.AccessFile),
		"url", s.Access.URL)
	return s.Access, func() { s.Shutdown(); s.WaitForShutdown() }, nil
}

// coordinate lets workers carry a sweep out.
func (f *natsFlags) coordinate(c *cobra.Command, dir string, grid *study.Grid) error {
	access, end, err := f.open(dir)
	if err != nil {
		return err
	}
	defer end()
	defer showProgress(grid, dir)()
	return cluster.Coordinator{Access: access, Dir: dir, Grid: grid,
		Log: slog.Default()}.Coordinate(c.Context())
}

// spread lets workers do a part of a run, if the command's flags say so, until the function that it
// returns is called.
func (f *natsFlags) spread(c *cobra.Command, o *runner.Options, dir string,
	s *study.Study) (end func(), err error) {
	if err := f.check(c); err != nil {
		return nil, err
	}
	if f.where == "" {
		return func() {}, nil
	}
	part := cluster.Spread{Dir: dir, Study: s, Log: slog.Default()}
	if err := part.Check(); err != nil {
		return nil, usageError{err}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var shut func()
	part.Access, shut, err = f.open(dir)
	if err != nil {
		return nil, err
	}
	part.Into(o)
	return func() {
		shut()
		if sum, err := runner.ReadSummary(dir); err != nil || sum == nil || f.where != here {
			return // it goes on another time, with the same address
		}
		if err := cluster.Forget(dir); err != nil {
			slog.Warn("the address of the NATS server stays in the directory", "error", err)
		}
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
		Long: `Takes runs from sweeps, and islands or games from runs, that were started with
--nats, and carries them out. Workers join and leave at any time, on any
machine. Stopped by Ctrl-C or SIGTERM, a worker hands over what it has; killed,
it loses a minute or two, which another breeds again, to the same bytes.`,
		Example: `  clade worker --nats runs/my/nats.json
  clade worker --nats tls://nats.example.org:4222 --creds me.creds --workers 8 --idle 10m`,
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
			if scratch == "" {
				if scratch, err = os.MkdirTemp("", "clade-worker-"); err != nil {
					return err
				}
				defer os.RemoveAll(scratch)
			}
			return cluster.Worker{Access: access, Scope: from, Scratch: scratch, Workers: workers,
				Idle: idle,
				Log:  slog.Default()}.Work(c.Context())
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
