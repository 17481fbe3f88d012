package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/study"
	"clade/experiments/survey"
	"clade/experiments/sweep"
)

// sweepFlags are the flags of `clade sweep`.
type sweepFlags struct {
	out         string
	set         []string
	workers     int
	dry, asJSON bool
	task, tasks int
	cells       string
	slurm       slurmFlags
	nats        natsFlags
}

func newSweep() *cobra.Command {
	f := &sweepFlags{}
	c := &cobra.Command{
		Use:   "sweep STUDY.toml",
		Short: "Carry out a study for many settings and seeds",
		Long: `Carries out the runs of a study's table [sweep] that are missing, and nothing twice: each run has a directory named by a hash of its settings, and what is done there is
not done again. Stop it, kill it, start it again: the same command goes on. Any number of sweeps may work in one directory. It ends in figures over pooled replicates.`,
		Example: `  clade sweep my.toml --dry-run         list the runs
  clade sweep my.toml --workers 4       four runs at a time
  clade sweep my.toml --slurm --partition long --time 8:00:00 --cpus 8
  clade sweep my.toml --nats here       let workers do it: clade worker --nats runs/my/nats.json
  clade status runs/my                  watch from elsewhere
  clade collect runs/my                 one table of everything`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args[0]) },
	}
	f.register(c)
	return c
}

func (f *sweepFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.StringVar(&f.out, "out", "", "the sweep's directory (default runs/NAME)")
	s.StringArrayVar(&f.set, "set", nil,
		"override a setting of the study, KEY=VALUE; may be repeated; what the sweep varies, it "+
			"varies all the same")
	s.IntVar(&f.workers, "workers", 0, "runs at a time (default: one a processor)")
	s.BoolVar(&f.dry, "dry-run", false, "list the runs and how far each is, and run nothing")
	s.BoolVar(&f.asJSON, "json", false, "print JSON")
	s.IntVar(&f.tasks, "tasks", 0,
		"number of tasks that share the sweep: this one does the runs I, I+TASKS, … of those listed")
	s.IntVar(&f.task, "task", -1,
		"I, from 0 (default: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or CLADE_TASK)")
	s.StringVar(&f.cells, "cells", "",
		"file with the keys of the runs to do, a line each (default: all)")
	f.slurm.register(c)
	f.nats.registerCoordinator(c,
		"let workers (see clade worker) do the runs: the URL of a site's NATS, or \"here\" for a "+
			"server inside this process")
}

// check refuses flags that would do nothing.
func (f *sweepFlags) check(c *cobra.Command) error {
	if err := f.nats.check(c); err != nil {
		return err
	}
	return cmp.Or(belong(c, "slurm", slurmOptions...), belong(c, "tasks", "task"),
		exclude(c, "slurm", "nats", "cells", "tasks", "workers"),
		exclude(c, "nats", "cells", "tasks", "workers"))
}

func (f *sweepFlags) run(c *cobra.Command, path string) error {
	if err := f.check(c); err != nil {
		return err
	}
	s, err := study.Read(path, f.set...)
	if err != nil {
		return usageError{err}
	}
	if f.out == "" {
		f.out = filepath.Join("runs", s.Name)
	}
	grid, err := s.Grid()
	if err != nil {
		return err
	}
	cells, err := f.share(grid)
	if err != nil {
		return usageError{err} // before anything is written
	}
	if f.dry {
		grid.Cells = cells
		return f.list(c.OutOrStdout(), grid)
	}
	if grid, err = sweep.Open(f.out, s); err != nil {
		return err
	}
	if f.slurm.on {
		return f.slurm.submit(c, f.out, grid)
	}
	if f.nats.where != "" {
		if err := f.nats.coordinate(c, f.out, grid); err != nil {
			return err
		}
		return f.conclude(c.OutOrStdout(), grid)
	}
	shown := watch(grid, f.out)
	err = sweep.Run(c.Context(), grid, f.out, sweep.Options{
		Workers: f.workers, Cells: cells, Follow: f.tasks == 0, Command: os.Args,
		Ended: ended, Warn: func(c study.Cell, s string) { slog.Warn(s, "run", c.Key) },
	})
	shown.close()
	if f.tasks > 0 && errors.Is(err, evolve.ErrStopped) {
		return unfinishedError{err}
	}
	if err != nil {
		return err
	}
	if f.tasks > 0 {
		return nil // the others are not over
	}
	return f.conclude(c.OutOrStdout(), grid)
}

