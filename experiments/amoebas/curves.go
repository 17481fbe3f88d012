package amoebas

import (
	"context"
	"fmt"
	"math"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/engine"
)

// confidence of all bands.
const confidence = 0.95

// Follow plays games and counts the species in all of them: on each board every rotation of the
// seats, with all players in each game or, for a whole league, with every pair of them on boards of
// its own. It returns a run for each player and game.
func Follow(ctx context.Context, g engine.Game, names []string, players []engine.Player, pairs bool,
	boards int, seed engine.Seed) ([]analysis.Run, error) {
	var runs []analysis.Run
	for number, field := range fields(len(players), pairs) {
		for board := range boards {
			for turn := range field {
				if err := ctx.Err(); err != nil {
					return nil, fmt.Errorf("amoebas: stopped while games were followed: %w", err)
				}
				var seated []engine.Player
				var called []string
				for i := range field {
					p := field[(i+turn)%len(field)]
					seated, called = append(seated, players[p]), append(called, names[p])
				}
				var c Census
				g.Play(seated, uint64(seed.Num(uint64(number)).Num(uint64(board))), &c)
				runs = append(runs, c.Runs(called)...)
			}
		}
	}
	return runs, nil
}

// fields lists who plays together.
func fields(players int, pairs bool) [][]int {
	if !pairs {
		all := make([]int, players)
		for i := range all {
			all[i] = i
		}
		return [][]int{all}
	}
	var fields [][]int
	for i := range players {
		for j := range i {
			fields = append(fields, []int{j, i})
		}
	}
	return fields
}

// Curves draws runs: the populations' sizes, energies and territories by round, and the structure
// of ages and generations by round and at the end. Runs of one name are pooled, with 95 % bands
// over games.
func Curves(runs []analysis.Run) (populations, structure *figure.Figure, err error) {
	extend(runs, Older)
	extend(runs, Later)
	panel := func(m analysis.Measure, title, x, y string, scale float64) figure.CurvePanel {
		curves, e := analysis.Pool(runs, m, confidence)
		if e != nil && err == nil {
			err = fmt.Errorf("amoebas: %w", e)
		}
		for _, c := range curves {
			for i := range c.Points {
				p := &c.Points[i]
				p.Low = math.Max(p.Low, 0) // nothing here can be negative; NaN stays
				if scale == 100 {
					p.High = math.Min(p.High, 1) // a share
				}
			}
		}
		return figure.CurvePanel{Title: title, XLabel: x, YLabel: y, Scale: scale,
			Layers: []figure.CurveLayer{{Curves: curves}}}
	}
	populations = figure.Curves("populations",
		panel(Size, "Size", "Round", "Amoebas", 1),
		panel(Energy, "Energy", "Round", "Energy of all (thousands)", 0.001),
		panel(Territory, "Territory", "Round", "Cells held (%)", 100))
	structure = figure.Curves("structure",
		panel(Age, "Age", "Round", "Mean age (rounds)", 1),
		panel(Generation, "Generation", "Round", "Mean generation", 1),
		panel(Older, "Ages at the end", "Age (rounds)", "Amoebas at least that old (%)", 100),
		panel(Later, "Generations at the end", "Generation", "Amoebas of at least that (%)", 100))
	return populations, structure, err
}

// extend gives all series of a measure the same length: where one ends, the others have nobody that
// old. Series of the extinct stay empty.
func extend(runs []analysis.Run, m analysis.Measure) {
	longest := 0
	for i := range runs {
		if s := runs[i].Find(m); s != nil {
			longest = max(longest, len(s.Value))
		}
	}
	for i := range runs {
		if s := runs[i].Find(m); s != nil && len(s.Value) > 0 {
			*s = numbered(m, append(s.Value, make([]float64, longest-len(s.Value))...))
		}
	}
}
