package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"clade/engine/system/packed"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// Bounds of the search for runs below the folders.
const (
	maxDepth = 8      // folders below one that is shown
	maxDirs  = 50_000 // folders that are looked into
	maxFiles = 1000   // records and species that are listed
)

// Catalogue lists all runs below some folders. It reads a run again only when its files have
// changed.
type Catalogue struct {
	scope player.Scope
	paths []string
	mu    sync.Mutex // held through a look, so that pages share one
	seen  map[string]*Sighting
	last  time.Time // of the last look
	found Listing
	alike replicas
}

// Listing is the result of a look.
type Listing struct {
	Runs   []*Row   `json:"runs"` // by path
	Sweeps []string `json:"sweeps"`
	// Files are records of games, and species, outside of runs
	Files []string `json:"-"`
	// Cut reports that there are more folders than are searched
	Cut bool `json:"cut,omitempty"`
}

// Sighting is a run as it was last seen.
type Sighting struct {
	files string // sizes and times of its files
	study string // size and time of its manifest
	Row   *Row
	known bool // the manifest could be read
}

// NewCatalogue returns the catalogue of some folders. It returns an error for one that cannot be
// read.
func NewCatalogue(scope player.Scope, paths []string) (*Catalogue, error) {
	for _, p := range paths {
		if _, err := packed.ReadDir(p); err != nil {
			return nil, err
		}
	}
	return &Catalogue{scope: scope, paths: paths, seen: map[string]*Sighting{}}, nil
}

// Freshness is how old a look may be to be used again.
const Freshness = 500 * time.Millisecond

// Look returns all runs as they are now. What it returns must not be changed.
func (c *Catalogue) Look(ctx context.Context) (Listing, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.last) < Freshness {
		return c.found, nil
	}
	var found Listing
	dirs := c.walk(&found)
	sights := make([]*Sighting, len(dirs))
	err := parallel.Each(ctx, len(dirs), 0, func(_, i int) error {
		sights[i] = c.Watch(dirs[i], c.seen[dirs[i]])
		return nil
	})
	if err != nil {
		return Listing{}, err
	}
	clear(c.seen)
	found.Runs = []*Row{}
	for i, sight := range sights {
		c.seen[dirs[i]] = sight
		found.Runs = append(found.Runs, sight.Row)
	}
	c.found, c.last = found, time.Now()
	return found, nil
}

// walk returns the run directories below the folders, by path, each once, and lists the sweeps and
// files that it finds. It skips folders whose names begin with a dot, and those that cannot be
// read.
func (c *Catalogue) walk(found *Listing) (runs []string) {
	left := maxDirs
	var visit func(dir string, depth int)
	visit = func(dir string, depth int) {
		if left--; left < 0 {
			found.Cut = true
			return
		}
		entries, err := packed.ReadDir(dir)
		if err != nil {
			return
		}
		has := func(name string) bool {
			_, ok := slices.BinarySearchFunc(entries, name,
				func(e fs.DirEntry, n string) int { return cmp.Compare(e.Name(), n) })
			return ok
		}
		if has(rundir.ManifestFile) {
			runs = append(runs, dir)
			return
		}
		if has(sweep.StudyFile) && sweep.Is(dir) {
			found.Sweeps = append(found.Sweeps, filepath.ToSlash(dir))
		}
		for _, e := range entries {
			if ext := filepath.Ext(e.Name()); (ext == ".record" || ext == ".species") &&
				e.Type().IsRegular() && len(found.Files) < maxFiles {
				found.Files = append(found.Files, filepath.ToSlash(filepath.Join(dir, e.Name())))
			}
			if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && depth < maxDepth {
				visit(filepath.Join(dir, e.Name()), depth+1)
			}
		}
	}
	for _, p := range c.paths {
		visit(filepath.Clean(p), 0)
	}
	for _, list := range []*[]string{&runs, &found.Sweeps, &found.Files} {
		slices.SortFunc(*list, runner.CompareNames)
		*list = slices.Compact(*list)
	}
	return runs
}

// Watch returns the row of a run, which it reads again if the files have changed since last.
func (c *Catalogue) Watch(dir string, last *Sighting) *Sighting {
	manifest := Stamp(dir, rundir.ManifestFile)
	files := manifest + Stamp(dir, rundir.TimesFile) + Stamp(dir, rundir.DoneFile) +
		Stamp(dir, runner.SummaryFile) + Stamp(dir, runner.NoteFile) + Stamp(dir, sweep.FailureFile)
	if last != nil && last.files == files && last.Row.State != running && last.Row.State != bred {
		return last
	}
	now := &Sighting{files: files, study: manifest}
	row := Row{}
	if last != nil && last.study == manifest && last.known {
		now.known, row = true, last.Row.fixed()
	} else {
		row, now.known = c.alike.describe(c.scope, dir)
	}
	if now.known {
		if err := row.follow(dir); err != nil {
			row.State, row.Note = damaged, err.Error()
		}
	}
	now.Row = &row
	return now
}

// Stamp returns a text that changes with a file.
func Stamp(dir, name string) string {
	info, err := packed.Stat(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return "-"
	}
	if err != nil {
		return "?"
	}
	return fmt.Sprint(info.ModTime().UnixNano(), "/", info.Size(), ";")
}
