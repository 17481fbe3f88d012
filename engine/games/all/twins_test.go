package all_test

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/all"
)

// Two players of one genome end a match as Match.Toss says, in every game with whole scores. The
// genomes are random, and the games are played by the games themselves.
func TestTwinsTossTheCoin(t *testing.T) {
	for _, g := range all.Games() {
		info := g.Info()
		if !info.Whole || info.MinSeats != 2 {
			continue
		}
		genomes := enginetest.Bred(g, 3)
		for i, genome := range genomes {
			var twins [2]engine.Player
			for k := range twins {
				var err error
				if twins[k], err = g.Bind(genome.Clone()); err != nil {
					t.Fatal(err)
				}
			}
			m, seed := engine.Match{Boards: 2}, engine.Seed(7).Name(info.Name).Num(uint64(i))
			o := m.Play(g, twins[0], twins[1], seed)
			if winner, games := m.Toss(seed); winner != o.Winner || games != o.Games {
				t.Errorf("%s, genome %d: player %d wins after %d games, by a toss %d after %d",
					info.Name, i, o.Winner, o.Games, winner, games)
			}
		}
	}
}
