//go:build !light

package cli

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
	"github.com/spf13/cobra"

	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// metricsFlag is the flag that serves the progress of a sweep to Prometheus.
type metricsFlag struct{ address string }

func (f *metricsFlag) register(c *cobra.Command) {
	c.Flags().StringVar(&f.address, "metrics", "", "serve the sweep's progress to Prometheus, "+
		"at http://`ADDRESS`/metrics: a port of this machine alone, or HOST:PORT")
}

func (f *metricsFlag) check() error { return nil }

// serve serves the metrics, if the flag is given, until the function that it returns is called.
func (f *metricsFlag) serve(grid *study.Grid, dir string) (end func(), err error) {
	if f.address == "" {
		return func() {}, nil
	}
	if end, err = serveMetrics(grid, dir, listenAt(f.address)); err != nil {
		err = usageError{err}
	}
	return end, err
}

// serveMetrics tells the progress of a sweep at http://ADDRESS/metrics, to Prometheus and to whatever
// else reads its text format, until the function that it returns is called. The address is HOST:PORT.
func serveMetrics(grid *study.Grid, dir, address string) (end func(), err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for metrics: %w; choose another address", err)
	}
	registry := prometheus.NewRegistry()
	if err := registry.Register(&sweepCollector{grid, dir, map[string]runner.Cost{}}); err != nil {
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

// sweepCollector counts nothing itself: it reads the sweep's directory for each request, one at a
// time.
type sweepCollector struct {
	grid *study.Grid
	dir  string
	done map[string]runner.Cost // what runs have cost that are done
}

func metric(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("clade_"+name, help, labels, nil)
}

var (
	runsMetric        = metric("runs", "Runs of the sweep.", "state")
	workersMetric     = metric("workers", "Workers elsewhere that the coordinator knows of.", "state")
	generationsMetric = metric("generations_total", "Generations that are over, of all runs.")
	gamesMetric       = metric("games_total", "Games of selection, and of the races of champions.", "of")
	spentMetric       = metric("processor_seconds_total", "Processor time that breeding has taken.")
	leftMetric        = metric("processor_seconds_left", "Processor time that is likely to be left.")
)

// Describe implements prometheus.Collector.
func (c *sweepCollector) Describe(all chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{runsMetric, workersMetric, generationsMetric, gamesMetric,
		spentMetric, leftMetric} {
		all <- d
	}
}

// Collect implements prometheus.Collector.
func (c *sweepCollector) Collect(all chan<- prometheus.Metric) {
	p, err := sweep.ReadProgress(c.grid, c.dir)
	if err != nil {
		all <- prometheus.NewInvalidMetric(runsMetric, err)
		return
	}
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	counter := func(d *prometheus.Desc, value float64, labels ...string) {
		all <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, value, labels...)
	}
	t := &p.Total
	gauge(runsMetric, float64(t.Waiting), "waiting")
	gauge(runsMetric, float64(t.Running), "running")
	gauge(runsMetric, float64(t.Stopped), "stopped")
	gauge(runsMetric, float64(t.Failed), "failed")
	gauge(runsMetric, float64(t.HandedIn), "handed_in")
	gauge(runsMetric, float64(t.Done), "done")
	known := map[sweep.WorkerState]int{}
	for i := range p.Workers {
		known[p.Workers[i].State]++
	}
	for _, s := range []sweep.WorkerState{sweep.WorkerHere, sweep.WorkerSilent, sweep.WorkerLeft} {
		gauge(workersMetric, float64(known[s]), string(s))
	}
	counter(generationsMetric, float64(t.Generation))
	if err := p.ReadCosts(c.dir, c.done); err != nil {
		slog.Warn("the cost of some runs of the sweep is not counted", "error", err)
	}
	counter(gamesMetric, float64(t.Cost.Games), "selection")
	counter(gamesMetric, float64(t.Cost.RaceGames), "race")
	counter(spentMetric, t.Cost.Processor)
	if p.ProcessorLeft != nil {
		gauge(leftMetric, *p.ProcessorLeft)
	}
}
