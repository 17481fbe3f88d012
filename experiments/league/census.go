package league

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/engine"
	"clade/engine/system/parallel"
)

// CensusCurves plays a number of boards, every board once in every rotation of the seats, with all
// players in one game or in pairs. It draws the numbers that the game counts, by step, with 95 %
// bands over games. Workers is as in Match, and progress is called after each game. The game
// must be an engine.Census.
func CensusCurves(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	pairs bool, boards int, seed engine.Seed, workers int,
	progress func(done, total int)) ([]*figure.Figure, error) {
	together := [][]int{{}} // who plays together
	for i := range players {
		together[0] = append(together[0], i)
	}
	if pairs {
		together = nil
		for i := range players {
			for j := range i {
				together = append(together, []int{j, i})
			}
		}
	}
	names = Labels(names)
	seats := len(together[0])
	games := len(together) * boards * seats
	runs := make([]analysis.Run, games*seats)
	measures, _ := g.(engine.Census).Count()
	counted := parallel.Counting(progress, games)
	err := parallel.Each(ctx, games, workers, func(_, i int) error {
		defer counted()
		field, board := i/(boards*seats), i/seats%boards
		seated := make([]engine.Player, seats)
		for seat := range seated {
			p := together[field][(seat+i)%seats]
			seated[seat] = players[p]
			runs[i*seats+seat].Group = names[p]
		}
		_, counter := g.(engine.Census).Count()
		g.Play(seated, uint64(seed.Num(uint64(field)).Num(uint64(board))), counter)
		for seat := range seated {
			for m, values := range counter.Series(seat) {
				bounds := engine.Counts()
				if measures[m].Scale == 100 {
					bounds.Most = 1
				}
				runs[i*seats+seat].Series = append(runs[i*seats+seat].Series,
					analysis.Series{Measure: analysis.Measure(measures[m].Name), Value: values, Bounds: bounds})
			}
		}
		return nil
	})
	if err = Stopped(ctx, err); err != nil {
		return nil, err
	}
	return censusFigures(measures, runs)
}

// censusFigures draws runs, whose series are those of the measures in their order.
func censusFigures(measures []engine.Measure, runs []analysis.Run) ([]*figure.Figure, error) {
	var names []string
	panels := map[string][]figure.CurvePanel{}
	for m, measure := range measures {
		longest := 0
		for i := range runs {
			longest = max(longest, len(runs[i].Series[m].Value))
		}
		for i := range runs {
			s := &runs[i].Series[m]
			if n := len(s.Value); measure.Ends && n > 0 {
				s.Value = append(s.Value, make([]float64, longest-n)...)
			}
			s.Generation = make([]int, len(s.Value))
			for step := range s.Generation {
				s.Generation[step] = step
			}
		}
		curves, err := analysis.Pool(runs, analysis.Measure(measure.Name), 0.95)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(names, measure.Figure) {
			names = append(names, measure.Figure)
		}
		panels[measure.Figure] = append(panels[measure.Figure], figure.CurvePanel{
			Title: measure.Title, XLabel: measure.Axis, YLabel: measure.Unit, Scale: measure.Scale,
			Layers: []figure.CurveLayer{{Curves: curves}}})
	}
	var figures []*figure.Figure
	for _, name := range names {
		var titles []string
		for _, p := range panels[name] {
			titles = append(titles, p.Title)
		}
		caption := fmt.Sprintf("%s by %s, with 95 %% bands over games.", strings.Join(titles, ", "),
			strings.ToLower(panels[name][0].XLabel))
		figures = append(figures, figure.Curves(name, caption, panels[name]...))
	}
	return figures, nil
}

// ScoreCurves plays a number of boards, every board once in every rotation of the seats, and draws
// the score of each player by step of the game, with 95 % bands over games. After a game's last
// step its scores stay as they are. Workers is as in Match, and progress is called after each game.
func ScoreCurves(ctx context.Context, g engine.Game, names []string, players []engine.Player,
	boards int, seed engine.Seed, workers int, progress func(done, total int)) (*figure.Figure,
	error) {
	seats := len(players)
	games := make([]scoreTape, boards*seats)
	count := parallel.Counting(progress, len(games))
	err := parallel.Each(ctx, len(games), workers, func(_, i int) error {
		defer count()
		seated := make([]engine.Player, seats)
		for seat := range seated {
			seated[seat] = players[(seat+i)%seats]
		}
		g.Play(seated, uint64(seed.Num(uint64(i/seats))), engine.OnStep(games[i].step))
		return nil
	})
	if err = Stopped(ctx, err); err != nil {
		return nil, err
	}
	last, bounds := 0, g.Info().Scores
	for _, t := range games {
		last = max(last, t.steps[len(t.steps)-1])
		for _, scores := range t.scores { // what a scene counts may not be what a game ends in
			bounds = widened(bounds, scores[:seats])
		}
	}
	names = Labels(names)
	var runs []analysis.Run
	for i := range games {
		for seat := range seats {
			p := (seat + i) % seats
			runs = append(runs, analysis.Run{Name: fmt.Sprintf("game %d", i), Group: names[p],
				Series: []analysis.Series{games[i].series(seat, last, bounds)}})
		}
	}
	curves, err := analysis.Pool(runs, analysis.Score, 0.95)
	if err != nil {
		return nil, err
	}
	return figure.Curves("scores", "Scores by step of the game, with 95 % bands over games.",
		figure.CurvePanel{XLabel: "Step of the game", YLabel: "Score",
			Layers: []figure.CurveLayer{{Curves: curves}}}), nil
}

// widened returns bounds that also hold scores; unbounded ones stay so.
func widened(b engine.Bounds, scores []float64) engine.Bounds {
	if b == (engine.Bounds{}) {
		return b
	}
	return engine.Bounds{Least: min(b.Least, slices.Min(scores)),
		Most: max(b.Most, slices.Max(scores))}
}

// scoreTape records the scores by step.
type scoreTape struct {
	steps  []int
	scores [][engine.MaxSeats]float64
}

func (t *scoreTape) step(s engine.Scene) {
	var scores [engine.MaxSeats]float64
	s.Scores(scores[:0])
	step := s.Step()
	// a step shown twice counts as it was last
	if n := len(t.steps); n > 0 && t.steps[n-1] >= step {
		t.scores[n-1] = scores
		return
	}
	t.steps, t.scores = append(t.steps, step), append(t.scores, scores)
}

// curvePoints is about how many points a curve has: more than a figure can show.
const curvePoints = 500

// series returns the scores of a seat at steps that all games of a match share, with the last score
// held to the end.
func (t *scoreTape) series(seat, last int, bounds engine.Bounds) analysis.Series {
	s := analysis.Series{Measure: analysis.Score, Bounds: bounds}
	every := max(1, last/curvePoints)
	at := 0
	for step := t.steps[0]; ; step = min(step+every, last) {
		for at+1 < len(t.steps) && t.steps[at+1] <= step {
			at++
		}
		s.Generation, s.Value = append(s.Generation, step), append(s.Value, t.scores[at][seat])
		if step == last {
			return s
		}
	}
}
