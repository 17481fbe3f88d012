//go:build unix

package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"clade/analysis/figure"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/evolve/rundir"
	"clade/experiments/runner"
	"clade/experiments/study"
	"clade/gp/proof"
)

// plantLogs writes run directories with logs as long as the paper's: what Plot reads of a run.
func plantLogs(tb testing.TB, dir string, runs, generations int) []string {
	tb.Helper()
	var dirs []string
	for i := range runs {
		s := proof.Must(study.Parse(scope, "planted.toml",
			[]byte("game = \"antwars\"\n[measure]\nagainst = [\"hyper\"]"),
			fmt.Sprintf("seed=%d", i+1), fmt.Sprintf("evolve.tournament=%d", 2+i%5)))(tb)
		run := filepath.Join(dir, fmt.Sprintf("run-%03d", i))
		dirs = append(dirs, run)
		plantManifest(tb, run, s)
		var log, measures bytes.Buffer
		lines, marks := json.NewEncoder(&log), json.NewEncoder(&measures)
		random := engine.NewRandom(uint64(i))
		for n := range generations {
			x := random.Float()
			line := rundir.Line{Generation: n, Matches: 9000, Games: 80000, RaceGames: 3000,
				Size:  rundir.Range{Min: 2, Mean: 100 + 50*x, Max: 400},
				Depth: rundir.Range{Min: 1, Mean: 6 + x, Max: 8}, Genotypes: x,
				Lineage: 60000, Champion: &rundir.ChampionLine{ID: uint64(n), Born: n, Size: 120,
					Depth: 8, Games: 256, Wins: 140, Losses: 116, Score: 6 + x, Other: 5 + x,
					Marks: map[string]float64{"early-deaths": x, "sacrifices": 0.1},
					File:  fmt.Sprintf("champions/%07d.species", n)}}
			if n%10 == 0 {
				line.Behaviours = x
				proof.OK(tb, marks.Encode(runner.Measurement{Generation: n, Against: "hyper",
					Games: 1000,
					Wins:  int(400 * x), Share: 0.4 * x, Score: 6 + x,
					Marks: map[string]float64{"early-deaths": x, "sacrifices": 0.1}}))
			}
			proof.OK(tb, lines.Encode(line))
		}
		proof.OK(tb, os.WriteFile(filepath.Join(run, rundir.LogFile), log.Bytes(), 0o666))
		proof.OK(tb, os.WriteFile(filepath.Join(run, "measures.jsonl"), measures.Bytes(), 0o666))
	}
	return dirs
}

// BenchmarkPlot loads 500 runs of 1,350 generations from their directories and draws their curves
// in all formats.
func BenchmarkPlot(b *testing.B) {
	dir := b.TempDir()
	dirs := plantLogs(b, dir, 500, 1350)
	start := parallel.ProcessorTime()
	for b.Loop() {
		groups := proof.Must(OpenGroups(scope, dirs, nil))(b)
		proof.Must(runner.Plot(groups, figure.Look{}, filepath.Join(dir, "figures")))(b)
	}
	reportCosts(b, start)
}

// reportCosts adds to a benchmark the processor time of all threads since start, which says more
// than the clock where others work too, and the process' peak of memory.
func reportCosts(b *testing.B, start time.Duration) {
	b.ReportMetric((parallel.ProcessorTime()-start).Seconds()/float64(b.N), "cpu-s/op")
	b.ReportMetric(peakMemory(b), "peak-MB")
}

// peakMemory returns the most memory that this process ever had, in megabytes; 0 where the system
// does not say.
func peakMemory(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kilobytes float64
	if at := bytes.Index(status, []byte("VmHWM:")); at >= 0 {
		proof.Must(fmt.Sscanf(string(status[at+len("VmHWM:"):]), "%f", &kilobytes))(b)
	}
	return kilobytes / 1024
}
