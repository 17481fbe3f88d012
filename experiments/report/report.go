// Package report says what came of runs that have ended. It puts replicates in groups, tests how
// the groups differ, and draws them together; it monitors the coevolution of a run, whose champions
// play each other and a panel of players; and it writes both on one page of HTML, with tables for
// LaTeX. It breeds nothing and changes no run. Packages league and analysis/monitor hold the
// measures.
package report

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"clade/analysis/figure"
	"clade/engine"
	"clade/experiments/league"
	"clade/experiments/match"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Make makes the report of runs that have ended: question, settings that differ, curves, the
// champions' records, their league, tests between groups, coevolution, trees with a game as a strip
// of pictures, and how to repeat everything.
func Make(ctx context.Context, scope player.Scope, dirs []string, s Options) (*Report, error) {
	if s.Games < 2 || s.Games%2 != 0 {
		return nil, fmt.Errorf("a report's leagues need an even number of games, at "+
			"least 2, not %d", s.Games)
	}
	groups, err := OpenGroups(scope, dirs, runner.Progress(s.Stage, "reading runs"))
	if err != nil {
		return nil, err
	}
	s.Compare.Progress = runner.Progress(s.Stage, "comparing")
	c, err := Compare(ctx, groups, s.Compare)
	if err != nil {
		return nil, err
	}
	groups = c.Groups
	w := &writer{Options: s, Comparison: c, scope: scope, report: &Report{}}
	if w.game, err = w.meeting(groups[0].Runs[0].Game); err != nil {
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

// meeting returns the game of a run, with the words of all champions.
func (w *writer) meeting(g engine.Game) (engine.Game, error) {
	var names []string
	for _, g := range w.Groups {
		for _, r := range g.Runs {
			names = append(names, "run:"+r.Dir)
		}
	}
	claims, err := match.Claims(w.scope, g.Info().Name, names...)
	if err != nil {
		return nil, err
	}
	return match.Join(w.scope, g, claims)
}

// apart reports whether groups play by different settings of the game.
func (w *writer) apart() bool {
	return slices.ContainsFunc(differences(w.Groups),
		func(d difference) bool { return strings.HasPrefix(d.Key, "settings.") })
}

// Options are the options of a report.
type Options struct {
	Games int         // of each pair of the report's leagues; even, 2 or more
	Seed  engine.Seed // of what is drawn again
	// goroutines that play; 0 means GOMAXPROCS. Their number changes no result
	Workers int
	Compare CompareOptions     // of the tests between groups
	Command []string           // that makes the report
	Stage   func(runner.Stage) // called with the progress; nil for none
	// of the boards, in leagues too: the same as that of MonitorOptions gives the same numbers
	Monitor engine.Seed
	Keep    bool // what is played is kept, in the runs, see MonitorCachePath
	// where else it is kept; "" for the runs
	Folder string
}

const (
	reportLeague  = 12 // champions in the league; of more runs only the best of each group play
	monitoredRuns = 3  // runs whose coevolution is monitored, one a group
)

// writer collects a report, section by section.
type writer struct {
	Options
	*Comparison
	scope  player.Scope
	game   engine.Game
	report *Report
	played *league.League
}

func (w *writer) add(s section) {
	for _, t := range s.Tables {
		for _, row := range t.Rows {
			for i := range row {
				row[i] = figure.Typeset(row[i])
			}
		}
	}
	w.report.Sections = append(w.report.Sections, s)
}

// kept is the file of what is played of a run; "" for none.
func (w *writer) kept(r *runner.Run) string {
	switch {
	case !w.Keep:
		return ""
	case w.Folder != "":
		return filepath.Join(w.Folder, "played", study.FileName(r.Dir))
	}
	return MakeMonitorCache(r)
}

// matchCache opens the cache of what is played of a run.
func (w *writer) matchCache(r *runner.Run) (*matchCache, error) {
	return openMatchCache(r, w.Monitor, w.kept(r))
}

// best returns the run of a group whose champion has the most points.
func (w *writer) best(group int) *runner.Run {
	points := make([]float64, len(w.Groups[group].Runs))
	for _, of := range w.Points[group] {
		for i, p := range of {
			points[i] += p
		}
	}
	return w.Groups[group].Runs[slices.Index(points, slices.Max(points))]
}
