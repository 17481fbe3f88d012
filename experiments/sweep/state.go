package sweep

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"clade/engine/system/durable"
	"clade/engine/system/packed"
	"clade/engine/system/terminal"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// FailureFile holds, in a cell's directory, why its run failed. It is removed when the run
// succeeds.
const FailureFile = "failure.json"

// State is how far a cell of a sweep is.
type State string

// States of a cell. The run directory alone decides.
const (
	Waiting State = "waiting" // nothing is there yet
	Running State = "running" // a worker holds the directory and is not known to be dead
	Stopped State = "stopped" // begun, and no worker is on it; the next sweep resumes it
	Failed  State = "failed"  // the last attempt ended in an error; the next sweep tries again
	Done    State = "done"
	// a worker has handed it in, and it does not count before it is bred again here and compared
	HandedIn State = "handed in"
)

// Status is the state of a cell, as its directory shows it.
type Status struct {
	Key         string  `json:"key"`
	Group       string  `json:"group"`
	Seed        uint64  `json:"seed"`
	State       State   `json:"state"`
	Generation  int     `json:"generation"` // that are over; of staged runs thousandths of all work
	Generations int     `json:"generations"`
	Seconds     float64 `json:"-"` // a generation, mean of the latest; 0 where not known
	// the same; nil where not known, and when the run is over, so that a sweep that is done always
	// says the same
	Pace        *float64 `json:"seconds_a_generation"`
	Worker      string   `json:"worker,omitempty"` // of a running one, or of one that is handed in
	Error       string   `json:"error,omitempty"`  // of a failed one
	Fingerprint string   `json:"fingerprint,omitempty"`
}

// Failure is the content of failure.json.
type Failure struct {
	Error string `json:"error"`
	Host  string `json:"host"`
}

// RecordFailure records that an attempt at a run ended in an error.
func RecordFailure(c *study.Cell, sweep, failed, host string) error {
	if err := os.MkdirAll(c.Directory(sweep), 0o777); err != nil {
		return err
	}
	return durable.WriteJSON(filepath.Join(c.Directory(sweep), FailureFile), Failure{failed, host},
		0o666)
}

// statusAt reads the state of a cell. elsewhere holds the runs that workers have, by key.
func statusAt(c *study.Cell, sweep string, elsewhere map[string]*remote) (Status, error) {
	s, err := statusOf(c, sweep)
	if dir := c.Directory(sweep); err == nil && len(c.Study.Stages) > 0 {
		at, fault := ReadStages(c.Study, dir)
		s.Generation, s.Generations, s.Seconds = int(math.Round(1000*at.Share)), 1000, 0
		if err = fault; s.State == Waiting && IsStaged(dir) {
			s.State = Stopped
		}
	}
	r := elsewhere[c.Key]
	if r != nil && s.State != Done && s.State != HandedIn && s.State != Running {
		s.State, s.Worker, s.Error = Running, r.worker, ""
		s.Generation, s.Seconds = r.Generation, r.Seconds
	}
	if s.Seconds > 0 && s.State != Done {
		s.Pace = &s.Seconds
	}
	return s, err
}

func statusOf(c *study.Cell, sweep string) (Status, error) {
	dir := c.Directory(sweep)
	s := Status{Key: c.Key, Group: c.Group, Seed: c.Study.Seed, State: Waiting}
	sum, err := runner.ReadSummary(dir)
	if err != nil {
		return s, err
	}
	if s.Generations = c.Study.Evolve.Generations; c.Study.Evolve.Budgeted() && sum != nil {
		s.Generations = sum.Generations
	}
	s.Generation, s.Seconds = rundir.Pace(dir)
	if sum != nil {
		origin, err := Unaudited(dir)
		s.State, s.Generation, s.Fingerprint = Done, sum.Generations, sum.Fingerprint
		if origin != nil {
			s.State, s.Worker, s.Fingerprint = HandedIn, origin.String(), ""
		}
		return s, err
	}
	s.Generations = runner.Expected(&c.Study.Evolve, dir)
	holder, err := InspectLease(dir)
	if err != nil {
		return s, err
	}
	if holder.Held && !holder.Dead {
		s.State, s.Worker = Running, holder.Owner.String()
		return s, nil
	}
	if _, err := packed.Stat(filepath.Join(dir, rundir.ManifestFile)); err == nil {
		s.State = Stopped
	}
	var f Failure
	if found, err := durable.ReadJSON(filepath.Join(dir, FailureFile), &f); found && err == nil {
		s.State, s.Error = Failed, f.Error
	}
	return s, nil
}

// Progress is the progress of a sweep.
type Progress struct {
	Cells  []Status        `json:"cells"`
	Groups []GroupProgress `json:"groups"`
	Total  GroupProgress   `json:"total"`
	// ShutOut are the workers whose work, or shared work, is not accepted any more.
	ShutOut []ShutOut `json:"shut_out"`
	// Workers are those elsewhere that the coordinator knew of when it last looked.
	Workers []Worker `json:"workers"`
	// seconds until the last run ends, at the pace of those that run now; nil where not known
	Left *float64 `json:"left_seconds"`
	// processor seconds that the generations to come take, at the mean of those of their group, or
	// of all, that are over; nil where none is, and before ReadCosts
	ProcessorLeft *float64 `json:"processor_seconds_left"`
}

