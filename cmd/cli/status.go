package cli

import (
	"io"
	"log/slog"

	"github.com/spf13/cobra"

	"clade/experiments/player"
	"clade/experiments/slurm"
	"clade/experiments/sweep"
)

func newStatus(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "status SWEEP",
		Short: "Show how far a sweep is",
		Long: `Reads a sweep's run directories, and the queue where Slurm carries it out, and
shows what is done, running, stopped, waiting and failed.`,
		Example: "  clade status runs/my",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			grid, err := sweep.Open(*o.scope, args[0])
			if err != nil {
				return err
			}
			if err := sweep.Check(grid, args[0]); err != nil {
				return err
			}
			p, err := sweep.ReadProgress(grid, args[0])
			if err != nil {
				return err
			}
			queue, err := slurm.Queue(c.Context(), args[0])
			if err != nil { // what is on the disk can be shown all the same
				slog.Warn("Slurm's queue is not shown", "error", err)
			}
			return o.print(c, struct {
				*sweep.Progress
				Queue []slurm.Queued
			}{p, queue}, func(w io.Writer) { p.Write(w); printQueue(w, queue) })
		},
	}
	o.add(c, help{"json": ""})
	return c
}
