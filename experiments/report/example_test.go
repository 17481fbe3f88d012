package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/report"
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