// GroupProgress counts the runs of one group of replicates.
type GroupProgress struct {
	Group       string `json:"group"`
	Runs        int    `json:"runs"`
	Waiting     int    `json:"waiting"`
	Running     int    `json:"running"`
	Stopped     int    `json:"stopped"`
	Failed      int    `json:"failed"`
	HandedIn    int    `json:"handed_in"` // by workers, and not compared yet
	Done        int    `json:"done"`
	Generation  int    `json:"generation"` // of all runs together
	Generations int    `json:"generations"`
	// of all runs together; nil before ReadCosts
	Cost *runner.Cost `json:"cost,omitempty"`

	seconds float64
	known   int
}

func (g *GroupProgress) add(s *Status) {
	g.Runs++
	switch s.State {
	case Waiting:
		g.Waiting++
	case Running:
		g.Running++
	case Stopped:
		g.Stopped++
	case Failed:
		g.Failed++
	case HandedIn:
		g.HandedIn++
	case Done:
		g.Done++
	}
	g.Generation += s.Generation
	g.Generations += s.Generations
	if s.Seconds > 0 {
		g.seconds, g.known = g.seconds+s.Seconds, g.known+1
	}
}

// pace returns the mean time of a generation.
func (g *GroupProgress) pace() float64 { return g.seconds / float64(max(1, g.known)) }

// ReadProgress reads the progress of all cells.
func ReadProgress(g *study.Grid, sweep string) (*Progress, error) {
	p := &Progress{Cells: []Status{}, Groups: []GroupProgress{}}
	var err error
	if p.Workers, err = readWorkers(sweep); err != nil {
		return nil, err
	}
	elsewhere := p.elsewhere(sweep)
	place := map[string]int{}
	for i := range g.Cells {
		s, err := statusAt(&g.Cells[i], sweep, elsewhere)
		if err != nil {
			return nil, err
		}
		at, ok := place[s.Group]
		if !ok {
			at = len(p.Groups)
			place[s.Group] = at
			p.Groups = append(p.Groups, GroupProgress{Group: s.Group})
		}
		p.Cells = append(p.Cells, s)
		p.Groups[at].add(&s)
		p.Total.add(&s)
	}
	if p.ShutOut, err = ReadShutOut(sweep); err != nil {
		return nil, err
	}
	work := 0.0
	for i := range p.Groups {
		pace := p.Groups[i].pace()
		if pace == 0 {
			pace = p.Total.pace()
		}
		work += pace * float64(p.Groups[i].Generations-p.Groups[i].Generation)
	}
	if p.Total.Running > 0 {
		left := work / float64(p.Total.Running)
		p.Left = &left
	}
	return p, nil
}

// ReadCosts adds the cost so far of the runs of each group. It reads the logs of all runs, except
// those that are done and in known, by key, to which it adds those it reads; known may be nil. A
// run whose cost cannot be read counts as nothing, and the first such error is returned.
func (p *Progress) ReadCosts(sweep string, known map[string]runner.Cost) (fault error) {
	p.Total.Cost = &runner.Cost{}
	of := map[string]*runner.Cost{}
	for i := range p.Groups {
		p.Groups[i].Cost = &runner.Cost{}
		of[p.Groups[i].Group] = p.Groups[i].Cost
	}
	for _, cell := range p.Cells {
		cost, found := known[cell.Key]
		dir := filepath.Join(sweep, cell.Key)
		if (!found || cell.State != Done) && (rundir.IsRun(dir) || IsStaged(dir)) {
			var err error
			if cost, err = CostOf(dir); err != nil {
				fault = cmp.Or(fault, err)
				continue
			}
			if known != nil {
				known[cell.Key] = cost
			}
		}
		of[cell.Group].Add(cost)
		p.Total.Cost.Add(cost)
	}
	if p.Total.Generation == 0 {
		return fault
	}
	left := 0.0
	for i := range p.Groups {
		from := &p.Groups[i]
		if from.Generation == 0 {
			from = &p.Total
		}
		left += from.Cost.Processor / float64(from.Generation) *
			float64(p.Groups[i].Generations-p.Groups[i].Generation)
	}
	p.ProcessorLeft = &left
	return fault
}

// Remaining returns the time until the last run ends, 0 if it is not known.
func (p *Progress) Remaining() time.Duration {
	if p.Left == nil {
		return 0
	}
	return time.Duration(*p.Left * float64(time.Second)).Round(time.Second)
}

// Brief returns the progress without groups that are done or have not begun.
func (p *Progress) Brief() *Progress {
	brief := *p
	brief.Groups = slices.DeleteFunc(slices.Clone(p.Groups), func(g GroupProgress) bool {
		return g.Done == g.Runs || g.Waiting == g.Runs
	})
	return &brief
}

