package figure

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"clade/analysis"
	"clade/gp/input"
)

// Look holds the settings by which the curves of a paper differ from the theme. The zero value is
// the theme.
type Look struct {
	// Panels names the panels that are drawn, in this order: wins, the marks of the game (or sums
	// of them, with +), score, size, depth, genotypes and behaviour. None means all but sums.
	Panels []string `toml:"panels,omitempty"`
	// Width of a figure; by default as its panels need.
	Width Width `toml:"width,omitempty"`
	// Order names the groups that are drawn first. It does not change their colours.
	Order []string `toml:"order,omitempty"`
	// Labels holds labels of groups and panels, by name.
	Labels map[string]string `toml:"labels,omitempty"`
	// Range holds the ends of vertical axes, by panel, in the unit of the axis.
	Range    map[string][]float64 `toml:"range,omitempty"`
	NoLegend bool                 `toml:"no-legend,omitempty"`
	// Groups are all groups of a page or paper, drawn here or not: a group's place gives its colour.
	// None means those that are drawn.
	Groups []string `toml:"-"`
}

// Panels lists the names of the panels that the curves of a game's runs have.
func Panels(marks []string) []string {
	return slices.Concat([]string{"wins"}, marks, []string{"score"}, logged[:])
}

// logged lists the panels of values that every generation logs; the others show measured champions.
var logged = [...]string{"size", "depth", "genotypes", "behaviour"}

// Logged reports whether a panel shows values that every generation logs, not measured champions.
func Logged(panel string) bool { return slices.Contains(logged[:], panel) }

// Check returns the faults of a look for curves of a game with these marks, as input.Faults.
func (l *Look) Check(marks []string) error {
	known := Panels(marks)
	if err := l.Width.Check(); err != nil {
		return input.Faultf("width", "width %w", err)
	}
	check := func(key, name string) error {
		for part := range strings.SplitSeq(name, "+") {
			among := known
			if part != name {
				among = marks // shares and scores do not add up
			}
			if !slices.Contains(among, part) {
				return input.Faultf(key, "%s: %s", key, input.Unknown("panel", part, among))
			}
		}
		return nil
	}
	for _, name := range l.Panels {
		if err := check("panels", name); err != nil {
			return err
		}
	}
	for name, ends := range l.Range {
		if err := check("range", name); err != nil {
			return err
		}
		if len(ends) != 2 || !(ends[0] < ends[1]) {
			return input.Faultf("range", "range: %s needs two numbers, the lesser first, not %v",
				name, ends)
		}
	}
	return nil
}

// Width is the width of a figure: "column" (85 mm), "page" (175 mm), or 40 to 1000, in millimetres;
// "" is as wide as it needs.
type Width string

// Check returns an error for an invalid width.
func (w Width) Check() error {
	_, err := w.length()
	return err
}

// length returns the width as a length, 0 for "".
func (w Width) length() (vg.Length, error) {
	switch w {
	case "":
		return 0, nil
	case "column":
		return ColumnWidth, nil
	case "page":
		return pageWidth, nil
	}
	mm, err := strconv.ParseFloat(string(w), 64)
	if err != nil || !(mm >= 40 && mm <= 1000) {
		return 0, fmt.Errorf(`must be "column", "page" or millimetres in 40..1000, not %q`, w)
	}
	return vg.Length(mm) * vg.Millimeter, nil
}

// Label returns the label of a group or panel.
func (l *Look) Label(name string) string {
	if label, ok := l.Labels[name]; ok {
		return label
	}
	return name
}

// style returns the style of a group in a figure of these groups.
func (l *Look) style(group string, groups []string) groupStyle {
	if i := slices.Index(l.Groups, group); i >= 0 {
		return styleOf(i)
	}
	return styleOf(len(l.Groups) + slices.Index(groups, group))
}

// sums lists the sums of marks that are to be drawn.
func (l *Look) sums() []string {
	return slices.DeleteFunc(slices.Clone(l.Panels),
		func(name string) bool { return !strings.Contains(name, "+") })
}

// chosen returns the panels that are drawn, in order, with their labels.
func (l *Look) chosen(panels []CurvePanel) []CurvePanel {
	for i := range panels {
		panels[i].Title = cmp.Or(l.Labels[panels[i].Name], panels[i].Title)
	}
	if len(l.Panels) == 0 {
		return panels
	}
	var all []CurvePanel
	for _, name := range l.Panels {
		for _, p := range panels {
			if p.Name == name {
				all = append(all, p)
			}
		}
	}
	return all
}

// ordered returns curves in the order of their groups.
func (l *Look) ordered(curves []analysis.Curve) []analysis.Curve {
	place := func(c analysis.Curve) int {
		if i := slices.Index(l.Order, c.Group); i >= 0 {
			return i
		}
		return len(l.Order)
	}
	curves = slices.Clone(curves)
	slices.SortStableFunc(curves, func(a, b analysis.Curve) int { return place(a) - place(b) })
	return curves
}
