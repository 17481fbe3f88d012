package report_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"clade/analysis/figure"
	"clade/engine"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/gp/proof"
)

// draw saves the figures of an analysis into a directory.
func draw(t *testing.T, c *report.Analysis, dir string) {
	t.Helper()
	figures := proof.Must(c.Figures())(t)
	proof.Must(figure.SaveAll(figures, dir, []figure.Format{figure.SVG}))(t)
}

// The monitors of a run are the same for any number of workers, agree with each other, and are
// drawn with their data.
func TestMonitor(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := t.TempDir()
	runnertest.Replicates(dir, "run", 1)
	r := proof.Must(runner.Open(scope, filepath.Join(dir, "run1")))(t)
	var drawn [2]string
	var c *report.Analysis
	for i, workers := range []int{1, 3} {
		c = proof.Must(report.Monitor(context.Background(), r,
			report.MonitorOptions{Games: 20, Seed: 1, Workers: workers}))(t)
		drawn[i] = filepath.Join(dir, "figures"+string(rune('1'+i)))
		draw(t, c, drawn[i])
	}
	entries, err := os.ReadDir(drawn[0])
	if err != nil || len(entries) < 2*12 {
		t.Fatalf("%d files, %v", len(entries), err)
	}
	for _, e := range entries {
		runnertest.Same(t, drawn[0], drawn[1], e.Name())
	}
	n := len(c.Generations)
	if n != 8 || c.Generations[7] != 7 || len(c.League.Pairings) != 28 || c.Dominant[0] != 0 ||
		len(c.Windows) != 1 {
		t.Errorf("%d champions, %d pairings, dominant %v, %d windows", n, len(c.League.Pairings),
			c.Dominant, len(c.Windows))
	}
	for i := range n {
		for j := range i {
			a, b := c.Master.Score[i][j], c.Master.Score[j][i]
			if a+b != 1 || c.Ancestors.Score[i][j] != a {
				t.Errorf("%d against %d: %v and %v, among ancestors %v", i, j, a, b, c.Ancestors.Score[i][j])
			}
		}
	}
	for i, w := range c.Weights {
		size := 0
		for _, tree := range c.Genomes[i] {
			size += len(tree)
		}
		if w.Nodes != size || w.Dead < 0 || w.Dead > size {
			t.Errorf("champion %d has %d nodes and weighs %+v", i, size, w)
		}
	}
	var names []string
	for _, f := range c.Findings() {
		names = append(names, f.Monitor)
	}
	for _, want := range []string{"master tournament", "hall of fame", "dominance", "forgetting",
		"curl", "disengagement", "bloat"} {
		if !slices.Contains(names, want) {
			t.Errorf("no finding on %s in %v", want, names)
		}
	}
	if some, err := report.Monitor(context.Background(),
		r, report.MonitorOptions{Games: 2, Every: 3}); err != nil ||
		!slices.Equal(some.Generations, []int{0, 3, 6, 7}) {
		t.Errorf("every third: %v, %v", some, err)
	} else if every, err := report.Monitor(context.Background(), r,
		report.MonitorOptions{Games: 2}); err != nil ||
		some.Master.Score[1][3] != every.Master.Score[3][7] ||
		some.BoardSeed(1, 3) != every.BoardSeed(3, 7) {
		t.Errorf("what two champions do depends on who else is there (%v)", err)
	}
	for _, c := range []struct {
		options report.MonitorOptions
		want    string
	}{{report.MonitorOptions{Games: 3}, "games must be even"},
		{report.MonitorOptions{Games: 2, Every: 100}, "need 3 or more"}} {
		proof.Fails(report.Monitor(context.Background(), r, c.options))(t, c.want)
	}
}

// Monitors that are broken off again and again play no game twice, and come to the same as those
// that are not; with other settings nothing of what was played counts.
func TestMonitorGoesOn(t *testing.T) {
	proof.Slow(t)
	proof.Alone(t)
	dir := t.TempDir()
	runnertest.Replicates(dir, "run", 1)
	r := proof.Must(runner.Open(scope, filepath.Join(dir, "run1")))(t)
	var played atomic.Int64
	r.Game = counted{r.Game, r.Game.(engine.Roster), &played}
	options := report.MonitorOptions{Games: 4, Every: 2, Seed: 1, Workers: 1}
	draw := func(c *report.Analysis, name string) string {
		out := filepath.Join(dir, name)
		draw(t, c, out)
		return out
	}
	whole := proof.Must(report.Monitor(context.Background(), r, options))(t)
	want, games := draw(whole, "whole"), played.Swap(0)

	options.Cache = filepath.Join(dir, "broken", "unfinished")
	var c *report.Analysis
	breaks := 0
	for seen := 0; c == nil; breaks++ {
		ctx, stop := context.WithCancel(context.Background())
		reports := 0
		options.Stage = func(runner.Stage) {
			if reports++; reports > seen {
				seen += 5
				stop()
			}
		}
		var err error
		c, err = report.Monitor(ctx, r, options)
		if stop(); err != nil && !strings.Contains(err.Error(), "goes on from what was played") {
			t.Fatal(err)
		}
		proof.Must(os.Stat(options.Cache))(t)
	}
	if n := played.Swap(0); n != games || breaks < 5 {
		t.Errorf("%d games in %d parts, %d in one", n, breaks, games)
	}
	options.Stage = nil
	other := options
	other.Seed = 2
	proof.Must(report.Monitor(context.Background(), r, other))(t)
	if n := played.Load(); n < games/2 {
		t.Errorf("%d games with another seed", n)
	}
	broken := draw(c, "broken")
	proof.OK(t, os.Remove(options.Cache))
	for _, pair := range [][2]string{{want, broken}, {broken, want}} {
		entries := proof.Must(os.ReadDir(pair[0]))(t)
		for _, e := range entries {
			runnertest.Same(t, pair[0], pair[1], e.Name())
		}
	}
}
