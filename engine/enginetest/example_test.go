package enginetest_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/enginetest"
)

// A genome of a game's vocabulary becomes a player, plays, and its game is played again from the
// record.
func Example() {
	g := enginetest.Number(0)
	genome, err := g.Grammar().Parse("(mul (const 0.5) (add (constint 3) (constint 4)))")
	if err != nil {
		panic(err)
	}
	bred, err := g.Bind(genome)
	if err != nil {
		panic(err)
	}
	players := []engine.Player{bred, enginetest.Constant(g, 3)}
	record, result, err := engine.PlayRecorded(g, []string{"bred", "always(3)"}, players, 1, nil)
	if err != nil {
		panic(err)
	}
	fmt.Println("seat", result.Winner(), "wins with scores", record.Scores)
	again, err := engine.Replay(g, record, nil)
	fmt.Println("the same game:", again == result, err)
	// Output:
	// seat 0 wins with scores [10.5 9]
	// the same game: true <nil>
}
