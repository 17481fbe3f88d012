package life_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/games/life"
)

// A species has a tree for each stamp: glider, block, growth and single cell. This one plants
// growths where the next cells are empty.
func Example() {
	g := life.New()
	genome, err := g.Grammar().Parse(
		"(const -1) (const -1) (sub (empty (rect 0 0 7 7)) (constint 5)) (const -1)")
	if err != nil {
		panic(err)
	}
	planter, err := g.Bind(genome)
	if err != nil {
		panic(err)
	}
	training, err := g.(engine.Roster).Players()[1].New("")
	if err != nil {
		panic(err)
	}
	r := g.Play([]engine.Player{planter, training}, 1, nil)
	fmt.Println("live cells:", r.Scores[0], r.Scores[1])
	// Output: live cells: 52119 2604
}
