package sweep

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Merge carries out the run that descends from all others of a sweep, in the folder
// runner.MergeFolder, from wherever an earlier attempt left it. All others must be over.
func Merge(ctx context.Context, g *study.Grid, dir string, o runner.Options) (*runner.Summary,
	error) {
	s := *g.Merge
	s.Evolve.Founders.Species = slices.Clone(s.Evolve.Founders.Species)
	for i, name := range s.Evolve.Founders.Species {
		if rest, is := strings.CutPrefix(name, "sweep:"); is && (rest == "" || rest[0] == '@') {
			s.Evolve.Founders.Species[i] = "sweep:" + dir + rest
		}
	}
	var err error
	if s.Evolve.Founders.Species, err = runner.FounderNames(&s); err != nil {
		return nil, err
	}
	c := &study.Cell{Study: &s, Key: runner.MergeFolder}
	if err := descends(c, dir); err != nil {
		return nil, err
	}
	return Carry(ctx, c, dir, o)
}

// descends checks that the merged run in a sweep's directory, if there is one, has the founders
// of the study as it is now. Their names may come from another working directory.
func descends(c *study.Cell, dir string) error {
	path := c.Directory(dir)
	if !rundir.IsRun(path) {
		return nil
	}
	m, err := runner.ReadManifest(path)
	if err != nil {
		return err
	}
	had, err := study.Parse(c.Study.Scope(), filepath.Join(path, rundir.ManifestFile), []byte(m.Study))
	if err != nil {
		return err
	}
	base := func(names []string) (short []string) {
		for _, name := range names {
			short = append(short, filepath.Base(name))
		}
		return short
	}
	if !slices.Equal(base(had.Evolve.Founders.Species), base(c.Study.Evolve.Founders.Species)) {
		return fmt.Errorf("%s descends from other runs than the sweep has now; move it away, and "+
			"the sweep merges again", path)
	}
	// what decides nothing is as it was
	c.Study.Evolve.Founders.Species = had.Evolve.Founders.Species
	c.Study.Name, c.Study.Question = had.Name, had.Question
	return nil
}
