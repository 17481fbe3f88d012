package amoebas

import (
	"context"
	"fmt"

	"clade/engine"
)

// TournamentHelp says what Tournament plays.
func (g *Game) TournamentHelp() string {
	return `In AMOEBAS all species live in one world, and the energy that they have bound
at the end counts; of several rounds the mean.`
}

// Tournament lets all species live in one world, once a round, in random places (AMOEBAS' manual,
// section 4). Energy is what the amoebas of a species hold at the end.
func (g *Game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	if n := len(t.Players); n > engine.MaxSeats {
		return nil, fmt.Errorf("amoebas: a world has room for %d species, not for %d",
			engine.MaxSeats, n)
	}
	worlds, err := engine.Meetings(ctx, &t, len(t.Players), func(_ []int,
		seed engine.Seed) engine.Result {
		return g.Play(t.Players, uint64(seed), nil)
	})
	if err != nil {
		return nil, err
	}
	numbers := make([][]float64, len(t.Players))
	for p := range numbers {
		of := make([]float64, 4)
		for i := range worlds {
			w := &worlds[i]
			of[0] += w.Scores[p] / float64(t.Rounds)
			if w.Winner() == p {
				of[1]++
			}
			of[2] += float64(w.Marks[p][markPopulation]) / float64(t.Rounds)
			if w.Marks[p][markPopulation] == 0 {
				of[3]++
			}
		}
		numbers[p] = of
	}
	return t.Table([]string{"energy", "first", "population", "extinct"}, numbers), nil
}
