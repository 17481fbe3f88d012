package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"clade/engine/system/terminal"
	"clade/experiments/cluster/slurm"
	"clade/experiments/collect"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/sweep"
)

// sweepStatus is how far a sweep is.
type sweepStatus struct {
	Sweep string `json:"sweep"` // its directory
	*sweep.Progress
	Queue []slurm.Queued `json:"queue"`                 // null where it is not known
	Fault string         `json:"queue_fault,omitempty"` // why
}

// runStatus is how far a run is that belongs to no sweep.
type runStatus struct {
	Run         string   `json:"run"`
	State       string   `json:"state"`
	Note        string   `json:"note"`   // what the state does not say; "" for nothing
	Remark      string   `json:"remark"` // that was noted by hand; "" for nothing
	Generation  int      `json:"generation"`
	Generations int      `json:"generations"`
	Left        *float64 `json:"left_seconds"` // null where it is not known
	runner.Cost
	// generation of the last one; null where there is none
	Champion *int `json:"champion"`
	// the last measurement of a champion; null before there is one
	Wins *collect.Wins `json:"wins"`
}

// allStatus is the status of all runs and sweeps below the operands.
type allStatus struct {
	Sweeps []sweepStatus `json:"sweeps"`
	Runs   []runStatus   `json:"runs"`
}

func newStatus(scope *player.Scope) *cobra.Command {
	o := flags{scope: scope}
	watch := false
	c := &cobra.Command{
		Use:   "status [RUN|SWEEP|FOLDER...]",
		Short: "Show the progress of runs and sweeps",
		Long: `Shows how far runs and sweeps are, also those below a folder; without an operand
those below this folder. A run is running, stopped, killed (its
program ended before it could save), failed, bred (and not measured yet), done,
damaged, or unreadable (this program lacks its game or rules). For a sweep it
shows the same by setting, with the games and the processor time of all its
runs, the processor time left, the workers that its coordinator knows of, and
Slurm's queue.`,
		Example: `  clade status
  clade status runs/quick
  clade status runs/my --watch           until all of it is done
  clade status runs/my --form csv`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			spareMemory()
			shelf, err := collect.NewCatalogue(*scope, args)
			if err != nil {
				return fmt.Errorf("%w; name runs, sweeps, or folders of some", err)
			}
			costs := map[string]map[string]runner.Cost{} // of runs that are done, by sweep
			look := func() (*allStatus, error) { return o.look(c, shelf, args, costs) }
			if watch {
				return o.watchStatus(c, look)
			}
			all, err := look()
			if err != nil {
				return err
			}
			return o.print(c, all, all.write)
		},
	}
	o.add(c, help{"form": "", "json": ""})
	c.Flags().BoolVar(&watch, "watch", false, "show it again and again, until all is done, failed "+
		"or cannot be read, or Ctrl-C ends it")
	return c
}

// look finds runs and sweeps, and reads their status.
func (o *flags) look(c *cobra.Command, shelf *collect.Catalogue, args []string,
	costs map[string]map[string]runner.Cost) (*allStatus, error) {
	found, err := shelf.Look(c.Context())
	if err != nil {
		return nil, err
	}
	if len(found.Runs)+len(found.Sweeps) == 0 {
		return nil, misuse("there is no run and no sweep at or below %s", args[0])
	}
	all := &allStatus{Sweeps: []sweepStatus{}, Runs: []runStatus{}}
	swept := map[string]bool{}
	for _, dir := range found.Sweeps {
		if costs[dir] == nil {
			costs[dir] = map[string]runner.Cost{}
		}
		s, err := o.sweepStatus(c, dir, costs[dir])
		if err != nil {
			return nil, err
		}
		all.Sweeps = append(all.Sweeps, *s)
		for _, cell := range s.Cells {
			swept[filepath.ToSlash(filepath.Join(dir, cell.Key))] = true
		}
	}
	for _, r := range found.Runs {
		if !swept[r.Run] {
			s := statusOf(r)
			if s.Cost, err = sweep.CostOf(r.Run); err != nil {
				s.Note = cmp.Or(s.Note, err.Error())
			}
			all.Runs = append(all.Runs, s)
		}
	}
	return all, nil
}

