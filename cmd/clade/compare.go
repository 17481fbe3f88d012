package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/survey"
)

func newCompare() *cobra.Command {
	var out string
	var formats []string
	var seed uint64
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Test whether groups of runs differ",
		Long: `Compares groups of runs by the points of their last champions against the players of the house. Runs that differ only in the seed are one group; the argument may also be a folder
of runs. A run is the unit. Prints means, interquartile means with 95 % intervals by bootstrap over runs, and for each pair of groups Mann-Whitney's test with Holm's correction, effect
sizes and the probability of improvement; Friedman's and Nemenyi's tests take opponents as cases.`,
		Example: `  clade compare runs/k2-* runs/k5-*
  clade compare runs --out figures`,
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
			groups, err := survey.OpenGroups(dirs)
			if err != nil {
				return err
			}
			compared, err := survey.Compare(groups, engine.Seed(seed).Name("compare"))
			if err != nil {
				return err
			}
			if out != "" {
				files := 0
				for _, f := range compared.Figures(engine.Seed(seed).Name("compare")) {
					paths, err := f.Save(out, kinds...)
					if err != nil {
						return err
					}
					files += len(paths)
				}
				fmt.Fprintf(os.Stderr, "%d files in %s\n", files, out)
			}
			if asJSON {
				scores, tests := compared.Scores(), compared.Tests()
				return json.NewEncoder(c.OutOrStdout()).Encode(map[string]any{"groups": scores,
					"tests": tests, "opponents": compared.Opponents})
			}
			printComparison(c.OutOrStdout(), compared)
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&out, "out", "", "also draw figures into this directory, with their data")
	f.StringSliceVar(&formats, "as", nil, "forms of the figures: png, svg, pdf, tex (default: all)")
	f.Uint64Var(&seed, "seed", 1, "seed of what is drawn again")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func printComparison(w io.Writer, c *survey.Comparison) {
	fmt.Fprintf(w, "points against %d players of the house, in %%\n\n  %-48s %5s %8s %8s %18s\n",
		len(c.Opponents), "group", "runs", "mean", "IQM", "95 % interval")
	for i, g := range c.Groups {
		mean := 0.0
		for _, x := range c.Runs[i] {
			mean += x / float64(len(c.Runs[i]))
		}
		q := c.IQM[i]
		fmt.Fprintf(w, "  %-48s %5d %8.2f %8.2f %18s\n", g.Name, len(g.Runs), 100*mean,
			100*q.Estimate, bounds(100*q.Low, 100*q.High))
	}
	for _, p := range c.Pairs {
		fmt.Fprintf(w,
			"\n%s against %s\n  Mann-Whitney U = %.1f, p = %.4f, with Holm's correction %.4f; "+
				"A12 = %.2f, Cliff's delta = %.2f\n  beats it against a random opponent with "+
				"probability %.2f (95 %%: %s)",
			c.Groups[p.A].Name, c.Groups[p.B].Name, p.MannWhitney.Statistic, p.MannWhitney.P,
			p.Holm, p.A12, p.Cliff, p.Improvement.Estimate,
			bounds(p.Improvement.Low, p.Improvement.High))
		if c.Friedman != nil {
			fmt.Fprintf(w, "; Nemenyi p = %.4f", p.Nemenyi)
		}
		fmt.Fprintln(w)
	}
	if f := c.Friedman; f != nil {
		fmt.Fprintf(w,
			"\nFriedman over opponents: chi-square = %.2f, p = %.4f (Iman and Davenport: F = "+
				"%.2f, p = %.4f)\n", f.ChiSquare, f.P, f.F, f.FP)
	}
}

// bounds prints the ends of an interval; one run does not tell how runs differ, and so has none.
func bounds(low, high float64) string {
	if math.IsNaN(low) {
		return "not known"
	}
	return fmt.Sprintf("%.2f..%.2f", low, high)
}
