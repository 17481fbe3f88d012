package life

import (
	"context"

	"clade/engine"
)

// TournamentHelp says what Tournament plays.
func (g *game) TournamentHelp() string {
	return `In Life every pair plays a game, whose winner has a win, and both where they
have as many cells; the sides are drawn.`
}

// Tournament lets every pair play a game in each round, and adds wins up. A tie is a win for both,
// as in the contest.
func (g *game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	type meeting struct {
		players []int
		result  engine.Result
	}
	all, err := engine.Meetings(ctx, &t, 2, func(members []int, seed engine.Seed) meeting {
		return meeting{members, g.Play([]engine.Player{t.Players[members[0]],
			t.Players[members[1]]}, uint64(seed), nil)}
	})
	if err != nil {
		return nil, err
	}
	numbers := make([][]float64, len(t.Players))
	for i := range numbers {
		numbers[i] = make([]float64, 4)
	}
	for i := range all {
		winner := all[i].result.Winner()
		for seat, p := range all[i].players {
			of := numbers[p]
			if winner == seat || winner == engine.Tie {
				of[0]++
			}
			of[1] += all[i].result.Scores[seat]
			of[2]++
			if winner == engine.Tie {
				of[3]++
			}
		}
	}
	return t.Table([]string{"wins", "cells", "games", "ties"}, numbers), nil
}
