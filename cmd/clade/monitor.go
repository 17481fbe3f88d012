package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/engine"
	"clade/experiments/runner"
	"clade/experiments/survey"
)

func newMonitor() *cobra.Command {
	var w survey.MonitorOptions
	var seed uint64
	var out string
	var formats []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "monitor RUN",
		Short: "Watch the coevolution of a run",
		Long: `Plays the champions of a run against each other and against the players of the house, and draws the monitors of coevolution with their data: current individuals
against ancestors (CIAO), lag curves, master and dominance tournament, hall of fame by age, forgetting, disengagement, intransitivity over the generations, the disc embedding,
what the champions are made of and where they look, and descent with the time to the most recent common ancestor.

What is played is kept in the directory of the figures until they are drawn, so a long call that is broken off goes on where it was when it is given again.`,
		Example: `  clade monitor runs/quick
  clade monitor runs/quick --every 20 --games 400 --out figures`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if w.Games < 2 || w.Games%2 != 0 || w.Games > 1<<30 || w.Every < 0 || w.Workers < 0 {
				return usageError{fmt.Errorf("--games must be even and in 2..%d, --every and "+
					"--workers at least 0, not %d, %d and %d", 1<<30, w.Games, w.Every, w.Workers)}
			}
			kinds, err := figureFormats(formats)
			if err != nil {
				return err
			}
			r, err := runner.Open(args[0])
			if err != nil {
				return err
			}
			p := newProgress(0)
			if out == "" {
				out = filepath.Join(args[0], "monitor")
			}
			w.Cache = filepath.Join(out, "unfinished")
			w.Seed, w.Stage = engine.Seed(seed).Name("monitor"), p.atStage
			watched, err := survey.Monitor(c.Context(), r, w)
			p.close()
			if err != nil {
				return err
			}
			paths, err := watched.Draw(out, kinds...)
			if err == nil {
				err = watched.Discard()
			}
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(c.OutOrStdout()).Encode(struct {
					Run string `json:"run"`
					// of the watched champions
					Generations []int            `json:"generations"`
					Games       int              `json:"games"`    // of each pair
					Dominant    []int            `json:"dominant"` // generations
					Findings    []survey.Finding `json:"findings"`
					Figures     []string         `json:"figures"`
				}{args[0], watched.Generations, watched.Games, watched.Dominant, watched.Findings(),
					paths})
			}
			fmt.Fprintf(c.OutOrStdout(),
				"%d champions of generations %d to %d, %d games a pair\n\n",
				len(watched.Generations), watched.Generations[0],
				watched.Generations[len(watched.Generations)-1], watched.Games)
			for _, f := range watched.Findings() {
				fmt.Fprintf(c.OutOrStdout(), "  %-18s %-42s %s\n", f.Monitor, f.Value, f.Meaning)
			}
			fmt.Fprintf(os.Stderr, "%d files in %s\n", len(paths), out)
			return nil
		},
	}
	f := c.Flags()
	f.IntVar(&w.Every, "every", 0,
		"generations from one watched champion to the next (default: about forty champions)")
	f.IntVar(&w.Games, "games", 200,
		"games of each pair of champions, and of each against each player of the house")
	f.Uint64Var(&seed, "seed", 1, "seed of the boards")
	f.StringVar(&out, "out", "", "directory of the figures (default: RUN/monitor)")
	f.StringSliceVar(&formats, "as", nil, "forms of the figures: png, svg, pdf, tex (default: all)")
	f.IntVar(&w.Workers, "workers", 0, "goroutines that play (default: one a processor)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// figureFormats checks the names of figure formats; none means all.
func figureFormats(names []string) ([]figure.Format, error) {
	var kinds []figure.Format
	for _, name := range names {
		if !slices.Contains(figure.AllFormats(), figure.Format(name)) {
			return nil, usageError{
				fmt.Errorf("there is no form %q; there are png, svg, pdf and tex", name)}
		}
		kinds = append(kinds, figure.Format(name))
	}
	return kinds, nil
}
