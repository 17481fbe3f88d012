package external_test

import (
	"fmt"

	"clade/engine"
	"clade/engine/external"
	"clade/engine/games/antwars"
)

// A program that ends without an answer forfeits its decisions, and who seats it is told.
func Example() {
	told := 0
	seats := external.Supervisor{Notice: func(string) { told++ }}
	program, err := seats.Persist("true")
	if err != nil {
		panic(err)
	}
	game := antwars.New()
	ant, err := game.(engine.Roster).Players()[0].New("")
	if err != nil {
		panic(err)
	}
	game.Play([]engine.Player{program, ant}, 1, nil)
	seats.Report()
	fmt.Println(told > 0)
	// Output: true
}
