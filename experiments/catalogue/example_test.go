package catalogue_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/all"
	"clade/experiments/catalogue"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// A folder of runs is listed.
func Example() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	dir, err := os.MkdirTemp("", "catalogue")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Read(scope, "../runner/testdata/small.toml", "evolve.generations=3",
		"evolve.population=10")
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	run := filepath.Join(dir, "deep", "run")
	if _, err := runner.Start(ctx, run, s, runner.Options{}); err != nil {
		panic(err)
	}
	c, err := catalogue.New(scope, []string{dir})
	if err != nil {
		panic(err)
	}
	found, err := c.Look(ctx)
	if err != nil {
		panic(err)
	}
	for _, r := range found.Runs {
		fmt.Printf("%s: %s, %d of %d generations\n", r.Game, r.State, r.Generation, r.Generations)
	}
	// Output: antwars: done, 3 of 3 generations
}