// Write prints the progress as a table.
func (p *Progress) Write(w io.Writer) {
	rows := [][]string{{"settings", "runs", "done", "running", "stopped", "waiting", "failed", "bred"}}
	if p.Total.Cost != nil {
		rows[0] = append(rows[0], "games", "race games", "cpu time")
	}
	line := func(name string, g *GroupProgress) {
		row := []string{name}
		for _, n := range []int{g.Runs, g.Done, g.Running, g.Stopped, g.Waiting, g.Failed} {
			row = append(row, fmt.Sprint(n))
		}
		row = append(row,
			fmt.Sprintf("%.0f %%", 100*float64(g.Generation)/float64(max(1, g.Generations))))
		if c := g.Cost; c != nil {
			row = append(row, fmt.Sprint(c.Games), fmt.Sprint(c.RaceGames), hours(c.Processor))
		}
		rows = append(rows, row)
	}
	for i := range p.Groups {
		name := p.Groups[i].Group
		name = cmp.Or(name, "as the study says")
		line(name, &p.Groups[i])
	}
	if len(p.Groups) != 1 || p.Groups[0].Runs < p.Total.Runs {
		line("all", &p.Total)
	}
	terminal.Table(w, rows)
	if left := p.Remaining(); left > 0 {
		fmt.Fprintf(w, "about %s left\n", left)
	}
	if p.ProcessorLeft != nil {
		fmt.Fprintf(w, "%s of processor time, %s left\n", hours(p.Total.Cost.Processor),
			hours(*p.ProcessorLeft))
	}
	if n := p.Total.HandedIn; n > 0 {
		fmt.Fprintf(w, "runs that workers have handed in and that do not count yet: %d; the sweep "+
			"breeds them again, and compares\n", n)
	}
	for i := range p.ShutOut {
		fmt.Fprintln(w, &p.ShutOut[i])
	}
	for i := range p.Workers {
		at := &p.Workers[i]
		verb := "has"
		if at.State != WorkerHere {
			verb = "had"
		}
		fmt.Fprintf(w, "worker %s: %s since %s, %s %s\n", at.Worker, at.State,
			at.Since.Local().Format(time.DateTime), verb, at.Had())
	}
	for _, s := range p.Cells {
		if s.State == Failed {
			fmt.Fprintf(w, "failed: %s seed %d (%s): %s\n", s.Group, s.Seed, s.Key, s.Error)
		}
	}
}

// hours formats a time, in hours if there are any.
func hours(seconds float64) string {
	if seconds >= 3600 {
		return fmt.Sprintf("%.1f h", seconds/3600)
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// workersFile lists, in a sweep's directory, the workers that its coordinator knows of. It is
// removed when the sweep is over.
const workersFile = "workers.json"

// WorkerState is the state of a worker.
type WorkerState string

// States of workers.
const (
	WorkerHere   WorkerState = "here"
	WorkerSilent WorkerState = "silent" // what it had is given to others
	WorkerLeft   WorkerState = "left"
)

// Worker is what the coordinator of a sweep knows of a worker on another machine.
type Worker struct {
	Worker string       `json:"worker"`
	State  WorkerState  `json:"state"`
	Since  time.Time    `json:"since"` // it came, left, or was last heard of
	Work   []WorkerTask `json:"work"`  // what it has, or had
}

// WorkerTask is a run in the hands of a worker, or an epoch of one.
type WorkerTask struct {
	Key        string    `json:"key"`
	Since      time.Time `json:"since"`
	Generation int       `json:"generation"` // that are over
	Seconds    float64   `json:"seconds"`    // a generation
}

// remote is a run in the hands of a worker.
type remote struct {
	*WorkerTask
	worker string
}

// recordLasts is how long the record of the workers is valid. A living coordinator writes it every
// two seconds.
const recordLasts = time.Minute

// elsewhere returns the runs that workers have, by key, while their coordinator is alive.
func (p *Progress) elsewhere(sweep string) map[string]*remote {
	info, err := os.Stat(filepath.Join(sweep, workersFile))
	if err != nil || time.Since(info.ModTime()) > recordLasts {
		return nil
	}
	all := map[string]*remote{}
	for i := range p.Workers {
		w := &p.Workers[i]
		if w.State != WorkerHere {
			continue
		}
		for k := range w.Work {
			all[w.Work[k].Key] = &remote{&w.Work[k], w.Worker}
		}
	}
	return all
}

// Had describes the work that a worker has, or had.
func (w *Worker) Had() string {
	all := make([]string, len(w.Work))
	for i, t := range w.Work {
		all[i] = fmt.Sprintf("%s since %s, generation %d", t.Key,
			t.Since.Local().Format(time.DateTime), t.Generation)
	}
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, "; ")
}

// RecordWorkers records the workers of a sweep.
func RecordWorkers(sweep string, all []Worker) error {
	return durable.WriteJSON(filepath.Join(sweep, workersFile), all, 0o666)
}

// readWorkers reads the record of the workers of a sweep; none if there is no record.
func readWorkers(sweep string) ([]Worker, error) {
	all := []Worker{}
	if _, err := durable.ReadJSON(filepath.Join(sweep, workersFile), &all); err != nil {
		return nil, fmt.Errorf("%w; remove it, the coordinator writes it again", err)
	}
	return all, nil
}
