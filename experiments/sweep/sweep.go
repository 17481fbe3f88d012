// Package sweep carries out the cells of a study's sweep, each once, in directories that many
// workers share, and reports their progress. Package study defines the cells.
package sweep

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/input"
)

// StudyFile is the name of the study, with its sweep, in a sweep's directory.
const StudyFile = "study.toml"

// Is reports whether a path is the directory of a sweep. Since authors also call a study
// study.toml, the file must have a table [sweep], or a cell's run or the jobs that carry it out
// must lie beside it.
func Is(path string) bool {
	text, err := os.ReadFile(filepath.Join(path, StudyFile))
	if err != nil {
		return false
	}
	if text, _ = input.SkipMark(text); table.Match(text) {
		return true
	}
	entries, err := packed.ReadDir(path)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return e.IsDir() && parts.MatchString(e.Name())
	})
}

var (
	table = regexp.MustCompile(`(?m)^\s*\[+sweep\b`)
	parts = regexp.MustCompile(`^([0-9a-f]{16}|slurm)$`) // a cell, by its key; jobs
)

// Open reads the study of a sweep's directory, whose names must be within the scope.
func Open(scope player.Scope, dir string) (*study.Grid, error) {
	if _, err := os.Stat(filepath.Join(dir, StudyFile)); err != nil {
		return nil, fmt.Errorf("%s is not a sweep's directory: %w; name one that a sweep has "+
			"written", dir, err)
	}
	if IsStaged(dir) {
		return nil, fmt.Errorf("%s is a run with stages, not a sweep's directory", dir)
	}
	s, err := study.Read(scope, filepath.Join(dir, StudyFile))
	if err != nil {
		return nil, err
	}
	return s.Grid()
}

// Create writes a study into the directory of its sweep, from which Open reads it again. The
// directory may hold cells of an earlier version of the sweep: those that are the same are not run
// again.
func Create(dir string, s *study.Study) (*study.Grid, error) {
	g, err := s.Grid()
	if err != nil {
		return nil, err
	}
	return g, Prepare(dir, s)
}

// Prepare is Create for a caller that has the sweep's cells, or as many of them as it needs.
func Prepare(dir string, s *study.Study) error {
	path := filepath.Join(dir, StudyFile)
	if rundir.IsRun(dir) {
		return fmt.Errorf("%s holds a run; choose another directory", dir)
	}
	text, err := s.Text()
	if err != nil {
		return err
	}
	if had, err := os.ReadFile(path); err == nil && bytes.Equal(had, text) {
		return nil
	}
	if had, _, err := study.ReadShare(s.Scope(), path, 0, math.MaxInt); err == nil {
		if same, err := had.Text(); err == nil && bytes.Equal(same, text) {
			return nil // it is as its author wrote it, with his comments
		}
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cannot make the sweep's directory: %w", err)
	}
	return durable.WriteFile(path, text, 0o666)
}

// Carrier carries a cell's run out in a sweep's directory, as Carry does.
type Carrier func(ctx context.Context, c *study.Cell, sweep string, o runner.Options) (
	*runner.Summary, error)

// Breed breeds a cell's run in a directory that is held, from wherever an earlier attempt left it.
type Breed func(ctx context.Context, c *study.Cell, dir string, o runner.Options) (*runner.Summary,
	error)

// Carry carries a cell's run out in its directory, from wherever an earlier attempt left it. It
// returns at once for a run that is done, and breeds again and compares one that a worker has
// handed in and that does not count yet. While another worker holds the run the error wraps
// ErrHeld, when another takes it away ErrLost, and when the context ends
// evolve.ErrStopped; any other error is recorded in the directory as the run's failure. On return
// everything is on the disk.
func Carry(ctx context.Context, c *study.Cell, sweep string, o runner.Options) (*runner.Summary,
	error) {
	return Breed(breed).Carry(ctx, c, sweep, o)
}

// Carry is Carry with another way to breed.
func (b Breed) Carry(ctx context.Context, c *study.Cell, sweep string, o runner.Options) (
	*runner.Summary, error) {
	dir := c.Directory(sweep)
	if sum, err := done(c, dir); sum != nil || err != nil {
		return sum, err
	}
	held, l, err := TakeLease(ctx, dir, LeaseTTL)
	if err != nil {
		return nil, err
	}
	sum, err := b.carry(held, c, sweep, l, o)
	switch {
	case err == nil:
		err = os.Remove(filepath.Join(dir, FailureFile))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	case errors.Is(err, ErrLost):
	case l.Check() != nil:
		err = fmt.Errorf("%w: %w", l.Check(), err)
	case errors.Is(err, ErrHeld): // of what is bred again
	case ctx.Err() != nil:
		if !errors.Is(err, evolve.ErrStopped) {
			err = fmt.Errorf("%w: %w", evolve.ErrStopped, err)
		}
	default:
		host, _ := os.Hostname()
		_ = RecordFailure(c, sweep, err.Error(), host) // the caller has the error anyway
	}
	if synced := durable.SyncDir(dir); err == nil {
		err = synced
	}
	if released := l.Release(); err == nil {
		err = released
	}
	if err != nil {
		return nil, err
	}
	return sum, nil
}

