package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/engine"
	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/study"
)

// Group is a set of runs that differ only in their seeds: replicates of each other.
type Group struct {
	// the study's; where several groups are of that study, the settings that tell them apart
	// instead, or beside it if there are other studies too
	Name  string
	Study string // the study's name, or that of the sweep it is a cell of
	Runs  []*Run
	Place int // of its sweep's groups, whether or not the others are here: it gives its colour
	// the study's table [figures], of a sweep as it is now; nil for none
	Figures *figure.Look
}

// Names lists the names of groups.
func Names(groups []Group) []string {
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = g.Name
	}
	return names
}

// LookOf returns the look of figures of groups, as their studies say. Groups of one sweep have the
// colours that they have beside all of its groups.
func LookOf(groups []Group) figure.Look {
	var look figure.Look
	names := map[int]string{}
	for _, g := range groups {
		if g.Figures != nil {
			look = *g.Figures
			break
		}
	}
	for _, g := range groups {
		if _, taken := names[g.Place]; taken || g.Study != groups[0].Study {
			look.Groups = Names(groups)
			return look
		}
		names[g.Place] = g.Name
	}
	for place := range slices.Max(slices.Collect(maps.Keys(names))) + 1 {
		look.Groups = append(look.Groups, names[place])
	}
	return look
}

// Plot draws the figures of runs into a directory, each with its data: the dynamics of the paper
// against every opponent of the measurements, growth and diversity. Runs of a group are pooled as
// replicates; groups share the axes. It returns the paths.
func Plot(groups []Group, look figure.Look, out string, formats ...figure.Format) ([]string,
	error) {
	figures, err := Curves(groups, look)
	if err != nil {
		return nil, err
	}
	if len(figures) == 0 {
		return nil, fmt.Errorf("no champion was measured, so there is no panel %s to draw; set "+
			"measure.against in the study", strings.Join(look.Panels, ", "))
	}
	paths, err := figure.SaveAll(figures, out, formats)
	if err != nil {
		return paths, err
	}
	for _, g := range groups {
		for _, r := range g.Runs {
			if filepath.Join(r.Dir, rundir.FigureFolder) != filepath.Clean(out) {
				continue
			}
			names := make([]string, len(paths))
			for i, path := range paths {
				names[i] = rundir.FigureFolder + "/" + filepath.Base(path)
			}
			err = errors.Join(err, rundir.Record(r.Dir, names...))
		}
	}
	return paths, err
}

