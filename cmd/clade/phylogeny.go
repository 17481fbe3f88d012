package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/experiments/survey"
)

func newPhylogeny() *cobra.Command {
	var out string
	var formats []string
	var asJSON bool
	c := &cobra.Command{
		Use:   "phylogeny RUN|FILE",
		Short: "Draw who descends from whom",
		Long: `Draws the descent of a run, or of a CSV file in the ALife data standard for phylogenies from any program (columns id, ancestor_list and origin_time, also
destruction_time), and how far back the most recent common ancestor lies at each time. Prints its age at the end. Descent is followed along first ancestors.`,
		Example: `  clade phylogeny runs/quick
  clade phylogeny lineage.csv --as pdf --out figures`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			kinds, err := figureFormats(formats)
			if err != nil {
				return err
			}
			p, err := survey.ReadLineage(args[0])
			if err != nil {
				return err
			}
			if len(p.Taxa) == 0 {
				return fmt.Errorf("%s holds nobody", args[0])
			}
			paths, err := figure.Phylogeny(p).Save(out, kinds...)
			if err != nil {
				return err
			}
			last := p.AncestorAges(1)[0]
			if asJSON {
				result := struct {
					Taxa int     `json:"taxa"`
					Time float64 `json:"time"`
					// null where there is no common ancestor on record
					Age     *float64 `json:"ancestor_age"`
					Figures []string `json:"figures"`
				}{Taxa: len(p.Taxa), Time: last.Time, Figures: paths}
				if !math.IsNaN(last.Age) {
					result.Age = &last.Age
				}
				return json.NewEncoder(c.OutOrStdout()).Encode(result)
			}
			age := "they have no common ancestor on record"
			if !math.IsNaN(last.Age) {
				age = fmt.Sprintf("their most recent common ancestor lived %g before", last.Age)
			}
			fmt.Fprintf(c.OutOrStdout(), "%d taxa; of those alive at time %g: %s\n%s\n",
				len(p.Taxa), last.Time, age, strings.Join(paths, "\n"))
			return nil
		},
	}
	f := c.Flags()
	f.StringVar(&out, "out", ".", "directory of the figure")
	f.StringSliceVar(&formats, "as", nil, "forms of the figure: png, svg, pdf, tex (default: all)")
	f.BoolVar(&asJSON, "json", false, "print JSON")
	return c
}
