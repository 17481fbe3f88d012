package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/analysis/stat"
	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// strength is the result of a budget of games in one game, with 95 % intervals over the runs (t).
type strength struct {
	Game string   `json:"game"`
	Runs []string `json:"runs"`
	// of selection, in each
	Games int64 `json:"games"`
	// mean of a run, with races but without the last champion's measurement
	Processor float64 `json:"processor_seconds"`
	// points of the last champions on fresh boards, as a share of all, a tie counting half: against
	// the last built-in player of the game's list, and the mean over all of them
	Strongest string        `json:"strongest"`
	Each      []float64     `json:"each"` // points against it, by run
	Points    stat.Interval `json:"points"`
	All       stat.Interval `json:"all"`
}

// benchStrength breeds by a game's plan for each budget, under seeds from --seed on, as clade
// breed does, each in a directory of its own. Runs that exist already are not bred again.
func (o *flags) benchStrength(c *cobra.Command, game string, budgets []int64, runs int) error {
	o.out = cmp.Or(o.out, filepath.Join("runs", "strength-"+game))
	all := []strength{}
	slices.Sort(budgets)
	p := newProgress(nil)
	defer p.close()
	for i, games := range budgets {
		if games < 1 {
			return misuse("a budget is a number of games of selection, at least 1, not %d", games)
		}
		s := strength{Game: game, Games: games}
		var over []float64
		trials, met := 0, 0
		for k := range runs {
			p.stageOf("breeding")(i*runs+k, len(budgets)*runs)
			seed := o.seed + uint64(k)
			dir := filepath.Join(o.out, fmt.Sprintf("%d-seed%d", games, seed))
			sum, err := o.breedFor(c.Context(), game, dir, games, seed)
			if errors.Is(err, evolve.ErrStopped) || errors.Is(err, context.Canceled) {
				return fmt.Errorf("%w; the same command goes on", evolve.ErrStopped)
			}
			if err != nil {
				return err
			}
			if len(sum.Final) == 0 {
				return fmt.Errorf("%s: the last champion met nobody", dir)
			}
			mean, last := 0.0, sum.Final[0]
			met = 0
			for _, m := range sum.Final {
				if m.Settings == last.Settings {
					mean, met, last = mean+m.Points(), met+1, m
				}
			}
			s.Strongest, s.Each, trials = last.Against, append(s.Each, last.Points()), trials+last.Games
			over = append(over, mean/float64(met))
			cost, err := sweep.CostOf(dir)
			if err != nil {
				return err
			}
			s.Processor += cost.Processor / float64(runs)
			s.Runs = append(s.Runs, dir)
		}
		s.Points = stat.MeanShare(s.Each, float64(trials), 0.95)
		s.All = stat.MeanShare(over, float64(trials*met), 0.95)
		all = append(all, s)
	}
	p.close()
	if _, err := o.save(strengthFigure(all)); err != nil {
		return err
	}
	return o.print(c, all, func(w io.Writer) {
		rows := [][]string{{"games", "runs", "cpu-s", "against " + all[0].Strongest, "",
			"against all built in", ""}}
		for _, s := range all {
			rows = append(rows, []string{fmt.Sprint(s.Games), fmt.Sprint(len(s.Runs)),
				fmt.Sprintf("%.1f", s.Processor), fmt.Sprintf("%.1f %%", 100*s.Points.Estimate),
				bounds("%.1f", 100*s.Points.Low, 100*s.Points.High),
				fmt.Sprintf("%.1f %%", 100*s.All.Estimate),
				bounds("%.1f", 100*s.All.Low, 100*s.All.High)})
		}
		terminal.Table(w, rows)
	})
}

// strengthFigure draws what rising budgets buy.
func strengthFigure(all []strength) *figure.Figure {
	layer := func(name string, of func(strength) stat.Interval) figure.CurveLayer {
		curve := analysis.Curve{Group: all[0].Game, Measure: analysis.Measure(name)}
		for _, s := range all {
			ci := of(s)
			curve.Points = append(curve.Points, analysis.CurvePoint{Generation: int(s.Games),
				Mean: ci.Estimate, Low: ci.Low, High: ci.High, Runs: len(s.Runs)})
		}
		return figure.CurveLayer{Name: "against " + name, Curves: []analysis.Curve{curve}}
	}
	caption := fmt.Sprintf("%s: points of the last champions of %d runs a budget against built-in "+
		"players on fresh boards, a tie counting half. Bands: 95 %% over the runs.",
		all[0].Game, len(all[0].Runs))
	return figure.Curves("strength", caption, figure.CurvePanel{XLabel: "Games of selection",
		LogX: true, YLabel: "Points (%)", Scale: 100, Layers: []figure.CurveLayer{
			layer(all[0].Strongest, func(s strength) stat.Interval { return s.Points }),
			layer("all built in", func(s strength) stat.Interval { return s.All })}})
}

// breedFor carries out what is missing of a game's plan in a directory.
func (o *flags) breedFor(ctx context.Context, game, dir string, games int64, seed uint64) (
	*runner.Summary, error) {
	one := *o
	one.seed = seed
	s, err := one.breedStudy(game)
	if err != nil {
		return nil, err
	}
	s.Evolve.Games = games
	return sweep.Stages(ctx, s, dir, runner.Options{Workers: o.workers,
		Warn: func(what string) { slog.Warn(what) }})
}
