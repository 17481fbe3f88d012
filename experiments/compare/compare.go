package compare

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/experiments/runner"
	"clade/gp/suggest"
)

// Comparison is a statistical comparison of groups of runs by their final measurements: the points
// of each run's last champion against each built-in player. A run is the unit; its score is the
// mean of its points over all these opponents.
type Comparison struct {
	Groups    []runner.Group
	Costs     [][]runner.Cost // by group and run
	Missing   Missing         // runs that are left out
	Opponents []string
	Points    [][][]float64 // by group, opponent and run: points as a share of all
	Played    [][]float64   // by group and opponent: games of all runs
	Runs      [][]float64   // by group: the score of each run
	// by group: interquartile mean over runs and opponents, 95 % bootstrap over runs
	IQM []stat.Interval
	// of settings, where groups differ in two or more; none with a control, from which groups
	// differ in one thing each
	Effects    []Effect
	Confounded []string   // settings without one, since they change with others
	Pairs      []PairTest // of groups, in order
	// nil where there are fewer than three groups, or so few runs that no test can tell two of them
	// apart
	Friedman *stat.FriedmanTest
	Critical float64 // Nemenyi's critical difference of mean ranks at 5 %
	Options  CompareOptions
}

// PairTest compares two groups. Effect sizes speak for A.
type PairTest struct {
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
	Resamples    = 2000 // of the bootstrap
	profileSteps = 100
)

// CompareOptions say what is compared; the zero value means everything.
type CompareOptions struct {
	Control bool     // pairs are each group with the first one only
	Against []string // opponents that count; none means all
	Seed    engine.Seed
	// Progress, if not nil, is called as numbers are drawn again.
	Progress func(done, total int)
}

// Compare compares groups by their final measurements. Runs that have not ended are left out; the
// others must be of one game and have met the same opponents.
func Compare(ctx context.Context, groups []runner.Group, o CompareOptions) (*Comparison, error) {
	c := &Comparison{Options: o}
	var err error
	if c.Groups, c.Missing, err = Ended(groups); err != nil {
		return nil, err
	}
	groups = c.Groups
	if err := c.collect(); err != nil {
		return nil, err
	}
	if err := c.restrict(o.Against); err != nil {
		return nil, err
	}
	n, firsts := len(groups), len(groups)
	if o.Control {
		firsts = 1
	}
	pairs := firsts*n - firsts*(firsts+1)/2
	count := parallel.Counting(o.Progress, n+pairs)
	for i := range groups {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		c.IQM = append(c.IQM, stat.IQMOverRuns(c.Points[i], c.games(i), confident,
			Resamples, o.Seed.Name("iqm").Num(uint64(i))))
		count()
	}
	if !o.Control {
		if err := c.effects(); err != nil {
			return nil, err
		}
	}
	if err := c.rank(); err != nil {
		return nil, err
	}
	return c, c.pair(ctx, firsts, o.Seed.Name("improvement"), count)
}

// collect reads the measurements.
func (c *Comparison) collect() error {
	first := c.Groups[0].Runs[0]
	if info := first.Game.Info(); info.MaxSeats == 1 {
		return fmt.Errorf("runs are compared by the games of their champions "+
			"against the built-in players, and %s is for one player", info.Name)
	}
	for i, g := range c.Groups {
		c.Points, c.Played = append(c.Points, nil), append(c.Played, nil)
		c.Costs = append(c.Costs, nil)
		c.Runs = append(c.Runs, make([]float64, len(g.Runs)))
		for _, r := range g.Runs {
			if r.Study.Game != first.Study.Game {
				return fmt.Errorf("%s is a run of %s and %s one of %s; runs of one "+
					"game can be compared", first.Dir, first.Study.Game, r.Dir, r.Study.Game)
			}
			sum, err := r.Ended()
			if err != nil {
				return err
			}
			cost, err := r.Cost()
			if err != nil {
				return err
			}
			c.Costs[i] = append(c.Costs[i], cost)
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
				c.Played[i] = make([]float64, len(c.Opponents))
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
				c.Played[i][k] += float64(m.Games)
			}
		}
	}
	return nil
}

// restrict keeps the opponents that count, and gives runs their scores.
func (c *Comparison) restrict(against []string) error {
	for _, name := range against {
		if !slices.Contains(c.Opponents, name) {
			return errors.New(suggest.Unknown("opponent of these runs", name, c.Opponents))
		}
	}
	all, points, games := c.Opponents, c.Points, c.Played
	c.Opponents, c.Points = nil, make([][][]float64, len(c.Groups))
	c.Played = make([][]float64, len(c.Groups))
	for k, name := range all {
		if len(against) > 0 && !slices.Contains(against, name) {
			continue
		}
		c.Opponents = append(c.Opponents, name)
		for i := range c.Groups {
			c.Points[i] = append(c.Points[i], points[i][k])
			c.Played[i] = append(c.Played[i], games[i][k])
		}
	}
	for i := range c.Groups {
		for _, of := range c.Points[i] {
			for n, p := range of {
				c.Runs[i][n] += p / float64(len(c.Opponents))
			}
		}
	}
	return nil
}

