package compare

import (
	"fmt"
	"math"
	"strings"

	"clade/analysis/stat"
	"clade/experiments/table"
)

// noSpread says what the intervals of shares are where runs do not differ.
const noSpread = "Where all runs have the same result, intervals are Wilson's over their games, " +
	"as many as count with so few runs (Korn and Graubard)."

// Tables returns all that was computed as tables, which every print of the comparison shows.
func (c *Comparison) Tables() []table.Table {
	tables := []table.Table{c.groupTable(), c.costTable()}
	if len(c.Effects) > 0 {
		tables = append(tables, c.effectTable())
	}
	if len(c.Pairs) > 0 {
		tables = append(tables, c.pairTable())
	}
	return tables
}

// Notes returns sentences on what the tables cannot tell: what is missing, what was not equal, and
// which tests there can be none of.
func (c *Comparison) Notes() (all []string) {
	if s := c.Missing.Sentence(); s != "" {
		all = append(all, s)
	}
	all = append(all, c.Unequal()...)
	if len(c.Confounded) > 0 {
		all = append(all, fmt.Sprintf("No main effect can be told of %s: they do not change "+
			"independently of the other settings.", strings.Join(c.Confounded, ", ")))
	}
	if idle := c.saturated(); len(idle) > 0 && len(idle) < len(c.Opponents) {
		all = append(all, fmt.Sprintf("Every group has 99 %% of the points or more, or 1 %% or less, "+
			"against %s: they tell groups apart no more.", strings.Join(idle, ", ")))
	}
	if f := c.Friedman; f != nil {
		all = append(all, fmt.Sprintf("Friedman's test with the %d opponents as cases: chi-square "+
			"%.2f, p %s; in Iman and Davenport's form F = %.2f, p %s (both approximate). Opponents "+
			"are few and alike, so it says less than the test over runs.",
			len(c.Opponents), f.ChiSquare, equals(pText(f.P)), f.F, equals(pText(f.FP))))
	}
	return append(all, c.Powerless()...)
}

// saturated lists the opponents against whom every group has nearly all of the points, or none.
func (c *Comparison) saturated() (all []string) {
	for k, name := range c.Opponents {
		least, most := 1.0, 0.0
		for i := range c.Groups {
			mean, _ := stat.MeanSD(c.Points[i][k])
			least, most = min(least, mean), max(most, mean)
		}
		if least >= 0.99 || most <= 0.01 {
			all = append(all, name)
		}
	}
	return all
}

// opponents names whom the points are of.
func (c *Comparison) opponents() string {
	if len(c.Opponents) == 1 {
		return c.Opponents[0]
	}
	return fmt.Sprintf("%d built-in players", len(c.Opponents))
}

func (c *Comparison) groupTable() table.Table {
	t := table.Table{Name: "groups",
		Caption: "Points of last champions against " + c.opponents() + " in percent: mean and " +
			"standard deviation over runs, and interquartile mean (IQM) over runs and opponents " +
			"with its 95 % interval by bootstrap over runs. " + noSpread,
		Columns: []string{"Group", "Runs", "Mean", "SD", "IQM"}}
	for i, g := range c.Groups {
		mean, sd := stat.MeanSD(c.Runs[i])
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%d  %s", i+1, g.Name),
			fmt.Sprint(len(g.Runs)), fmt.Sprintf("%.2f", 100*mean), orDash("%.2f", 100*sd),
			interval("%.2f", c.IQM[i], 100)})
	}
	return t
}

func (c *Comparison) costTable() table.Table {
	t := table.Table{Name: "costs",
		Caption: "What a run cost in the mean: games of selection, games of the champion's races, " +
			"and time of breeding by the clock.",
		Columns: []string{"Group", "Games", "Race games", "Time"}}
	for i, g := range c.Groups {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%d  %s", i+1, g.Name),
			fmt.Sprintf("%.0f", c.mean(i, games)), fmt.Sprintf("%.0f", c.mean(i, raceGames)),
			fmt.Sprintf("%.1f s", c.mean(i, seconds))})
	}
	return t
}

func (c *Comparison) effectTable() table.Table {
	t := table.Table{Name: "effects",
		Caption: "Main effects of settings, over all others: mean points of the runs in percent " +
			"with Student's 95 % interval, and Kruskal and Wallis's test over runs, whose p is " +
			"approximate. " + noSpread,
		Columns: []string{"Setting", "Value", "Runs", "Mean", "H", "p"}}
	for _, e := range c.Effects {
		for _, l := range e.Levels {
			t.Rows = append(t.Rows, []string{e.Key, l.Value, fmt.Sprint(l.Runs),
				interval("%.2f", l.Score, 100), orDash("%.2f", e.Test.Statistic),
				pText(e.Test.P)})
		}
	}
	return t
}

func (c *Comparison) pairTable() table.Table {
	nemenyi := ""
	if c.Friedman != nil {
		nemenyi = " Nemenyi's p is of mean ranks over opponents, approximate."
	}
	t := table.Table{Name: "tests",
		Caption: "Pairs of groups by their numbers: Mann and Whitney's test over runs, exact or by " +
			"the normal approximation, p-values also with Holm's correction; Vargha and Delaney's " +
			"A12 and Cliff's delta; the probability that a run of the first beats one of the second " +
			"against a random opponent, with 95 % interval by bootstrap over runs (Wilson's over " +
			"the runs of the smaller group where one always does)." + nemenyi,
		Columns: []string{"Pair", "U", "p", "kind", "p (Holm)", "A12", "delta", "beats"}}
	if c.Friedman != nil {
		t.Columns = append(t.Columns, "Nemenyi")
	}
	for _, p := range c.Pairs {
		row := []string{fmt.Sprintf("%d against %d", p.A+1, p.B+1),
			fmt.Sprintf("%.1f", p.MannWhitney.Statistic), pText(p.MannWhitney.P),
			p.kind(), pText(p.Holm), fmt.Sprintf("%.2f", p.A12),
			fmt.Sprintf("%.2f", p.Cliff), interval("%.2f", p.Improvement, 1)}
		if c.Friedman != nil {
			row = append(row, pText(p.Nemenyi))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// interval prints an estimate with its interval, times a factor.
func interval(format string, i stat.Interval, factor float64) string {
	if math.IsNaN(i.Low) {
		return fmt.Sprintf(format, factor*i.Estimate) + " [not known]"
	}
	return fmt.Sprintf(format+" ["+format+", "+format+"]", factor*i.Estimate, factor*i.Low,
		factor*i.High)
}

// pText prints a p-value; one that four digits cannot tell from 0 as a bound.
func pText(p float64) string {
	if p < 0.00005 {
		return "<0.0001"
	}
	return orDash("%.4f", p)
}

// equals puts the sign before a number that has none.
func equals(p string) string {
	if strings.HasPrefix(p, "<") {
		return "< " + p[1:]
	}
	return "= " + p
}

// orDash prints a number; a dash where it is not known.
func orDash(format string, x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf(format, x)
}
