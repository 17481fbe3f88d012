package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

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

// serve tells the progress of a sweep, if the flag is given, at http://ADDRESS/metrics, to Prometheus
// and to whatever else reads its text format, until the function that it returns is called.
func (f *metricsFlag) serve(grid *study.Grid, dir string) (end func(), err error) {
	if f.address == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", listenAt(f.address))
	if err != nil {
		return nil, misuse("cannot listen for metrics: %w; choose another address", err)
	}
	var reading sync.Mutex
	done := map[string]runner.Cost{} // what runs have cost that are done
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		reading.Lock()
		defer reading.Unlock()
		text, err := metrics(grid, dir, done)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, text) // who asked has gone
	})
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

// metrics reads the sweep's directory, and counts nothing itself. done is as in Progress.ReadCosts.
func metrics(grid *study.Grid, dir string, done map[string]runner.Cost) (string, error) {
	p, err := sweep.ReadProgress(grid, dir)
	if err != nil {
		return "", err
	}
	if err := p.ReadCosts(dir, done); err != nil {
		slog.Warn("the cost of some runs of the sweep is not counted", "error", err)
	}
	var b strings.Builder
	metric := func(name, kind, help string, samples ...any) { // label and value in turn
		fmt.Fprintf(&b, "# HELP clade_%s %s\n# TYPE clade_%[1]s %[3]s\n", name, help, kind)
		for i := 0; i < len(samples); i += 2 {
			fmt.Fprintf(&b, "clade_%s%v %v\n", name, samples[i], samples[i+1])
		}
	}
	t, known := &p.Total, map[sweep.WorkerState]int{}
	for i := range p.Workers {
		known[p.Workers[i].State]++
	}
	metric("runs", "gauge", "Runs of the sweep.", `{state="waiting"}`, t.Waiting,
		`{state="running"}`, t.Running, `{state="stopped"}`, t.Stopped, `{state="failed"}`, t.Failed,
		`{state="handed_in"}`, t.HandedIn, `{state="done"}`, t.Done)
	metric("workers", "gauge", "Workers elsewhere that the coordinator knows of.",
		`{state="here"}`, known[sweep.WorkerHere], `{state="silent"}`, known[sweep.WorkerSilent],
		`{state="left"}`, known[sweep.WorkerLeft])
	metric("generations_total", "counter", "Generations that are over, of all runs.", "", t.Generation)
	metric("games_total", "counter", "Games of selection, and of the races of champions.",
		`{of="selection"}`, t.Cost.Games, `{of="race"}`, t.Cost.RaceGames)
	metric("processor_seconds_total", "counter", "Processor time that breeding has taken.", "",
		t.Cost.Processor)
	if p.ProcessorLeft != nil {
		metric("processor_seconds_left", "gauge", "Processor time that is likely to be left.", "",
			*p.ProcessorLeft)
	}
	return b.String(), nil
}
