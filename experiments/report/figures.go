package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/monitor"
	"clade/analysis/rating"
	"clade/analysis/stat"
)

// thirds are the parts of a run whose lag curves are drawn apart.
var thirds = [...]string{"first third", "second third", "last third"}

// Matrices returns the figures of both matrices of points.
func (c *Analysis) Matrices() []*figure.Figure { return []*figure.Figure{c.ancestry(), c.master()} }

func (c *Analysis) ancestry() *figure.Figure {
	return figure.Ancestry("ciao", "Current individuals against ancestral opponents.", c.Ancestors)
}

func (c *Analysis) master() *figure.Figure {
	return figure.Ancestry("master", "Master tournament: every champion against all others, "+
		"earlier and later.", c.Master)
}

// Figures returns the figures, the most telling first.
func (c *Analysis) Figures() ([]*figure.Figure, error) {
	names, lags, err := c.lags()
	if err != nil {
		return nil, err
	}
	none := math.NaN()
	line := func(name, caption, x, y string, points []monitor.Point,
		band func(monitor.Point) stat.Interval, reference float64) *figure.Figure {
		return figure.Lines(name, caption, x, y, []string{name}, [][]monitor.Point{points}, band,
			reference)
	}
	games := figure.OfTrials(c.Games)
	forgetting := c.Master.Forgetting()
	forgotten := map[int]stat.Interval{} // by generation
	for i, q := range forgetting {
		forgotten[q.At] = c.Forgotten[i]
	}
	const bands = ", with 95 % bands of the games."
	age := "Age of the opponent (generations)"
	figures := []*figure.Figure{
		c.ancestry(),
		figure.Lines("lag", "Points against opponents by their age"+bands, age,
			"Points of the individual (%)", names, lags, games, 0.5),
		c.master(),
		line("master-points", "Points of each champion against all"+bands, "Generation",
			"Points against all champions (%)", c.Master.Means(), games, 0.5),
		c.strength(),
		figure.Staircase(c.Dominant, c.Generations[len(c.Generations)-1]),
		line("hall-of-fame", "Points of the last champion against its ancestors by their age"+
			bands, age, "Points of the last champion (%)", c.Master.ByAge(), games, 0.5),
		line("forgetting", "How much worse a champion does against its ancestors than the best of "+
			"those in between did, with 95 % bands over resamples of the boards.", "Generation",
			"Points below the best in between (%)", forgetting,
			func(q monitor.Point) stat.Interval { return forgotten[q.At] }, 0),
		figure.Intransitivity(c.Windows),
	}
	if len(c.panel) > 0 {
		figures = append(figures, c.panelFigure(),
			line("disengagement", "Share of the panel that cannot tell the last three champions "+
				"apart, with 95 % bands over its players (Wilson).", "Generation",
				"Share of the panel that is blind (%)", c.blind, figure.OfTrials(1), none))
	}
	if c.League.Curl != nil {
		figures = append(figures, figure.Curl(c.League.Curl))
	}
	if c.disc != nil {
		figures = append(figures, figure.Disc(c.League.Players, *c.disc))
	}
	figures = append(figures, c.bloat(), c.usage(), c.view())
	if c.lineage != nil && len(c.lineage.Taxa) > 0 {
		figures = append(figures, figure.Phylogeny(c.lineage, c.champions, true))
	}
	return figures, nil
}

// lags returns lag curves of the champions of each third of the run.
func (c *Analysis) lags() (names []string, lines [][]monitor.Point, err error) {
	n := len(c.Generations)
	width := max(1, (c.Generations[n-1]-c.Generations[0])/20)
	for part, name := range thirds {
		some := &monitor.CIAO{Generations: c.Generations, Score: make([][]float64, n)}
		for i := range some.Score {
			if some.Score[i] = c.Ancestors.Score[i]; i < part*n/3 || i >= (part+1)*n/3 {
				some.Score[i] = unplayed(n)
			}
		}
		points, err := some.Lag(width)
		if err != nil {
			return nil, nil, err
		}
		names, lines = append(names, name), append(lines, points)
	}
	return names, lines, nil
}

