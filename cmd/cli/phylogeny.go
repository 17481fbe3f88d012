package cli

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/engine/system/durable"
	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
)

// newick is a format of phylogenies that is not a figure.
const newick = "newick"

func newPhylogeny(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	trees := false // in the Newick format
	c := &cobra.Command{
		Use:   "phylogeny RUN|FILE",
		Short: "Draw the descent of the individuals of a run",
		Long: `Draws the descent of a run, or of a file in the ALife data standard for
phylogenies from any program, and how far back the most recent common ancestor
lies at each time. Prints its age at the end: for the survivors or, if none
survives, for the last. Descent is followed along first ancestors.

A file is CSV or JSON with the columns id and ancestor_list, and origin_time and
destruction_time where they are known. Rows are in any order. Without times
descent is drawn by depth, the most steps that lead back to a founder, and the
age is counted in steps.

--as newick writes the trees for programs of biology, such as ape, DendroPy and
Dendroscope: one for each founder, a line each. A branch is as long as the time
from the parent's birth.`,
		Example: `  clade phylogeny runs/quick
  clade phylogeny lineage.csv --as pdf --out figures
  clade phylogeny lineage.csv --as newick`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := report.ReadLineage(args[0])
			if err != nil {
				return err
			}
			if len(p.Taxa) == 0 {
				return fmt.Errorf("%s holds no taxa", args[0])
			}
			beside := strings.TrimSuffix(args[0], filepath.Ext(args[0]))
			if rundir.IsRun(args[0]) {
				beside = filepath.Join(args[0], rundir.FigureFolder)
			}
			if err := o.writeTo(beside); err != nil {
				return err
			}
			var paths []string
			if !trees || len(o.formats) > 0 {
				if paths, err = o.drawPhylogeny(p, args[0]); err != nil {
					return err
				}
			}
			if trees {
				path := filepath.Join(o.out, "phylogeny.nwk")
				if err := writeNewick(p, path); err != nil {
					return err
				}
				paths = append(paths, path)
			}
			return o.printPhylogeny(c, p, paths)
		},
	}
	o.add(c, help{"out": "directory of the figure (default: RUN/figures, or a folder named as " +
		"the file)", "width": "", "json": ""})
	c.Flags().Func("as", "`forms`: png, svg, pdf, tex, newick (default: all but newick)",
		func(names string) error {
			for name := range strings.SplitSeq(names, ",") {
				if name == newick {
					trees = true
				} else if err := o.addFormats(name); err != nil {
					return fmt.Errorf("%w, and here also newick", err)
				}
			}
			return nil
		})
	return c
}

// drawPhylogeny draws the phylogeny of a run or file, with its champions if it is a run.
func (o *flags) drawPhylogeny(p *analysis.Phylogeny, path string) ([]string, error) {
	var champions []int
	if rundir.IsRun(path) {
		r, err := runner.Open(*o.scope, path)
		if err == nil {
			champions, err = r.ChampionIDs()
		}
		if err != nil {
			return nil, err
		}
	}
	return o.save(figure.Phylogeny(p, champions, false))
}

func writeNewick(p *analysis.Phylogeny, path string) error {
	var text bytes.Buffer
	if err := p.WriteNewick(&text); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return durable.WriteFile(path, text.Bytes(), 0o666)
}

// printPhylogeny prints the age of the most recent common ancestor at the end.
func (o *flags) printPhylogeny(c *cobra.Command, p *analysis.Phylogeny, paths []string) error {
	last := p.AncestorAges(1)[0]
	by, text := "time", fmt.Sprintf("%d taxa; of those alive at time %g: ", len(p.Taxa), last.Time)
	lived := fmt.Sprintf("their most recent common ancestor lived %g before", last.Age)
	if p.Untimed != "" {
		by, text = "depth", fmt.Sprintf("%d taxa, by depth up to %g, since there are no times: %s; "+
			"of those alive at the end: ", len(p.Taxa), last.Time, p.Untimed)
		lived = fmt.Sprintf("their most recent common ancestor stands %g steps above the deepest "+
			"taxon", last.Age)
	}
	age := &last.Age
	if math.IsNaN(last.Age) {
		age, lived = nil, "they have no common ancestor on record"
	}
	text += lived
	return o.print(c, struct {
		Taxa    int      `json:"taxa"`
		By      string   `json:"by"` // what time and age are in: "time", or "depth" without times
		Time    float64  `json:"time"`
		Age     *float64 `json:"ancestor_age"` // null without a common ancestor on record
		Figures []string `json:"figures"`
	}{len(p.Taxa), by, last.Time, age, paths}, func(w io.Writer) {
		fmt.Fprintf(w, "%s\n%s\n", terminal.Wrap(text, terminal.Room(w)), strings.Join(paths, "\n"))
	})
}
