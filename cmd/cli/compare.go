package cli

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	forms "clade/analysis/figure"
	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/report"
)

func newCompare(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	form := "text"
	c := &cobra.Command{
		Use:   "compare RUN...",
		Short: "Test whether groups of runs differ",
		Long: `Compares groups of runs by the points of their last champions against the
built-in players. Runs that differ only in the seed are one group; an argument
may also be a folder of runs. The unit is a run. Prints means, interquartile
means with 95 % intervals by bootstrap over runs, what runs cost, and for each
pair of groups Mann-Whitney's test with Holm's correction, effect sizes and the
probability of improvement; clade report prints the same numbers. Settings that
are crossed with all others get a main effect each. With three groups or more,
and enough runs, Friedman's and Nemenyi's tests take opponents as cases. Missing
runs, groups with more games, and groups of too few runs for a test are named.
For an ablation, --control tests each group against the first one only: fewer
tests for Holm's correction.

--measure compares something else: the last value of any measure that clade
collect lists (final_score, tree_size, wins), the area under its curve over the
games of selection, divided by their number (area:wins), or the games until it
reaches a level (games:wins=0.5), which a run may never do.`,
		Example: `  clade compare runs/k2-* runs/k5-*
  clade compare runs --out figures
  clade compare runs --measure area:wins
  clade compare runs/ablation --control --against brilliant
  clade compare runs --form latex`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := need(c, "out", "as", "text", "width"); err != nil {
				return err
			}
			dirs, err := findRuns(args)
			if err != nil {
				return err
			}
			p := newProgress(nil)
			groups, err := report.OpenGroups(*o.scope, dirs, p.stageOf(reading))
			if err != nil {
				p.close()
				return err
			}
			only := o.comparison()
			only.Progress = p.stageOf("comparing")
			compared, err := report.Compare(c.Context(), groups, only)
			p.close()
			if err != nil {
				return err
			}
			if o.out != "" {
				paths, err := o.save(compared.Figures()...)
				if err != nil {
					return err
				}
				o.drawn(paths)
			}
			printed := map[string]any{"groups": compared.Scores(), "tests": compared.Tests(),
				"effects": compared.MainEffects(), "opponents": compared.Cases,
				"powerless": append([]string{}, compared.Powerless()...),
				"notes":     append([]string{}, compared.Notes()...)}
			if m := compared.Options.Measure.String(); m != "points" {
				printed["measure"] = m
			}
			return o.print(c, printed,
				func(w io.Writer) { printComparison(w, compared, form) })
		},
	}
	o.add(c, help{"out": "", "as": "", "width": "", "seed": "seed of what is drawn again", "json": ""})
	o.addComparison(c)
	addForm(c, &form, "of the tables", forms.TableForms())
	return c
}

// addComparison adds the flags of a comparison, the same for every command that compares.
func (o *flags) addComparison(c *cobra.Command) {
	c.Flags().Func("measure", "what is compared: `points` (default), a measure of clade collect, "+
		"area:NAME or games:NAME=LEVEL", func(text string) (err error) {
		o.measure, err = report.ParseMeasure(text)
		return err
	})
	c.Flags().BoolVar(&o.control, "control", false, "test each group against the first one only")
	c.Flags().StringSliceVar(&o.against, "against", nil,
		"built-in `players` that count, with commas (default: all)")
}

// comparison returns the options of the flags, with the seed that all commands use.
func (o *flags) comparison() report.CompareOptions {
	return report.CompareOptions{Control: o.control, Against: o.against,
		Measure: o.measure, Seed: report.Seed(o.seed)}
}

func printComparison(w io.Writer, c *report.Comparison, form string) {
	for i, t := range c.Tables() {
		if i > 0 && form == "csv" {
			fmt.Fprintln(w) // as figure.TableWriter parts tables
		}
		if err := t.Write(w, form); err != nil {
			return // of the stream, which the next line meets, too
		}
	}
	for _, sentence := range c.Notes() {
		switch {
		case strings.HasPrefix(form, "latex"): // a comment ends with its line
			fmt.Fprintf(w, "%% %s\n\n", sentence)
		case form != "csv":
			fmt.Fprintf(w, "%s\n\n", terminal.Wrap(sentence, terminal.Room(w)))
		}
	}
}

// bounds prints the ends of an interval, if they are known.
func bounds(format string, low, high float64) string {
	if math.IsNaN(low) {
		return "not known"
	}
	return fmt.Sprintf(format+".."+format, low, high)
}
