package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"clade/engine"
	"clade/experiments/player"
	"clade/experiments/survey"
)

func newCompare(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	c := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Test whether groups of runs differ",
		Long: `Compares groups of runs by the points of their last champions against the
built-in players. Runs that differ only in the seed are one group; an argument
may also be a folder of runs. A run is the unit. Prints means, interquartile
means with 95 % intervals by bootstrap over runs, and for each pair of groups
Mann-Whitney's test with Holm's correction, effect sizes and the probability of
improvement. Friedman's and Nemenyi's tests take opponents as cases.`,
		Example: `  clade compare runs/k2-* runs/k5-*
  clade compare runs --out figures`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := findRuns(args)
			if err != nil {
				return err
			}
			groups, err := survey.OpenGroups(*o.scope, dirs)
			if err != nil {
				return err
			}
			p := newProgress(0)
			compared, err := survey.Compare(c.Context(), groups, engine.Seed(o.seed).Name("compare"),
				p.stageOf("comparing"))
			p.close()
			if err != nil {
				return err
			}
			if o.out != "" {
				paths, err := o.save(compared.Figures(engine.Seed(o.seed).Name("compare"))...)
				if err != nil {
					return err
				}
				o.drawn(paths)
			}
			return o.print(c, map[string]any{"groups": compared.Scores(), "tests": compared.Tests(),
				"opponents": compared.Opponents},
				func(w io.Writer) { printComparison(w, compared) })
		},
	}
	o.add(c, help{"out": "", "as": "", "seed": "seed of what is drawn again", "json": ""})
	return c
}

func printComparison(w io.Writer, c *survey.Comparison) {
	fmt.Fprintf(w, "points against %d built-in players, in %%\n\n  %-48s %5s %8s %8s %18s\n",
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
