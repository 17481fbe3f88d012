package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"clade/engine/system/durable"
)

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
