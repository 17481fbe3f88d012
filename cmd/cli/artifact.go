package cli

import (
	"io"

	"github.com/spf13/cobra"

	"clade/engine/system/durable"
	"clade/experiments/collect"
	"clade/experiments/player"
	"clade/experiments/report"
)

func newArtifact(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, out: "artifact.zip"}
	c := &cobra.Command{
		Use:   "artifact RUN...",
		Short: "Pack runs into one archive that others can check",
		Long: `Packs finished runs, with their studies, fingerprints, figures, champions and
checksums, into one archive for a supplement or an artifact review. A script in
it checks every file and, with clade, breeds all runs again. Damaged runs are
refused. An argument may also be a folder of runs.`,
		Example: `  clade artifact runs/quick runs/quick-2 --out supplement.zip`,
		Args:    cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := report.FindRuns(args)
			if err != nil {
				return usageError{err}
			}
			if err := durable.Replace(o.out, false, func(w io.Writer) error {
				return collect.Pack(*o.scope, dirs, w)
			}); err != nil {
				return err
			}
			return o.printPaths(c, []string{o.out})
		},
	}
	o.add(c, help{"out": "path of the archive", "json": "print the path as JSON"})
	return c
}
