package match_test

import (
	"fmt"
	"os"
	"path/filepath"

	"clade/experiments/match"
)

// Two games are kept, and what they come to is read back.
func Example() {
	dir, err := os.MkdirTemp("", "human")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "games.jsonl")
	game := match.Game{Game: "antwars", Opponent: "greedy", Result: "win", Score: 12, Other: 9}
	for _, result := range []string{"win", "loss"} {
		game.Result = result
		if err := game.Append(path); err != nil {
			panic(err)
		}
	}
	past, err := match.ReadGames(path)
	if err != nil {
		panic(err)
	}
	tally := past.Tally(game)
	fmt.Println(tally.Wins, "of", tally.Games, "won")
	// Output: 1 of 2 won
}
