package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"clade/evolve/rundir"
)

// Summary is the result of a run: summary.json.
type Summary struct {
	Dir         string `json:"-"` // of the run; all names are relative to it
	Generations int    `json:"generations"`
	Games       int64  `json:"games"` // of selection
	Fingerprint string `json:"fingerprint"`
	// as in the manifest
	Unrepeatable bool `json:"unrepeatable,omitempty"`
	// species file of the last champion; nil, and null in the file, where nothing chose one
	Champion *string `json:"champion"`
	// the last champion against the built-in players, on fresh boards; nil, and null in the file,
	// where there is no champion or nobody to play against
	Final []Measurement `json:"final"`
	// the last champion and the kept species, strongest first; left out where there was no league
	League  []Rated  `json:"league,omitempty"`
	Figures []string `json:"figures"`
}

// ChampionPath returns the path of the last champion's species file, nil where nothing chose one.
func (s *Summary) ChampionPath() *string {
	if s.Champion == nil {
		return nil
	}
	path := filepath.Join(s.Dir, *s.Champion)
	return &path
}

// ReadSummary reads the summary of a run, nil for a run that is not over. A summary that does not
// belong to the end of the run is an error.
func ReadSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, SummaryFile)
	content, err := rundir.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sum := &Summary{Dir: dir}
	if err := json.Unmarshal(content, sum); err != nil {
		return nil, &rundir.Problem{Dir: dir, Remedy: rundir.Mend,
			Err: fmt.Errorf("%s is damaged (%w); mend the run, which makes it again", path, err)}
	}
	done, err := rundir.ReadDone(dir)
	if err != nil {
		return nil, err
	}
	if done == nil || done.Fingerprint != sum.Fingerprint {
		return nil, &rundir.Problem{Dir: dir, Remedy: rundir.Mend, Err: fmt.Errorf("%s does not "+
			"belong to the run's %s; mend the run, which makes it again", path, rundir.DoneFile)}
	}
	return sum, nil
}

// Ended reads the summary of a run. A run that has not ended is an error.
func (r *Run) Ended() (*Summary, error) {
	sum, err := ReadSummary(r.Dir)
	if err == nil && sum == nil {
		err = &rundir.Problem{Dir: r.Dir, Remedy: rundir.Resume,
			Err: fmt.Errorf("%s has not ended; resume it first", r.Dir)}
	}
	return sum, err
}