func (b Breed) carry(ctx context.Context, c *study.Cell, sweep string, l *Lease,
	o runner.Options) (*runner.Summary, error) {
	dir, fence := c.Directory(sweep), o.Fence
	if fence == nil {
		fence = func() error { return nil }
	}
	o.Fence = func() error { return cmp.Or(fence(), l.Check()) }
	if sum, err := done(c, dir); sum != nil || err != nil {
		return sum, err // the last holder ended it
	}
	if origin, err := ReadOrigin(dir); err != nil {
		return nil, err
	} else if origin != nil {
		sum, err := runner.ReadSummary(dir)
		if err != nil {
			return nil, err
		}
		if sum != nil {
			return b.audit(ctx, c, sweep, l, origin, sum, o, fence)
		}
		// an earlier version died while it placed the run
		if err := Empty(l, dir, filepath.Join(sweep, AuditFolder, c.Key), fence); err != nil {
			return nil, err
		}
	}
	return b(ctx, c, dir, o)
}

func breed(ctx context.Context, c *study.Cell, dir string, o runner.Options) (*runner.Summary,
	error) {
	if len(c.Study.Stages) > 0 {
		return Stages(ctx, c.Study, dir, o)
	}
	return runner.Complete(ctx, dir, c.Study, o)
}

// Options say how the cells of a sweep are carried out. None of them changes a result.
type Options struct {
	Workers int          // runs at a time; 0 means one a processor
	Cells   []study.Cell // of the grid; nil means all
	// wait for runs that other workers hold, and take over those whose worker dies
	Follow  bool
	Command []string // recorded in the manifests
	// called when a run ends, from many goroutines but one at a time; nil for none
	Ended func(study.Cell, error)
	Warn  func(study.Cell, string) // as Options.Warn; nil for none
}

// pollEvery is the time between two looks at runs that other workers hold.
const pollEvery = 2 * time.Second

// Run carries out the missing cells, each once. If some fail it continues with the others; the
// error then joins all failures.
func Run(ctx context.Context, g *study.Grid, dir string, o Options) error {
	cells := o.Cells
	if cells == nil {
		cells = g.Cells
	}
	workers := o.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	known, err := ReadShutOut(dir)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	var faults []error
	for {
		var elsewhere []study.Cell
		err := parallel.Each(ctx, len(cells), workers, func(_, i int) error {
			c := cells[i]
			options := runner.Options{Workers: max(1,
				runtime.GOMAXPROCS(0)/min(workers, len(cells))), Command: o.Command}
			if o.Warn != nil {
				options.Warn = func(s string) { o.Warn(c, s) }
			}
			_, err := Carry(ctx, &c, dir, options)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case errors.Is(err, ErrHeld), errors.Is(err, ErrLost):
				elsewhere = append(elsewhere, c)
				return nil
			case err != nil && !errors.Is(err, evolve.ErrStopped):
				faults = append(faults, fmt.Errorf("%s seed %d (%s): %w", c.Group, c.Study.Seed,
					c.Directory(dir), err))
			}
			if o.Ended != nil {
				o.Ended(c, err)
			}
			return nil // the others continue
		})
		if err != nil || ctx.Err() != nil {
			return fmt.Errorf("%w; the same command goes on", evolve.ErrStopped)
		}
		now, err := ReadShutOut(dir)
		if err != nil {
			return err
		}
		if len(now) > len(known) { // other runs of theirs do not count any more
			known = now
			continue
		}
		if len(elsewhere) == 0 || !o.Follow {
			if o.Cells == nil && len(faults) == 0 && len(elsewhere) == 0 {
				err = Tidy(dir)
			}
			return errors.Join(append(faults, err)...)
		}
		cells = elsewhere
		select {
		case <-ctx.Done():
		case <-time.After(pollEvery):
		}
	}
}

// Share returns the cells of one of several workers: those of index task, task+tasks, …
func Share(cells []study.Cell, task, tasks int) []study.Cell {
	var mine []study.Cell
	for i := task; i < len(cells); i += tasks {
		mine = append(mine, cells[i])
	}
	return mine
}

// Missing returns the cells that are not done.
func Missing(g *study.Grid, dir string) ([]study.Cell, error) {
	var missing []study.Cell
	for i := range g.Cells {
		sum, err := done(&g.Cells[i], g.Cells[i].Directory(dir))
		if err != nil {
			return nil, err
		}
		if sum == nil {
			missing = append(missing, g.Cells[i])
		}
	}
	return missing, nil
}
