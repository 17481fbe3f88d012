package evolve

import (
	"testing"

	"clade/engine"
	"clade/gp/proof"
)

// In a transitive game the race keeps the best, and the rest of the next generation are children.
func TestRaceKeepsTheBest(t *testing.T) {
	c := small()
	c.Selection, c.Elites, c.Race.Games = ByRace, 5, []int{64, 128, 256}
	is := islandOf(t, 40, c, greater)
	proof.OK(t, is.step())
	for i, in := range is.population {
		if v, _ := in.Player.(float64); i < 5 && v < 0.87 {
			t.Errorf("elite %d is %v", i, in.Player)
		}
		proof.Is(t, is.records[i].played > 0, i < 5, "individual %d has a record", i)
	}
	proof.Is(t, len(is.offspring), 35, "births")
	proof.Is(t, is.tally.Games, 40*64+20*(128-64)+10*(256-128), "games, of half as many each time")
}

// An elite's old games count less with every generation, and it stays as long as it is better. By
// default a child plays up to 1,024 games, and an elite 256 more in each generation. Half of a tied
// game is won; nobody meets itself, which would be tied.
func TestRecordsDecay(t *testing.T) {
	tie := func(_, _ float64, _ *engine.Random) int { return engine.Tie }
	for k, beats := range []func(a, b float64, random *engine.Random) int{greater, tie} {
		c := small()
		c.Selection, c.Elites = ByRace, 5
		c.Variation.Crossover, c.Variation.Mutation, c.Variation.Constants = 0, 0, 0
		is := islandOf(t, 10, c, beats)
		for generation := range 3 {
			proof.OK(t, is.step())
			for i, in := range is.population {
				in.record = is.records[i] // as the run does when it commits the generation
			}
			// every generation keeps seven tenths of what there was, and adds an elite's games
			played := []float64{1024, 972.8, 936.96}[generation]
			proof.Near(t, "games of the best", is.population[0].record.played, played, 1e-4)
			if generation < 2 { // then a copy of the best is an elite, too
				proof.Near(t, "games won", is.population[0].record.won, played/float64(1+k), 1e-4)
				proof.Near(t, "its share", is.selected[0], 1/float64(1+k), 1e-9)
			}
		}
	}
}
