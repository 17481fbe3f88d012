package cli

import (
	"cmp"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/experiments/player"
	"clade/experiments/report"
)

func newDiff(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "diff RUN|STUDY.toml RUN|STUDY.toml",
		Short: "Show the differences between two runs or studies",
		Long: `Compares two runs, or two studies, or a run with a study: the settings that
differ, with all defaults written out, versions of program and rules, the
machine, the runs' results, and how many generations they have in common.`,
		Example: `  clade diff runs/quick runs/quick-2
  clade diff runs/quick experiments/antwars/brilliant.toml`,
		Args: cobra.ExactArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			all, err := report.Diff(*o.scope, args[0], args[1])
			if err != nil {
				return err
			}
			return o.print(c, all, func(w io.Writer) {
				if len(all) == 0 {
					fmt.Fprintf(w, "%s and %s say the same\n", args[0], args[1])
					return
				}
				rows := [][]string{{"what", "name", args[0], args[1]}}
				most := math.MaxInt
				if o.form == "text" {
					most = 32
				}
				for _, d := range all {
					rows = append(rows, []string{d.Part, d.Name, said(d.A, most), said(d.B, most)})
				}
				terminal.Table(w, rows)
			})
		},
	}
	o.add(c, help{"form": "", "json": ""})
	return c
}

// said shortens a text, and returns a dash for an empty one.
func said(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return cmp.Or(text, "-")
}
