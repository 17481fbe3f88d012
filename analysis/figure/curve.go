package figure

import (
	"cmp"
	"math"
	"slices"

	"clade/analysis"
)

// CurvePanel is one panel of a figure by generation.
type CurvePanel struct {
	Title  string
	XLabel string // "" means "Generation"
	LogX   bool   // a logarithmic axis; what it counts is 1 or more
	YLabel string
	Scale  float64 // values are multiplied by it: 100 for percent; 0 means 1
	None   string  // is written where all points are gaps
	// Layers are the measures drawn in this panel, each with its curves. With several, the layer's
	// name stands in the legend beside the group's.
	Layers []CurveLayer
}

// CurveLayer is one measure in a panel.
type CurveLayer struct {
	Name   string // in the legend; "" where a panel has one layer
	Curves []analysis.Curve
}

// Curves draws panels side by side over generations, up to three a row, four as a square: mean
// lines with their bands, the legend below. A group has the same style in all panels; further
// layers of a panel take styles of their own. Panels with the same label share their axis. Six
// curves or more in a panel are small multiples instead, one below the other. There is one panel at
// least, and where any has points, those without are left out: not every game has deaths.
func Curves(name, caption string, panels ...CurvePanel) *Figure {
	if full := slices.DeleteFunc(slices.Clone(panels), CurvePanel.empty); len(full) > 0 {
		panels = full
	}
	var all [][]analysis.Curve
	var keys keyring
	keys.collect(panels)
	laid := make([]tracePanel, len(panels))
	for i, p := range panels {
		laid[i] = p.traces(&keys)
		for _, l := range p.Layers {
			all = append(all, l.Curves)
		}
	}
	g, width, height := layTraces(laid)
	return &Figure{Name: name, Caption: caption, Width: width, Height: height, Draw: g.draw,
		Data: analysis.CurveTable(all...)}
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
type keyring struct{ groups, layers []string }

func (r *keyring) key(layer, group string) key {
	g, l := slices.Index(r.groups, group), slices.Index(r.layers, layer)
	if len(r.groups) == 1 {
		return key{label: cmp.Or(layer, group), style: styleOf(g + l)}
	}
	k := key{label: group, style: styleOf(g)}
	if layer != "" {
		k.label = layer + ", " + group
	}
	k.style.Dash = dashes[(g+l*max(1, len(dashes)/len(r.layers)))%len(dashes)]
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

// traces returns the panel's curves as what is drawn.
func (p CurvePanel) traces(keys *keyring) tracePanel {
	panel := tracePanel{title: p.Title, xLabel: p.XLabel, yLabel: p.YLabel, logX: p.LogX,
		reference: math.NaN(), none: p.None}
	scale := cmp.Or(p.Scale, 1)
	for _, l := range p.Layers {
		for _, c := range l.Curves {
			k := keys.key(l.Name, c.Group)
			t := trace{label: k.label, style: k.style}
			unit := 1.0
			if c.Games > 0 {
				panel.xLabel, unit = "Games of selection (millions)", c.Games/1e6
			}
			for _, q := range c.Points {
				t.points = append(t.points, tracePoint{float64(q.Generation) * unit,
					q.Mean * scale, q.Low * scale, q.High * scale})
			}
			panel.traces = append(panel.traces, t)
		}
	}
	return panel
}
