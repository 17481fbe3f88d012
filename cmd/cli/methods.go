package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/gp/input"
)

func newMethods(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope, seed: 1}
	form := "text"
	c := &cobra.Command{
		Use:   "methods RUN...",
		Short: "Write the methods paragraph of a paper on runs",
		Long: `Writes what a reviewer asks of a paper's methods: game and version of its rules,
program, machine, settings other than the defaults, seeds, what the runs cost,
how champions were chosen and measured, statistics by name, fingerprints, and
the references as BibTeX. Arguments and options are those of clade compare,
which computes the text's numbers; in LaTeX, BibTeX and fingerprints are
comments.`,
		Example: `  clade methods runs/my
  clade methods runs/ablation --control --against brilliant --form latex`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			dirs, err := findRuns(args)
			if err != nil {
				return err
			}
			p := newProgress(nil)
			groups, err := report.OpenGroups(*o.scope, dirs, p.stageOf(reading))
			p.close()
			if err != nil {
				return err
			}
			m, err := report.DescribeMethods(groups, o.comparison())
			if err != nil {
				return err
			}
			return o.print(c, m, func(w io.Writer) {
				text := m.Text(form)
				if form == "text" {
					text = terminal.Wrap(text, terminal.Room(w))
				}
				fmt.Fprint(w, text)
			})
		},
	}
	o.add(c, help{"json": ""})
	o.addComparison(c)
	addForm(c, &form, "of the text", report.MethodForms())
	return c
}

// addForm adds the flag that chooses one of some forms.
func addForm(c *cobra.Command, form *string, of string, known []string) {
	c.Flags().Func("form", "`form` "+of+": "+strings.Join(known, ", ")+" (default text)",
		func(name string) error {
			if *form = name; !slices.Contains(known, name) {
				return errors.New(input.Unknown("form", name, known))
			}
			return nil
		})
}
