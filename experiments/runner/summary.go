package runner

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"clade/evolve/rundir"
)

// Summary is what came of a run: summary.json.
type Summary struct {
	Run         string `json:"run"`
	Generations int    `json:"generations"`
	Games       int64  `json:"games"` // of selection
	Champion    string `json:"champion"`
	Fingerprint string `json:"fingerprint"`
	// the last champion against the built-in players, on fresh boards
	Final   []Measurement `json:"final"`
	Figures []string      `json:"figures"`
}

// ReadSummary reads what came of a run, nil for one that is not over. A summary that does not
// belong to the end of the run is an error.
func ReadSummary(dir string) (*Summary, error) {
	path := filepath.Join(dir, SummaryFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sum := &Summary{}
	if err := json.Unmarshal(content, sum); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w); delete it, and the next sweep "+
			"makes it again", path, err)
	}
	done, err := rundir.ReadDone(dir)
	if err != nil {
		return nil, err
	}
	if done == nil || done.Fingerprint != sum.Fingerprint {
		return nil, fmt.Errorf("%s does not belong to the run's %s; delete it, and "+
			"the next sweep makes it again", path, rundir.DoneFile)
	}
	return sum, nil
}

// Ended reads the summary of a run that must have ended.
func (r *Run) Ended() (*Summary, error) {
	sum, err := ReadSummary(r.Dir)
	if err == nil && sum == nil {
		err = fmt.Errorf("%s has not ended; go on with `clade resume %s`", r.Dir,
			r.Dir)
	}
	return sum, err
}