// watchStatus prints the status until nothing is under way: in place on a terminal, else whenever
// it has changed. Reading many runs takes long, so it pauses ten times as long as it took.
func (o *flags) watchStatus(c *cobra.Command, look func() (*allStatus, error)) error {
	draw, before := drawInPlace(os.Stdout, sizeOf(os.Stdout)), ""
	for {
		began := time.Now()
		all, err := look()
		if err != nil {
			return err
		}
		var text strings.Builder
		if drawable(os.Stdout) && !o.asJSON && o.form == "text" {
			draw(func(columns, _ int) []string { return linesOf(columns, all.write) })
		} else if err := o.printTo(&text, all, all.write); err != nil {
			return err
		} else if text.String() != before {
			before = text.String()
			if _, err := io.WriteString(plain(c), before); err != nil {
				return err
			}
		}
		if all.over() {
			return nil
		}
		select {
		case <-c.Context().Done():
			return context.Cause(c.Context())
		case <-time.After(max(time.Second, 10*time.Since(began))):
		}
	}
}

// over reports whether nothing is under way.
func (a *allStatus) over() bool {
	for i := range a.Sweeps {
		if t := &a.Sweeps[i].Total; t.Done+t.Failed < t.Runs {
			return false
		}
	}
	return !slices.ContainsFunc(a.Runs, func(r runStatus) bool { return !collect.Settled(r.State) })
}

// sweepStatus reads how far a sweep is.
func (o *flags) sweepStatus(c *cobra.Command, dir string,
	costs map[string]runner.Cost) (*sweepStatus, error) {
	grid, err := sweep.Open(*o.scope, dir)
	if err == nil {
		err = sweep.Check(grid, dir)
	}
	if err != nil {
		return nil, err
	}
	p, err := sweep.ReadProgress(grid, dir)
	if err != nil {
		return nil, err
	}
	if err := p.ReadCosts(dir, costs); err != nil {
		slog.Warn("the cost of some runs of the sweep is not counted", "error", err)
	}
	s := &sweepStatus{Sweep: dir, Progress: p}
	queue, err := slurm.Queue(c.Context(), dir)
	if err != nil { // what is on the disk can be shown all the same
		s.Fault = err.Error()
		return s, nil
	}
	s.Queue = append([]slurm.Queued{}, queue...)
	return s, nil
}

func statusOf(r *collect.Row) runStatus {
	s := runStatus{r.Run, r.State, r.Note, r.Remark, r.Generation, r.Generations, nil,
		runner.Cost{}, r.Champion, r.Wins}
	if r.Left > 0 {
		s.Left = &r.Left
	}
	return s
}

func (a *allStatus) write(w io.Writer) {
	sweeps, runs := a.Sweeps, a.Runs
	for i, s := range sweeps {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if len(sweeps)+len(runs) > 1 {
			fmt.Fprintf(w, "sweep %s\n", s.Sweep)
		}
		s.Write(w)
		if s.Fault != "" {
			fmt.Fprintf(w, "\n%s\n", terminal.Wrap(s.Fault, terminal.Room(w)))
		}
		printQueue(w, s.Queue)
	}
	if len(runs) == 0 {
		return
	}
	if len(sweeps) > 0 {
		fmt.Fprintln(w)
	}
	rows := [][]string{{"run", "state", "bred", "games", "race games", "cpu time", "left",
		"champion wins"}}
	for _, r := range runs {
		left, wins := "", ""
		if r.Left != nil {
			left = time.Duration(*r.Left * float64(time.Second)).Round(time.Second).String()
		}
		if v := r.Wins; v != nil {
			wins = fmt.Sprintf("%.1f %% (%.1f..%.1f) against %s", 100*v.Share, 100*v.Low,
				100*v.High, v.Against)
		}
		bred := fmt.Sprintf("%d/%d", r.Generation, r.Generations)
		if r.Generations == 0 { // a budget ends it, and it has not begun
			bred = "0"
		}
		rows = append(rows, []string{r.Run, r.State,
			bred, fmt.Sprint(r.Games),
			fmt.Sprint(r.RaceGames),
			time.Duration(r.Processor * float64(time.Second)).Round(time.Second).String(), left, wins})
	}
	terminal.Table(w, rows)
	for _, r := range runs {
		for _, note := range []string{r.Note, r.Remark} {
			if note != "" {
				fmt.Fprintln(w, terminal.Wrap(r.Run+": "+note, terminal.Room(w)))
			}
		}
	}
}
