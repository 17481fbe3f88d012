package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"clade/engine/system/packed"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// difference is a setting in which groups differ.
type difference struct {
	Key    string   // with dots, as --set takes it
	Values []string // by group; "none" where its study has no such setting
}

// FindRuns returns the run directories of paths, each of which is a run directory or a folder of
// some.
func FindRuns(paths []string) ([]string, error) { return findRuns(paths, false) }

// FindAllRuns is FindRuns, but also finds those in sweeps, other folders below, and stages.
func FindAllRuns(paths []string) ([]string, error) { return findRuns(paths, true) }

func findRuns(paths []string, deep bool) ([]string, error) {
	var dirs []string
	for _, path := range paths {
		before := len(dirs)
		if rundir.IsRun(path) {
			dirs = append(dirs, path)
			if !deep || !sweep.IsStaged(path) {
				continue
			}
		}
		var err error
		if dirs, err = runsIn(dirs, path, deep); err != nil {
			return nil, fmt.Errorf("%w; name a run directory, or a folder of some", err)
		}
		if len(dirs) == before {
			return nil, fmt.Errorf("%s is not a run directory, and holds none", path)
		}
	}
	return dirs, nil
}

// runsIn appends the run directories in a folder, and in those below it.
func runsIn(dirs []string, folder string, deep bool) ([]string, error) {
	entries, err := packed.ReadDir(folder)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int {
		return runner.CompareNames(a.Name(), b.Name())
	})
	for i := 0; err == nil && i < len(entries); i++ {
		inner := filepath.Join(folder, entries[i].Name())
		run := rundir.IsRun(inner)
		if run {
			dirs = append(dirs, inner)
		}
		if deep && (!run || sweep.IsStaged(inner)) && entries[i].IsDir() &&
			entries[i].Name()[0] != '.' { // or a sweep's own
			dirs, err = runsIn(dirs, inner, true)
		}
	}
	return dirs, err
}

// OpenGroups opens runs and groups replicates, in the order in which groups first appear. Two runs
// of one study and one seed are an error: they are the same to the byte, and counting both would
// only narrow every interval. Progress, if not nil, is called with how many of all are open.
func OpenGroups(scope player.Scope, dirs []string, progress func(done, total int)) (
	[]runner.Group, error) {
	runs, open := make([]*runner.Run, len(dirs)), runner.Opener{Scope: scope}
	count := parallel.Counting(progress, len(dirs))
	err := parallel.Each(context.Background(), len(dirs), 0, func(_, i int) (err error) {
		if runs[i], err = open.Open(dirs[i]); err == nil {
			err = sweep.AddStages(runs[i])
		}
		count()
		return err
	})
	if err != nil {
		return nil, err
	}
	runs, alone, err := inOrder(scope, runs)
	if err != nil {
		return nil, err
	}
	return groupRuns(runs, alone)
}

// inOrder sorts the runs of each sweep as the sweep lists them, since their folders are named by
// hashes. It also returns the group of each run by itself, which is called after its study or
// sweep. It drops runs that a sweep no longer lists, if others of the sweep are there.
func inOrder(scope player.Scope, runs []*runner.Run) ([]*runner.Run, map[*runner.Run]runner.Group,
	error) {
	type place struct{ sweep, cell int }
	sweeps, cells, sweepNames := map[string]int{}, map[string]int{}, map[string]string{}
	places, alone := map[*runner.Run]place{}, map[*runner.Run]runner.Group{}
	own := map[string]runner.Group{} // by cell's directory
	stale, listed := map[*runner.Run]bool{}, map[string]bool{}
	for i, r := range runs {
		dir := filepath.Dir(filepath.Clean(r.Dir))
		_, known := sweeps[dir]
		if !known && !sweep.Is(dir) {
			places[r] = place{i, 0} // where it was named
			alone[r] = runner.Group{Name: r.Study.Name, Study: r.Study.Name, Figures: r.Study.Figures}
			continue
		}
		if !known {
			sweeps[dir] = i
			grid, err := sweep.Open(scope, dir)
			if err != nil {
				return nil, nil, err
			}
			sweepNames[dir] = grid.Name
			var labels []string
			for k := range grid.Cells {
				c := &grid.Cells[k]
				if !slices.Contains(labels, c.Group) {
					labels = append(labels, c.Group)
				}
				g := runner.Group{Name: grid.Name, Study: grid.Name, Figures: c.Study.Figures,
					Place: slices.Index(labels, c.Group)}
				if c.Named {
					g.Name = c.Group
				}
				cell := filepath.Clean(c.Directory(dir))
				cells[cell], own[cell] = k, g
			}
		}
		at, ok := cells[filepath.Clean(r.Dir)]
		if !ok {
			at = len(cells) // of an earlier version of the sweep
			stale[r] = true
		} else {
			listed[dir] = true
		}
		places[r] = place{sweeps[dir], at}
		if alone[r], ok = own[filepath.Clean(r.Dir)]; !ok {
			alone[r] = runner.Group{Name: sweepNames[dir], Study: sweepNames[dir]}
		}
	}
	slices.SortStableFunc(runs, func(a, b *runner.Run) int {
		p, q := places[a], places[b]
		return cmp.Or(cmp.Compare(p.sweep, q.sweep), cmp.Compare(p.cell, q.cell))
	})
	runs = slices.DeleteFunc(runs, func(r *runner.Run) bool {
		return stale[r] && listed[filepath.Dir(filepath.Clean(r.Dir))]
	})
	return runs, alone, nil
}