func unplayed(n int) []float64 {
	row := make([]float64, n)
	for i := range row {
		row[i] = math.NaN()
	}
	return row
}

// strength draws the champions' ratings by generation; of those whom the games do not limit, the
// bound.
func (c *Analysis) strength() *figure.Figure {
	kinds := []rating.Bound{rating.Rated, rating.AtLeast, rating.AtMost}
	nan := math.NaN()
	curves := make([]analysis.Curve, len(kinds))
	for k, kind := range kinds {
		curves[k] = analysis.Curve{Measure: analysis.Mark(strings.TrimSuffix("elo-"+
			strings.ReplaceAll(string(kind), " ", "-"), "-"))}
		for _, generation := range c.Generations {
			curves[k].Points = append(curves[k].Points,
				analysis.CurvePoint{Generation: generation, Mean: nan, Low: nan, High: nan, Runs: 1})
		}
	}
	bounded := false
	for _, s := range c.League.Standings {
		elo, bound := s.Elo(), s.Bound()
		bounded = bounded || bound != rating.Rated
		switch p := &curves[max(0, slices.Index(kinds, bound))].Points[s.Player]; bound {
		case rating.Rated:
			p.Mean, p.Low, p.High = elo.Estimate, elo.Low, elo.High
		case rating.AtLeast:
			p.Mean = elo.Low
		case rating.AtMost:
			p.Mean = elo.High
		}
	}
	panel := figure.CurvePanel{YLabel: "Elo among the champions", None: "each beat all before it",
		Layers: []figure.CurveLayer{{Curves: curves[:1]}}}
	caption := "Strength of the champions among themselves, with 95 % intervals."
	if bounded {
		caption += " Of champions that won, or lost, whatever they played against some of the " +
			"others, only a bound is known."
		panel.Layers = []figure.CurveLayer{{Name: "rated", Curves: curves[:1]},
			{Name: "at least", Curves: curves[1:2]}, {Name: "at most", Curves: curves[2:]}}
	}
	return figure.Curves("strength", caption, panel)
}

// panelFigure draws the champions' record against each player from outside.
func (c *Analysis) panelFigure() *figure.Figure {
	p := figure.CurvePanel{YLabel: "Games won (%)", Scale: 100}
	for _, opponent := range c.panel {
		curve := analysis.Curve{Measure: analysis.Wins + "_against_" + analysis.Measure(opponent.Player)}
		for i, m := range opponent.Results {
			curve.Points = append(curve.Points, analysis.CurvePoint{Generation: c.Generations[i],
				Mean: m.Wins.Estimate, Low: m.Wins.Low, High: m.Wins.High, Runs: 1})
		}
		p.Layers = append(p.Layers, figure.CurveLayer{Name: "against " + opponent.Player,
			Curves: []analysis.Curve{curve}})
	}
	return figure.Curves("panel", "Champions against players from outside, with 95 % bands.", p)
}

// bloat draws the size of the champions, and what of it matters.
func (c *Analysis) bloat() *figure.Figure {
	all, alive := analysis.Curve{Measure: "nodes"}, analysis.Curve{Measure: "nodes_that_matter"}
	for i, w := range c.Weights {
		point := func(nodes int) analysis.CurvePoint {
			return analysis.CurvePoint{Generation: c.Generations[i], Mean: float64(nodes),
				Low: math.NaN(), High: math.NaN(), Runs: 1}
		}
		all.Points, alive.Points = append(all.Points, point(w.Nodes)),
			append(alive.Points, point(w.Nodes-w.Dead))
	}
	return figure.Curves("bloat",
		"Size of the champions, and how much of it ever changes a decision.",
		figure.CurvePanel{YLabel: "Nodes of the champion",
			Layers: []figure.CurveLayer{{Name: "all", Curves: []analysis.Curve{all}},
				{Name: "that ever change a decision", Curves: []analysis.Curve{alive}}}})
}

