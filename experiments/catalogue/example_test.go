package catalogue_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/catalogue"
	"clade/experiments/runner/runnertest"
)

// A folder of runs is listed. The games of a run's final measurement are those of its study here.
func Example() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "catalogue")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx := context.Background()
	run := filepath.Join(dir, "deep", "run")
	runnertest.Breed(run, "evolve.generations=3", "evolve.population=10",
		"measure.games=10", "measure.final=40")
	c, err := catalogue.New(scope, []string{dir})
	if err != nil {
		panic(err)
	}
	found, err := c.Look(ctx)
	if err != nil {
		panic(err)
	}
	for _, r := range found.Runs {
		fmt.Printf("%s: %s, %d of %d generations, wins of %d games\n", r.Game, r.State, r.Generation,
			r.Generations, r.Wins.Games)
	}
	// Output: antwars: done, 3 of 3 generations, wins of 40 games
}
