package engine_test

import (
	"slices"
	"testing"

	"clade/engine"
	"clade/engine/enginetest"
	"clade/gp/proof"
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
				t.Errorf("%d against two of %d: winner %d of %v", c.alone, c.others, r.Winner(), r.Scores[:2])
			}
		}
	}
}

// gatherForThree is the template as a game for three alone.
type gatherForThree struct {
	engine.Game
	engine.Batcher
}

func (g gatherForThree) Info() engine.Info {
	info := g.Game.Info()
	info.MinSeats = 3
	return info
}

// TestForTwoBatchChangesNothing: games of two, who hold three seats, are the same at once and
// alone.
func TestForTwoBatchChangesNothing(t *testing.T) {
	gather := enginetest.Gather()
	g := engine.ForTwo(gatherForThree{gather, gather.(engine.Batcher)})
	var players []engine.Player
	for _, ge := range enginetest.Bred(gather, 8) {
		p := proof.Must(g.Bind(ge))(t)
		players = append(players, p)
	}
	kernels := len(gather.(engine.Accelerated).Executors()) > 1
	if b := g.(engine.Batcher); b.Batches(players[:2]) != kernels {
		t.Error("games of two do not go at once where those of three do")
	}
	var r engine.Referee
	for i := range players[1:] {
		pair := players[i : i+2]
		want := slices.Clone(r.Boards(struct{ engine.Game }{g}, pair, 3, 0, 20))
		if got := r.Boards(g, pair, 3, 0, 20); !slices.Equal(got, want) {
			t.Fatalf("pair %d: the results differ", i)
		}
	}
}
