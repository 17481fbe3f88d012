package player_test

import (
	"fmt"

	"clade/engine/antwars"
	"clade/experiments/player"
)

func ExampleFind() {
	for _, name := range []string{"hyper", "hypr", "run:"} {
		_, err := player.Find(antwars.New(), name)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// player "hypr": unknown player of antwars "hypr", did you mean "hyper"? (a player is a name (see `clade players`), a species file, run:RUN or run:RUN@GENERATION, exec:COMMAND or persist:COMMAND)
	// player "run:": a run's directory is missing: write run:RUN or run:RUN@GENERATION
}
