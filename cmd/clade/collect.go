package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/experiments/collect"
)

func newCollect() *cobra.Command {
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "collect SWEEP",
		Short: "Make one table of all runs of a sweep",
		Long: `Writes every number of every run of a sweep that is done as one tidy table, a row an observation, as CSV and as Parquet: study, run, seed, fingerprint, the settings that
the sweep varies, generation, measure, against, value, games.`,
		Example: `  clade collect runs/my
  clade collect runs/my --out tables`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				out = args[0]
			}
			n, err := collect.Write(args[0], out)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(n)
			}
			fmt.Fprintf(c.OutOrStdout(), "%d observations of %d runs, %d runs missing\n%s\n%s\n",
				n.Rows, n.Runs, n.Missing,
				filepath.Join(out, collect.CSVFile), filepath.Join(out, collect.ParquetFile))
			return nil
		},
	}
	c.Flags().StringVar(&out, "out", "", "directory of the table (default: the sweep's)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
