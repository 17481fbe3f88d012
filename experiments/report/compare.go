package report

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/experiments/runner"
	"clade/experiments/sweep"
	"clade/gp/input"
)

// Comparison is a statistical comparison of groups of runs by a measure of each: by default the
// points of its last champion against each built-in player. A run is the unit; its score is the
// mean of the measure over all opponents.
type Comparison struct {
	Groups  []runner.Group
	Costs   [][]runner.Cost // by group and run
	Missing missing         // runs that are left out
	// of the last champions, also if another measure is compared
	Opponents []string
	Points    [][][]float64 // by group, opponent and run: points as a share of all
	played    [][]float64   // by group and opponent: games of all runs
	// of what is compared: the opponents that it is of, "" alone where it is of no games
	Cases  []string
	values [][][]float64 // by group, case and run
	trials [][]float64   // by group and case: games of all runs that a share is of; else 0
	runs   [][]float64   // by group: the score of each run
	// by group: interquartile mean over runs and opponents, 95 % bootstrap over runs
	iqm []stat.Interval
	// of settings, where groups differ in two or more; none with a control, from which groups
	// differ in one thing each
	Effects    []effect
	confounded []string   // settings without one, since they change with others
	pairs      []pairTest // of groups, in order
	// nil where there are fewer than three groups, or so few runs that no test can tell two of them
	// apart
	Friedman *stat.FriedmanTest
	critical float64 // Nemenyi's critical difference of mean ranks at 5 %
	Options  CompareOptions
}

// pairTest compares two groups. Effect sizes above their middle say that A is better.
type pairTest struct {
	A, B        int // groups
	MannWhitney stat.RankTest
	Holm        float64 // the test's p-value, adjusted for the number of pairs
	A12, Cliff  float64
	// probability that a run of A beats one of B against a random opponent
	Improvement stat.Interval
	// p-value of the difference of mean ranks; NaN without Friedman's test
	Nemenyi float64
}

const (
	confident    = 0.95
	resamples    = 2000 // of the bootstrap
	profileSteps = 100
)

// CompareOptions say what is compared; the zero value compares everything.
type CompareOptions struct {
	Control bool     // pairs are each group with the first one only
	Against []string // opponents that count; none means all
	Measure Measure
	Seed    engine.Seed
	// Progress, if not nil, is called as runs are read and numbers are drawn again.
	Progress func(done, total int)
}

// Seed returns the seed of resampling for a number that a person chooses.
func Seed(number uint64) engine.Seed { return engine.Seed(number).Name("compare") }

// Compare compares groups by their final measurements. It leaves out runs that have not ended; the
// others must be of one game and have played the same opponents.
func Compare(ctx context.Context, groups []runner.Group, o CompareOptions) (*Comparison, error) {
	n, firsts, work := len(groups), len(groups), 0
	if o.Control {
		firsts = 1
	}
	for _, g := range groups {
		work += len(g.Runs)
	}
	count := parallel.Counting(o.Progress, 2*work+n+firsts*n-firsts*(firsts+1)/2)
	c, err := read(groups, o, count)
	if err != nil {
		return nil, err
	}
	firsts = min(firsts, len(c.Groups)) // without those of which no run has ended
	for i := range c.Groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.iqm = append(c.iqm, stat.IQMOverRuns(c.values[i], c.games(i), confident,
			resamples, o.Seed.Name("iqm").Num(uint64(i))))
		count()
	}
	return c, c.pair(ctx, firsts, o.Seed.Name("improvement"), count)
}

// read returns a comparison without resampling and without pairs: what Compare compares, and by
// which tests.
func read(groups []runner.Group, o CompareOptions, count func()) (*Comparison, error) {
	c := &Comparison{Options: o}
	var err error
	if c.Groups, c.Missing, err = ended(groups, count); err != nil {
		return nil, err
	}
	if err := c.collect(count); err != nil {
		return nil, err
	}
	if err := c.restrict(o.Against); err != nil {
		return nil, err
	}
	if !o.Control {
		c.effects()
	}
	return c, c.rank()
}

