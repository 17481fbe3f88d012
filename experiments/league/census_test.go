package league_test

import (
	"context"
	"strconv"
	"testing"

	"clade/engine"
	"clade/experiments/league"
	"clade/gp/proof"
)

// ladderCensus is a ladder that counts the number of a seat's player, and a share that lasts for as
// many steps as the number.
type ladderCensus struct{ ladder }

func (c ladderCensus) Play(players []engine.Player, seed uint64,
	rec engine.Recorder) engine.Result {
	if t, ok := rec.(*numbers); ok {
		t.of = players
	}
	return c.ladder.Play(players, seed, rec)
}

func (ladderCensus) Count() ([]engine.Measure, engine.Counter) {
	return []engine.Measure{
		{Name: "number", Figure: "numbers", Unit: "Number", Axis: "Step", Scale: 1},
		{Name: "share", Figure: "shares", Unit: "Share (%)", Axis: "Step", Scale: 100, Ends: true},
	}, &numbers{}
}

// numbers is the counter of a ladderCensus.
type numbers struct{ of []engine.Player }

func (*numbers) Decide(int, uint64) {}
func (*numbers) Step(engine.Scene)  {}

func (t *numbers) Series(seat int) [][]float64 {
	n := t.of[seat].(float64)
	share := make([]float64, int(n))
	for i := range share {
		share[i] = 1
	}
	return [][]float64{{n, n}, share}
}

// TestCensusCurves holds which games are followed, and that a game in which something ended early
// counts as none of it, and one without any as no game; a species goes by its name, wherever it
// stands.
func TestCensusCurves(t *testing.T) {
	names := []string{"one", "here/two.species", "none"}
	players := []engine.Player{1.0, 2.0, 0.0}
	figures := proof.Must(league.CensusCurves(context.Background(), ladderCensus{}, names, players,
		true,
		2, 1, 2, nil))(t)
	if len(figures) != 2 || figures[0].Name != "numbers" || figures[1].Name != "shares" {
		t.Fatalf("%d figures", len(figures))
	}
	// a row: measure, group, step, mean, low, high, runs; each plays two others twice in each seat
	got := map[string][]string{}
	for _, f := range figures {
		for _, row := range f.Data.Rows {
			got[row[0]+" "+row[1]+" "+row[2]] = append(got[row[0]+" "+row[1]+" "+row[2]], row[3], row[6])
		}
	}
	for _, c := range []struct {
		at   string
		mean float64
	}{{"number one 0", 1}, {"number one 1", 1}, {"number two 1", 2}, {"number none 0", 0},
		{"share one 0", 1}, {"share one 1", 0}, {"share two 1", 1}} {
		row := got[c.at]
		if len(row) != 2 || row[0] != strconv.FormatFloat(c.mean, 'g', -1, 64) || row[1] != "8" {
			t.Errorf("%s: %v", c.at, row)
		}
	}
	if row, ok := got["share none 0"]; ok {
		t.Errorf("what never began has %v", row)
	}
}
