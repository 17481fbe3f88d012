package cli

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"clade/experiments/cluster/clustertest"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/sweep"
	"clade/gp/proof"
)

// The answer is read by Prometheus' own parser. Of a sweep of three runs one is bred, whose games
// follow from its study: in each of 3 generations 20 children have two parents, each of which has
// won a game of two on one board.
func TestMetrics(t *testing.T) {
	s := runnertest.Parse(t, runnertest.Study(3, "[sweep]\nreplicates = 3\n"))
	dir := t.TempDir()
	grid := proof.Must(sweep.Create(dir, s))(t)
	proof.Must(sweep.Carry(context.Background(), &grid.Cells[0], dir, runner.Options{}))(t)
	proof.OK(t, os.WriteFile(filepath.Join(dir, "workers.json"), []byte(`[{"worker": "a", "state": `+
		`"here"}, {"worker": "b", "state": "silent"}, {"worker": "c", "state": "here"}]`), 0o666))
	address := fmt.Sprintf("localhost:%d", clustertest.FreePort(t))
	flag := metricsFlag{address}
	end := proof.Must(flag.serve(grid, dir))(t)
	defer end()
	for range 2 { // what is known of runs that are done is not read again
		answer := proof.Must(http.Get("http://" + address + "/metrics"))(t)
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families := proof.Must(parser.TextToMetricFamilies(answer.Body))(t)
		_ = answer.Body.Close()
		value := func(name, label string) float64 {
			for _, m := range families[name].GetMetric() {
				if label == "" || m.GetLabel()[0].GetValue() == label {
					if families[name].GetType() == dto.MetricType_COUNTER {
						return m.GetCounter().GetValue()
					}
					return m.GetGauge().GetValue()
				}
			}
			t.Errorf("no %s of %q", name, label)
			return -1
		}
		for _, w := range []struct {
			name, label string
			value       float64
		}{
			{"clade_runs", "done", 1}, {"clade_runs", "waiting", 2}, {"clade_runs", "failed", 0},
			{"clade_workers", "here", 2}, {"clade_workers", "silent", 1},
			{"clade_workers", "left", 0}, {"clade_generations_total", "", 3},
			{"clade_games_total", "selection", 120},
		} {
			proof.Is(t, value(w.name, w.label), w.value, "%s of %q", w.name, w.label)
		}
		if spent, left := value("clade_processor_seconds_total", ""),
			value("clade_processor_seconds_left", ""); spent <= 0 || left < 1.9*spent ||
			left > 2.1*spent {
			t.Errorf("%v s spent on one run, and %v left for two", spent, left)
		}
	}
	proof.Fails(flag.serve(grid, dir))(t, "choose another address")
}
