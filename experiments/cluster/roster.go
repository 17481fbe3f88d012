package cluster

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"clade/experiments/cluster/broker"
	"clade/experiments/cluster/protocol"
	"clade/experiments/sweep"
)

// roster follows the workers of a sweep or a run, for people to read.
type roster struct {
	from   protocol.Broker
	id     string // of the sweep or run
	log    *slog.Logger
	looked time.Time
	known  map[string]*guest // by the names of their keys
}

// guest is a worker, and when it last said something.
type guest struct {
	sweep.Worker
	revision uint64
	heard    time.Time
}

func newRoster(b protocol.Broker, id string, log *slog.Logger) *roster {
	return &roster{from: b, id: id, log: log, known: map[string]*guest{}}
}

// look notes and logs which workers have come, left or fallen silent since the last look, and
// returns all; nil where there is none, or nothing can be known. Silence is measured by the clock
// of this process.
func (r *roster) look(ctx context.Context) []sweep.Worker {
	if time.Since(r.looked) < lookEvery/2 {
		return nil
	}
	r.looked = time.Now()
	said, err := r.from.Announced(ctx)
	if err != nil {
		return nil // the next look tells
	}
	here := map[string]bool{}
	for i := range said {
		here[said[i].Key] = true
		r.hear(&said[i])
	}
	var all []sweep.Worker
	for _, name := range slices.Sorted(maps.Keys(r.known)) {
		g := r.known[name]
		switch {
		case g.State != sweep.WorkerLeft && !here[name]:
			g.State, g.Since = sweep.WorkerLeft, time.Now()
			r.log.Info("a worker left", "worker", g.Worker.Worker, "had", g.Had())
		case g.State == sweep.WorkerHere && time.Since(g.heard) > broker.Silence:
			g.State, g.Since = sweep.WorkerSilent, g.heard
			r.log.Warn("a worker fell silent", "worker", g.Worker.Worker, "since", clock(g.heard),
				"had", g.Had())
		}
		all = append(all, g.Worker)
	}
	return all
}

// hear takes what a worker has said last.
func (r *roster) hear(said *broker.Lease) {
	var p protocol.Presence
	if json.Unmarshal(said.Value, &p) != nil {
		return
	}
	g := r.known[said.Key]
	switch {
	case g == nil:
		g = &guest{Worker: sweep.Worker{Worker: p.Worker, Since: p.Since}}
		r.known[said.Key] = g
		r.log.Info("a worker came", "worker", p.Worker, "since", clock(p.Since))
	case g.revision == said.Revision:
		return
	case g.State != sweep.WorkerHere:
		r.log.Info("a worker is back", "worker", p.Worker, "after", g.State, "since",
			clock(g.Since))
		g.Since = time.Now()
	}
	g.State, g.revision, g.heard = sweep.WorkerHere, said.Revision, time.Now()
	g.Work = []sweep.WorkerTask{}
	for i := range p.Work {
		if w := &p.Work[i]; strings.HasPrefix(w.Lease, r.id+".") {
			g.Work = append(g.Work, sweep.WorkerTask{Key: w.Key(), Since: w.Since,
				Generation: w.Generation, Seconds: w.Seconds})
		}
	}
}

func clock(t time.Time) string { return t.Local().Format(time.DateTime) }
