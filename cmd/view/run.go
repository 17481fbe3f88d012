package view

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"clade/analysis/figure"
	"clade/cmd/view/site"
	"clade/engine/system/durable"
	"clade/evolve/rundir"
	"clade/experiments/collect"
	"clade/experiments/report"
	"clade/experiments/runner"
)

// maxPooled is how many runs a page may pool.
const maxPooled = 1000

// dirs returns the directories of the runs in a link.
func (s *runs) dirs(r *http.Request) ([]string, error) {
	if err := r.ParseForm(); err != nil {
		return nil, site.Wrong(err)
	}
	names := r.Form["run"]
	if len(names) == 0 || len(names) > maxPooled {
		return nil, site.Refuse("%d runs are named; a page shows 1 to %d", len(names), maxPooled)
	}
	dirs := make([]string, len(names))
	for i, name := range names {
		var err error
		if dirs[i], err = s.Path(name); err != nil {
			return nil, err
		}
	}
	return dirs, nil
}

// curve is the mean of one measure over the runs of a group, by generation.
type curve struct {
	Measure    string     `json:"measure"`
	Group      string     `json:"group"`
	Run        string     `json:"run,omitempty"` // of a single one
	Generation []int      `json:"generation"`
	Mean       []float64  `json:"mean"`
	Low        []*float64 `json:"low"` // null where there is no band
	High       []*float64 `json:"high"`
	Runs       []int      `json:"runs"`
}

// drawing is a figure with its numbers.
type drawing struct {
	Name    string   `json:"name"`
	Caption string   `json:"caption"`
	Curves  []*curve `json:"curves"`
	Thin    []*curve `json:"thin"` // of each run, where a few are pooled
}

// runNow is the page of a run, or of several that are pooled.
type runNow struct {
	Runs    []collect.Row `json:"runs"`
	Study   string        `json:"study"`   // of the first run, as resolved
	Marks   []string      `json:"marks"`   // of the game
	Seats   [2]int        `json:"seats"`   // fewest and most
	Islands int           `json:"islands"` // of the first run
	Groups  []string      `json:"groups"`  // whose place gives a group its colour
	Figures []drawing     `json:"figures"`
}

func (s *runs) showRun(r *http.Request) (any, error) {
	dirs, err := s.dirs(r)
	if err != nil {
		return nil, err
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	groups, look, err := s.groups(dirs)
	if err != nil {
		return nil, err
	}
	look.Panels = nil // all are shown
	figures, err := runner.Curves(groups, look)
	if err != nil {
		return nil, site.Wrong(err)
	}
	first := groups[0].Runs[0]
	info := first.Game.Info()
	now := runNow{Study: first.Manifest.Study, Marks: info.Marks, Groups: look.Groups,
		Seats: [2]int{info.MinSeats, info.MaxSeats}, Islands: first.Study.Evolve.Islands}
	for _, dir := range dirs {
		now.Runs = append(now.Runs, *s.catalogue.Watch(dir, nil).Row)
	}
	for _, f := range figures {
		d := drawing{Name: f.Name, Caption: f.Caption}
		if d.Curves, err = curvesOf(f); err != nil {
			return nil, err
		}
		now.Figures = append(now.Figures, d)
	}
	if len(dirs) > 1 && len(dirs) <= maxThin {
		return now, thin(groups, now.Figures)
	}
	return now, nil
}

// maxThin is how many runs are drawn by a line of their own besides the pooled one.
const maxThin = 20

// thin adds the curves of each run to the pooled ones.
func thin(groups []runner.Group, to []drawing) error {
	for _, g := range groups {
		for _, run := range g.Runs {
			alone := g
			alone.Runs = []*runner.Run{run}
			figures, err := runner.Curves([]runner.Group{alone}, figure.Look{})
			if err != nil {
				return site.Wrong(err)
			}
			for _, f := range figures {
				i := slices.IndexFunc(to, func(d drawing) bool { return d.Name == f.Name })
				if i < 0 {
					continue
				}
				curves, err := curvesOf(f)
				if err != nil {
					return err
				}
				for _, c := range curves {
					c.Run = filepath.ToSlash(run.Dir)
				}
				to[i].Thin = append(to[i].Thin, curves...)
			}
		}
	}
	return nil
}

// groups opens runs, and returns their groups with the look of their figures.
func (s *runs) groups(dirs []string) ([]runner.Group, figure.Look, error) {
	groups, err := report.OpenGroups(s.Scope, dirs, nil)
	if err != nil {
		return nil, figure.Look{}, site.Wrong(err)
	}
	return groups, runner.LookOf(groups), nil
}

// curvesOf converts the data of a figure of curves, which is saved beside it, too.
func curvesOf(f *figure.Figure) ([]*curve, error) {
	all := []*curve{} // a run that has just begun has none
	for _, row := range f.Data.Rows {
		n := len(all)
		if n == 0 || all[n-1].Measure != row[0] || all[n-1].Group != row[1] {
			all = append(all, &curve{Measure: row[0], Group: row[1]})
			n++
		}
		c := all[n-1]
		generation, err := strconv.Atoi(row[2])
		if err != nil {
			return nil, err
		}
		mean, err := strconv.ParseFloat(row[3], 64)
		if err != nil {
			return nil, err
		}
		runs, err := strconv.Atoi(row[6])
		if err != nil {
			return nil, err
		}
		c.Generation, c.Mean = append(c.Generation, generation), append(c.Mean, mean)
		c.Low, c.High = append(c.Low, known(row[4])), append(c.High, known(row[5]))
		c.Runs = append(c.Runs, runs)
	}
	return all, nil
}

// known returns a number of a table, nil for an empty cell.
func known(cell string) *float64 {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return nil
	}
	return &v
}

