package all_test

import (
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/engine/games/all"
	"clade/gp/proof"
)

// Two players of one genome end a match as Match.Toss says, in every game whose scores are halves,
// and three in every rotation are level. The genomes are random, and the games are played by the
// games themselves.
func TestTwinsTossTheCoin(t *testing.T) {
	proof.Long(t)
	for _, g := range all.Games() {
		info := g.Info()
		if !info.Halves || info.MaxSeats < 2 {
			continue
		}
		genomes := enginetest.Bred(g, 3)
		for i, genome := range genomes {
			var twins [3]engine.Player
			for k := range twins {
				twins[k] = proof.Must(g.Bind(genome.Clone()))(t)
			}
			seed := engine.Seed(7).Name(info.Name).Num(uint64(i))
			if info.MaxSeats > 2 {
				t3 := proof.Must(new(engine.Referee).Standings(g, twins[:], 2, seed))(t)
				for _, s := range t3 {
					if s.Wins != t3[0].Wins || s.Score != t3[0].Score || s.Games != 6 {
						t.Errorf("%s, genome %d: three end %v", info.Name, i, t3)
					}
				}
			}
			if info.MinSeats > 2 {
				continue
			}
			m := engine.Match{Boards: 2}
			o := m.Play(g, twins[0], twins[1], seed)
			if winner, games := m.Toss(seed); winner != o.Winner || games != o.Games {
				t.Errorf("%s, genome %d: player %d wins after %d games, by a toss %d after %d",
					info.Name, i, o.Winner, o.Games, winner, games)
			}
		}
	}
}
