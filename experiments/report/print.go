package report

import (
	"fmt"
	"math"
	"strings"

	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/experiments/runner"
)

// OfGames reports whether the compared values are shares of games.
func (c *Comparison) OfGames() bool { return c.games(0) > 0 }

// noSpread explains the intervals of shares of games in runs that do not differ.
func (c *Comparison) noSpread() string {
	if !c.OfGames() {
		return ""
	}
	return " Where all runs have the same result, intervals are Wilson's over their games, as " +
		"many as count with so few runs (Korn and Graubard)."
}

// Tables returns all computed tables, in the order of every print of the comparison.
func (c *Comparison) Tables() []figure.Table {
	tables := []figure.Table{c.groupTable(), c.costTable()}
	if len(c.Effects) > 0 {
		tables = append(tables, c.effectTable())
	}
	if len(c.pairs) > 0 {
		tables = append(tables, c.pairTable())
	}
	return tables
}

// Notes returns sentences for what the tables do not show: missing runs, unequal budgets, and tests
// that are impossible.
func (c *Comparison) Notes() (all []string) {
	if s := c.Missing.Sentence(); s != "" {
		all = append(all, s)
	}
	all = append(all, c.unequal()...)
	if len(c.confounded) > 0 {
		all = append(all, fmt.Sprintf("No main effect can be told of %s: they do not change "+
			"independently of the other settings.", strings.Join(c.confounded, ", ")))
	}
	if idle := c.saturated(); len(idle) > 0 && len(idle) < len(c.Cases) {
		all = append(all, fmt.Sprintf("Every group has 99 %% of the points or more, or 1 %% or less, "+
			"against %s: they tell groups apart no more.", strings.Join(idle, ", ")))
	}
	if f := c.Friedman; f != nil {
		form := " (approximate); Iman and Davenport's form has no F where all rank the groups alike"
		if !math.IsInf(f.F, 1) {
			form = fmt.Sprintf("; in Iman and Davenport's form F = %.2f, p %s (both approximate)", f.F,
				equals(pText(f.FP)))
		}
		all = append(all, fmt.Sprintf("Friedman's test with the %d opponents as cases: chi-square "+
			"%.2f, p %s%s. Opponents are few and alike, so it says less than the test over runs.",
			len(c.Cases), f.ChiSquare, equals(pText(f.P)), form))
	}
	return append(all, c.Powerless()...)
}

// saturated lists the opponents against whom every group has nearly all of the points, or none.
func (c *Comparison) saturated() (all []string) {
	if !c.Options.Measure.points() {
		return nil
	}
	for k, name := range c.Cases {
		least, most := 1.0, 0.0
		for i := range c.Groups {
			mean, _ := stat.MeanSD(c.values[i][k])
			least, most = min(least, mean), max(most, mean)
		}
		if least >= 0.99 || most <= 0.01 {
			all = append(all, name)
		}
	}
	return all
}

// what describes the compared measure and the opponents.
func (c *Comparison) what() string {
	against := ""
	switch n := len(c.Cases); {
	case c.Options.Measure.points() && n > 1:
		players := map[string]bool{}
		for _, name := range c.Cases {
			player, _, _ := strings.Cut(name, " at ")
			players[player] = true
		}
		against = fmt.Sprintf(" against %d built-in players", len(players))
		if len(players) < n {
			against += " at several settings"
		}
	case n > 1 && c.Options.Measure.Until():
		against = fmt.Sprintf(", in the mean over %d players", n)
	case n > 1:
		against = fmt.Sprintf(" against %d players", n)
	case c.Cases[0] != "":
		against = " against " + c.Cases[0]
	}
	if c.Options.Measure.points() {
		return "Points of last champions" + against
	}
	what := c.Options.Measure.What()
	return strings.ToUpper(what[:1]) + what[1:] + against
}

func (c *Comparison) groupTable() figure.Table {
	factor, in := c.Options.Measure.unit()
	if c.Options.Measure.Until() {
		return c.reachTable()
	}
	t := figure.Table{Name: "groups", Caption: c.what() + in + ": mean and " +
		"standard deviation over runs, and interquartile mean (IQM) over runs and opponents " +
		"with its 95 % interval by bootstrap over runs." + c.noSpread(),
		Columns: []string{"Group", "Runs", "Mean", "SD", "IQM"}}
	for i, g := range c.Groups {
		mean, sd := stat.MeanSD(c.runs[i])
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%d  %s", i+1, g.Name),
			fmt.Sprint(len(g.Runs)), figure.OrDash("%.2f", factor*mean), figure.OrDash("%.2f", factor*sd),
			printInterval("%.2f", c.iqm[i], factor)})
	}
	return t
}

// reachTable is the table for games until a level is reached. They have no mean if a run never
// reaches it.
func (c *Comparison) reachTable() figure.Table {
	each := ""
	if len(c.Cases) > 1 {
		each = " against each of them"
	}
	t := figure.Table{Name: "groups", Caption: c.what() + ": runs that reached it" + each +
		", and the median over all runs, of which one that never did counts as the last.",
		Columns: []string{"Group", "Runs", "Reached", "Median"}}
	for i, g := range c.Groups {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%d  %s", i+1, g.Name), fmt.Sprint(len(g.Runs)),
			fmt.Sprint(c.reached(i)), figure.OrDash("%.0f", stat.Median(c.runs[i]))})
	}
	return t
}

