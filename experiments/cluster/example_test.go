package cluster_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"clade/experiments/cluster"
	"clade/experiments/cluster/broker"
	"clade/experiments/runner"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
)

// The islands of a run are bred by a worker, which could as well be on another machine, and the run
// is the one that this machine would have bred alone.
func Example() {
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	study, err := study.Parse(runnertest.Scope(), "islands.toml", []byte(`
game = "antwars"
[measure]
final = 0
[evolve]
population = 20
islands = 2
generations = 6
tournament = 2
[evolve.migration]
every = 3
migrants = 2
[evolve.champion]
candidates = 4
games = 8
[figures] # all of them take most of the time
panels = ["size"]
`))
	if err != nil {
		panic(err)
	}
	server, err := broker.Serve(dir, "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	defer server.Shutdown()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	quiet := slog.New(slog.DiscardHandler)
	home, err := broker.Open(ctx, server.Inside, "run", broker.Silence, quiet)
	if err != nil {
		panic(err)
	}
	defer home.Close()
	work, err := broker.Join(ctx, server.Access, "worker", quiet)
	if err != nil {
		panic(err)
	}
	defer work.Close()
	var working sync.WaitGroup
	working.Go(func() {
		_ = cluster.Worker{Broker: work, Scope: runnertest.Scope(), Scratch: dir, Workers: 1,
			Log: quiet}.Work(ctx)
	})
	defer func() { cancel(); working.Wait() }()
	far, near := filepath.Join(dir, "far"), filepath.Join(dir, "near")
	options := runner.Options{}
	cluster.Spread{Broker: home, Dir: far, Study: study, Log: quiet}.Into(&options)
	spread, err := runner.Start(ctx, far, study, options)
	if err != nil {
		panic(err)
	}
	alone, err := runner.Start(ctx, near, study, runner.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(spread.Generations, "generations, the same to the byte:",
		spread.Fingerprint == alone.Fingerprint)
	// Output: 6 generations, the same to the byte: true
}
