package runner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/analysis/figure"
	"clade/engine/games/antwars"
	"clade/evolve"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
)

// Another program breeds ants, without a file.
func ExampleStart() {
	dir, err := os.MkdirTemp("", "runner")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	config := evolve.Default()
	config.Population, config.Generations, config.Tournament = 20, 3, 2
	s, err := study.New(antwars.New(), config, 1)
	if err != nil {
		panic(err)
	}
	s.Measure.Against, s.Measure.Final = []string{"smart"}, 20
	s.Figures = &figure.Look{Panels: []string{"size"}} // all of them take most of the time
	sum, err := runner.Start(context.Background(), filepath.Join(dir, "ants"), s, runner.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(sum.Generations, "generations of", s.Game)
	// Output: 3 generations of antwars
}

// A study is carried out in a new directory, and the run is opened again.
func Example() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "runner")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Read(scope, "runnertest/small.toml", "evolve.generations=3",
		"evolve.population=10")
	if err != nil {
		panic(err)
	}
	sum, err := runner.Start(context.Background(), filepath.Join(dir, "run"), s, runner.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(sum.Generations, "generations, the last champion against", sum.Final[0].Against)
	r, err := runner.Open(scope, sum.Dir)
	if err != nil {
		panic(err)
	}
	measured, err := r.Measurements()
	fmt.Println(len(measured), "measurements", err)
	// Output:
	// 3 generations, the last champion against random
	// 4 measurements <nil>
}
