package antwars_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/games/antwars"
)

// A genome of two trees, one for straight moves and one for diagonal ones, becomes an ant.
func Example() {
	game := antwars.New()
	genome, err := game.Grammar().Parse("(add foodHope (noFood (rect 0 -2 3 3))) foodHope")
	if err != nil {
		panic(err)
	}
	ant, err := game.Bind(genome)
	if err != nil {
		panic(err)
	}
	result := game.Play([]engine.Player{ant, ant}, 1, nil)
	fmt.Println("score", result.Scores[:2], "after", result.Steps, "moves")
	// Output: score [2 2] after 70 moves
}
