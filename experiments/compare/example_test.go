package compare_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine/all"
	"clade/experiments/compare"
	"clade/experiments/player"
	"clade/experiments/runner"
	"clade/experiments/study"
)

// Two replicates are one group; runs of another setting are the next.
func Example() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	dir, err := os.MkdirTemp("", "compare")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	var dirs []string
	for i, settings := range [][]string{{"seed=1"}, {"seed=2"}, {"seed=1", "evolve.tournament=4"}} {
		s, err := study.Read(scope, "../runner/testdata/small.toml",
			append(settings, "evolve.generations=3", "evolve.population=10")...)
		if err != nil {
			panic(err)
		}
		run := filepath.Join(dir, fmt.Sprint("run-", i))
		if _, err := runner.Start(context.Background(), run, s, runner.Options{}); err != nil {
			panic(err)
		}
		dirs = append(dirs, run)
	}
	groups, err := compare.OpenGroups(scope, dirs)
	if err != nil {
		panic(err)
	}
	for _, g := range groups {
		fmt.Println(g.Name, len(g.Runs))
	}
	// Output:
	// k 3 2
	// k 4 1
}
