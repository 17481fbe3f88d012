package report_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/all"
	"clade/experiments/player"
	"clade/experiments/report"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// The report of one small run, section by section.
func ExampleMake() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Read(scope, "../runner/testdata/small.toml", "evolve.generations=3",
		"evolve.population=10")
	if err != nil {
		panic(err)
	}
	sum, err := runner.Start(context.Background(), filepath.Join(dir, "run"), s, runner.Options{})
	if err != nil {
		panic(err)
	}
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
