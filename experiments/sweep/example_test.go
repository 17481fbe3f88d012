package sweep_test

import (
	"context"
	"fmt"
	"os"

	"clade/experiments/report"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
	"clade/experiments/sweep"
)

// Two settings with two seeds each, carried out and looked at.
func Example() {
	scope := runnertest.Scope()
	dir, err := os.MkdirTemp("", "sweep")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	s, err := study.Parse(scope, "my.toml", []byte(runnertest.Tiny+four))
	if err != nil {
		panic(err)
	}
	g, err := sweep.Create(dir, s)
	if err != nil {
		panic(err)
	}
	if err := sweep.Run(context.Background(), g, dir, sweep.Options{}); err != nil {
		panic(err)
	}
	dirs, err := report.FindRuns([]string{dir})
	if err != nil {
		panic(err)
	}
	groups, err := report.OpenGroups(scope, dirs, nil)
	fmt.Println(len(dirs), "runs,", len(groups), "groups", err)
	p, err := sweep.ReadProgress(g, dir)
	fmt.Println(p.Total.Done, "done", err)
	// Output:
	// 4 runs, 2 groups <nil>
	// 4 done <nil>
}
