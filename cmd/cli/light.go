//go:build light

package cli

import (
	"github.com/spf13/cobra"

	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// natsFlags takes the flags of the whole program, and refuses them.
type natsFlags struct{ where string }

func (f *natsFlags) registerCoordinator(c *cobra.Command, where string) {
	c.Flags().StringVar(&f.where, "nats", "", where)
	for _, name := range []string{"creds", "tls-ca", "tls-cert", "tls-key", "listen", "audit"} {
		c.Flags().String(name, "", "with --nats")
	}
}

func (f *natsFlags) check(*cobra.Command) error {
	if f.where != "" {
		return usageError{errLight}
	}
	return nil
}

func (f *natsFlags) coordinate(*cobra.Command, string, *study.Grid) error { return errLight }

func (f *natsFlags) spread(c *cobra.Command, _ *runner.Options, _ string,
	_ *study.Study) (end func(), err error) {
	return func() {}, f.check(c)
}

func newWorker(*player.Scope) *cobra.Command {
	return &cobra.Command{
		Use:                "worker --nats WHERE",
		Short:              "Carry out runs that are offered over NATS: not in this build",
		DisableFlagParsing: true,
		Args:               cobra.ArbitraryArgs,
		RunE:               func(*cobra.Command, []string) error { return usageError{errLight} },
	}
}
