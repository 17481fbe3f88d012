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