func groupRuns(runs []*runner.Run, alone map[*runner.Run]runner.Group) ([]runner.Group, error) {
	var groups []runner.Group
	place := map[string]int{}
	for _, r := range runs {
		text, err := r.Whole.Replicated()
		if err != nil {
			return nil, err
		}
		i, ok := place[string(text)]
		if !ok {
			i = len(groups)
			place[string(text)] = i
			groups = append(groups, alone[r])
		}
		for _, other := range groups[i].Runs {
			if other.Whole.Seed == r.Whole.Seed {
				return nil, fmt.Errorf("%s and %s are of one study and one seed, so "+
					"they are one run and no replicates; leave one of them out, or breed another "+
					"seed", other.Dir, r.Dir)
			}
		}
		groups[i].Runs = append(groups[i].Runs, r)
	}
	for i, name := range distinctNames(groups) {
		groups[i].Name = name
	}
	return groups, nil
}

// distinctNames returns names of groups in which those of one study differ by their settings. The
// study's name stays if there are other studies. No two are alike, since curves pool by name:
// groups that settings do not tell apart have the names of their cells, or numbers.
func distinctNames(groups []runner.Group) []string {
	names := make([]string, len(groups))
	for i, g := range groups {
		var same []runner.Group
		at := 0
		for j, other := range groups {
			if other.Name == g.Name {
				if j == i {
					at = len(same)
				}
				same = append(same, other)
			}
		}
		names[i] = g.Name
		if len(same) < 2 {
			continue
		}
		var keys, values []string
		for _, d := range differences(same) {
			keys, values = append(keys, d.Key), append(values, d.Values[at])
		}
		if keys == nil {
			continue
		}
		if names[i] = study.Label(keys, values); len(same) < len(groups) {
			names[i] = g.Name + " (" + names[i] + ")"
		}
	}
	for _, more := range []func(i int) string{
		func(i int) string { return groups[i].Runs[0].Study.Name },
		func(i int) string { return fmt.Sprint(i + 1) },
	} {
		count := map[string]int{}
		for _, name := range names {
			count[name]++
		}
		for i, name := range names {
			if other := more(i); count[name] > 1 && other != name {
				names[i] += " (" + other + ")"
			}
		}
	}
	return names
}

// differences returns the settings in which groups differ, by key, except seeds, measurements and
// names.
func differences(groups []runner.Group) []difference {
	settings := make([]map[string]string, len(groups))
	keys := map[string]bool{}
	for i, g := range groups {
		settings[i] = g.Runs[0].Whole.Values()
		for key := range settings[i] {
			keys[key] = true
		}
	}
	var differences []difference
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		d := difference{Key: key}
		equal := true
		for _, s := range settings {
			value, ok := s[key]
			if !ok && strings.HasPrefix(key, "evolve.weights.") {
				value = "default" // the game's
			}
			d.Values = append(d.Values, brief(cmp.Or(value, "none")))
			equal = equal && d.Values[len(d.Values)-1] == d.Values[0]
		}
		if !equal {
			differences = append(differences, d)
		}
	}
	return differences
}

