package cli

import (
	"context"
	"testing"

	"clade/experiments/study"
	"clade/gp/proof"
)

// TestBenchmark holds that a benchmark's runs are those of the study under its seeds, and that they
// can be summed up.
func TestBenchmark(t *testing.T) {
	s := proof.Must(study.Read(*scope, "../../experiments/santafe/koza.toml", "seed=5",
		"evolve.population=100",
		"evolve.generations=6", "evolve.stop-at=25"))(t)
	told := 0
	b := proof.Must(runBenchmark(context.Background(), s, 4, func(replicate) { told++ }))(t)
	again := proof.Must(runBenchmark(context.Background(), s, 2, func(replicate) {}))(t)
	solved := 0
	for i, r := range b.Runs {
		if r.Seed != uint64(5+i) || r.Solved != (r.Best >= 25) ||
			r.Individuals != int64(100*r.Generations) || !(r.CPU > 0) || !(r.Size > 1) {
			t.Errorf("run %d: %+v", i, r)
		}
		if !r.Solved && r.Generations != 6 {
			t.Errorf("run %d ended early: %+v", i, r)
		}
		if r.Solved {
			solved++
		}
		if i < len(again.Runs) {
			r.CPU = again.Runs[i].CPU
			proof.Is(t, again.Runs[i], r, "run %d", i)
		}
	}
	if told != 4 || b.Solved.Estimate != float64(solved)/4 || !b.Best.Contains(b.Best.Estimate) ||
		!(b.Rate > 0) {
		t.Errorf("%d runs told, %+v", told, b)
	}
}
