package compare

import (
	"path/filepath"

	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

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