// collect reads the measurements.
func (c *Comparison) collect(count func()) error {
	first := c.Groups[0].Runs[0]
	if info := first.Game.Info(); info.MaxSeats == 1 && c.Options.Measure.points() {
		return fmt.Errorf("runs are compared by the games of their champions against the built-in "+
			"players, and %s is for one player; choose another measure to compare, such as "+
			"tree_size", info.Name)
	}
	for i, g := range c.Groups {
		c.Points, c.played = append(c.Points, nil), append(c.played, nil)
		c.Costs = append(c.Costs, nil)
		c.values, c.trials = append(c.values, nil), append(c.trials, nil)
		c.runs = append(c.runs, make([]float64, len(g.Runs)))
		for _, r := range g.Runs {
			if r.Study.Game != first.Study.Game {
				return fmt.Errorf("%s is a run of %s and %s one of %s; runs of one "+
					"game can be compared", first.Dir, first.Study.Game, r.Dir, r.Study.Game)
			}
			sum, err := r.Ended()
			if err != nil {
				return err
			}
			cost, err := sweep.CostOf(r.Dir)
			if err != nil {
				return err
			}
			c.Costs[i] = append(c.Costs[i], cost)
			count()
			if err := c.observe(i, r); err != nil {
				return err
			}
			if len(sum.Final) == 0 && c.Opponents == nil && !c.Options.Measure.points() {
				continue
			}
			if len(sum.Final) == 0 {
				return fmt.Errorf("%s measured no final champion; set measure.final "+
					"in its study above 0 and run it anew", r.Dir)
			}
			if c.Opponents == nil {
				for _, m := range sum.Final {
					c.Opponents = append(c.Opponents, m.Opponent())
				}
			}
			if c.Points[i] == nil {
				c.Points[i] = make([][]float64, len(c.Opponents))
				c.played[i] = make([]float64, len(c.Opponents))
			}
			if len(sum.Final) != len(c.Opponents) {
				return fmt.Errorf("%s met %d opponents and %s met %d; measure them "+
					"alike", r.Dir, len(sum.Final), first.Dir, len(c.Opponents))
			}
			for k, m := range sum.Final {
				if m.Opponent() != c.Opponents[k] {
					return fmt.Errorf("%s met %s where %s met %s; measure them alike",
						r.Dir, m.Opponent(), first.Dir, c.Opponents[k])
				}
				c.Points[i][k] = append(c.Points[i][k], m.Points())
				c.played[i][k] += float64(m.Games)
			}
		}
	}
	return nil
}

// observe reads the compared measure of a run of a group; for points there is nothing to read.
func (c *Comparison) observe(group int, r *runner.Run) error {
	if c.Options.Measure.points() {
		return nil
	}
	o, err := c.Options.Measure.of(r)
	if err != nil {
		return err
	}
	if c.Cases == nil {
		c.Cases = o.cases
	}
	if !slices.Equal(c.Cases, o.cases) {
		return fmt.Errorf("%s has the measure %s against %q, and a run before it against %q; measure "+
			"them alike", r.Dir, c.Options.Measure, o.cases, c.Cases)
	}
	if c.values[group] == nil {
		c.values[group] = make([][]float64, len(o.cases))
		c.trials[group] = make([]float64, len(o.cases))
	}
	for k, v := range o.values {
		c.values[group][k] = append(c.values[group][k], v)
		c.trials[group][k] += o.trials[k]
	}
	return nil
}

