package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"

	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
	"clade/evolve"
	"clade/experiments/study"
)

// replicate is one run of a benchmark.
type replicate struct {
	Seed        uint64  `json:"seed"`
	Generations int     `json:"generations"` // evaluated
	Individuals int64   `json:"individuals"` // evaluated
	Size        float64 `json:"size"`        // mean nodes of an individual over all generations
	Best        float64 `json:"best"`        // greatest fitness of all generations
	Solved      bool    `json:"solved"`      // it reached the study's evolve.stop-at
	CPU         float64 `json:"cpu"`         // seconds of user and system, without measurements
}

// benchmark is the result of all runs, with 95 % intervals.
type benchmark struct {
	Study  string        `json:"study"`
	Runs   []replicate   `json:"runs"`
	Solved stat.Interval `json:"solved"` // share of runs (Wilson)
	Best   stat.Interval `json:"best"`   // mean (t)
	CPU    stat.Interval `json:"cpu"`    // mean seconds a run (t)
	Rate   float64       `json:"rate"`   // individuals a second of processor time
}

// runBenchmark carries out a study of a game for one under a number of seeds, from the study's on,
// one after the other and each by one worker, in directories that it deletes. It reports every run.
func runBenchmark(ctx context.Context, s *study.Study, runs int,
	report func(replicate)) (*benchmark, error) {
	if s.Evolve.Selection != evolve.ByFitness || s.Evolve.StopAt == 0 {
		return nil, fmt.Errorf("the study %s is not a benchmark: it needs explicit fitness and "+
			"evolve.stop-at, the fitness of a solution", s.Name)
	}
	if runs < 2 {
		return nil, misuse("--runs must be at least 2, not %d", runs)
	}
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	b := &benchmark{Study: s.Name}
	for i := range runs {
		one := *s
		one.Seed += uint64(i)
		r, err := breedOnce(ctx, &one)
		if err != nil {
			return nil, err
		}
		b.Runs = append(b.Runs, *r)
		report(*r)
	}
	b.sum(g.Info().Scores)
	return b, nil
}

// breedOnce carries out the study once.
func breedOnce(ctx context.Context, s *study.Study) (*replicate, error) {
	dir, err := os.MkdirTemp("", "benchmark")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	out := &replicate{Seed: s.Seed}
	began := parallel.ProcessorTime()
	e, err := evolve.Create(dir, evolve.Setup{Game: g, Config: s.Evolve, Seed: s.Seed, Workers: 1,
		Progress: func(r evolve.Progress) {
			out.Generations++
			out.Individuals += r.Line.Games
			out.Size += r.Line.Size.Mean
			out.Best = max(out.Best, r.Line.Fitness.Max)
		}})
	if err != nil {
		return nil, err
	}
	_, err = e.Evolve(ctx)
	err = cmp.Or(err, e.Close())
	out.CPU = (parallel.ProcessorTime() - began).Seconds()
	out.Size /= float64(max(1, out.Generations))
	out.Solved = out.Best >= s.Evolve.StopAt
	return out, err
}

// sum computes means and intervals, those of fitness, which is a game's score, within its bounds.
func (b *benchmark) sum(scores engine.Bounds) {
	n := len(b.Runs)
	solved, individuals, seconds := 0, int64(0), 0.0
	best, cpu := make([]float64, n), make([]float64, n)
	for i, r := range b.Runs {
		if r.Solved {
			solved++
		}
		best[i], cpu[i] = r.Best, r.CPU
		individuals += r.Individuals
		seconds += r.CPU
	}
	b.Solved = stat.Wilson(float64(solved), float64(n), 0.95)
	least, most := scores.Ends()
	b.Best = stat.MeanT(best, 0.95).Within(least, most)
	b.CPU = stat.MeanT(cpu, 0.95).Within(0, math.Inf(1))
	b.Rate = float64(individuals) / seconds
}
