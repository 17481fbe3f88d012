package view

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"clade/cmd/view/site"
	"clade/experiments/collect"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// beat is the time between two looks at all runs, for pages that follow them.
const beat = time.Second

// runs are the pages of runs and sweeps.
type runs struct {
	*site.Site
	catalogue *collect.Catalogue
}

// runsNow is the table of runs.
type runsNow struct {
	Folders []string `json:"folders"`
	collect.Listing
	Groups []*collect.Group `json:"groups"`
}

func (s *runs) listRuns(r *http.Request) (any, error) {
	found, err := s.catalogue.Look(r.Context())
	if err != nil {
		return nil, err
	}
	return runsNow{s.Paths, found, collect.Groups(found.Runs)}, nil
}

// runsChanged is the change of the table since the last event.
type runsChanged struct {
	Runs   []*collect.Row   `json:"runs"`
	Gone   []string         `json:"gone"`
	Sweeps []string         `json:"sweeps"`
	Groups []*collect.Group `json:"groups"`
}

// followRuns sends changes. All pages share the looks, and none is taken while no page follows.
func (s *runs) followRuns(ctx context.Context, r *http.Request, send site.Sender) error {
	var last []*collect.Row
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for {
		found, err := s.catalogue.Look(ctx)
		if err != nil {
			return err
		}
		changed, gone := collect.Changes(last, found.Runs)
		if len(changed)+len(gone) > 0 {
			if err := send("runs", runsChanged{changed, gone, found.Sweeps,
				collect.Groups(found.Runs)}); err != nil {
				return err
			}
		}
		last = found.Runs
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// noteRun writes a person's note on a run, as clade note does.
func (s *runs) noteRun(r *http.Request) (any, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, site.Wrong(err)
	}
	dir, err := s.Path(r.FormValue("run"))
	if err != nil {
		return nil, err
	}
	if err := runner.WriteNote(dir, string(text)); err != nil {
		return nil, site.Wrong(err)
	}
	return struct {
		Remark string `json:"remark"`
	}{strings.TrimSpace(string(text))}, nil
}

// fileNow is a record of a game, or a species, that lies outside of runs.
type fileNow struct {
	File   string `json:"file"`
	Game   string `json:"game"`
	Record bool   `json:"record"`
}

// named finds the name of the game in the first bytes of a record or a species.
var named = regexp.MustCompile(`^(?:clade record \d+\ngame |[^(]*\(species )(\w+)`)

func (s *runs) listFiles(r *http.Request) (any, error) {
	found, err := s.catalogue.Look(r.Context())
	if err != nil {
		return nil, err
	}
	all := []fileNow{}
	for _, file := range found.Files {
		if _, err := s.Path(file); err != nil {
			continue // it leads out of the folders
		}
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		head := make([]byte, 4096)
		n, _ := io.ReadFull(f, head) // a short file is whole
		f.Close()
		if game := named.FindSubmatch(head[:n]); game != nil {
			all = append(all, fileNow{file, string(game[1]), filepath.Ext(file) == ".record"})
		}
	}
	return all, nil
}

// sweepNow is a sweep as a grid.
type sweepNow struct {
	Sweep string      `json:"sweep"`
	Name  string      `json:"name"`
	Keys  []string    `json:"keys"`
	Cells []sweepCell `json:"cells"`
}

type sweepCell struct {
	Values []any        `json:"values"` // of the keys
	Seed   string       `json:"seed"`
	Run    string       `json:"run"`
	Row    *collect.Row `json:"row,omitempty"` // absent while the run waits
}

func (s *runs) showSweep(r *http.Request) (any, error) {
	name := r.FormValue("sweep")
	dir, err := s.Path(name)
	if err != nil {
		return nil, err
	}
	grid, err := sweep.Open(s.Scope, dir)
	if err != nil {
		return nil, site.Wrong(err)
	}
	found, err := s.catalogue.Look(r.Context())
	if err != nil {
		return nil, err
	}
	rows := map[string]*collect.Row{}
	for _, row := range found.Runs {
		rows[row.Run] = row
	}
	now := sweepNow{Sweep: name, Name: grid.Name, Keys: append([]string{}, grid.Keys...)}
	for i := range grid.Cells {
		c := &grid.Cells[i]
		run := filepath.ToSlash(c.Directory(dir))
		now.Cells = append(now.Cells, sweepCell{c.Values, fmt.Sprint(c.Study.Seed), run, rows[run]})
	}
	return now, nil
}