// usage draws what the champions are made of.
func (c *Analysis) usage() *figure.Figure {
	g := c.game.Grammar()
	var usage []figure.Usage
	for i, generation := range c.Generations {
		usage = append(usage,
			figure.Usage{Generation: generation, Shares: analysis.Primitives(g, c.Genomes[i:i+1])})
	}
	return figure.Primitives(g, usage)
}

// view draws where the rectangles of the champions of the last third of the run look.
func (c *Analysis) view() *figure.Figure {
	g := c.game.Grammar()
	share, _ := analysis.Coverage(g, c.Genomes[2*len(c.Genomes)/3:], -1)
	return figure.FieldOfView(share, g.Window.Side)
}

// Finding is one number that a monitor ends in.
type Finding struct {
	Monitor string `json:"monitor"`
	Value   string `json:"value"` // with its unit
	Meaning string `json:"meaning"`
}

// Findings sums up the monitors, a line each.
func (c *Analysis) Findings() []Finding {
	var all []Finding
	add := func(name, meaning, format string, args ...any) {
		all = append(all, Finding{name, fmt.Sprintf(format, args...), meaning})
	}
	n := len(c.Generations)
	last := c.Master.Means()[n-1]
	low := monitor.Point{Value: 1}
	for _, p := range c.Master.ByAge()[1:] {
		if p.Value < low.Value {
			low = p
		}
	}
	share := func(x float64, games int) string {
		ci := stat.Wilson(x*float64(games), float64(games), monitorConfidence)
		return percentOf(ci)
	}
	add("master tournament", "points of the last champion against all", "%s",
		share(last.Value, (n-1)*c.Games))
	add("hall of fame", "its worst result against an ancestor", "%s against generation %d",
		share(low.Value, c.Games), c.Generations[n-1]-low.At)
	add("dominance", "champions that beat all dominant ones before them",
		"%d of %d, the last in generation %d", len(c.Dominant), n, c.Dominant[len(c.Dominant)-1])
	add("forgetting", "points that the last champion lost against ancestors since the best since",
		"%s", percentOf(c.Forgotten[len(c.Forgotten)-1]))
	for _, opponent := range c.panel {
		m := opponent.Results[len(opponent.Results)-1]
		add("panel", "points of the last champion against "+opponent.Player, "%s", percentOf(m.Points))
	}
	if cycles := c.League.Spread.Counted; cycles.Decided > 0 {
		add("cycles", "decided triples in which each beats the next", "%d of %d, %s",
			cycles.Cyclic, cycles.Decided, percentOf(c.League.Spread.Cycles))
	}
	if c.League.Curl != nil {
		add("curl", "share of the results that no rating explains",
			"%s, p = %.3f under one strength each", percentOf(c.League.Spread.Curl), c.League.Curl.P)
	}
	if c.disc != nil {
		add("disc embedding", "share of the results that the first plane explains", "%s",
			percentOf(c.League.Spread.Disc))
	}
	if len(c.blind) > 0 {
		add("disengagement",
			fmt.Sprintf("players of the panel that did not tell the last %d champions apart",
				blindWidth), "%.0f %%", 100*c.blind[len(c.blind)-1].Value)
	}
	weight := c.Weights[n-1]
	add("bloat", fmt.Sprintf("nodes of the last champion that changed none of %d decisions",
		decisionCount), "%d of %d", weight.Dead, weight.Nodes)
	if !math.IsNaN(c.ancestor) {
		add("common ancestor", "age of the last population's most recent one", "%.0f generations",
			c.ancestor)
	}
	return all
}

// percentOf prints a share with its interval.
func percentOf(i stat.Interval) string {
	share := stat.Fixed(1, 100*i.Estimate)
	if math.IsNaN(i.Low) {
		return share + " % (interval not known)"
	}
	return fmt.Sprintf("%s %% (%s..%s)", share, stat.Fixed(1, 100*i.Low), stat.Fixed(1, 100*i.High))
}