// reached counts the runs of a group that reached the level.
func (c *Comparison) reached(group int) (n int) {
	for _, v := range c.runs[group] {
		if !math.IsInf(v, 1) {
			n++
		}
	}
	return n
}

func (c *Comparison) costTable() figure.Table {
	t := figure.Table{Name: "costs",
		Caption: "What a run cost in the mean: games of selection, games of the champion's races, " +
			"and processor time of breeding.",
		Columns: []string{"Group", "Games", "Race games", "CPU time"}}
	for i, g := range c.Groups {
		t.Rows = append(t.Rows, []string{fmt.Sprintf("%d  %s", i+1, g.Name),
			fmt.Sprintf("%.0f", c.mean(i, games)), fmt.Sprintf("%.0f", c.mean(i, raceGames)),
			fmt.Sprintf("%.1f s", c.mean(i, seconds))})
	}
	return t
}

func (c *Comparison) effectTable() figure.Table {
	factor, in := c.Options.Measure.unit()
	mean := "mean points of the runs"
	if m := c.Options.Measure; !m.points() {
		mean = m.What() + ", mean of the runs"
	}
	t := figure.Table{Name: "effects",
		Caption: "Main effects of settings, over all others: " + mean + in +
			" with Student's 95 % interval, and Kruskal and Wallis's test over runs, whose p is " +
			"approximate." + c.noSpread(),
		Columns: []string{"Setting", "Value", "Runs", "Mean", "H", "p"}}
	for _, e := range c.Effects {
		for _, l := range e.Levels {
			t.Rows = append(t.Rows, []string{e.Key, l.Value, fmt.Sprint(l.Runs),
				printInterval("%.2f", l.Score, factor), figure.OrDash("%.2f", e.Test.Statistic),
				pText(e.Test.P)})
		}
	}
	return t
}

func (c *Comparison) pairTable() figure.Table {
	nemenyi := ""
	if c.Friedman != nil {
		nemenyi = " Nemenyi's p is of mean ranks over opponents, approximate."
	}
	beats := "a run of the first beats one of the second against a random opponent"
	if !c.Options.Measure.points() {
		beats = "a run of the first has a greater value than one of the second"
		if n := len(c.Cases); n > 1 {
			beats += fmt.Sprintf(" against a random one of %d players", n)
		}
	}
	t := figure.Table{Name: "tests",
		Caption: "Pairs of groups by their numbers: Mann and Whitney's test over runs, exact or by " +
			"the normal approximation, p-values also with Holm's correction; Vargha and Delaney's " +
			"A12 and Cliff's delta; the probability that " + beats + ", with 95 % interval by " +
			"bootstrap over runs (Wilson's over " +
			"the runs of the smaller group where one always does)." + nemenyi,
		Columns: []string{"Pair", "U", "p", "kind", "p (Holm)", "A12", "delta", "beats"}}
	if c.Friedman != nil {
		t.Columns = append(t.Columns, "Nemenyi")
	}
	for _, p := range c.pairs {
		row := []string{fmt.Sprintf("%d against %d", p.A+1, p.B+1),
			fmt.Sprintf("%.1f", p.MannWhitney.Statistic), pText(p.MannWhitney.P),
			p.kind(), pText(p.Holm), fmt.Sprintf("%.2f", p.A12),
			fmt.Sprintf("%.2f", p.Cliff), printInterval("%.2f", p.Improvement, 1)}
		if c.Friedman != nil {
			row = append(row, pText(p.Nemenyi))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// printInterval prints an estimate with its interval, times a factor.
func printInterval(format string, i stat.Interval, factor float64) string {
	if math.IsInf(i.Estimate, 0) {
		return "never"
	}
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
	return figure.OrDash("%.4f", p)
}

// equals puts the sign before a number that has none.
func equals(p string) string {
	if strings.HasPrefix(p, "<") {
		return "< " + p[1:]
	}
	return "= " + p
}

// The parts of a cost that are compared.
func games(c runner.Cost) float64     { return float64(c.Games) }
func raceGames(c runner.Cost) float64 { return float64(c.RaceGames) }
func seconds(c runner.Cost) float64   { return c.Processor }

// mean returns the mean cost of a run of a group.
func (c *Comparison) mean(group int, of func(runner.Cost) float64) (sum float64) {
	for _, cost := range c.Costs[group] {
		sum += of(cost)
	}
	return sum / float64(max(1, len(c.Costs[group])))
}

// tolerated is the share by which compared groups may differ in games.
const tolerated = 0.02

// unequal names, in a sentence each, groups that had more games than others.
func (c *Comparison) unequal() (all []string) {
	for _, kind := range []struct {
		name string
		of   func(runner.Cost) float64
	}{{"games of selection", games}, {"games of the champion's races", raceGames}} {
		least := 0
		for i := range c.Groups {
			if c.mean(i, kind.of) < c.mean(least, kind.of) {
				least = i
			}
		}
		fewest := c.mean(least, kind.of)
		var more []string
		for i, g := range c.Groups {
			if n := c.mean(i, kind.of); n > fewest*(1+tolerated) {
				percent := ""
				if fewest > 0 {
					percent = fmt.Sprintf(", %.0f %% more", 100*(n/fewest-1))
				}
				more = append(more, fmt.Sprintf("%s (%.0f a run%s)", g.Name, n, percent))
			}
		}
		if more != nil {
			all = append(all, fmt.Sprintf("Groups did not have equal %s: %s had more than %s (%.0f).",
				kind.name, strings.Join(more, ", "), c.Groups[least].Name, fewest))
		}
	}
	return all
}
