package rating

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"clade/gp/proof"
)

// Leagues of which a bootstrap over boards cannot tell how far ratings can be off. The ends were
// computed apart, with scipy 1.10: the likelihood of Davidson and Beaver's model as they wrote it,
// maximised by its optimizers with the contrast fixed, and Rao's statistic from finite differences
// set to 3.84 by Brent's method. Those of the first league are half of the logits of Wilson's
// interval of 50 of 50, but for a trace of ties (statsmodels 0.13: 222.9).
func TestLimits(t *testing.T) {
	const won, wonTied, split, lost = 8, 7, 6, 0 // of both games of a board
	nan := math.NaN()
	type place struct {
		player      int
		bound       Bound
		low, high   float64 // Elo
		best, worst int
		text        string // of its bound
	}
	for name, c := range map[string]struct {
		pairings []Pairing
		want     []place
	}{
		"all won": {[]Pairing{{0, 1, [9]int{won: 50}}}, []place{
			{0, AtLeast, 226.80679, nan, 1, 1, "> 227 227 "},
			{1, AtMost, nan, -226.80679, 2, 2, "< -227  -227"}}},
		"one board": {[]Pairing{{0, 1, [9]int{wonTied: 1}}}, []place{
			{0, Rated, -212.36730, 1662.12327, 1, 2, ""},
			{1, Rated, -1662.12327, 212.36730, 1, 2, ""}}},
		"unbeaten on one board": {[]Pairing{{0, 1, [9]int{won: 1}}, {0, 2, [9]int{won: 1}},
			{1, 2, [9]int{split: 1}}}, []place{
			{0, AtLeast, -96.10689, nan, 1, 3, "> -96 -96 "},
			{1, Rated, -801.36655, 801.36655, 1, 3, "0 -801 801"},
			{2, Rated, -801.36655, 801.36655, 1, 3, "0 -801 801"}}},
		"each beats the next": {[]Pairing{{0, 1, [9]int{won: 20}}, {0, 2, [9]int{won: 20}},
			{1, 2, [9]int{won: 20}}}, []place{
			{0, AtLeast, 404.58598, nan, 1, 1, "> 405 405 "}, {1, Unrated, nan, nan, 2, 2, "not known  "},
			{2, AtMost, nan, -404.58598, 3, 3, "< -405  -405"}}},
		"nothing played": {nil, []place{{0, Unrated, nan, nan, 1, 2, "not known  "},
			{1, Unrated, nan, nan, 1, 2, "not known  "}}},
	} {
		l := proof.Must(Rate(len(c.want), c.pairings, 0.95, 200, 1))(t)
		for i, want := range c.want {
			s := l[i]
			elo := s.Elo()
			what := fmt.Sprintf("%s: player %d", name, want.player)
			if s.Player != want.player || s.Bound() != want.bound ||
				math.IsNaN(elo.Estimate) != (want.bound != Rated) {
				t.Errorf("%s is %d, %q, %v", what, s.Player, s.Bound(), elo)
			}
			closeOrNeither(t, what+", low", elo.Low, want.low, 1e-3)
			closeOrNeither(t, what+", high", elo.High, want.high, 1e-3)
			if text, low, high := s.Text(">", "<"); want.text != "" {
				proof.Is(t, text+" "+low+" "+high, want.text, "the text of %s", what)
			}
			if s.RankLow != want.best || s.RankHigh != want.worst {
				t.Errorf("%s has ranks %d to %d", what, s.RankLow, s.RankHigh)
			}
		}
	}
}

// A third player that lost all changes nothing for the other two, and has an upper limit: computed
// apart as that of TestLimits, against the mean of the two.
func TestWinlessPlayer(t *testing.T) {
	two := []Pairing{{0, 1, [9]int{8: 12, 0: 8}}}
	three := append(slices.Clone(two), Pairing{0, 2, [9]int{8: 20}}, Pairing{1, 2, [9]int{8: 20}})
	alone := proof.Must(Rate(2, two, 0.95, 500, 1))(t)
	l := proof.Must(Rate(3, three, 0.95, 500, 1))(t)
	last := l[2]
	closeOrNeither(t, "at most", last.Elo().High, -414.25295, 1e-3)
	if last.Player != 2 || last.Bound() != AtMost || last.RankLow != 3 {
		t.Errorf("the last is %+v", last)
	}
	for i, s := range l[:2] {
		elo, was := s.Elo(), alone[i].Elo()
		proof.Near(t, "Elo beside a winless one", elo.Estimate, was.Estimate, 3)
		proof.Near(t, "low beside a winless one", elo.Low, was.Low, 15)
		proof.Near(t, "high beside a winless one", elo.High, was.High, 15)
	}
}

