package sweep_test

import (
	"context"
	"fmt"
	"os"

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
	p, err := sweep.ReadProgress(g, dir)
	fmt.Println(p.Total.Done, "runs done,", len(p.Groups), "groups", err)
	// Output: 4 runs done, 2 groups <nil>
}
