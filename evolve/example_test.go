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

// A run whose two islands are bred elsewhere: here in the same process, by way of the bytes that
// would travel.
func ExampleSetup_remoteIslands() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	config := evolve.Default()
	config.Population, config.Generations, config.Tournament, config.Islands = 30, 3, 2, 2
	setup := evolve.Setup{Game: antwars.New(), Config: config, Seed: 1}

	// what another machine does with an epoch
	breed := func(ctx context.Context, sealed []byte) ([]byte, error) {
		epoch, err := evolve.OpenEpoch(&setup, sealed)
		if err != nil {
			return nil, err
		}
		result, err := epoch.Breed(ctx, &setup)
		if err != nil {
			return nil, err
		}
		return result.Seal(&setup)
	}

	here := setup
	here.RemoteIslands = func(ctx context.Context, c *evolve.Coordinator) error {
		for {
			changed := c.Changed()
			for _, epoch := range c.Epochs() {
				sealed, err := epoch.Seal(c.Setup())
				if err == nil {
					sealed, err = breed(ctx, sealed)
				}
				if err != nil {
					return err
				}
				result, err := evolve.OpenResult(c.Setup(), sealed)
				if err == nil {
					err = c.Add(result)
				}
				if err != nil {
					return err
				}
			}
			select {
			case <-ctx.Done():
				return nil
			case <-changed:
			}
		}
	}
	run, err := evolve.Create(dir, here)
	if err != nil {
		panic(err)
	}
	defer run.Close()
	done, err := run.Evolve(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println(done.Generations, "generations,", done.Matches, "matches")
	// Output: 3 generations, 180 matches
}