// restrict keeps the opponents that count, and computes the scores of runs.
func (c *Comparison) restrict(against []string) error {
	if c.Options.Measure.points() {
		c.Cases = c.Opponents
	}
	for _, name := range against {
		if !slices.Contains(c.Cases, name) {
			return errors.New(input.Unknown("opponent of these runs", name, c.Cases))
		}
	}
	out := func(name string) bool { return len(against) > 0 && !slices.Contains(against, name) }
	for i := range c.Groups {
		c.Points[i] = without(c.Points[i], c.Opponents, out)
		c.played[i] = without(c.played[i], c.Opponents, out)
		if c.Options.Measure.points() {
			c.values[i], c.trials[i] = c.Points[i], c.played[i]
		} else {
			c.values[i] = without(c.values[i], c.Cases, out)
			c.trials[i] = without(c.trials[i], c.Cases, out)
		}
	}
	c.Opponents, c.Cases = without(c.Opponents, c.Opponents, out), without(c.Cases, c.Cases, out)
	for i := range c.Groups {
		for _, of := range c.values[i] {
			for n, p := range of {
				c.runs[i][n] += p / float64(len(c.Cases))
			}
		}
	}
	return nil
}

// without returns the values except those whose names are out.
func without[T any](values []T, names []string, out func(string) bool) (kept []T) {
	for k, v := range values {
		if !out(names[k]) {
			kept = append(kept, v)
		}
	}
	return kept
}

// Against returns the points of a group's champions against an opponent, as a share, with a 95 %
// printInterval: stat.MeanShare over the runs, or Wilson's over the games of a single run.
func (c *Comparison) Against(group, opponent int) stat.Interval {
	points, games := c.Points[group][opponent], c.played[group][opponent]
	if len(points) > 1 {
		return stat.MeanShare(points, games, confident)
	}
	return stat.Wilson(points[0]*games, games, confident)
}

// games returns the games of all runs of a group behind the compared measure; 0 for none.
func (c *Comparison) games(group int) (sum float64) {
	for _, n := range c.trials[group] {
		sum += n
	}
	return sum
}

// over returns the mean of the compared measure over runs, with its 95 % interval.
func (c *Comparison) over(runs []float64, trials float64) stat.Interval {
	if c.Options.Measure.share() {
		return stat.MeanShare(runs, trials, confident)
	}
	return stat.MeanT(runs, confident)
}

// rank carries out Friedman's test, with opponents as cases and the means over runs as values.
func (c *Comparison) rank() error {
	if len(c.Groups) < 3 || len(c.Cases) < 2 || !c.bears() {
		return nil
	}
	values := make([][]float64, len(c.Cases))
	for k := range values {
		for i := range c.Groups {
			mean, _ := stat.MeanSD(c.values[i][k])
			values[k] = append(values[k], mean)
		}
	}
	f, err := stat.Friedman(values)
	if err != nil {
		return err
	}
	c.Friedman, c.critical = &f, stat.NemenyiCD(len(c.Groups), len(c.Cases), 1-confident)
	return nil
}

// bears reports whether there are enough runs for a test of any two groups to be significant. With
// fewer, similar opponents would take the place of missing runs.
func (c *Comparison) bears() bool {
	for i, a := range c.Groups {
		for _, b := range c.Groups[:i] {
			if stat.LeastP(len(a.Runs), len(b.Runs)) > significant {
				return false
			}
		}
	}
	return true
}

// pair compares every two groups of which one is among the first.
func (c *Comparison) pair(ctx context.Context, firsts int, seed engine.Seed, count func()) error {
	var ps []float64
	for a := range firsts {
		for b := a + 1; b < len(c.Groups); b++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, y := c.runs[a], c.runs[b]
			t := pairTest{A: a, B: b, MannWhitney: stat.MannWhitney(x, y), A12: stat.A12(x, y),
				Cliff: stat.CliffDelta(x, y), Nemenyi: math.NaN()}
			t.Improvement = stat.ImprovementProbability(c.values[a], c.values[b], confident,
				resamples, seed.Num(uint64(a)).Num(uint64(b)))
			if c.Friedman != nil {
				t.Nemenyi = stat.NemenyiP(math.Abs(c.Friedman.MeanRanks[a]-c.Friedman.MeanRanks[b]),
					len(c.Groups), len(c.Cases))
			}
			c.pairs, ps = append(c.pairs, t), append(ps, t.MannWhitney.P)
			count()
		}
	}
	for i, p := range stat.Holm(ps) {
		c.pairs[i].Holm = p
	}
	return nil
}

