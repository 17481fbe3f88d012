package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"clade/engine/system/parallel"
	"clade/engine/system/terminal"
	"clade/evolve"
	"clade/evolve/rundir"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
	"clade/gp/input"
)

// sweepFlags are the flags of `clade sweep`.
type sweepFlags struct {
	flags
	dry, quick  bool
	task, tasks int
	cells       string
	slurm       slurmFlags
	nats        natsFlags
	metrics     metricsFlag
	after       then
}

func newSweep(scope *player.Scope) *cobra.Command {
	f := &sweepFlags{flags: flags{scope: scope}}
	c := &cobra.Command{
		Use:   "sweep STUDY.toml",
		Short: "Carry out a study for many settings and seeds",
		Long: `Carries out the runs of a study's table [sweep] that are missing. Each run has a
directory named by a hash of its settings, and what is done there is not done
again. Stop it, kill it, start it again: the same command continues. Any number
of sweeps may work in one directory. It ends in figures over pooled replicates.
With a table [sweep.merge], one more run descends from the champions of all
others.`,
		Example: `  clade sweep my.toml --dry-run         list the runs
  clade sweep my.toml --quick           see in a minute whether all of it works
  clade sweep my.toml --workers 4       four runs at a time
  clade sweep my.toml --slurm --partition long --time 8:00:00 --cpus 8
  clade sweep my.toml --nats here       let workers do it, each by
                                        clade worker --nats runs/my/nats.json
  clade status runs/my                  see from elsewhere how far it is
  clade collect runs/my                 one table of everything`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			err := saving(c, func() error { return f.run(c, args[0]) }, func() string {
				return "not all that was under way could be saved in time; the same command goes " +
					"on from the last checkpoints that stand"
			})
			if f.tasks > 0 && errors.Is(err, evolve.ErrStopped) {
				return unfinishedError{err}
			}
			return err
		},
	}
	f.add(c, help{"out": "the sweep's directory (default runs/NAME)", "form": "", "json": "",
		"set": "override a setting of the study, KEY=VALUE; may be repeated; keys that the " +
			"sweep varies still vary",
		"workers": "runs at a time (default: one a processor)"})
	s := c.Flags()
	s.BoolVar(&f.dry, "dry-run", false, "list the runs with their progress, and forecast "+
		"the cost of those that are missing; run nothing")
	s.BoolVar(&f.quick, "quick", false, "a small version, in runs/NAME-quick: two runs of each cell, "+
		"of at most 100 individuals and 20 generations")
	s.IntVar(&f.tasks, "tasks", 0,
		"number of tasks that share the sweep: this one does the runs I, I+TASKS, … of those listed")
	s.IntVar(&f.task, "task", -1,
		"I, from 0 (default: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX or CLADE_TASK)")
	s.StringVar(&f.cells, "cells", "",
		"file with the keys of the runs to do, a line each (default: all)")
	f.slurm.register(c)
	f.after.register(c)
	f.metrics.register(c)
	f.nats.registerCoordinator(c,
		"let workers (see clade worker) do the runs: the URL of a site's NATS, or \"here\" for a "+
			"server inside this process")
	return c
}

