package cli

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"clade/analysis/figure"
	"clade/experiments/runner"
	"clade/gp/input"
)

// lookFlags are the flags that shape figures of curves.
type lookFlags struct {
	figure.Look
	labels string
	ranges []string
}

func (l *lookFlags) register(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVar(&l.Panels, "panels", nil, "`names` of the panels, with commas (default: all)")
	f.StringVar(&l.labels, "labels", "", "TOML `file` of lines NAME = \"LABEL\": what groups and "+
		"panels are called")
	f.StringSliceVar(&l.Order, "order", nil, "`groups` that come first, with commas")
	f.StringArrayVar(&l.ranges, "range", nil, "ends of a vertical axis, `PANEL=LOW..HIGH`; may be "+
		"repeated")
	f.BoolVar(&l.NoLegend, "no-legend", false, "leave the legend out")
}

// over applies the flags to a look of groups.
func (l *lookFlags) over(c *cobra.Command, look *figure.Look, groups []runner.Group) error {
	if c.Flags().Changed("panels") {
		look.Panels = l.Panels
	}
	if c.Flags().Changed("order") {
		look.Order = l.Order
	}
	look.NoLegend = look.NoLegend || l.NoLegend
	names := runner.Names(groups)
	for _, name := range l.Order {
		if !slices.Contains(names, name) {
			return misuse("--order: %s", input.Unknown("group", name, names))
		}
	}
	for _, r := range l.ranges {
		panel, ends, _ := strings.Cut(r, "=")
		low, high, ok := strings.Cut(ends, "..")
		least, e1 := strconv.ParseFloat(low, 64)
		most, e2 := strconv.ParseFloat(high, 64)
		if !ok || e1 != nil || e2 != nil {
			return misuse("--range must be PANEL=LOW..HIGH, such as wins=0..100, not %q", r)
		}
		if look.Range == nil {
			look.Range = map[string][]float64{}
		}
		look.Range[panel] = []float64{least, most}
	}
	if l.labels == "" {
		return nil
	}
	text, err := os.ReadFile(l.labels)
	if err == nil {
		err = toml.Unmarshal(text, &look.Labels)
	}
	if err != nil {
		return misuse("--labels: %s: %w; write a line NAME = \"LABEL\" for each", l.labels, err)
	}
	known := append(names, figure.Panels(groups[0].Runs[0].Game.Info().Marks)...)
	for name := range look.Labels {
		if !slices.Contains(known, name) && !strings.Contains(name, "+") {
			return misuse("--labels: %s: %s", l.labels, input.Unknown("group or panel", name, known))
		}
	}
	return nil
}
