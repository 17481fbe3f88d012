package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"clade/analysis"
)

// CurvePanel is one panel of a figure by generation.
type CurvePanel struct {
	Name   string // in Look.Panels, Labels and Range; "" where they cannot name it
	Title  string
	XLabel string // "" means "Generation"
	LogX   bool   // a logarithmic axis; what it counts is 1 or more
	YLabel string
	Scale  float64 // values are multiplied by it: 100 for percent; 0 means 1
	None   string  // text of a plot in which all points are gaps
	// Layers are the measures drawn in this panel, each with its curves. With several, the legend
	// names the layer and the group.
	Layers []CurveLayer
}

// CurveLayer is one measure in a panel.
type CurveLayer struct {
	Name   string // in the legend; "" where a panel has one layer
	Curves []analysis.Curve
}

// Curves draws panels side by side over generations, up to three a row, four as a square: mean
// lines with their bands, the legend below. A group has the same style in all panels; each layer of
// a panel has its own. Panels with the same label share their axis. Six curves or more in a panel
// are drawn as small multiples, one below the other. Panels must not be empty. Those without points
// are left out (not every game has deaths), unless none has any.
func Curves(name, caption string, panels ...CurvePanel) *Figure {
	return fitting((&Look{}).drawing(name, caption, panels))
}

// curves draws those panels that the look chooses as Curves does; nil if it chooses none. The
// caption is what, then how; what is replaced by the panels' titles if the look chooses.
func (l *Look) curves(name, what, how string, panels []CurvePanel) (*Figure, error) {
	if panels = l.chosen(panels); len(panels) == 0 {
		return nil, nil
	}
	caption := what + how
	if len(l.Panels) > 0 {
		var titles []string
		for _, p := range panels {
			titles = append(titles, p.Title)
		}
		caption = strings.Join(titles, ", ") + how
	}
	draw := l.drawing(name, caption, panels)
	wanted, err := l.Width.length()
	if err != nil {
		return nil, fmt.Errorf("the width of a figure %w", err)
	}
	f, err := draw(wanted)
	if err == nil {
		f.fit = draw
	}
	return f, err
}

// drawing returns a function that draws panels in any width.
func (l *Look) drawing(name, caption string, panels []CurvePanel) func(vg.Length) (*Figure, error) {
	if full := slices.DeleteFunc(slices.Clone(panels), CurvePanel.empty); len(full) > 0 {
		panels = full
	}
	var all [][]analysis.Curve
	keys := keyring{look: l}
	keys.collect(panels)
	laid := make([]tracePanel, len(panels))
	ofGames, games := gamesUnit(panels)
	for i, p := range panels {
		laid[i] = p.traces(&keys, ofGames, games)
		for _, l := range p.Layers {
			all = append(all, l.Curves)
		}
	}
	return l.layout(name, caption, analysis.CurveTable(all...), laid)
}

// empty tells whether no layer has a point.
func (p CurvePanel) empty() bool {
	return !slices.ContainsFunc(p.Layers, func(l CurveLayer) bool {
		return slices.ContainsFunc(l.Curves, func(c analysis.Curve) bool {
			return len(c.Points) > 0
		})
	})
}

// keyring gives each pair of layer and group its label and style. With several groups a colour is a
// group and the dashes tell the layers apart; with one, each layer has a colour.
type keyring struct {
	look           *Look
	groups, layers []string
}

func (r *keyring) key(layer, group string) key {
	g, l := slices.Index(r.groups, group), slices.Index(r.layers, layer)
	label := r.look.Label(group)
	style := r.look.style(group, r.groups)
	if len(r.groups) == 1 {
		if len(r.layers) > 1 {
			style = styleOf(l)
		}
		return key{label: cmp.Or(layer, label), style: style}
	}
	k := key{label: label, style: style}
	if layer != "" {
		k.label = layer + ", " + label
	}
	if len(r.layers) > 1 {
		k.style.dash = dashes[(g+l*max(1, len(dashes)/len(r.layers)))%len(dashes)]
	}
	return k
}

// collect notes the groups and layers of all panels in the order of their appearance.
func (r *keyring) collect(panels []CurvePanel) {
	for _, p := range panels {
		for _, l := range p.Layers {
			if !slices.Contains(r.layers, l.Name) {
				r.layers = append(r.layers, l.Name)
			}
			for _, c := range l.Curves {
				if !slices.Contains(r.groups, c.Group) {
					r.groups = append(r.groups, c.Group)
				}
			}
		}
	}
}

// gamesUnit returns the unit, in games, and the name of a horizontal axis of games of selection; 0
// if curves are over generations.
func gamesUnit(panels []CurvePanel) (unit float64, name string) {
	most := 0.0
	for _, p := range panels {
		for _, l := range p.Layers {
			for _, c := range l.Curves {
				for _, p := range c.Points {
					most = math.Max(most, p.Games)
				}
			}
		}
	}
	switch name = "Games of selection"; {
	case most == 0:
		return 0, ""
	case most >= 1e6:
		return 1e6, name + " (millions)"
	case most >= 1e4:
		return 1e3, name + " (thousands)"
	}
	return 1, name
}

// traces returns the panel's curves as traces.
func (p CurvePanel) traces(keys *keyring, ofGames float64, games string) tracePanel {
	panel := tracePanel{title: p.Title, xLabel: p.XLabel, yLabel: p.YLabel, logX: p.LogX,
		reference: math.NaN(), none: p.None, ends: keys.look.Range[p.Name]}
	scale := cmp.Or(p.Scale, 1)
	for _, l := range p.Layers {
		for _, c := range keys.look.ordered(l.Curves) {
			k := keys.key(l.Name, c.Group)
			t := trace{label: k.label, style: k.style}
			if ofGames > 0 {
				panel.xLabel, panel.freeX = games, true
			}
			for _, q := range c.Points {
				x := float64(q.Generation)
				if ofGames > 0 {
					x = q.Games / ofGames
				}
				t.points = append(t.points, tracePoint{x, q.Mean * scale, q.Low * scale, q.High * scale})
			}
			panel.traces = append(panel.traces, t)
		}
	}
	return panel
}