func (f *sweepFlags) run(c *cobra.Command, path string) error {
	if err := cmp.Or(f.nats.check(c), need(c, "slurm", slurmOptions...),
		f.slurm.check(c), need(c, "tasks", "task"),
		exclude(c, "slurm", "nats", "cells", "tasks", "workers"),
		exclude(c, "nats", "cells", "tasks", "workers"),
		exclude(c, "metrics", "slurm", "tasks", "dry-run"),
		exclude(c, "then", "slurm", "tasks", "dry-run")); err != nil {
		return err
	}
	if f.quick {
		f.set = append(f.set, "sweep.quick=true")
	}
	s, grid, cells, err := f.read(path)
	if err != nil {
		return usageError{err} // before anything is written
	}
	if f.out == "" {
		if f.out = filepath.Join("runs", s.Name); f.quick {
			f.out += "-quick"
		}
	}
	if f.dry {
		grid.Cells = cells
		return f.list(c, grid)
	}
	if err := sweep.Prepare(f.out, s); err != nil {
		return err
	}
	if f.slurm.on {
		return f.slurm.submit(c, f.out, grid)
	}
	endMetrics, err := f.metrics.serve(grid, f.out)
	if err != nil {
		return err
	}
	defer endMetrics()
	if f.nats.where != "" {
		if err := f.nats.coordinate(c, f.out, grid); err != nil {
			return err
		}
		return f.conclude(c, grid)
	}
	mine := *grid
	mine.Cells = cells
	if f.tasks > 0 {
		slog.Info("this task begins", "task", f.task, "tasks", f.tasks, "runs", len(cells))
		for _, cell := range cells {
			slog.Info("a run of this task", "run", cell.Key, "seed", cell.Study.Seed, "settings", cell.Group)
		}
	}
	end := showProgress(&mine, f.out)
	err = sweep.Run(c.Context(), grid, f.out, sweep.Options{
		Workers: f.workers, Cells: cells, Follow: f.tasks == 0, Command: os.Args,
		Ended: func(c study.Cell, err error) {
			if err != nil && !errors.Is(err, evolve.ErrStopped) {
				slog.Error("a run failed", "run", c.Key, "seed", c.Study.Seed, "settings", c.Group,
					"error", err)
			}
		},
		Warn: func(c study.Cell, s string) { slog.Warn(s, "run", c.Key) },
	})
	end()
	if err != nil || f.tasks > 0 {
		return err // the others are not over
	}
	return f.conclude(c, grid)
}

// conclude draws the pooled figures and prints the table.
func (f *sweepFlags) conclude(c *cobra.Command, grid *study.Grid) error {
	p, err := sweep.ReadProgress(grid, f.out)
	if err != nil {
		return err
	}
	if grid.Merge != nil && p.Total.Done == p.Total.Runs {
		if err := f.merge(c, grid); err != nil {
			return err
		}
	}
	if _, err := report.Pool(grid, f.out); err != nil {
		return err
	}
	err = f.print(c, p, func(w io.Writer) {
		p.Write(w)
		fmt.Fprintf(w, "\npooled figures: %s\none table of everything: clade collect %s\n",
			filepath.Join(f.out, rundir.FigureFolder), input.Quote(f.out))
	})
	if err != nil || p.Total.Done < p.Total.Runs {
		return err
	}
	return f.after.run(c.Context(), f.out)
}

// merge carries out the run that descends from all others.
func (f *sweepFlags) merge(c *cobra.Command, grid *study.Grid) error {
	dir := filepath.Join(f.out, runner.MergeFolder)
	if !f.asJSON {
		fmt.Fprintf(os.Stderr, "merging the champions of %d runs in %s\n", len(grid.Cells), dir)
	}
	bar := newProgress(&grid.Merge.Evolve)
	sum, err := sweep.Merge(c.Context(), grid, f.out, bar.options(0))
	bar.close()
	if err == nil && !f.asJSON {
		printSummary(plain(c), sum)
	}
	return err
}

// read reads the study, its sweep and the cells of this call. A task of an array lays out only its
// own.
func (f *sweepFlags) read(path string) (s *study.Study, g *study.Grid, cells []study.Cell,
	err error) {
	if f.tasks > 0 {
		if f.task, err = sweep.TaskIndex(f.task, f.tasks); err != nil {
			return nil, nil, nil, err
		}
	}
	if f.tasks > 0 && f.cells == "" {
		s, g, err = study.ReadShare(*f.scope, path, f.task, f.tasks, f.set...)
		if err != nil {
			return nil, nil, nil, err
		}
		return s, g, append([]study.Cell{}, g.Cells...), nil // of more tasks than runs some have none
	}
	if s, err = study.Read(*f.scope, path, f.set...); err == nil {
		g, err = s.Grid()
	}
	if err == nil {
		cells, err = f.share(g)
	}
	return s, g, cells, err
}

