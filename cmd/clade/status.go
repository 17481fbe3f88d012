package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"clade/experiments"
)

func newStatus() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "status SWEEP",
		Short:   "Show how far a sweep is",
		Long:    "Reads a sweep's run directories, and the queue where Slurm carries it out, and shows what is done, running, stopped, waiting and failed.",
		Example: "  clade status runs/my",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			grid, err := experiments.OpenSweep(args[0], nil)
			if err != nil {
				return err
			}
			p, err := grid.Progress(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(p)
			}
			p.Write(c.OutOrStdout())
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
