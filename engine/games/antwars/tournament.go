package antwars

import (
	"context"

	"clade/engine"
)

// TournamentHelp says what Tournament plays.
func (g *game) TournamentHelp() string {
	return `In Ant Wars that is the contest's: every pair plays a match of five games at
most, which is over when one has won three, and who has won more matches, then
more games, comes before the others.`
}

// series is the outcome of a match of five games.
type series struct {
	players [2]int
	wins    [2]int     // games
	food    [2]float64 // in all games
	best    [2]float64 // in a single game
}

// winner returns which of the two has won the match.
func (s *series) winner() int { return index(s.wins[1] > s.wins[0]) }

// Tournament lets every pair play a match of five a round (Jaskowski, Krawiec and Wieloch 2007, the
// rules of the contest).
func (g *game) Tournament(ctx context.Context, t engine.Tournament) ([][]string, error) {
	all, err := engine.Meetings(ctx, &t, 2, func(members []int, seed engine.Seed) series {
		return g.series(&t, [2]int(members), seed)
	})
	if err != nil {
		return nil, err
	}
	numbers := make([][]float64, len(t.Players))
	for i := range numbers {
		numbers[i] = make([]float64, 5)
	}
	for i := range all {
		s := &all[i]
		numbers[s.players[s.winner()]][0]++
		for k, p := range s.players {
			of := numbers[p]
			of[1] += float64(s.wins[k])
			of[2]++
			of[3] += float64(s.wins[0] + s.wins[1])
			of[4] += s.food[k]
		}
	}
	return t.Table([]string{"matches won", "games won", "matches", "games", "food"}, numbers), nil
}

// series plays a match. The rules do not say who is ant 1 in the first game; here it is drawn.
func (g *game) series(t *engine.Tournament, players [2]int, seed engine.Seed) series {
	s := series{players: players}
	random := engine.NewRandom(uint64(seed.Name("first")))
	first := random.Below(2)
	for k := 0; k < 5 && max(s.wins[0], s.wins[1]) < 3; k++ {
		lead := (first + k) & 1
		if k == 4 {
			lead = s.lead(&random)
		}
		r := g.Play([]engine.Player{t.Players[players[lead]], t.Players[players[1-lead]]},
			uint64(seed.Name("game").Num(uint64(k))), nil)
		for seat := range 2 {
			p := lead ^ seat
			s.food[p] += r.Scores[seat]
			s.best[p] = max(s.best[p], r.Scores[seat])
		}
		s.wins[lead^r.Winner()]++
	}
	return s
}

// lead returns which of the two is ant 1 in the fifth game: who has more food in all, else in a
// single game, else who is drawn.
func (s *series) lead(random *engine.Random) int {
	switch {
	case s.food[0] != s.food[1]:
		return index(s.food[1] > s.food[0])
	case s.best[0] != s.best[1]:
		return index(s.best[1] > s.best[0])
	}
	return random.Below(2)
}

func index(second bool) int {
	if second {
		return 1
	}
	return 0
}