// Curves draws the logged and measured values of runs by generation.
func Curves(groups []Group, look figure.Look) ([]*figure.Figure, error) {
	runs, against, perOpponent, err := load(groups)
	if err != nil {
		return nil, err
	}
	var marks []string
	for _, g := range groups {
		for _, r := range g.Runs {
			for _, m := range r.Game.Info().Marks {
				if !slices.Contains(marks, m) {
					marks = append(marks, m)
				}
			}
		}
	}
	if err := look.Check(marks); err != nil {
		return nil, err
	}
	var figures []*figure.Figure
	called := map[string]int{} // opponents by file name
	for _, name := range against {
		f, err := figure.Dynamics(perOpponent[name], marks, name, &look)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		file := study.FileName(name)
		f.Name += "-" + file
		if called[file]++; called[file] > 1 {
			f.Name += fmt.Sprintf("-%d", called[file])
		}
		figures = append(figures, f)
	}
	for _, draw := range []func([]analysis.Run, *figure.Look) (*figure.Figure,
		error){figure.Growth, figure.Diversity} {
		f, err := draw(runs, &look)
		if err != nil {
			return nil, err
		}
		if f != nil {
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// load reads the curves of runs, and their measurements by opponent, in the order in which
// opponents first appear. It reads runs in parallel.
func load(groups []Group) (runs []analysis.Run, against []string,
	perOpponent map[string][]analysis.Run, err error) {
	var opened []*Run
	for _, g := range groups {
		for _, r := range g.Runs {
			opened, runs = append(opened, r), append(runs, analysis.Run{Name: r.Dir, Group: g.Name})
		}
	}
	measured := make([][]Measurement, len(opened))
	err = parallel.Each(context.Background(), len(opened), 0, func(_, i int) (err error) {
		if runs[i].Series, runs[i].Games, err = opened[i].curves(); err != nil {
			return err
		}
		if opened[i].Study.Evolve.Budgeted() {
			done, err := rundir.ReadDone(opened[i].Dir)
			if err != nil {
				return err
			}
			runs[i].Ended = done != nil
		}
		measured[i], err = opened[i].Measurements()
		return err
	})
	if !unlike(runs) {
		for i := range runs {
			runs[i].Games = nil
		}
	}
	perOpponent = map[string][]analysis.Run{}
	for i, r := range opened {
		for _, name := range r.Study.Measure.Against {
			if perOpponent[name] == nil {
				against = append(against, name)
			}
			perOpponent[name] = append(perOpponent[name],
				analysis.Run{Name: runs[i].Name, Group: runs[i].Group, Games: runs[i].Games,
					Ended: runs[i].Ended, Series: series(measured[i], name, r.Game.Info())})
		}
	}
	return runs, against, perOpponent, err
}

// unlike reports whether generations, or the stages before them, cost so many more games in some
// runs than in others that curves by generation would compare different efforts.
func unlike(runs []analysis.Run) bool {
	least, most := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	for _, r := range runs {
		if n := len(r.Games); n > 1 { // and not one that has hardly begun
			for i, a := range [2]float64{r.Games[0], (r.Games[n-1] - r.Games[0]) / float64(n-1)} {
				least[i], most[i] = math.Min(least[i], a), math.Max(most[i], a)
			}
		}
	}
	return most[0] > 1.25*least[0] || most[1] > 1.25*least[1]
}

// shares are the bounds of shares.
var shares = engine.Bounds{Most: 1}

// series converts measurements against one opponent to the measures of figures. Marks of the game
// have the names that they have in all data.
func series(measured []Measurement, against string, info engine.Info) []analysis.Series {
	wins := analysis.Series{Measure: analysis.Wins, Trials: []int{}, Bounds: shares}
	score := analysis.Series{Measure: analysis.Score, Bounds: info.Scores}
	var marks []analysis.Series
	for _, m := range measured {
		if m.Against != against {
			continue
		}
		wins.Generation = append(wins.Generation, m.Generation)
		wins.Value = append(wins.Value, m.Share)
		wins.Trials = append(wins.Trials, m.Games)
		score.Value = append(score.Value, m.Score)
		for _, name := range slices.Sorted(maps.Keys(m.Marks)) {
			i := 0
			for i < len(marks) && marks[i].Measure != analysis.Mark(name) {
				i++
			}
			if i == len(marks) {
				marks = append(marks, analysis.Series{Measure: analysis.Mark(name),
					Bounds: info.MarkBounds(name)})
			}
			marks[i].Value = append(marks[i].Value, m.Marks[name])
		}
	}
	score.Generation = wins.Generation
	for i := range marks {
		marks[i].Generation = wins.Generation
	}
	return append(marks, wins, score)
}

// curves reads a run's log. It also returns the games of selection before each generation.
func (r *Run) curves() (all []analysis.Series, games []float64, err error) {
	size := analysis.Series{Measure: analysis.TreeSize, Bounds: engine.Counts()}
	depth := analysis.Series{Measure: analysis.TreeDepth, Bounds: engine.Counts()}
	genotypes := analysis.Series{Measure: analysis.GenotypicDiversity, Bounds: shares}
	behaviours := analysis.Series{Measure: analysis.BehaviouralDiversity, Bounds: shares}
	add := func(s *analysis.Series, generation int, v float64) {
		s.Generation, s.Value = append(s.Generation, generation), append(s.Value, v)
	}
	played := float64(r.Before)
	err = readLog(r, func(l *curveLine) {
		games = append(games, played)
		played += float64(l.Games)
		add(&size, l.Generation, l.Size.Mean)
		add(&depth, l.Generation, l.Depth.Mean)
		add(&genotypes, l.Generation, l.Genotypes)
		if l.Behaviours > 0 {
			add(&behaviours, l.Generation, l.Behaviours)
		}
	})
	return []analysis.Series{size, depth, genotypes, behaviours}, games, err
}

// ChampionIDs returns the ids, in the lineage, of the champions of a run's log.
func (r *Run) ChampionIDs() ([]int, error) {
	var ids []int
	err := readLog(r, func(l *struct {
		Champion *struct {
			ID int `json:"id"`
		} `json:"champion"`
	}) {
		if l.Champion != nil {
			ids = append(ids, l.Champion.ID)
		}
	})
	return ids, err
}

// curveLine is the part of an rundir.Line that curves need. Reading no more halves the time for
// hundreds of runs.
type curveLine struct {
	Generation int          `json:"generation"`
	Games      int64        `json:"games"`
	Size       rundir.Range `json:"size"`
	Depth      rundir.Range `json:"depth"`
	Genotypes  float64      `json:"genotypes"`
	Behaviours float64      `json:"behaviours"`
}

// readLog calls a function with every line of generations.jsonl, decoded as a T, except a torn last
// line. A run that has hardly begun has none.
func readLog[T any](r *Run, use func(*T)) error {
	path := filepath.Join(r.Dir, rundir.LogFile)
	content, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if _, ended := packed.Stat(filepath.Join(r.Dir, rundir.DoneFile)); ended != nil {
			return nil
		}
		return &rundir.Problem{Dir: r.Dir, Remedy: rundir.Mend, Err: fmt.Errorf("%s has ended, and "+
			"its log is missing (%s); mend the run, which breeds it again", r.Dir, rundir.LogFile)}
	}
	if err == nil {
		_, err = durable.Lines(path, content, func(l *T) bool { use(l); return true })
	}
	var line *durable.LineError
	if errors.As(err, &line) {
		return &rundir.Problem{Dir: r.Dir, Remedy: rundir.Resume,
			Err: fmt.Errorf("%w; resume the run, which makes the line again", err)}
	}
	return err
}
