package collect

import (
	"maps"
	"testing"

	"clade/analysis/stat"
	"clade/experiments/runner"
	"clade/gp/proof"
)

// By hand: of three runs of a setting two were measured, whose shares differ by 0.02, and t(0.975, 1)
// is 12.7062. What is said of a single one stays.
func TestGroups(t *testing.T) {
	row := func(group, state, tournament string, share float64) *Row {
		r := &Row{Group: group, Study: "study " + group, Game: "g", State: state,
			values: map[string]string{"tournament": tournament, "boards": "4"}}
		if share > 0 {
			r.Wins = &Wins{"smart", 20, share, 0.1, 0.9}
		}
		return r
	}
	rows := []*Row{row("a", done, "2", 0.49), row("", done, "9", 0.3), row("b", running, "3", 0.6),
		row("a", done, "2", 0.51), row("a", running, "2", 0), row("c", done, "", 0)}
	delete(rows[5].values, "tournament")
	groups := Groups(rows)
	for i, want := range []Group{
		{"a", "study a", 3, 2, &Wins{"smart", 40, 0.5, 0.372938, 0.627062},
			map[string]string{"tournament": "2"}},
		{"b", "study b", 1, 0, &Wins{"smart", 20, 0.6, 0.1, 0.9},
			map[string]string{"tournament": "3"}},
		{"c", "study c", 1, 1, nil, nil},
	} {
		g := *groups[i]
		if !maps.Equal(g.Settings, want.Settings) || (g.Wins == nil) != (want.Wins == nil) {
			t.Errorf("%+v, want %+v", g, want)
		} else if g.Wins != nil {
			proof.Near(t, "share", g.Wins.Share, want.Wins.Share, 1e-12)
			proof.Near(t, "low", g.Wins.Low, want.Wins.Low, 1e-6)
			proof.Near(t, "high", g.Wins.High, want.Wins.High, 1e-6)
			proof.Is(t, g.Wins.Games, want.Wins.Games, "games")
		}
		proof.Is(t, [2]int{g.Runs, g.Done}, [2]int{want.Runs, want.Done}, "runs, done, of %s", g.Group)
	}
	r := Row{against: "greedy"}
	r.final([]runner.Measurement{{Against: "greedy", Games: 20, Wins: 10, Losses: 4, Share: 0.5},
		{Against: "greedy", Settings: "x=1", Games: 20, Wins: 1, Losses: 19, Share: 0.05},
		{Against: "smart", Games: 20, Wins: 4, Losses: 16, Share: 0.2}})
	ci := stat.Wilson(13+1+4, 60, 0.95) // three ties in six are points
	proof.Is(t, *r.Wins, Wins{"greedy", 20, 0.5, 0, 0}, "games won")
	proof.Near(t, "share of points", r.Points.Share, 18./60, 1e-12)
	proof.Near(t, "its low", r.Points.Low, ci.Low, 1e-12)
	proof.Near(t, "its high", r.Points.High, ci.High, 1e-12)
	proof.Is(t, r.Points.Against, "greedy, greedy at x=1, smart", "against")
	proof.Is(t, r.Points.Games, 60, "games")
}
