// Package report writes a report on runs as one page of HTML, with tables for LaTeX. Packages
// compare, league and coevolution compute its numbers.
package report

import (
	"context"
	"fmt"

	"clade/engine"
	"clade/experiments/compare"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/seating"
)

// Make makes the report of runs that have ended: question, settings that differ, curves, the
// champions' records, their league, tests between groups, coevolution, trees with a game as a strip
// of pictures, and how to repeat everything.
func Make(ctx context.Context, scope player.Scope, dirs []string, s Options) (*Report, error) {
	if s.Games < 2 || s.Games%2 != 0 {
		return nil, fmt.Errorf("a report's leagues need an even number of games, at "+
			"least 2, not %d", s.Games)
	}
	groups, err := compare.OpenGroups(scope, dirs, runner.Progress(s.Stage, "reading runs"))
	if err != nil {
		return nil, err
	}
	s.Compare.Progress = runner.Progress(s.Stage, "comparing")
	c, err := compare.Compare(ctx, groups, s.Compare)
	if err != nil {
		return nil, err
	}
	groups = c.Groups
	w := &writer{Options: s, Comparison: c, scope: scope, report: &Report{}}
	if w.game, err = meeting(scope, groups); err != nil {
		return nil, err
	}
	for _, part := range []func(context.Context) error{w.head, w.settings, w.curves, w.records,
		w.league, w.tests, w.coevolution, w.champions, w.reproduction} {
		if err := part(ctx); err != nil {
			return nil, err
		}
	}
	return w.report, nil
}

// meeting returns the game for the champions of all runs: that of the first run, with the words of
// all.
func meeting(scope player.Scope, groups []runner.Group) (engine.Game, error) {
	var names []string
	for _, g := range groups {
		for _, r := range g.Runs {
			names = append(names, "run:"+r.Dir)
		}
	}
	g := groups[0].Runs[0].Game
	claims, err := seating.Claims(scope, g.Info().Name, names...)
	if err != nil {
		return nil, err
	}
	return seating.Join(scope, g, claims)
}
