package cli

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/engine/terminal"
	"clade/evolve/rundir"
	"clade/experiments/coevolution"
	"clade/experiments/player"
	"clade/experiments/runner"
)

func newPhylogeny(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	c := &cobra.Command{
		Use:   "phylogeny RUN|FILE",
		Short: "Draw who descends from whom",
		Long: `Draws the descent of a run, or of a CSV file in the ALife data standard for
phylogenies from any program (columns id, ancestor_list and origin_time, also
destruction_time), and how far back the most recent common ancestor lies at each
time. Prints its age at the end. Descent is followed along first ancestors.`,
		Example: `  clade phylogeny runs/quick
  clade phylogeny lineage.csv --as pdf --out figures`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := coevolution.ReadLineage(args[0])
			if err != nil {
				return err
			}
			if len(p.Taxa) == 0 {
				return fmt.Errorf("%s holds no taxa", args[0])
			}
			if o.out == "" && runner.IsRun(args[0]) {
				o.out = filepath.Join(args[0], rundir.FigureFolder)
			} else if o.out == "" {
				o.out = strings.TrimSuffix(args[0], filepath.Ext(args[0]))
			}
			var champions []int
			if runner.IsRun(args[0]) {
				r, err := runner.Open(*scope, args[0])
				if err == nil {
					champions, err = r.ChampionIDs()
				}
				if err != nil {
					return err
				}
			}
			paths, err := o.save(figure.Phylogeny(p, champions, false))
			if err != nil {
				return err
			}
			last := p.AncestorAges(1)[0]
			age, known := &last.Age,
				fmt.Sprintf("their most recent common ancestor lived %g before",
					last.Age)
			if math.IsNaN(last.Age) {
				age, known = nil, "they have no common ancestor on record"
			}
			return o.print(c, struct {
				Taxa    int      `json:"taxa"`
				Time    float64  `json:"time"`
				Age     *float64 `json:"ancestor_age"` // null without a common ancestor on record
				Figures []string `json:"figures"`
			}{len(p.Taxa), last.Time, age, paths}, func(w io.Writer) {
				text := fmt.Sprintf("%d taxa; of those alive at time %g: %s", len(p.Taxa),
					last.Time, known)
				fmt.Fprintf(w, "%s\n%s\n", terminal.Wrap(text, terminal.Width),
					strings.Join(paths, "\n"))
			})
		},
	}
	o.add(c, help{"out": "directory of the figure (default: RUN/figures, or a folder named as " +
		"the file)", "as": "", "json": ""})
	return c
}
