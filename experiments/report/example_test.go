package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
)

// The report of one small run, section by section.
func ExampleMake() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	sum := runnertest.Breed(filepath.Join(dir, "run"), "evolve.generations=3", "evolve.population=10")
	r, err := report.Make(context.Background(), scope, []string{sum.Dir},
		report.Options{Games: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	for _, s := range r.Sections {
		fmt.Println(s.Title)
	}
	// Output:
	// Settings
	// Curves
	// Against the built-in players
	// League
	// Do the groups differ?
	// Coevolution
	// Champions
	// How to make this again
}

// Two replicates are one group; runs of another setting are the next.
func ExampleCompare() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var dirs []string
	for i, settings := range [][]string{{"seed=1"}, {"seed=2"}, {"seed=1", "evolve.tournament=4"}} {
		run := filepath.Join(dir, fmt.Sprint("run-", i))
		runnertest.Breed(run, append(settings, "evolve.generations=3", "evolve.population=10")...)
		dirs = append(dirs, run)
	}
	groups, err := report.OpenGroups(scope, dirs, nil)
	if err != nil {
		panic(err)
	}
	for _, g := range groups {
		fmt.Println(g.Name, len(g.Runs))
	}
	// Output:
	// tournament 3 2
	// tournament 4 1
}

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
	a, err := report.Monitor(context.Background(), r, report.MonitorOptions{Games: 2, Seed: 1})
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
