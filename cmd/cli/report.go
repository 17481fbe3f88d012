package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/engine/system/durable"
	"clade/experiments/player"
	"clade/experiments/report"
)

func newReport(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1, games: 200}
	var twoColumns bool
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Write a report on runs: one HTML file, and tables for LaTeX",
		Long: `Writes report.html, one file that needs no network and no script, and
tables.tex, the same tables for LaTeX with booktabs, also each in a file of the
folder tables. It has the question, the settings that differ, curves, the
champions' records, their league with the built-in players, tests between
groups, coevolution, trees with a game in pictures, and how to make all of it
again. Runs that differ only in the seed are one group; an
argument may also be a folder of runs.`,
		Example: `  clade report runs/quick
  clade report runs/k2-* runs/k5-* --out report
  clade report runs/ablation --control --against brilliant`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.evenGames(); err != nil {
				return err
			}
			elsewhere := o.out
			dirs, err := o.runs(args, "report")
			if err != nil {
				return err
			}
			p := newProgress(nil)
			r, err := report.Make(c.Context(), *o.scope, dirs, report.Options{Games: o.games,
				Workers: o.workers, Seed: engine.Seed(o.seed).Name("report"), Stage: p.atStage,
				Compare: o.comparison(),
				Command: os.Args, Monitor: report.MonitorSeed(o.seed), Keep: true, Folder: elsewhere})
			p.close()
			if err != nil {
				return err
			}
			page, err := r.HTML()
			if err != nil {
				return err
			}
			const tables = "tables"
			if err := os.MkdirAll(filepath.Join(o.out, tables), 0o777); err != nil {
				return err
			}
			files := map[string][]byte{"report.html": page, "tables.tex": r.LaTeX(twoColumns)}
			for name, content := range r.Tables(twoColumns) {
				files[filepath.Join(tables, name)] = content
			}
			var paths []string
			for _, name := range slices.Sorted(maps.Keys(files)) {
				path := filepath.Join(o.out, name)
				if err := durable.WriteFile(path, files[name], 0o666); err != nil {
					return err
				}
				paths = append(paths, path)
			}
			return o.printPaths(c, paths)
		},
	}
	o.addComparison(c)
	c.Flags().BoolVar(&twoColumns, "two-columns", false, "lay the tables for LaTeX out for a page of "+
		"two columns: those that one has no room for in table*")
	o.add(c, help{"games": "games of each pair in the report's leagues", "seed": "", "workers": "",
		"out": "directory of the report (default: RUN/report)", "json": "print the paths as JSON"})
	return c
}