// Against returns the points of a group's champions against an opponent, as a share, with a 95 %
// interval: stat.MeanShare over the runs, or Wilson's over the games of a single run.
func (c *Comparison) Against(group, opponent int) stat.Interval {
	points, games := c.Points[group][opponent], c.Played[group][opponent]
	if len(points) > 1 {
		return stat.MeanShare(points, games, confident)
	}
	return stat.Wilson(points[0]*games, games, confident)
}

// games returns the games of all runs of a group.
func (c *Comparison) games(group int) (sum float64) {
	for _, n := range c.Played[group] {
		sum += n
	}
	return sum
}

// rank carries out Friedman's test, with opponents as cases and the means over runs as values.
func (c *Comparison) rank() error {
	if len(c.Groups) < 3 || len(c.Opponents) < 2 || !c.bears() {
		return nil
	}
	values := make([][]float64, len(c.Opponents))
	for k := range values {
		for i := range c.Groups {
			mean, _ := stat.MeanSD(c.Points[i][k])
			values[k] = append(values[k], mean)
		}
	}
	f, err := stat.Friedman(values)
	if err != nil {
		return err
	}
	c.Friedman, c.Critical = &f, stat.NemenyiCD(len(c.Groups), len(c.Opponents), 1-confident)
	return nil
}

// bears tells whether there are runs enough for a test of any two groups to tell something. With
// fewer, opponents that are alike would stand for the runs that there are not.
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

// pair compares every two groups, one of which is one of the first.
func (c *Comparison) pair(ctx context.Context, firsts int, seed engine.Seed, count func()) error {
	var ps []float64
	for a := range firsts {
		for b := a + 1; b < len(c.Groups); b++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, y := c.Runs[a], c.Runs[b]
			t := PairTest{A: a, B: b, MannWhitney: stat.MannWhitney(x, y), A12: stat.A12(x, y),
				Cliff: stat.CliffDelta(x, y), Nemenyi: math.NaN()}
			t.Improvement = stat.ImprovementProbability(c.Points[a], c.Points[b], confident,
				Resamples, seed.Num(uint64(a)).Num(uint64(b)))
			if c.Friedman != nil {
				t.Nemenyi = stat.NemenyiP(math.Abs(c.Friedman.MeanRanks[a]-c.Friedman.MeanRanks[b]),
					len(c.Groups), len(c.Opponents))
			}
			c.Pairs, ps = append(c.Pairs, t), append(ps, t.MannWhitney.P)
			count()
		}
	}
	for i, p := range stat.Holm(ps) {
		c.Pairs[i].Holm = p
	}
	return nil
}

// kind says where the test's p comes from.
func (p *PairTest) kind() string {
	if p.MannWhitney.Exact {
		return "exact"
	}
	return "approximate"
}

// Names lists the groups.
func (c *Comparison) Names() []string {
	names := make([]string, len(c.Groups))
	for i, g := range c.Groups {
		names[i] = g.Name
	}
	return names
}

// Scores returns the groups as data, a row each.
func (c *Comparison) Scores() *analysis.Table {
	t := analysis.NewTable("group", "runs", "mean", "sd", "iqm", "iqm_low", "iqm_high", "mean_rank",
		"games", "race_games", "seconds")
	for i, g := range c.Groups {
		mean, sd := stat.MeanSD(c.Runs[i])
		rank := math.NaN()
		if c.Friedman != nil {
			rank = c.Friedman.MeanRanks[i]
		}
		t.Add(g.Name, len(g.Runs), mean, sd, c.IQM[i].Estimate, c.IQM[i].Low, c.IQM[i].High, rank,
			c.mean(i, games), c.mean(i, raceGames), c.mean(i, seconds))
	}
	return t
}

// MainEffects returns the main effects as data, a row a value of a setting.
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

// Tests returns the tests of pairs of groups as data, a row each.
func (c *Comparison) Tests() *analysis.Table {
	t := analysis.NewTable("a", "b", "u", "p", "p_kind", "p_holm", "a12", "cliff", "improvement",
		"improvement_low", "improvement_high", "p_nemenyi")
	for _, p := range c.Pairs {
		t.Add(c.Groups[p.A].Name, c.Groups[p.B].Name, p.MannWhitney.Statistic, p.MannWhitney.P,
			p.kind(), p.Holm, p.A12, p.Cliff, p.Improvement.Estimate, p.Improvement.Low, p.Improvement.High,
			p.Nemenyi)
	}
	return t
}

// Figures returns performance profiles and, with Friedman's test, the critical-difference diagram.
func (c *Comparison) Figures() []*figure.Figure {
	taus := make([]float64, profileSteps+1)
	for i := range taus {
		taus[i] = float64(i) / profileSteps
	}
	var profiles [][]stat.ProfilePoint
	for i := range c.Groups {
		profiles = append(profiles, stat.Profile(c.Points[i], taus, confident,
			Resamples, c.Options.Seed.Name("profile").Num(uint64(i))))
	}
	figures := []*figure.Figure{figure.Profiles(c.Names(), profiles,
		"Points against an opponent (%)")}
	if c.Friedman != nil {
		figures = append(figures, figure.CriticalDifference(c.Names(), c.Friedman.MeanRanks,
			c.Critical))
	}
	return figures
}
