package cli

import (
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/terminal"
	"clade/experiments/compare"
	"clade/experiments/player"
	"clade/experiments/study"
)

func newCompare(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	var only compare.CompareOptions
	c := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Test whether groups of runs differ",
		Long: `Compares groups of runs by the points of their last champions against the
built-in players. Runs that differ only in the seed are one group; an argument
may also be a folder of runs. A run is the unit. Prints means, interquartile
means with 95 % intervals by bootstrap over runs, and for each pair of groups
Mann-Whitney's test with Holm's correction, effect sizes and the probability of
improvement. Where groups differ in several settings, it prints the main effect
of each. Friedman's and Nemenyi's tests take opponents as cases. It says so
where there are too few runs for a test to tell anything. For an ablation,
--control tests each group against the first one only, which Holm's correction
then costs less.`,
		Example: `  clade compare runs/k2-* runs/k5-*
  clade compare runs --out figures
  clade compare runs/ablation --control --against brilliant`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "out", "as"); err != nil {
				return err
			}
			dirs, err := findRuns(args)
			if err != nil {
				return err
			}
			groups, err := compare.OpenGroups(*o.scope, dirs)
			if err != nil {
				return err
			}
			p := newProgress(nil)
			only.Seed, only.Progress = engine.Seed(o.seed).Name("compare"), p.stageOf("comparing")
			compared, err := compare.Compare(c.Context(), groups, only)
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
				"effects": compared.MainEffects(), "opponents": compared.Opponents,
				"powerless": append([]string{}, compared.Powerless()...)},
				func(w io.Writer) { printComparison(w, compared) })
		},
	}
	o.add(c, help{"out": "", "as": "", "seed": "seed of what is drawn again", "json": ""})
	c.Flags().BoolVar(&only.Control, "control", false, "test each group against the first one only")
	c.Flags().StringSliceVar(&only.Against, "against", nil,
		"built-in `players` that count, with commas (default: all)")
	return c
}

func printComparison(w io.Writer, c *compare.Comparison) {
	against := fmt.Sprintf("%d built-in players", len(c.Opponents))
	if len(c.Opponents) == 1 {
		against = c.Opponents[0]
	}
	fmt.Fprintf(w, "points against %s, in %%\n\n", against)
	number := func(i int) string { return fmt.Sprint(i + 1) }
	rows := [][]string{{"group", "runs", "mean", "IQM", "95 % interval"}}
	for i, g := range c.Groups {
		mean, _ := stat.MeanSD(c.Runs[i])
		q := c.IQM[i]
		rows = append(rows, []string{number(i) + "  " + g.Name, fmt.Sprint(len(g.Runs)),
			fmt.Sprintf("%.2f", 100*mean), fmt.Sprintf("%.2f", 100*q.Estimate),
			bounds("%.2f", 100*q.Low, 100*q.High)})
	}
	terminal.Table(w, rows)
	if len(c.Effects) > 0 {
		fmt.Fprint(w, "\nmain effects, over all other settings\n\n")
		rows = [][]string{{"setting", "runs", "mean", "95 % interval", "Kruskal-Wallis p"}}
		for _, e := range c.Effects {
			p := orDash("%.4f", e.Test.P)
			for _, l := range e.Levels {
				rows = append(rows, []string{study.Label([]string{e.Key}, []string{l.Value}),
					fmt.Sprint(l.Runs), fmt.Sprintf("%.2f", 100*l.Score.Estimate),
					bounds("%.2f", 100*l.Score.Low, 100*l.Score.High), p})
				p = ""
			}
		}
		terminal.Table(w, rows)
	}
	if len(c.Pairs) > 0 {
		fmt.Fprint(w, "\npairs of groups: Mann-Whitney, with Holm's correction; A12, Cliff's "+
			"delta; the\nprobability to beat the other against a random opponent\n\n")
		printPairs(w, c, number)
	}
	if f := c.Friedman; f != nil {
		fmt.Fprintf(w, "\nFriedman over opponents: chi-square = %.2f, p = %.4f\n(Iman and "+
			"Davenport: F = %.2f, p = %.4f)\n", f.ChiSquare, f.P, f.F, f.FP)
	}
	for _, sentence := range c.Powerless() {
		fmt.Fprintf(w, "\n%s\n", terminal.Wrap(sentence, terminal.Width))
	}
}

// printPairs prints the tests of all pairs of groups, a line each.
func printPairs(w io.Writer, c *compare.Comparison, number func(int) string) {
	rows := [][]string{{"pair", "U", "p", "Holm", "A12", "delta", "beats", "95 %"}}
	if c.Friedman != nil {
		rows[0] = append(rows[0], "Nemenyi")
	}
	for _, p := range c.Pairs {
		i := p.Improvement
		row := []string{number(p.A) + " - " + number(p.B),
			fmt.Sprintf("%.1f", p.MannWhitney.Statistic), fmt.Sprintf("%.4f", p.MannWhitney.P),
			fmt.Sprintf("%.4f", p.Holm), fmt.Sprintf("%.2f", p.A12), fmt.Sprintf("%.2f", p.Cliff),
			fmt.Sprintf("%.2f", i.Estimate), bounds("%.2f", i.Low, i.High)}
		if c.Friedman != nil {
			row = append(row, fmt.Sprintf("%.4f", p.Nemenyi))
		}
		rows = append(rows, row)
	}
	terminal.Table(w, rows)
}

// bounds prints the ends of an interval, if they are known.
func bounds(format string, low, high float64) string {
	if math.IsNaN(low) {
		return "not known"
	}
	return fmt.Sprintf(format+".."+format, low, high)
}

// orDash prints a number; a dash where it is not known.
func orDash(format string, x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}