// brief shortens a value that no label has room for, such as a list of a hundred founders, and
// tells it apart from others by a hash.
func brief(value string) string {
	if letters := []rune(value); len(letters) > 60 {
		return fmt.Sprintf("%s… (%08x)", string(letters[:40]), crc32.ChecksumIEEE([]byte(value)))
	}
	return value
}

// missing names the runs that a comparison lacks.
type missing struct {
	Unfinished []string // directories of runs that have not ended
	NotBegun   int      // cells of the sweeps that the runs are of
}

// ended returns the groups without the runs that have not ended; it is an error where none has. It
// calls count after each run.
func ended(groups []runner.Group, count func()) (all []runner.Group, m missing, err error) {
	swept := map[string]bool{}
	for _, g := range groups {
		kept := g
		kept.Runs = nil
		for _, r := range g.Runs {
			sum, err := runner.ReadSummary(r.Dir)
			if err != nil {
				return nil, m, err
			}
			count()
			if sum == nil {
				m.Unfinished = append(m.Unfinished, r.Dir)
			} else {
				kept.Runs = append(kept.Runs, r)
			}
			dir := filepath.Dir(filepath.Clean(r.Dir))
			if swept[dir] || !sweep.Is(dir) {
				continue
			}
			swept[dir] = true
			grid, err := sweep.Open(r.Study.Scope(), dir)
			if err != nil {
				return nil, m, err
			}
			for i := range grid.Cells {
				if !rundir.IsRun(grid.Cells[i].Directory(dir)) {
					m.NotBegun++
				}
			}
		}
		if len(kept.Runs) > 0 {
			all = append(all, kept)
		}
	}
	if len(all) > 0 {
		return all, m, nil
	}
	if len(m.Unfinished) == 0 {
		return nil, m, errors.New("there is no run to compare")
	}
	_, err = (&runner.Run{Dir: m.Unfinished[0]}).Ended()
	return nil, m, err
}

// Sentence describes the missing runs, "" for none.
func (m missing) Sentence() string {
	var parts []string
	if n := len(m.Unfinished); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not ended (%s)", n, strings.Join(m.Unfinished, ", ")))
	}
	if m.NotBegun > 0 {
		parts = append(parts, fmt.Sprintf("%d of the sweep not begun", m.NotBegun))
	}
	if parts == nil {
		return ""
	}
	return "Not all runs are done, and these are left out: " + strings.Join(parts, "; ") + "."
}

// together is the greatest number of groups in one figure.
const together = 24

// Pool draws the figures of all runs that are done into the folder figures of the sweep's
// directory: replicates pooled into means with 95 % bands, all settings on the same axes, or a
// folder for each where there are too many to tell apart. It returns the paths.
func Pool(g *study.Grid, dir string) ([]string, error) {
	var order []string
	groups := map[string][]string{}
	var all []string
	for i := range g.Cells {
		c := &g.Cells[i]
		sum, err := sweep.Counts(c.Directory(dir))
		if err != nil {
			return nil, err
		}
		if sum == nil {
			continue
		}
		if groups[c.Study.Name] == nil {
			order = append(order, c.Study.Name)
		}
		groups[c.Study.Name] = append(groups[c.Study.Name], c.Directory(dir))
		all = append(all, c.Directory(dir))
	}
	out := filepath.Join(dir, rundir.FigureFolder)
	if len(all) == 0 {
		return nil, nil
	}
	if len(groups) <= together {
		return plotDirs(g, all, out)
	}
	var paths []string
	for _, name := range order {
		drawn, err := plotDirs(g, groups[name], filepath.Join(out, name))
		paths = append(paths, drawn...)
		if err != nil {
			return paths, err
		}
	}
	return paths, nil
}

func plotDirs(g *study.Grid, dirs []string, out string) ([]string, error) {
	groups, err := OpenGroups(g.Cells[0].Study.Scope(), dirs, nil)
	if err != nil {
		return nil, err
	}
	return runner.Plot(groups, runner.LookOf(groups), out)
}
