package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/survey"
)

func newRun() *cobra.Command {
	var out string
	var set []string
	var seed uint64
	var quick, asJSON bool
	var workers int
	var nats natsFlags
	c := &cobra.Command{
		Use:   "run STUDY.toml",
		Short: "Breed: carry out a study",
		Long: `Carries out a study: breeds its population with a progress line, then measures the champions and draws the figures, all into a run
directory. Stop it with Ctrl-C at any time; "clade resume" goes on exactly where it stopped.`,
		Example: `  clade run experiments/antwars/quick.toml
  clade run experiments/antwars/brilliant.toml --seed 7 --out runs/brilliant-7
  clade run experiments/antwars/brilliant.toml --set evolve.generations=200 --set evolve.population=500
  clade run my.toml --quick     see in seconds whether a study works
  clade run islands.toml --nats here     let workers breed the islands: clade worker --nats runs/islands/nats.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("seed") {
				if seed > math.MaxInt64 {
					return usageError{fmt.Errorf("--seed must be at most %d, not %d", math.MaxInt64,
						seed)}
				}
				set = append(set, fmt.Sprintf("seed=%d", seed))
			}
			study, err := study.Read(args[0], set...)
			if err != nil {
				return usageError{err}
			}
			if quick {
				study.Quick()
			}
			dir := out
			if dir == "" {
				dir = freeDirectory(filepath.Join("runs", study.Name))
			}
			p := newProgress(study.Evolve.Generations)
			options := p.options(workers)
			end, err := nats.spread(c, &options, dir, study)
			if err != nil {
				return err
			}
			defer end()
			if !asJSON {
				fmt.Fprintf(os.Stderr,
					"breeding %s in %s (Ctrl-C stops; clade resume %s goes on)\n", study.Name, dir,
					dir)
			}
			sum, err := runner.Start(c.Context(), dir, study, options)
			return conclude(c.OutOrStdout(), p, dir, sum, err, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&out, "out", "",
		"run directory (default runs/NAME, or the first free runs/NAME-2, -3, …)")
	f.StringArrayVar(&set, "set", nil,
		"override a setting of the study, KEY=VALUE; may be repeated")
	f.Uint64Var(&seed, "seed", 1, "seed of everything random (default: the study's)")
	f.BoolVar(&quick, "quick", false, "a small version: at most 100 individuals and 20 generations")
	f.IntVar(&workers, "workers", 0, "goroutines that play (default: one a processor)")
	f.BoolVar(&asJSON, "json", false, "end with one line of JSON")
	nats.registerCoordinator(c, natsPart)
	return c
}

// freeDirectory returns the path, or the path with the first number behind it that is free.
func freeDirectory(path string) string {
	for n := 2; ; n++ {
		try := path
		if n > 2 {
			try = fmt.Sprintf("%s-%d", path, n-1)
		}
		if _, err := os.Stat(try); errors.Is(err, os.ErrNotExist) {
			return try
		} else if err != nil {
			return path
		}
	}
}

func newResume() *cobra.Command {
	var workers int
	var nats natsFlags
	var asJSON bool
	c := &cobra.Command{
		Use:   "resume RUN",
		Short: "Go on with a run exactly where it stopped",
		Long: "Goes on with a run that was stopped or killed. The result is the same, to the " +
			"byte, as if it had never stopped.",
		Example: "  clade resume runs/quick",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			r, err := runner.Open(args[0])
			if err != nil {
				return err
			}
			p := newProgress(r.Study.Evolve.Generations)
			options := p.options(workers)
			end, err := nats.spread(c, &options, args[0], r.Study)
			if err != nil {
				return err
			}
			defer end()
			sum, err := runner.Resume(c.Context(), args[0], options)
			return conclude(c.OutOrStdout(), p, args[0], sum, err, asJSON)
		},
	}
	c.Flags().IntVar(&workers, "workers", 0, "goroutines that play (default: one a processor)")
	c.Flags().BoolVar(&asJSON, "json", false, "end with one line of JSON")
	nats.registerCoordinator(c, natsPart)
	return c
}

// natsPart is the help of --nats where one run is spread.
const natsPart = "let workers (see clade worker) breed the islands, or, where there is one " +
	"population, play some of its games: the URL of a site's NATS, or \"here\" for a server " +
	"inside this process"

// conclude says what came of a run.
func conclude(w io.Writer, p *progress, dir string, sum *runner.Summary, err error,
	asJSON bool) error {
	p.close()
	if errors.Is(err, evolve.ErrStopped) || errors.Is(err, context.Canceled) {
		return fmt.Errorf("%w\ngo on with: clade resume %s", err, dir)
	}
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(w).Encode(struct {
			Run         string `json:"run"`
			Generations int    `json:"generations"`
			Champion    string `json:"champion"`
			Fingerprint string `json:"fingerprint"`
		}{sum.Run, sum.Generations, sum.Champion, sum.Fingerprint})
	}
	fmt.Fprintf(w, "\n%d generations, %d games of selection in %s\nfingerprint %s\n",
		sum.Generations, sum.Games, sum.Run, sum.Fingerprint)
	if len(sum.Final) > 0 {
		fmt.Fprintf(w, "\nthe champion, %s, on fresh boards:\n\n", sum.Champion)
		printMeasurements(w, sum.Final)
	}
	fmt.Fprintf(w, "\nfigures: %s\nits trees: clade show %s\n",
		filepath.Join(sum.Run, rundir.FigureFolder), sum.Champion)
	return nil
}

// printMeasurements prints one line an opponent.
func printMeasurements(w io.Writer, ms []runner.Measurement) {
	fmt.Fprintf(w, "  %-28s %8s %8s %8s %16s %8s %8s\n", "against", "games", "wins", "share",
		"95 % interval", "score", "other's")
	for _, m := range ms {
		fmt.Fprintf(w, "  %-28s %8d %8d %7.2f%% %7.2f%%..%5.2f%% %8.3f %8.3f\n", m.Against, m.Games,
			m.Wins, 100*m.Share, 100*m.Low, 100*m.High, m.Score, m.Other)
	}
}

func newPlot() *cobra.Command {
	var out string
	var formats []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "plot RUN...",
		Short: "Draw the figures of runs again, replicates pooled",
		Long: `Draws the figures of runs and writes their data beside them: PNG, SVG, PDF, TeX and CSV. Several runs of one study, each
with a seed of its own, are pooled as replicates: means with 95 % bands. Runs of different studies or settings share the axes. An argument may also be a folder of runs.`,
		Example: `  clade plot runs/quick
  clade plot runs/quick-seed1 runs/quick-seed2 runs/quick-seed3 --out figures`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			kinds, err := figureFormats(formats)
			if err != nil {
				return err
			}
			dirs, err := survey.FindRuns(args)
			if err != nil {
				return usageError{err}
			}
			if out == "" {
				out = filepath.Join(dirs[0], rundir.FigureFolder)
				if len(dirs) > 1 {
					return usageError{
						errors.New("several runs: say with --out where their figures go")}
				}
			}
			groups, err := survey.OpenGroups(dirs)
			if err != nil {
				return err
			}
			paths, err := runner.Plot(groups, out, kinds...)
			if asJSON && err == nil {
				return json.NewEncoder(c.OutOrStdout()).Encode(paths)
			}
			for _, p := range paths {
				fmt.Fprintln(c.OutOrStdout(), p)
			}
			return err
		},
	}
	c.Flags().StringVar(&out, "out", "", "directory of the figures (default: RUN/figures)")
	c.Flags().StringSliceVar(&formats, "as", nil,
		"forms of the figures: png, svg, pdf, tex (default: all)")
	c.Flags().BoolVar(&asJSON, "json", false, "print the paths as JSON")
	return c
}
