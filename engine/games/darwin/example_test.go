package darwin_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/games/darwin"
)

// A species has a tree for each kind of action: forward, backward, turn, attack, observe, delay.
// The greatest value wins. This one goes where no creature has been for long, and attacks what it
// sees.
func Example() {
	g := darwin.New()
	genome, err := g.Grammar().Parse(
		"trail (constint 0) trail (if preyNext (constint 5) (constint 0)) (sub age time) " +
			"(constint 0)")
	if err != nil {
		panic(err)
	}
	hunter, err := g.Bind(genome)
	if err != nil {
		panic(err)
	}
	rover, err := g.(engine.Roster).Players()[8].New("")
	if err != nil {
		panic(err)
	}
	r := g.Play([]engine.Player{hunter, rover}, 1, nil)
	fmt.Println("points:", r.Scores[0], r.Scores[1])
	// Output: points: 3 0
}
