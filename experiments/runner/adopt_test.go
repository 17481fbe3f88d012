package runner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"clade/engine"
	"clade/engine/games/antwars"
	"clade/evolve"
	"clade/experiments/player"
	"clade/experiments/runner"
)

// A run that a program made with evolve.Create is opened, resumed, measured and plotted.
func ExampleAdopt() {
	temp, err := os.MkdirTemp("", "adopted")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(temp)
	dir := filepath.Join(temp, "run")
	config := evolve.Default()
	config.Population, config.Generations, config.Tournament = 30, 3, 2
	setup := evolve.Setup{Game: antwars.New(), Config: config, Seed: 1}
	run, err := evolve.Create(dir, setup)
	if err != nil {
		panic(err)
	}
	if _, err := run.Evolve(context.Background()); err != nil {
		panic(err)
	}
	if err := run.Close(); err != nil {
		panic(err)
	}
	if _, err := runner.Adopt(dir, setup); err != nil {
		panic(err)
	}
	r, err := runner.Open(player.Scope{Games: []engine.Game{antwars.New()}}, dir)
	if err != nil {
		panic(err)
	}
	r.Study.Measure.Final = 2
	sum, err := r.Resume(context.Background(), runner.Options{})
	if err != nil {
		panic(err)
	}
	fmt.Println(sum.Generations, "generations,", len(sum.Figures) > 0)
	champion, err := player.Scope{Games: r.Study.Scope().Games, Trust: player.Files}.Find(r.Game,
		"run:"+dir)
	fmt.Println(champion != nil, err)
	own, err := r.Setup()
	if err != nil {
		panic(err)
	}
	members, generation, err := own.Members(dir, -1)
	fmt.Println(len(members), "members before generation", generation, err)
	// Output:
	// 3 generations, true
	// true <nil>
	// 30 members before generation 3 <nil>
}
