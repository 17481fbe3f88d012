package evolve_test

import (
	"context"
	"fmt"
	"os"

	"clade/engine/games/antwars"
	"clade/evolve"
)

// A small population of ants, bred for three generations.
func Example() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	config := evolve.Default()
	config.Population, config.Generations, config.Tournament = 30, 3, 2
	run, err := evolve.Create(dir, evolve.Setup{Game: antwars.New(), Config: config, Seed: 1})
	if err != nil {
		panic(err)
	}
	defer run.Close()
	// a context that ends stops the run, and Resume goes on
	done, err := run.Evolve(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(done.Generations, "generations,", done.Matches, "matches, champions in",
		done.Champion.File)
	// Output: 3 generations, 90 matches, champions in champions/0000002.species
}
