package sweep

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"clade/engine/system/packed"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Belongs returns an error if a directory holds another run than the cell's: one of another study,
// name and question aside, or with another seed. A directory without a run is no error. The study
// of its manifest may name what the trust grants, and no more than the cell's own.
func Belongs(c *study.Cell, dir string, trust player.Trust) error {
	if len(c.Study.Stages) > 0 { // the manifest is the last stage's
		text, err := c.Study.Text()
		had, none := packed.ReadFile(filepath.Join(dir, StudyFile))
		if err == nil && none == nil && !bytes.Equal(had, text) {
			err = fmt.Errorf("%s is of another study; move it away", filepath.Join(dir, StudyFile))
		}
		return err
	}
	if _, err := packed.Stat(filepath.Join(dir, rundir.ManifestFile)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	m, err := runner.ReadManifest(dir)
	if err != nil {
		return err
	}
	text, err := c.Study.Text()
	if err != nil || m.Study == string(text) {
		return err
	}
	// it may differ in what decides nothing, or an earlier version may have written it
	other := "a study that this program cannot read"
	scope := c.Study.Scope()
	scope.Trust = min(scope.Trust, trust)
	if s, err := study.Parse(scope, filepath.Join(dir, rundir.ManifestFile),
		[]byte(m.Study)); err == nil {
		g, err := s.Grid()
		if err == nil && len(g.Cells) == 1 && g.Cells[0].Key == c.Key {
			return nil
		}
		other = fmt.Sprintf("%q with seed %d", s.Name, s.Seed)
		if err == nil && len(g.Cells) == 1 {
			other += ", key " + g.Cells[0].Key
		}
	}
	return fmt.Errorf("%s holds the run of %s, and not of %q with seed %d, key %s; move it away, "+
		"and the sweep breeds its own", dir, other, c.Study.Name, c.Study.Seed, c.Key)
}

// Hash returns the hash that the files of the cell's run, which another machine may have bred, must
// have; see rundir.Fingerprint. The populations of a staged run are checked with it: their
// manifests must be of the cell's study, but for the places of founders, and there are no others.
func Hash(c *study.Cell, dir string) (hash [32]byte, err error) {
	if len(c.Study.Stages) == 0 {
		return runner.Hash(c.Study)
	}
	plan, err := c.Study.Plan()
	if err != nil {
		return hash, err
	}
	runs := map[string]bool{}
	for i := range plan {
		for k := range plan[i].Populations {
			run := stageRun(dir, plan, i, k)
			if hash, err = stageHash(c.Study, plan, i, k, run); err != nil {
				return hash, err
			}
			runs[run] = true
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, stageFolder), func(path string, e fs.DirEntry,
		err error) error {
		if err == nil && e.Name() == rundir.ManifestFile && !runs[filepath.Dir(path)] {
			err = fmt.Errorf("%s is of no population of the study", path)
		}
		return err
	})
	return hash, err // of the last stage
}

// Bounded returns an error for a run that came over a network where a file in which it describes
// itself is larger than may be: a message with its study has a megabyte at most.
func Bounded(run string) error {
	const most = 4 << 20
	for _, name := range []string{rundir.ManifestFile, runner.SummaryFile, rundir.DoneFile} {
		path := filepath.Join(run, name)
		if info, err := os.Lstat(path); err == nil && info.Size() > most {
			return fmt.Errorf("%s has %d bytes; at most %d are allowed", path, info.Size(), most)
		}
	}
	return nil
}

func stageHash(s *study.Study, plan []study.Stage, stage, population int, run string) (hash [32]byte,
	err error) {
	if err := Bounded(run); err != nil {
		return hash, err
	}
	m, err := runner.ReadManifest(run)
	if err != nil {
		return hash, err
	}
	var said struct {
		Evolve struct{ Founders struct{ Species []string } }
	}
	if err := toml.Unmarshal([]byte(m.Study), &said); err != nil {
		return hash, fmt.Errorf("%s: the study of its manifest: %w", run, err)
	}
	own, err := s.StageStudy(plan, stage, population, said.Evolve.Founders.Species)
	if err != nil {
		return hash, err
	}
	text, err := own.Text()
	if err == nil && string(text) != m.Study {
		err = fmt.Errorf("%s is of another study than stage %d", run, stage+1)
	}
	if err != nil {
		return hash, err
	}
	return m.Hash(own)
}

// done returns the summary of the cell's run, nil if it is not over or was handed in and does not
// count yet. Another run in its place is an error.
func done(c *study.Cell, dir string) (*runner.Summary, error) {
	if err := Belongs(c, dir, player.Programs); err != nil {
		return nil, err
	}
	return Counts(dir)
}

// Counts returns the summary of a run; nil for a run that is not over, and for one that a worker
// has handed in and that is still to be bred again, see Unaudited.
func Counts(run string) (*runner.Summary, error) {
	sum, err := runner.ReadSummary(run)
	if sum == nil || err != nil {
		return nil, err
	}
	if origin, err := Unaudited(run); origin != nil || err != nil {
		return nil, err
	}
	return sum, nil
}

// Check returns an error for every directory of a sweep that holds another run than its own.
func Check(g *study.Grid, dir string) error {
	var faults []error
	for i := range g.Cells {
		faults = append(faults, Belongs(&g.Cells[i], g.Cells[i].Directory(dir), player.Programs))
	}
	return errors.Join(faults...)
}
