package league_test

import (
	"context"
	"fmt"

	"clade/experiments/league"
	"clade/experiments/runner/runnertest"
	"clade/experiments/study"
)

// Three built-in players play each other and are rated.
func ExamplePlayLeague() {
	scope := runnertest.Scope()
	game, err := study.NewGame(scope, "antwars")
	if err != nil {
		panic(err)
	}
	names := []string{"random", "greedy", "hyper"}
	players, err := scope.FindAll(game, names)
	if err != nil {
		panic(err)
	}
	league, err := league.PlayLeague(context.Background(), game, names, players, 20, 1, 0, nil, nil)
	if err != nil {
		panic(err)
	}
	for _, s := range league.Standings {
		fmt.Println(league.Players[s.Player])
	}
	// Output:
	// hyper
	// greedy
	// random
}

// Two built-in ants play on 100 boards, each board from both seats.
func ExampleMatch() {
	scope := runnertest.Scope()
	game, err := study.NewGame(scope, "antwars")
	if err != nil {
		panic(err)
	}
	match := league.Match{Game: game, Boards: 100, Seed: 1}
	for _, name := range []string{"hyper", "random"} {
		p, err := scope.Find(game, name)
		if err != nil {
			panic(err)
		}
		match.Players = append(match.Players, p)
	}
	standings, err := match.Play(context.Background())
	if err != nil {
		panic(err)
	}
	fmt.Println("hyper won", standings[0].Wins, "of", standings[0].Games)
	// Output: hyper won 200 of 200
}