// conclude draws the pooled figures and prints the table.
func (f *sweepFlags) conclude(w io.Writer, grid *study.Grid) error {
	p, err := sweep.ReadProgress(grid, f.out)
	if err != nil {
		return err
	}
	if _, err := survey.Pool(grid, f.out); err != nil {
		return err
	}
	if f.asJSON {
		return json.NewEncoder(w).Encode(p)
	}
	p.Write(w)
	fmt.Fprintf(w, "\npooled figures: %s\none table of everything: clade collect %s\n",
		filepath.Join(f.out, rundir.FigureFolder), f.out)
	return nil
}

// share picks this task's cells.
func (f *sweepFlags) share(grid *study.Grid) ([]study.Cell, error) {
	cells := grid.Cells
	if f.cells != "" {
		content, err := os.ReadFile(f.cells)
		if err != nil {
			return nil, err
		}
		if cells, err = sweep.Pick(grid, strings.Fields(string(content))); err != nil {
			return nil, fmt.Errorf("%s: %w", f.cells, err)
		}
	}
	if f.tasks == 0 {
		return cells, nil
	}
	task, err := sweep.TaskIndex(f.task, f.tasks)
	if err != nil {
		return nil, err
	}
	if cells = sweep.Share(cells, task, f.tasks); cells == nil {
		cells = []study.Cell{} // more tasks than runs
	}
	return cells, nil
}

// list prints every run.
func (f *sweepFlags) list(w io.Writer, grid *study.Grid) error {
	p, err := sweep.ReadProgress(grid, f.out)
	if err != nil {
		return err
	}
	if f.asJSON {
		return json.NewEncoder(w).Encode(p.Cells)
	}
	for _, s := range p.Cells {
		fmt.Fprintf(w, "%s  seed %-8d %-8s %s\n", s.Key, s.Seed, s.State, s.Group)
	}
	fmt.Fprintf(w, "%d runs, %d missing, in %s\n", p.Total.Runs, p.Total.Runs-p.Total.Done, f.out)
	return nil
}

// ended logs the end of a run that has no table to appear in.
func ended(c study.Cell, err error) {
	if err != nil && !errors.Is(err, evolve.ErrStopped) {
		slog.Error("a run failed", "run", c.Key, "seed", c.Study.Seed, "settings", c.Group, "error",
			err)
	}
}

// watcher shows a sweep's progress until it is closed: a table in place on a terminal, else a log
// line now and then.
type watcher struct {
	stop context.CancelFunc
	over chan struct{}
}

func watch(grid *study.Grid, dir string) *watcher {
	ctx, stop := context.WithCancel(context.Background())
	w := &watcher{stop, make(chan struct{})}
	tty := term.IsTerminal(int(os.Stderr.Fd()))
	every := logEvery
	if tty {
		every = time.Second
	}
	go func() {
		defer close(w.over)
		tick := time.NewTicker(every)
		defer tick.Stop()
		lines := 0
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			p, err := sweep.ReadProgress(grid, dir)
			if err != nil {
				slog.Warn("the progress is not shown", "error", err)
				continue
			}
			if !tty {
				t := p.Total
				slog.Info("sweeping", "done", t.Done, "running", t.Running, "waiting",
					t.Waiting+t.Stopped, "failed", t.Failed, "of", t.Runs, "left",
					p.Left.Round(time.Second))
				continue
			}
			var table strings.Builder
			p.Write(&table)
			if lines > 0 {
				// back to the table's first line, and clear what is below
				fmt.Fprintf(os.Stderr, "\x1b[%dA\x1b[J", lines)
			}
			fmt.Fprint(os.Stderr, table.String())
			lines = strings.Count(table.String(), "\n")
		}
	}()
	return w
}

func (w *watcher) close() {
	w.stop()
	<-w.over
}
