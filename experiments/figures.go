package experiments

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clade/analysis"
	"clade/analysis/figure"
	"clade/evolve"
)

// Plot draws the figures of runs into a directory, each with its data: the paper's dynamics against every player that champions were measured against, growth and diversity. Runs
// of studies that differ only in the seed are pooled as replicates. It returns the paths.
func Plot(dirs []string, out string) ([]string, error) {
	var runs []analysis.Run
	var against []string
	perOpponent := map[string][]analysis.Run{}
	for _, dir := range dirs {
		r, err := Open(dir)
		if err != nil {
			return nil, err
		}
		run, err := r.curves()
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
		measured, err := r.Measurements()
		if err != nil {
			return nil, err
		}
		for _, name := range r.Study.Measure.Against {
			if perOpponent[name] == nil {
				against = append(against, name)
			}
			perOpponent[name] = append(perOpponent[name], analysis.Run{Name: run.Name, Group: run.Group, Series: series(measured, name)})
		}
	}
	var paths []string
	save := func(f *figure.Figure, err error) error {
		if err != nil {
			return err
		}
		saved, err := f.Save(out)
		paths = append(paths, saved...)
		return err
	}
	for _, name := range against {
		f, err := figure.Dynamics(perOpponent[name], name)
		if err == nil {
			f.Name += "-" + fileName(name)
		}
		if err := save(f, err); err != nil {
			return nil, err
		}
	}
	if err := save(figure.Growth(runs)); err != nil {
		return nil, err
	}
	return paths, save(figure.Diversity(runs))
}

// fileName keeps of a player's name what every file system takes.
func fileName(name string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' {
			return c
		}
		return '-'
	}, name)
}

// series turns measurements against one opponent into the measures of figures. A game's marks keep their names.
func series(measured []Measurement, against string) []analysis.Series {
	wins := analysis.Series{Measure: analysis.Wins, Trials: []int{}}
	score := analysis.Series{Measure: analysis.Score}
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
			for i < len(marks) && marks[i].Measure != analysis.Measure(name) {
				i++
			}
			if i == len(marks) {
				marks = append(marks, analysis.Series{Measure: analysis.Measure(name)})
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

// curves reads a run's log.
func (r *Run) curves() (analysis.Run, error) {
	run := analysis.Run{Name: r.Dir, Group: r.Study.Name}
	lines, err := r.Log()
	if err != nil {
		return run, err
	}
	size := analysis.Series{Measure: analysis.TreeSize}
	depth := analysis.Series{Measure: analysis.TreeDepth}
	genotypes := analysis.Series{Measure: analysis.GenotypicDiversity}
	behaviours := analysis.Series{Measure: analysis.BehaviouralDiversity}
	add := func(s *analysis.Series, generation int, v float64) {
		s.Generation, s.Value = append(s.Generation, generation), append(s.Value, v)
	}
	for _, l := range lines {
		add(&size, l.Generation, l.Size.Mean)
		add(&depth, l.Generation, l.Depth.Mean)
		add(&genotypes, l.Generation, l.Genotypes)
		if l.Behaviours > 0 {
			add(&behaviours, l.Generation, l.Behaviours)
		}
	}
	run.Series = []analysis.Series{size, depth, genotypes, behaviours}
	return run, nil
}

// Log reads generations.jsonl; a torn last line is left out.
func (r *Run) Log() ([]evolve.Line, error) {
	path := filepath.Join(r.Dir, evolve.LogFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	content = content[:bytes.LastIndexByte(content, '\n')+1]
	var log []evolve.Line
	lines := bufio.NewScanner(bytes.NewReader(content))
	lines.Buffer(nil, math.MaxInt32)
	for n := 1; lines.Scan(); n++ {
		var l evolve.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			return nil, fmt.Errorf("experiments: %s:%d: the line is damaged (%w); `clade resume %s` makes it again", path, n, err, r.Dir)
		}
		log = append(log, l)
	}
	return log, nil
}
