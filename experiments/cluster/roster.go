package cluster

import (
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"clade/experiments/cluster/broker"
	"clade/experiments/sweep"
)

// roster keeps the workers of a sweep or a run by what they announce, for people to read. Silence
// is measured by the clock of this process.
type roster struct {
	id   string // of the sweep or run
	log  *slog.Logger
	stop func() // ends it

	mu    sync.Mutex
	known map[string]*guest // by the names of their keys
}

// guest is a worker, with the time of its last announcement.
type guest struct {
	sweep.Worker
	heard time.Time
}

func newRoster(b Broker, id string, log *slog.Logger) (*roster, error) {
	r := &roster{id: id, log: log, known: map[string]*guest{}}
	var err error
	r.stop, err = b.Hear(r.hear)
	return r, err
}

// look finds and logs the workers that have fallen silent, and returns all.
func (r *roster) look() (all []sweep.Worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(r.known)) {
		g := r.known[name]
		if g.State == sweep.WorkerHere && time.Since(g.heard) > broker.Silence {
			g.State, g.Since = sweep.WorkerSilent, g.heard
			r.log.Warn("a worker fell silent", "worker", g.Worker.Worker, "since", clock(g.heard),
				"had", g.Had())
		}
		all = append(all, g.Worker)
	}
	return all
}

// hear takes an announcement of a worker; an empty one says that it leaves.
func (r *roster) hear(worker string, content []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.known[worker]
	if len(content) == 0 {
		if g != nil && g.State != sweep.WorkerLeft {
			g.State, g.Since = sweep.WorkerLeft, time.Now()
			r.log.Info("a worker left", "worker", g.Worker.Worker, "had", g.Had())
		}
		return
	}
	var p sweep.Worker
	if json.Unmarshal(content, &p) != nil {
		return
	}
	switch {
	case g == nil:
		g = &guest{Worker: sweep.Worker{Worker: p.Worker, Since: p.Since}}
		r.known[worker] = g
		r.log.Info("a worker came", "worker", p.Worker, "since", clock(p.Since))
	case g.State != sweep.WorkerHere:
		r.log.Info("a worker is back", "worker", p.Worker, "after", g.State, "since",
			clock(g.Since))
		g.Since = time.Now()
	}
	g.State, g.heard, g.Work = sweep.WorkerHere, time.Now(), []sweep.WorkerTask{}
	for _, w := range p.Work { // with the names of their sweeps
		var own bool
		if w.Key, own = strings.CutPrefix(w.Key, r.id+"."); own {
			g.Work = append(g.Work, w)
		}
	}
}

func clock(t time.Time) string { return t.Local().Format(time.DateTime) }
