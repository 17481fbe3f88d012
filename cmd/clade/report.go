package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/renameio/v2"
	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/report"
	"clade/experiments/survey"
)

func newReport() *cobra.Command {
	var s report.Options
	var seed uint64
	var out string
	var asJSON bool
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Write a report on runs: one HTML file, and tables for LaTeX",
		Long: `Writes report.html, one file that needs no network and no script, and tables.tex, the same tables for LaTeX with booktabs: the question, the settings that differ, curves, the
champions' records, their league with the players of the house, tests between groups, coevolution, trees with a game in pictures, and how to make all of it again. Runs that
differ only in the seed are one group; an argument may also be a folder of runs.`,
		Example: `  clade report runs/quick
  clade report runs/k2-* runs/k5-* --out report`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if s.Games < 2 || s.Games%2 != 0 || s.Games > 1<<30 || s.Workers < 0 {
				return usageError{fmt.Errorf("--games must be even and in 2..%d and --workers at "+
					"least 0, not %d and %d", 1<<30, s.Games, s.Workers)}
			}
			dirs, err := survey.FindRuns(args)
			if err != nil {
				return usageError{err}
			}
			if out == "" {
				if len(dirs) > 1 {
					return usageError{
						fmt.Errorf("several runs: say with --out where their report goes")}
				}
				out = filepath.Join(dirs[0], "report")
			}
			p := newProgress(0)
			s.Seed, s.Stage, s.Command, s.Cache = engine.Seed(seed).Name("report"), p.atStage,
				os.Args, filepath.Join(out, "unfinished")
			r, err := report.Make(c.Context(), dirs, s)
			p.close()
			if err != nil {
				return err
			}
			page, err := r.HTML()
			if err != nil {
				return err
			}
			if err := os.MkdirAll(out, 0o777); err != nil {
				return err
			}
			var paths []string
			for _, file := range []struct {
				name    string
				content []byte
			}{{"report.html", page}, {"tables.tex", r.LaTeX()}} {
				path := filepath.Join(out, file.name)
				if err := renameio.WriteFile(path, file.content, 0o666); err != nil {
					return err
				}
				paths = append(paths, path)
			}
			if err := r.Discard(); err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(paths)
			}
			fmt.Fprintln(c.OutOrStdout(), strings.Join(paths, "\n"))
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&s.Games, "games", 200, "games of each pair in the report's leagues")
	f.Uint64Var(&seed, "seed", 1, "seed of their boards")
	f.StringVar(&out, "out", "", "directory of the report (default: RUN/report)")
	f.IntVar(&s.Workers, "workers", 0, "goroutines that play (default: one a processor)")
	f.BoolVar(&asJSON, "json", false, "print the paths as JSON")
	return c
}
