package coevolution_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/all"
	"clade/experiments/coevolution"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// The champions of a small run play each other and the panel.
func ExampleMonitor() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	dir, err := os.MkdirTemp("", "coevolution")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Read(scope, "../runner/testdata/small.toml", "evolve.generations=4",
		"evolve.population=10")
	if err != nil {
		panic(err)
	}
	sum, err := runner.Start(context.Background(), filepath.Join(dir, "run"), s, runner.Options{})
	if err != nil {
		panic(err)
	}
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
