package league_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"clade/engine"
	"clade/experiments/league"
	"clade/gp"
	"clade/gp/proof"
)

// ladder is a game in which a player is a number: the score is that number, and a coin of the board
// adds to it. The first seat gets a crumb, so that only rotation is fair. The player with the
// number 100 wins by the rules with the least score.
type ladder struct{}

func (ladder) Info() engine.Info {
	return engine.Info{Name: "ladder", Title: "Ladder", MinSeats: 1, MaxSeats: 5, Decisions: 1}
}
func (ladder) Grammar() *gp.Grammar                  { return nil }
func (ladder) Bind(gp.Genome) (engine.Player, error) { return nil, nil }
func (ladder) Play(players []engine.Player, seed uint64, _ engine.Recorder) engine.Result {
	r := engine.Result{}
	random := engine.NewRandom(seed)
	for seat, p := range players {
		r.Scores[seat] = p.(float64) + 3*random.Float()
		if seat == 0 {
			r.Scores[seat] += 0.1
		}
		if p.(float64) == 100 {
			r.Scores[seat] = -1
			r.Win(seat)
		}
	}
	return r
}

// chair is a game that the first seat wins.
type chair struct{ ladder }

func (chair) Play(_ []engine.Player, _ uint64, _ engine.Recorder) engine.Result {
	var r engine.Result
	r.Win(0)
	return r
}

// TestFreeForAllTurnsSeats: where nothing but the seat decides, no player is before another.
func TestFreeForAllTurnsSeats(t *testing.T) {
	m := proof.Must(league.Play(context.Background(), chair{}, []string{"a", "b", "c", "d"},
		[]engine.Player{0, 1, 2, 3}, 3, 2, 1, 1, nil, nil))(t)
	for i, row := range m.Ranked().Points {
		for j, x := range row {
			if i != j && x != 0.5 {
				t.Errorf("player %d is before player %d in %v of their games", i, j, x)
			}
		}
	}
}

func TestFreeForAll(t *testing.T) {
	proof.Slow(t)
	names := []string{"a", "b", "c", "d", "rules"}
	players := []engine.Player{0.0, 1.0, 2.0, 2.0, 100.0}
	play := func(workers int) *league.FreeForAll {
		m := proof.Must(league.Play(context.Background(), ladder{}, names, players, 3, 8, 1,
			workers, nil, nil))(t)
		return m.(*league.FreeForAll)
	}
	m := play(1)
	if m.Games != 24 || m.Standings[0].Player != 4 || m.Standings[4].Player != 0 {
		t.Errorf("standings %+v", m.Standings)
	}
	if m.Points[4][0] != 1 || m.Points[0][4] != 0 || !math.IsNaN(m.Points[0][0]) ||
		!(math.Abs(m.Points[0][1]+m.Points[1][0]-1) <= 1e-12) || m.Points[2][0] < 0.6 {
		t.Errorf("ahead %v", m.Points)
	}
	if again := play(3); !reflect.DeepEqual(m.Standings, again.Standings) {
		t.Errorf("three workers give %+v, one %+v", again.Standings, m.Standings)
	}
	if rows := m.Table().Rows; len(rows) != 5 || rows[0][0] != "rules" {
		t.Errorf("table %v", rows)
	}
	proof.Is(t, len(m.Figures()), 2, "figures")
	for _, c := range []struct {
		seats, boards int
		want          string
	}{{6, 1, "1 to 5"}, {3, 1 << 24, "more than"}} {
		proof.Fails(league.Play(context.Background(), ladder{}, names, players, c.seats,
			c.boards, 1, 1, nil, nil))(t, c.want)
	}
}
