package report

import (
	"path/filepath"
	"slices"

	"clade/engine"
	"clade/experiments/coevolution"
	"clade/experiments/compare"
	"clade/experiments/league"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/table"
)

// Options are the options of a report.
type Options struct {
	Games int         // of each pair of the report's leagues; even, 2 or more
	Seed  engine.Seed // of what is drawn again
	// goroutines that play; 0 means GOMAXPROCS. Their number changes no result
	Workers int
	Compare compare.CompareOptions // of the tests between groups
	Command []string               // that makes the report
	Stage   func(runner.Stage)     // called with the progress; nil for none
	// of the boards, in leagues too: the same as that of coevolution.Options gives the same numbers
	Monitor engine.Seed
	Keep    bool // what is played is kept, in the runs, see coevolution.CachePath
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
	*compare.Comparison
	scope  player.Scope
	game   engine.Game
	report *Report
	played *league.League
}

func (w *writer) add(s Section) {
	for _, t := range s.Tables {
		for _, row := range t.Rows {
			for i := range row {
				row[i] = table.Typeset(row[i])
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
	return coevolution.MakeCache(r)
}

// matchCache opens the cache of what is played of a run.
func (w *writer) matchCache(r *runner.Run) (*coevolution.MatchCache, error) {
	return coevolution.OpenMatchCache(r, w.Monitor, w.kept(r))
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
