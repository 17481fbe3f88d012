package coevolution_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/coevolution"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
)

// The champions of a small run play each other and the panel.
func ExampleMonitor() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "coevolution")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sum := runnertest.Breed(filepath.Join(dir, "run"), "evolve.generations=4", "evolve.population=10")
	r, err := runner.Open(scope, sum.Dir)
	if err != nil {
		panic(err)
	}
	a, err := coevolution.Monitor(context.Background(), r, coevolution.Options{Games: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println("champions of generations", a.Generations)
	for _, f := range a.Findings()[:3] {
		fmt.Println(f.Monitor)
	}
	// Output:
	// champions of generations [0 1 2 3]
	// master tournament
	// hall of fame
	// dominance
}
