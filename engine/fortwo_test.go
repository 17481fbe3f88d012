package engine_test

import (
	"testing"

	"clade/engine"
)

// trio is a game for three in which a player, an int, always has that score.
type trio struct{ engine.Game }

func (trio) Info() engine.Info { return engine.Info{Name: "trio", MinSeats: 3, MaxSeats: 3} }

func (trio) Play(players []engine.Player, _ uint64, _ engine.Recorder) (r engine.Result) {
	for seat, p := range players {
		r.Scores[seat] = float64(p.(int))
	}
	r.WinBest(len(players))
	return r
}

// TestForTwo: who has less than two others that share the most has lost, and has not tied.
func TestForTwo(t *testing.T) {
	for seed := range uint64(9) { // the one alone has each of the seats
		for _, c := range []struct{ alone, others, winner int }{
			{7, 6, 0}, {6, 6, engine.Tie}, {-4, 6, 1},
		} {
			r := engine.ForTwo(trio{}).Play([]engine.Player{c.alone, c.others}, seed, nil)
			if r.Winner() != c.winner || r.Scores[0] != float64(c.alone) ||
				r.Scores[1] != float64(c.others) {
				t.Errorf("%d against two of %d: winner %d of %v", c.alone, c.others, r.Winner(),
					r.Scores[:2])
			}
		}
	}
}
