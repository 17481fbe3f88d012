// Package metrics serves the progress of a sweep to Prometheus, and to whatever else reads its text
// format. It counts nothing itself: it reads the sweep's directory.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Sweep is the sweep whose progress is served.
type Sweep struct {
	Grid *study.Grid
	Dir  string
}

// Serve answers at http://ADDRESS/metrics until the function that it returns is called. The address
// is HOST:PORT.
func (s Sweep) Serve(address string) (end func(), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for metrics: %w; choose another address", err)
	}
	registry := prometheus.NewRegistry()
	if err := registry.Register(&collector{Sweep: s, done: map[string]runner.Cost{}}); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry,
		promhttp.HandlerOpts{MaxRequestsInFlight: 1}))
	server := &http.Server{Handler: mux, ReadTimeout: 5 * time.Second, WriteTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute}
	slog.Info("metrics for Prometheus", "url", "http://"+l.Addr().String()+"/metrics")
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			slog.Warn("the metrics were not served to the end", "error", err)
		}
	}, nil
}

// collector reads the sweep's directory for each request, one at a time.
type collector struct {
	Sweep
	done map[string]runner.Cost // what runs have cost that are done
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("clade_"+name, help, labels, nil)
}

var (
	runs        = describe("runs", "Runs of the sweep.", "state")
	workers     = describe("workers", "Workers elsewhere that the coordinator knows of.", "state")
	generations = describe("generations_total", "Generations that are over, of all runs.")
	games       = describe("games_total", "Games of selection, and of the races of champions.", "of")
	spent       = describe("processor_seconds_total", "Processor time that breeding has taken.")
	left        = describe("processor_seconds_left", "Processor time that is likely to be left.")
)

// Describe implements prometheus.Collector.
func (c *collector) Describe(all chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{runs, workers, generations, games, spent, left} {
		all <- d
	}
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(all chan<- prometheus.Metric) {
	p, err := sweep.ReadProgress(c.Grid, c.Dir)
	if err != nil {
		all <- prometheus.NewInvalidMetric(runs, err)
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	t := &p.Total
	gauge(runs, float64(t.Waiting), "waiting")
	gauge(runs, float64(t.Running), "running")
	gauge(runs, float64(t.Stopped), "stopped")
	gauge(runs, float64(t.Failed), "failed")
	gauge(runs, float64(t.HandedIn), "handed_in")
	gauge(runs, float64(t.Done), "done")
	known := map[sweep.WorkerState]int{}
	for i := range p.Workers {
		known[p.Workers[i].State]++
	}
	for _, s := range []sweep.WorkerState{sweep.WorkerHere, sweep.WorkerSilent, sweep.WorkerLeft} {
		gauge(workers, float64(known[s]), string(s))
	}
	counter(generations, float64(t.Generation))
	if err := p.ReadCosts(c.Dir, c.done); err != nil {
		slog.Warn("the cost of some runs of the sweep is not counted", "error", err)
	}
	counter(games, float64(t.Cost.Games), "selection")
	counter(games, float64(t.Cost.RaceGames), "race")
	counter(spent, t.Cost.Processor)
	if p.ProcessorLeft != nil {
		gauge(left, *p.ProcessorLeft)
	}
}
