package match_test

import (
	"context"
	"fmt"

	"clade/engine/games/antwars"
	"clade/experiments/match"
	"clade/experiments/player"
)

// Two built-in ants play on 100 boards, each board from both seats.
func Example() {
	game := antwars.New()
	table := match.Table{Game: game, Boards: 100, Seed: 1}
	for _, name := range []string{"hyper", "random"} {
		p, err := player.Scope{}.Find(game, name)
		if err != nil {
			panic(err)
		}
		table.Players = append(table.Players, p)
	}
	standings, err := table.Play(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println("hyper won", standings[0].Wins, "of", standings[0].Games)
	// Output: hyper won 200 of 200
}
