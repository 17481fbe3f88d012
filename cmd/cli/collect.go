package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/experiments/collect"
	"clade/experiments/player"
)

// errLight is the error for a feature that only the whole program has.
var errLight = errors.New("this clade was built with the tag light, without NATS, Parquet and " +
	"WebAssembly; go install ./cmd/clade builds it whole")

func newCollect(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	var dry bool
	c := &cobra.Command{
		Use:   "collect SWEEP",
		Short: "Make one table of all runs of a sweep",
		Long: `Writes every number of a sweep's finished runs as one tidy table, a row for each
observation, as CSV and as Parquet: study, run, seed, fingerprint, the
settings that the sweep varies, generation, measure, against, value, games.`,
		Example: `  clade collect runs/my
  clade collect runs/my --out tables`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if dry {
				n, err := collect.Count(*o.scope, args[0])
				if err != nil {
					return err
				}
				return o.print(c, n, func(w io.Writer) {
					fmt.Fprintf(w, "%d runs to collect, %d runs missing\n", n.Runs, n.Missing)
				})
			}
			if err := o.writeTo(args[0]); err != nil {
				return err
			}
			spareMemory()
			p := newProgress(nil)
			n, err := collect.Write(*o.scope, args[0], o.out, p.stageOf(reading))
			p.close()
			if err != nil {
				return err
			}
			return o.print(c, n, func(w io.Writer) {
				fmt.Fprintf(w, "%d observations of %d runs, %d runs missing\n%s\n", n.Rows,
					n.Runs, n.Missing, filepath.Join(o.out, collect.CSVFile))
				if !collect.Parquet {
					fmt.Fprintf(w, "no Parquet: %v\n", errLight)
					return
				}
				fmt.Fprintln(w, filepath.Join(o.out, collect.ParquetFile))
			})
		},
	}
	o.add(c, help{"out": "directory of the table (default: the sweep's)", "json": ""})
	c.Flags().BoolVar(&dry, "dry-run", false, "count the runs that are done, and write nothing")
	return c
}
