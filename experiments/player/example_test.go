package player_test

import (
	"fmt"

	"clade/engine/games/all"
	"clade/engine/games/antwars"
	"clade/experiments/player"
)

func ExampleScope_Find() {
	scope := player.Scope{Games: all.Games(), Trust: player.Files}
	for _, name := range []string{"hyper", "hypr", "run:"} {
		_, err := scope.Find(antwars.New(), name)
		fmt.Println(err)
	}
	// Output:
	// <nil>
	// player "hypr": unknown player of antwars "hypr", did you mean "hyper"? (a player is the name of a built-in player, a species file, run:RUN or run:RUN@GENERATION, kept:GAME/NAME, exec:COMMAND, persist:COMMAND or wasm:FILE)
	// player "run:": a run's directory is missing: write run:RUN or run:RUN@GENERATION
}
