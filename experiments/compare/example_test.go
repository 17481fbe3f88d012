package compare_test

import (
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/compare"
	"clade/experiments/runner/runnertest"
)

// Two replicates are one group; runs of another setting are the next.
func Example() {
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
	groups, err := compare.OpenGroups(scope, dirs, nil)
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