// comparisonNow is the output of `clade compare`, or of `clade diff`, for runs.
type comparisonNow struct {
	Tables []figure.Table `json:"tables"`
	Notes  []string       `json:"notes"` // null for none
}

// compareRuns compares runs, and those in folders, by the computation of `clade compare`.
func (s *runs) compareRuns(r *http.Request) (any, error) {
	dirs, err := s.dirs(r)
	if err != nil {
		return nil, err
	}
	if dirs, err = report.FindRuns(dirs); err != nil {
		return nil, site.Wrong(err)
	}
	for _, dir := range dirs { // which a link may have led out of the folders
		if _, err := s.Path(filepath.ToSlash(dir)); err != nil {
			return nil, err
		}
	}
	done, err := s.Work(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	groups, _, err := s.groups(dirs)
	if err != nil {
		return nil, err
	}
	c, err := report.Compare(r.Context(), groups, report.CompareOptions{Seed: report.Seed(1)})
	if err != nil {
		return nil, site.Wrong(err)
	}
	return comparisonNow{c.Tables(), c.Notes()}, nil
}

// diffRuns returns the differences between two runs, as `clade diff` does.
func (s *runs) diffRuns(r *http.Request) (any, error) {
	dirs, err := s.dirs(r)
	if err != nil {
		return nil, err
	}
	if len(dirs) != 2 {
		return nil, site.Refuse("%d runs are named; their differences need two", len(dirs))
	}
	all, err := report.Diff(s.Scope, dirs[0], dirs[1])
	if err != nil {
		return nil, site.Wrong(err)
	}
	t := figure.Table{Name: "diff", Caption: "Settings, versions and results that are not the same.",
		Columns: []string{"What", "Name", filepath.ToSlash(dirs[0]), filepath.ToSlash(dirs[1])}}
	for _, d := range all {
		t.Rows = append(t.Rows, []string{d.Part, d.Name, d.A, d.B})
	}
	return comparisonNow{[]figure.Table{t}, nil}, nil
}

// followRun sends the rows of runs whenever one has changed, until all are over.
func (s *runs) followRun(ctx context.Context, r *http.Request, send site.Sender) error {
	dirs, err := s.dirs(r)
	if err != nil {
		return err
	}
	last := make([]*collect.Sighting, len(dirs))
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		over, changed := true, false
		rows := make([]*collect.Row, len(dirs))
		for i, dir := range dirs {
			now := s.catalogue.Watch(dir, last[i])
			changed = changed || last[i] == nil || !collect.Same(last[i].Row, now.Row)
			last[i], rows[i] = now, now.Row
			over = over && now.Row.Over()
		}
		if changed {
			if err := send("rows", rows); err != nil {
				return err
			}
		}
		if over {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// championNow is a champion in the list of a run.
type championNow struct {
	Generation int                `json:"generation"`
	ID         uint64             `json:"id"`
	Born       int                `json:"born"`
	Size       int                `json:"size"`
	Depth      int                `json:"depth"`
	Games      int                `json:"games"`
	Wins       int                `json:"wins"`
	Score      float64            `json:"score"`
	Marks      map[string]float64 `json:"marks,omitempty"`
}

// championLine is the part of a log line that the list of champions needs.
type championLine struct {
	Generation int                  `json:"generation"`
	Champion   *rundir.ChampionLine `json:"champion"`
}

func (s *runs) listChampions(r *http.Request) (any, error) {
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	return champions(run.Dir)
}

// champions lists the champions of a run, newest first.
func champions(dir string) ([]championNow, error) {
	all := []championNow{}
	_, err := durable.EachLine(filepath.Join(dir, rundir.LogFile), func(l *championLine) bool {
		if c := l.Champion; c != nil {
			all = append(all, championNow{l.Generation, c.ID, c.Born, c.Size, c.Depth, c.Games,
				c.Wins, c.Score, c.Marks})
		}
		return true
	})
	slices.Reverse(all)
	return all, err
}

// logNow is a part of a run's log.
type logNow struct {
	Text  string `json:"text"`
	Lines int    `json:"lines"` // of the log
}

// logLines is how many lines of a log are shown.
const logLines = 200

// showLog returns the last lines of a run's log, or the last line up to a generation, indented.
func (s *runs) showLog(r *http.Request) (any, error) {
	run, err := s.Run(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	upTo, err := site.Number(r, "generation", -1, 0, math.MaxInt)
	if err != nil {
		return nil, err
	}
	var v logNow
	var last []json.RawMessage
	_, err = durable.EachLine(filepath.Join(run.Dir, rundir.LogFile),
		func(l *json.RawMessage) bool {
			if v.Lines++; upTo < 0 || v.Lines <= upTo+1 { // line n is of generation n - 1
				if last = append(last, *l); len(last) > logLines {
					last = last[1:]
				}
			}
			return true
		})
	if err != nil {
		return nil, site.Wrong(err)
	}
	if n := len(last); upTo >= 0 && n > 0 {
		var text bytes.Buffer
		err = json.Indent(&text, last[n-1], "", "  ")
		v.Text = text.String()
		return v, err
	}
	for _, l := range slices.Backward(last) {
		v.Text += string(l) + "\n"
	}
	return v, nil
}