// Two pairs, of which one won all against the other: the mean of the stronger is 0, from which the
// weaker ones are infinitely far, also where they have the lower numbers.
func TestTwoGroups(t *testing.T) {
	for strong := 0; strong < 4; strong += 2 {
		weak, even := 2-strong, [9]int{0: 5, 8: 5}
		l := proof.Must(Rate(4, []Pairing{{0, 1, even}, {2, 3, even},
			{strong, weak, [9]int{8: 5}}}, 0.95, 50, 1))(t)
		for i, s := range l {
			proof.Is(t, s.Bound(), [4]Bound{Rated, Rated, AtMost, AtMost}[i], "the bound of place %d", i)
		}
		proof.Near(t, "the mean", l[0].Strength.Estimate+l[1].Strength.Estimate, 0, 1e-9)
	}
}

// In the first three places of Plackett and Luce's model a player that always comes first has no
// upper limit; ends computed apart with scipy 1.10 as those of TestLimits.
func TestFreeForAllLimits(t *testing.T) {
	var games []Finish
	for board := range 12 {
		second := []float64{3, 2, 1}
		if board%3 == 0 {
			second = []float64{3, 1, 2}
		}
		for range 3 {
			games = append(games, Finish{Board: board, Players: []int{0, 1, 2}, Scores: second})
		}
	}
	list := proof.Must(RatePlackettLuce(3, games, 0.95, 200, 1))(t)
	closeOrNeither(t, "low of the first", list[0].Elo().Low, 326.7758841598197, 1e-3)
	if list[0].Bound() != AtLeast || list[0].RankHigh != 1 {
		t.Errorf("the first is %+v", list[0])
	}
	if elo := list[1].Elo(); list[1].Bound() != Rated || elo.High-elo.Low < 50 {
		t.Errorf("the second is %+v", list[1])
	}
	proof.Near(t, "low of the last", list[2].Strength.Low, -list[1].Strength.High, 1e-9)
	list = proof.Must(RatePlackettLuce(3, games[:3], 0.95, 200, 1))(t)
	for _, s := range list { // on one board, each beats the next
		if s.Bound() == Rated || s.RankLow != 1 || s.RankHigh != 3 {
			t.Errorf("on one board %+v", s)
		}
	}
}

func closeOrNeither(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(want) && math.IsNaN(got) {
		return
	}
	proof.Near(t, what, got, want, tolerance)
}

// TestUnbalanced takes ends of ratings of leagues with many boards here and few or none there, and
// Wilson's intervals of their pairings, from scipy: see testdata/limits.py.
func TestUnbalanced(t *testing.T) {
	text := proof.Must(os.ReadFile("testdata/limits.json"))(t)
	var recorded struct {
		Cases []struct {
			Pairings [][4]int // a, b, kind of all boards, boards
			Players  []struct{ Low, High *float64 }
			Shares   [][2]float64
		}
	}
	if err := json.Unmarshal(text, &recorded); err != nil || len(recorded.Cases) < 10 {
		t.Fatalf("%d cases, %v", len(recorded.Cases), err)
	}
	known := func(end *float64) float64 {
		if end == nil {
			return math.NaN()
		}
		return *end
	}
	for i, c := range recorded.Cases {
		var pairings []Pairing
		for k, of := range c.Pairings {
			p := Pairing{A: of[0], B: of[1]}
			p.Boards[of[2]] = of[3]
			pairings = append(pairings, p)
			share := p.Points(0.95)
			proof.Near(t, fmt.Sprint("low of ", of), share.Low, c.Shares[k][0], 1e-9)
			proof.Near(t, fmt.Sprint("high of ", of), share.High, c.Shares[k][1], 1e-9)
		}
		l := proof.Must(Rate(len(c.Players), pairings, 0.95, 50, 1))(t)
		for _, s := range l {
			elo, want := s.Elo(), c.Players[s.Player]
			what := fmt.Sprintf("league %d, player %d", i, s.Player)
			closeOrNeither(t, what+", low", elo.Low, known(want.Low), 1e-3)
			closeOrNeither(t, what+", high", elo.High, known(want.High), 1e-3)
		}
	}
}
