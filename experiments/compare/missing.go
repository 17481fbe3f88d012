package compare

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// Missing names the runs that a comparison lacks.
type Missing struct {
	Unfinished []string // directories of runs that have not ended
	NotBegun   int      // cells of the sweeps that the runs are of
}

// Ended returns the groups without the runs that have not ended; it is an error where none has.
func Ended(groups []runner.Group) (all []runner.Group, m Missing, err error) {
	return ended(groups, func() {})
}

func ended(groups []runner.Group, count func()) (all []runner.Group, m Missing, err error) {
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
				if !runner.IsRun(grid.Cells[i].Directory(dir)) {
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
func (m Missing) Sentence() string {
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