// kind says how the test's p is computed.
func (p *pairTest) kind() string {
	if p.MannWhitney.Exact {
		return "exact"
	}
	return "approximate"
}

// Names lists the groups.
func (c *Comparison) Names() []string { return runner.Names(c.Groups) }

// Scores returns a table of the groups.
func (c *Comparison) Scores() *analysis.Table {
	until := c.Options.Measure.Until()
	columns := []string{"mean", "sd", "iqm", "iqm_low", "iqm_high"}
	if until {
		columns = []string{"reached", "median"}
	}
	t := analysis.NewTable(slices.Concat([]string{"group", "runs"}, columns, []string{"mean_rank",
		"games", "race_games", "seconds"})...)
	for i, g := range c.Groups {
		row := []any{g.Name, len(g.Runs)}
		if until {
			row = append(row, c.reached(i), stat.Median(c.runs[i]))
		} else {
			mean, sd := stat.MeanSD(c.runs[i])
			row = append(row, mean, sd, c.iqm[i].Estimate, c.iqm[i].Low, c.iqm[i].High)
		}
		rank := math.NaN()
		if c.Friedman != nil {
			rank = c.Friedman.MeanRanks[i]
		}
		t.Add(append(row, rank, c.mean(i, games), c.mean(i, raceGames), c.mean(i, seconds))...)
	}
	return t
}

// MainEffects returns a table of the main effects, with a row for each value of a setting.
func (c *Comparison) MainEffects() *analysis.Table {
	t := analysis.NewTable("setting", "value", "runs", "mean", "low", "high", "h", "p")
	for _, e := range c.Effects {
		for _, l := range e.Levels {
			t.Add(e.Key, l.Value, l.Runs, l.Score.Estimate, l.Score.Low, l.Score.High,
				e.Test.Statistic, e.Test.P)
		}
	}
	return t
}

// Tests returns a table of the tests of pairs of groups.
func (c *Comparison) Tests() *analysis.Table {
	t := analysis.NewTable("a", "b", "u", "p", "p_kind", "p_holm", "a12", "cliff", "improvement",
		"improvement_low", "improvement_high", "p_nemenyi")
	for _, p := range c.pairs {
		t.Add(c.Groups[p.A].Name, c.Groups[p.B].Name, p.MannWhitney.Statistic, p.MannWhitney.P,
			p.kind(), p.Holm, p.A12, p.Cliff, p.Improvement.Estimate, p.Improvement.Low, p.Improvement.High,
			p.Nemenyi)
	}
	return t
}

// Figures returns performance profiles and, with Friedman's test, the critical-difference diagram.
func (c *Comparison) Figures() []*figure.Figure {
	low, high := 0.0, 1.0
	label := "Points against an opponent (%)"
	factor, _ := c.Options.Measure.unit()
	if m := c.Options.Measure; !m.points() {
		label = m.What()
		label = strings.ToUpper(label[:1]) + label[1:]
		if m.share() {
			label += " (%)"
		} else {
			low, high = c.reach()
		}
	}
	taus := make([]float64, profileSteps+1)
	for i := range taus {
		taus[i] = low + (high-low)*float64(i)/profileSteps
	}
	var profiles [][]stat.ProfilePoint
	for i := range c.Groups {
		profiles = append(profiles, stat.Profile(c.values[i], taus, confident,
			resamples, c.Options.Seed.Name("profile").Num(uint64(i))))
	}
	look := runner.LookOf(c.Groups)
	figures := []*figure.Figure{figure.Profiles(c.Names(), profiles, label, factor, &look)}
	if c.Friedman != nil {
		names := c.Names()
		for i := range names {
			names[i] = look.Label(names[i])
		}
		figures = append(figures, figure.CriticalDifference(names, c.Friedman.MeanRanks, c.critical))
	}
	return figures
}

// reach returns the least and the greatest finite value.
func (c *Comparison) reach() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, v := range slices.Concat(slices.Concat(c.values...)...) {
		if !math.IsInf(v, 0) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low > high {
		return 0, 0
	}
	return low, high
}
