package league

import (
	"fmt"
	"testing"

	"clade/analysis/rating"
	"clade/engine"
	"clade/gp/proof"
)

// BenchmarkLeague rates 100 players with 1,000 games a pair: all of a league but its games.
func BenchmarkLeague(b *testing.B) {
	const players, boards = 100, 500
	l := &League{Games: 2 * boards}
	random := engine.NewRandom(1)
	for i := range players {
		l.Players = append(l.Players, fmt.Sprint(i))
		for j := range i {
			p := rating.Pairing{A: i, B: j}
			for range boards {
				p.Add(rating.Outcome(2*random.Below(2)), rating.Outcome(random.Below(3)))
			}
			l.Pairings = append(l.Pairings, p)
		}
	}
	for b.Loop() {
		proof.OK(b, l.rate(1))
	}
}