// share picks this task's cells.
func (f *sweepFlags) share(grid *study.Grid) ([]study.Cell, error) {
	cells := grid.Cells
	if f.cells != "" {
		content, err := input.ReadFile(f.cells)
		if err != nil {
			return nil, fmt.Errorf("--cells: %w", err)
		}
		names := strings.Fields(string(content))
		if len(names) == 0 {
			return nil, misuse("--cells: %s names no run; leave --cells out for all", f.cells)
		}
		if cells, err = sweep.Pick(grid, names); err != nil {
			return nil, fmt.Errorf("%s: %w", f.cells, err)
		}
	}
	if f.tasks == 0 {
		return cells, nil
	}
	if cells = sweep.Share(cells, f.task, f.tasks); cells == nil {
		cells = []study.Cell{} // more tasks than runs
	}
	return cells, nil
}

// list prints every run.
func (f *sweepFlags) list(c *cobra.Command, grid *study.Grid) error {
	p, err := sweep.ReadProgress(grid, f.out)
	if err != nil {
		return err
	}
	costs, err := f.foresee(c, grid)
	if err != nil {
		return err
	}
	type listed struct {
		sweep.Status
		Forecast *runner.Forecast `json:"forecast"` // null where a generation takes too long
	}
	all := make([]listed, len(p.Cells))
	var total runner.Forecast
	slow := false
	for i, s := range p.Cells {
		all[i] = listed{s, costs[i]}
		switch {
		case s.State == sweep.Done:
		case costs[i] == nil:
			slow = true
		default:
			total.Add(*costs[i])
		}
	}
	return f.print(c, all, func(w io.Writer) {
		for _, s := range p.Cells {
			fmt.Fprintf(w, "%s  seed %-8d %-8s %s\n", s.Key, s.Seed, s.State, s.Group)
		}
		fmt.Fprintf(w, "%d runs, %d missing, in %s\n", p.Total.Runs, p.Total.Runs-p.Total.Done, f.out)
		told := fmt.Sprintf("what is missing takes %s. %s", total, foreseen)
		if slow {
			told = fmt.Sprintf("of some runs %v", runner.ErrSlow)
		}
		fmt.Fprintln(w, terminal.Wrap(told, terminal.Room(w)))
	})
}

// foresee returns the forecast of each run, from the first generations of each group of replicates;
// nil if a generation takes too long.
func (f *sweepFlags) foresee(c *cobra.Command, grid *study.Grid) ([]*runner.Forecast, error) {
	costs, known := make([]*runner.Forecast, len(grid.Cells)), map[string]*runner.Forecast{}
	for i := range grid.Cells {
		s := grid.Cells[i].Study
		text, err := s.Replicated()
		if err != nil {
			return nil, err
		}
		cost, ok := known[string(text)]
		if !ok {
			cost = &runner.Forecast{}
			if *cost, err = runner.Foresee(c.Context(), s, f.workers); errors.Is(err, runner.ErrSlow) {
				cost, err = nil, nil
			}
			if err != nil {
				return nil, err
			}
			known[string(text)] = cost
		}
		costs[i] = cost
	}
	return costs, nil
}

// showProgress shows the progress of a sweep until the function that it returns is called: a table
// in place on a terminal, else a log line now and then.
func showProgress(grid *study.Grid, dir string) (end func()) {
	every, write := logEvery, logProgress
	if drawable(os.Stderr) {
		every, write = time.Second, drawProgress(os.Stderr, sizeOf(os.Stderr))
	}
	return parallel.Repeat(every, func() {
		if p, err := sweep.ReadProgress(grid, dir); err != nil {
			slog.Warn("the sweep's progress is not shown", "error", err)
		} else {
			write(p)
		}
	})
}

func logProgress(p *sweep.Progress) {
	t := p.Total
	slog.Info("sweeping", "done", t.Done, "running", t.Running, "waiting", t.Waiting+t.Stopped,
		"failed", t.Failed, "of", t.Runs, "left", p.Remaining())
}

// drawProgress returns a function that draws a table over the last one. If the terminal has too few
// rows to go back to the first line, it draws only the groups that change.
func drawProgress(w io.Writer, size func() (columns, rows int, err error)) func(p *sweep.Progress) {
	draw := drawInPlace(w, size)
	return func(p *sweep.Progress) {
		draw(func(columns, rows int) []string {
			lines := progressLines(p, columns)
			if len(lines) >= rows {
				lines = progressLines(p.Brief(), columns)
			}
			return lines
		})
	}
}

func progressLines(p *sweep.Progress, columns int) []string { return linesOf(columns, p.Write) }
