package rating

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"

	"clade/analysis/stat"
	"clade/engine"
	"clade/gp/proof"
)

// simulations is how often planted ratings are recovered. The claim is made for 2,000: go test
// ./analysis/rating -run Coverage -simulations 2000
var simulations = flag.Int("simulations", 60, "simulated leagues in the coverage tests")

// roundRobin plays boards between all players of a planted model.
func roundRobin(m *BradleyTerry, boards int, r *engine.Random) []Pairing {
	game := func(i, j int) Outcome {
		win, tie, _ := m.chances(i, j)
		switch u := r.Float(); {
		case u < win:
			return Win
		case u < win+tie:
			return Tie
		}
		return Loss
	}
	var pairings []Pairing
	for i := range m.Strength {
		for j := range i {
			p := Pairing{A: j, B: i}
			for range boards {
				p.Add(game(j, i), Win-game(i, j))
			}
			pairings = append(pairings, p)
		}
	}
	return pairings
}

func planted() *BradleyTerry {
	return &BradleyTerry{Strength: []float64{0.9, 0.5, 0.1, -0.1, -0.4, -1.0}, Seat: 0.3, Ties: -0.8}
}

func TestPairing(t *testing.T) {
	p := Pairing{A: 0, B: 1}
	p.Add(Win, Win)
	p.Add(Win, Loss)
	p.Add(Tie, Loss)
	p.Add(Loss, Tie)
	if p.Count() != 4 || p.Pentanomial() != (stat.Pentanomial{0, 2, 1, 0, 1}) {
		t.Errorf("%v has pairs %v", p, p.Pentanomial())
	}
	// a board is a trial, not a game
	proof.Is(t, p.Points(0.95), stat.Wilson(2, 4, 0.95), "points")
}

func TestScores(t *testing.T) {
	first, second := Pairing{A: 0, B: 1}, Pairing{A: 1, B: 0}
	first.Add(Win, Win)
	second.Add(Tie, Loss)
	scores := proof.Must(Scores(3, []Pairing{first, second}))(t)
	proof.Near(t, "first", scores[0][1], (1+0.75)/2, 1e-12)
	proof.Near(t, "second", scores[1][0], 0.25/2, 1e-12)
	if !math.IsNaN(scores[0][0]) || !math.IsNaN(scores[0][2]) {
		t.Errorf("scores %v", scores)
	}
	payoffs := Payoffs(scores)
	proof.Near(t, "payoff", payoffs[0][1], 0.75, 1e-12)
	proof.Near(t, "payoff of the absent", payoffs[0][2], 0, 0)
	proof.Fails(Scores(1, []Pairing{first}))(t, "numbered from 0")
}

// Agresti, "Categorical data analysis" (1990), section 10.6.1, as in the R package BradleyTerry2:
// home games of seven American baseball teams in 1987. Abilities relative to Baltimore and the
// common home advantage are those of Turner and Firth (Journal of Statistical Software 48(9),
// 2012), confirmed by plain ascent of the likelihood.
func TestBaseball(t *testing.T) {
	teams := []string{"Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland",
		"Baltimore"}
	want := []float64{1.6196, 1.4754, 1.3271, 1.2813, 1.1438, 0.7047, 0}
	home := [][][2]float64{ // wins and losses of the row's team at home against the column's
		{{}, {4, 3}, {4, 2}, {4, 3}, {6, 1}, {4, 2}, {6, 0}},
		{{3, 3}, {}, {4, 2}, {4, 3}, {6, 0}, {6, 1}, {4, 3}},
		{{2, 5}, {4, 3}, {}, {2, 4}, {4, 3}, {4, 2}, {6, 0}},
		{{3, 3}, {5, 1}, {2, 5}, {}, {4, 3}, {4, 2}, {6, 1}},
		{{5, 1}, {2, 5}, {3, 3}, {4, 2}, {}, {5, 2}, {6, 0}},
		{{2, 5}, {3, 3}, {3, 4}, {4, 3}, {4, 2}, {}, {2, 4}},
		{{2, 5}, {1, 5}, {1, 6}, {2, 4}, {1, 6}, {3, 4}, {}},
	}
	f := newFitter(len(teams))
	for i, row := range home {
		for j, c := range row {
			if i != j {
				f.games = append(f.games, counted{a: i, b: j, first: [3]float64{Win: c[0], Loss: c[1]}})
			}
		}
	}
	f.run()
	m := f.model()
	for i, w := range want { // the prior draws all a little together
		proof.Near(t, teams[i], m.Strength[i]-m.Strength[6], w, 0.005)
	}
	proof.Near(t, "home advantage", m.Seat, 0.3023, 0.003)
}

// Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
// experiments" (JASA 65, 1970), example 2: six chocolate puddings, with ties. The data and the
// published worths, which add up to 1, and tie parameter stand in the R package PlackettLuce and in
// its overview. Nobody was first, so each comparison is counted half in either seat.
func TestPuddings(t *testing.T) {
	data := []struct{ i, j, wins, losses, ties float64 }{
		{1, 2, 19, 22, 16}, {1, 3, 16, 19, 12}, {2, 3, 19, 19, 10}, {1, 4, 18, 23, 13},
		{2, 4, 23, 19, 9}, {3, 4, 19, 20, 15}, {1, 5, 13, 19, 18}, {2, 5, 16, 20, 12},
		{3, 5, 16, 15, 17}, {4, 5, 17, 14, 16}, {1, 6, 18, 21, 12}, {2, 6, 22, 20, 12},
		{3, 6, 13, 18, 10}, {4, 6, 14, 19, 18}, {5, 6, 11, 21, 12},
	}
	worths := []float64{0.1388005, 0.1729985, 0.1617420, 0.1653930, 0.1586805, 0.2023855}
	f := newFitter(6)
	for _, d := range data {
		half := [3]float64{Win: d.wins / 2, Tie: d.ties / 2, Loss: d.losses / 2}
		f.games = append(f.games, counted{a: int(d.i) - 1, b: int(d.j) - 1, first: half, second: half})
	}
	f.run()
	m := f.model()
	sum := 0.0
	for _, s := range m.Strength {
		sum += math.Exp(s)
	}
	for i, w := range worths {
		// the prior moves them by less
		proof.Near(t, fmt.Sprint("worth of pudding ", i+1), math.Exp(m.Strength[i])/sum, w, 1e-4)
	}
	proof.Near(t, "tie parameter", math.Exp(m.Ties), 0.7468147, 1e-3)
	proof.Near(t, "seat", m.Seat, 0, 1e-3)
}

func TestFitRecovers(t *testing.T) {
	want := planted()
	r := engine.NewRandom(5)
	got := proof.Must(FitBradleyTerry(6, roundRobin(want, 4000, &r)))(t)
	for i := range want.Strength {
		proof.Near(t, fmt.Sprint("strength ", i), got.Strength[i], want.Strength[i], 0.04)
	}
	proof.Near(t, "seat", got.Seat, want.Seat, 0.04)
	proof.Near(t, "ties", got.Ties, want.Ties, 0.04)
}

// Nobody becomes infinite: not the unbeaten, not those without games.
func TestFitSeparated(t *testing.T) {
	m := proof.Must(FitBradleyTerry(3, []Pairing{{A: 0, B: 1, Boards: [9]int{8: 500}}}))(t)
	if !(m.Strength[0] > m.Strength[2] && m.Strength[2] > m.Strength[1]) || m.Strength[0] > 30 {
		t.Errorf("strengths %v", m.Strength)
	}
	if win, tie, loss := m.chances(0, 1); win < 0.99 || !(math.Abs(win+tie+loss-1) <= 1e-12) {
		t.Errorf("chances %v %v %v", win, tie, loss)
	}
}

func TestRefuses(t *testing.T) {
	bradleyTerry := func(p Pairing) error { _, err := FitBradleyTerry(2, []Pairing{p}); return err }
	race := func(players []int, scores ...float64) error {
		_, err := fitRaces(2, []Finish{{0, players, scores}})
		return err
	}
	_, alone := FitBradleyTerry(1, nil)
	_, noResample := Rate(2, nil, 0.95, 0, 1)
	_, noRace := RatePlackettLuce(2, nil, 0.95, 0, 1)
	_, _, ragged := NashAverage([][]float64{{0, 1}, {1}})
	_, empty := alphaRank(nil, 1, 50)
	_, alpha := alphaRank([][]float64{{0}}, 0, 50)
	_, infinite := alphaRank([][]float64{{math.Inf(-1)}}, 1, 50)
	_, limit := AlphaRankLimit([][]float64{{0, 1}}, 50)
	for i, err := range []error{alone, noResample, noRace, ragged, empty, alpha, infinite, limit,
		bradleyTerry(Pairing{A: 0, B: 2}), bradleyTerry(Pairing{A: 2, B: 0}),
		bradleyTerry(Pairing{A: 0, B: -1}), bradleyTerry(Pairing{A: -1, B: 0}),
		bradleyTerry(Pairing{A: 1, B: 1}), bradleyTerry(Pairing{A: 0, B: 1, Boards: [9]int{-1}}),
		race([]int{1, 1}, 1, 2), race([]int{0, 2}, 1, 2), race([]int{0, -1}, 1, 2),
		race([]int{0, 1}, 1), race([]int{0, 1}, 1, math.NaN())} {
		if err == nil {
			t.Errorf("refusal %d: no error", i)
		}
	}
}

// The intervals hold the planted strengths as often as they say.
func TestCoverage(t *testing.T) {
	proof.Slow(t)
	truth := planted()
	covered, ranked, all := 0, 0, 0
	for s := range *simulations {
		r := engine.NewRandom(uint64(engine.Seed(11).Num(uint64(s))))
		league := proof.Must(Rate(6, roundRobin(truth, 40, &r), 0.95, 200, engine.Seed(s)))(t)
		for _, st := range league {
			all++
			if st.Strength.Contains(truth.Strength[st.Player]) {
				covered++
			}
			if st.RankLow <= st.Player+1 && st.Player+1 <= st.RankHigh { // planted in order
				ranked++
			}
		}
	}
	checkCoverage(t, "strengths", covered, all)
	// ranks are whole, so their ranges are wide
	if share := float64(ranked) / float64(all); share < 0.93 {
		t.Errorf("ranges of ranks hold the true one in %.3f", share)
	}
}

func TestCoveragePlackettLuce(t *testing.T) {
	proof.Long(t)
	truth := []float64{0.8, 0.2, 0, -0.3, -0.7}
	covered, all := 0, 0
	for s := range *simulations {
		r := engine.NewRandom(uint64(engine.Seed(12).Num(uint64(s))))
		standings := proof.Must(RatePlackettLuce(5, races(truth, 80, 4, &r), 0.95, 200,
			engine.Seed(s)))(t)
		for _, st := range standings {
			all++
			if st.Strength.Contains(truth[st.Player]) {
				covered++
			}
		}
	}
	checkCoverage(t, "Plackett-Luce strengths", covered, all)
}

// checkCoverage allows 93-97 %, and three standard errors more while simulations are few; the
// strengths of one league are not independent.
func checkCoverage(t *testing.T, what string, covered, all int) {
	t.Helper()
	share := float64(covered) / float64(all)
	t.Logf("%s: coverage %.4f in %d simulations", what, share, *simulations)
	slack := 0.0
	if *simulations < 2000 {
		slack = 3 * math.Sqrt(0.05*0.95/float64(*simulations)) / 2
	}
	if share < 0.93-slack || share > 0.97+slack {
		t.Errorf("%s: coverage %.4f in %d simulations", what, share, *simulations)
	}
}

// races draws games of some of the players from Plackett and Luce's model: the least of exponential
// times with rates exp(strength) comes first.
func races(strength []float64, boards, seats int, r *engine.Random) []Finish {
	var games []Finish
	for b := range boards {
		g := Finish{Board: b}
		for p, s := range strength {
			g.Players = append(g.Players, p)
			g.Scores = append(g.Scores, math.Log(1-r.Float())/math.Exp(s))
		}
		out := r.Below(len(strength) - seats + 1)
		g.Players, g.Scores = g.Players[out:out+seats], g.Scores[out:out+seats]
		games = append(games, g)
	}
	return games
}

func TestPlackettLuceRecovers(t *testing.T) {
	want := []float64{0.8, 0.2, 0, -0.3, -0.7}
	r := engine.NewRandom(3)
	got := proof.Must(fitRaces(5, races(want, 20000, 4, &r)))(t)
	for i := range want {
		proof.Near(t, fmt.Sprint("strength ", i), got[i], want[i], 0.04)
	}
}

// With two seats the model is Bradley and Terry's, and a tie is half a win: 3 wins to 1 is a
// strength of ln 3, two ties beside them of ln 2.
func TestPlackettLuceTies(t *testing.T) {
	game := func(a,
		b float64) Finish {
		return Finish{Players: []int{0, 1}, Scores: []float64{a, b}}
	}
	games := []Finish{}
	for range 1000 {
		games = append(games, game(1, 0), game(1, 0), game(1, 0), game(0, 1))
	}
	got := proof.Must(fitRaces(2, games))(t)
	proof.Near(t, "without ties", got[0]-got[1], math.Log(3), 1e-3)
	for range 2000 {
		games = append(games, game(1, 1))
	}
	got = proof.Must(fitRaces(2, games))(t)
	proof.Near(t, "with ties", got[0]-got[1], math.Log(2), 1e-3)

	// Ties of more players; computed apart with scipy 1.10's minimize from Efron's likelihood without
	// its last choice, and the prior.
	games = nil
	for _, scores := range [][]float64{{2, 2, 1}, {2, 2, 1}, {2, 2, 1}, {1, 2, 1}, {1, 2, 1},
		{2, 1, 3}, {2, 1, 3}, {3, 2, 1}, {0, 0, 0}, {0, 0, 0}} {
		games = append(games, Finish{Players: []int{0, 1, 2}, Scores: scores})
	}
	got = proof.Must(fitRaces(3, games))(t)
	for i, want := range []float64{0.258368, 0.212391, -0.470759} {
		proof.Near(t, fmt.Sprint("strength ", i), got[i], want, 2e-6)
	}
}

// TestRateOfFewBoards lists all resamples of four boards of two players, which are equally likely,
// and fits each: the ends of an interval are the strengths behind the outer parts of the list. Among
// those without a lost point, which are infinite, the end is half of the logit of Wilson's.
func TestRateOfFewBoards(t *testing.T) {
	const won, tied, lost = 8, 4, 0  // both games of a board
	const confidence, out = 0.73, 34 // of 256 on each side
	for _, boards := range [][]int{{won, won, tied, lost}, {won, won, won, tied}} {
		pairing, points := Pairing{A: 1, B: 0}, 0.0
		var games, all []Finish
		for i, kind := range boards {
			pairing.Boards[kind]++
			points += float64(kind) / 8
			for range 2 {
				games = append(games, Finish{7 - 3*i, []int{1, 0}, []float64{float64(kind), tied}})
			}
		}
		rate := map[string][]float64{}
		for code := range 256 {
			p := Pairing{A: 1, B: 0}
			all = all[:0]
			lossless := true
			for range boards {
				at := code % 4
				code /= 4
				p.Boards[boards[at]]++
				all = append(all, games[2*at:2*at+2]...)
				lossless = lossless && boards[at] == won
			}
			two, many := math.Inf(1), math.Inf(1)
			if !lossless {
				two = proof.Must(FitBradleyTerry(2, []Pairing{p}))(t).Strength[1]
				many = proof.Must(fitRaces(2, all))(t)[1]
			}
			rate["two seats"] = append(rate["two seats"], two)
			rate["more"] = append(rate["more"], many)
		}
		for name, strengths := range rate {
			slices.Sort(strengths)
			list := proof.Must(Rate(2, []Pairing{pairing}, confidence, 400, 1))(t)
			if name == "more" {
				list = proof.Must(RatePlackettLuce(2, games, confidence, 400, 1))(t)
			}
			low, high := strengths[out], strengths[255-out]
			what, best := fmt.Sprintf("%s, %v", name, boards), list[0].Strength
			proof.Is(t, list[0].Player, 1, "the best of %s", what)
			proof.Near(t, what+": low", best.Low, low, 1e-5)
			proof.Near(t, what+": the other's low", list[1].Strength.Low, -best.High, 1e-5)
			if !math.IsInf(high, 1) {
				proof.Near(t, what+": high", best.High, high, 1e-5)
				proof.Is(t, [2]int{list[0].RankLow, list[0].RankHigh}, [2]int{1, 2}, "ranks of %s", what)
			} else if share := stat.Wilson(points, 4, confidence).High; name == "more" {
				proof.Near(t, what+": high", best.High, math.Log(share/(1-share))/2, 1e-5)
			} else if all := (Pairing{1, 0, [9]int{won: 4}}); math.IsInf(best.High, 1) ||
				math.Abs(best.High-proof.Must(FitBradleyTerry(2, []Pairing{all}))(t).Strength[1]) < 0.01 {
				t.Errorf("%s: %+v has no end but that of the prior", what, best)
			}
		}
	}
}

// The number of processors changes nothing; neither does a second run.
func TestRateRepeats(t *testing.T) {
	r := engine.NewRandom(8)
	pairings := roundRobin(planted(), 30, &r)
	a := proof.Must(Rate(6, pairings, 0.95, 50, 4))(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := proof.Must(Rate(6, pairings, 0.95, 50, 4))(t)
	for i := range a {
		proof.Is(t, a[i], b[i], "the standings again")
	}
}

// Draws have the moments of the binomial distribution, and points those of independent games, by
// the chances of one: 4 for the square of a win, 1 for that of a tie.
func TestBinomialDraws(t *testing.T) {
	r := engine.NewRandom(1)
	check := func(draw func() int, mean, variance float64) {
		const draws = 20000
		sum, squares := 0.0, 0.0
		for range draws {
			v := float64(draw())
			sum += v / draws
			squares += v * v / draws
		}
		proof.Near(t, "mean", sum, mean, 5*math.Sqrt(variance/draws))
		proof.Near(t, "variance", squares-sum*sum, variance, 0.05*variance)
	}
	for _, c := range []struct {
		n int
		p float64
	}{{10, 0.3}, {1000, 0.5}, {500, 0.01}, {7, 0.99}, {1, 0.7}, {2, 0.6}} {
		coin, factorials := newCoin(c.p), logFactorials(c.n)
		mean := float64(c.n) * c.p
		check(func() int { return coin.toss(c.n, factorials, &r) }, mean, mean*(1-c.p))
	}
	m := planted()
	for _, pair := range [][2]int{{0, 5}, {5, 0}, {2, 3}} {
		win, tie, _ := m.chances(pair[0], pair[1])
		sampler, points := m.Sampler(9), 2*win+tie
		check(func() int { return sampler.Points(pair[0], pair[1], 9, &r) }, 9*points,
			9*(4*win+tie-points*points))
	}
	for _, c := range []struct {
		n    int
		p    float64
		want int
	}{{5, 0, 0}, {5, 1, 5}, {0, 0.5, 0}} {
		if coin := newCoin(c.p); coin.toss(c.n, nil, &r) != c.want {
			t.Errorf("certain outcomes: %+v", c)
		}
	}
}

// TestSpread has the quantile of a table of Student's t: two degrees of freedom, where one of four
// resamples gives no number.
func TestSpread(t *testing.T) {
	var mu sync.Mutex
	var drawn []float64
	league := []Pairing{{0, 1, [9]int{8: 10, 0: 10}}}
	spread := proof.Must(Spread(league, 0.95, 4, 1, func(p []Pairing) ([]float64, error) {
		mu.Lock()
		defer mu.Unlock()
		won := float64(p[0].Boards[8])
		if len(drawn) == 2 {
			won = math.NaN()
		}
		drawn = append(drawn, won)
		return []float64{won, 7}, nil
	}))(t)
	mean := (drawn[1] + drawn[3] + drawn[4]) / 3
	a, b, c := drawn[1]-mean, drawn[3]-mean, drawn[4]-mean
	half := 4.302653 * math.Sqrt((a*a+b*b+c*c)/2)
	proof.Near(t, "low", spread[0].Low, 10-half, 1e-5)
	proof.Near(t, "high", spread[0].High, 10+half, 1e-5)
	if half == 0 || !math.IsNaN(spread[1].Low) || !math.IsNaN(spread[1].High) {
		t.Errorf("half of the first is %v, of what is always the same %v", half, spread[1])
	}
}

// Balduzzi et al. (2018), section 3: rock, paper and scissors get a third each; a copy of rock
// shares rock's third, by the greatest entropy; a player that loses to all gets nothing.
func TestNashAverage(t *testing.T) {
	rps := [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}
	copied := [][]float64{{0, 0, -1, 1}, {0, 0, -1, 1}, {1, 1, 0, -1}, {-1, -1, 1, 0}}
	weak := [][]float64{{0, -1, 1, 2}, {1, 0, -1, 2}, {-1, 1, 0, 2}, {-2, -2, -2, 0}}
	third := 1.0 / 3
	for _, c := range []struct {
		name                   string
		payoff                 [][]float64
		wantMixture, wantGains []float64
	}{
		{"rock, paper, scissors", rps, []float64{third, third, third}, []float64{0, 0, 0}},
		{"a copy", copied, []float64{third / 2, third / 2, third, third}, []float64{0, 0, 0, 0}},
		{"a weak player", weak, []float64{third, third, third, 0}, []float64{0, 0, 0, -2}},
		{"transitive", [][]float64{{0, 1, 2}, {-1, 0, 1}, {-2, -1, 0}}, []float64{1, 0, 0},
			[]float64{0, -1, -2}},
		{"equal", [][]float64{{0, 0}, {0, 0}}, []float64{0.5, 0.5}, []float64{0, 0}},
		{"uneven cycle", [][]float64{{0, -2, 1}, {2, 0, -1}, {-1, 1, 0}},
			[]float64{0.25, 0.25, 0.5}, []float64{0, 0, 0}},
	} {
		mixture, gains, err := NashAverage(c.payoff)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for i := range mixture {
			proof.Near(t, fmt.Sprintf("%s: share %d", c.name, i), mixture[i], c.wantMixture[i], 1e-4)
			proof.Near(t, fmt.Sprintf("%s: gain %d", c.name, i), gains[i], c.wantGains[i], 1e-4)
		}
	}
}

// No player gains against the mixture, in any random league.
func TestNashAverageProperty(t *testing.T) {
	for seed := range uint64(30) {
		r := engine.NewRandom(seed)
		n := 2 + r.Below(20)
		payoff := make([][]float64, n)
		for i := range payoff {
			payoff[i] = make([]float64, n)
			for j := range payoff[i] {
				if payoff[i][j] = r.Float(); seed%2 == 1 { // coarse payoffs have many equilibria
					payoff[i][j] = math.Floor(3 * payoff[i][j])
				}
			}
		}
		mixture, gains, err := NashAverage(payoff)
		proof.OK(t, err)
		sum := 0.0
		for i := range mixture {
			sum += mixture[i]
			if gains[i] > 1e-5 || mixture[i] > 1e-4 && gains[i] < -1e-4 {
				t.Errorf("seed %d: player %d has share %v and gain %v", seed, i, mixture[i], gains[i])
			}
		}
		proof.Near(t, "sum of shares", sum, 1, 1e-8)
	}
}

// fitRaces fits a model to games that all count once.
func fitRaces(players int, games []Finish) ([]float64, error) {
	prepared, err := prepare(players, games)
	if err != nil {
		return nil, err
	}
	once := slices.Repeat([]float64{1}, len(games))
	f := newLuce(players, prepared, once, priorSD*priorSD)
	f.fit()
	floats.AddConst(-floats.Sum(f.x)/float64(players), f.x)
	return f.x, nil
}

// Omidshafiei et al. (2019), figures on rock, paper, scissors: equal shares whatever alpha. A
// dominant player takes all. Two players against each other follow the ratio of their fixation
// probabilities, exp((m-1) advantage).
func TestAlphaRank(t *testing.T) {
	rps := [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}
	for m, alpha := range map[int]float64{2: 1, 49: 0.01, 50: 1, 51: 100} {
		p := proof.Must(alphaRank(rps, alpha, m))(t)
		for i := range p {
			proof.Near(t, "share", p[i], 1.0/3, 1e-9)
		}
	}
	p := proof.Must(alphaRank([][]float64{{0, 1, 1}, {-1, 0, 1}, {-1, -1, 0}}, 10, 50))(t)
	proof.Near(t, "the dominant share", p[0], 1, 1e-9)
	p = proof.Must(alphaRank([][]float64{{0, 0.5}, {0, 0}}, 0.1, 11))(t)
	proof.Near(t, "the ratio", p[0]/p[1], math.Exp(10*0.05), 1e-9)
}

// Omidshafiei et al. (2019), the biased game of rock, paper and scissors: the mixture that no
// player beats is 1/16, 5/8, 5/16, while alpha-rank, which goes round the one cycle there is, gives
// a third each. In a line the best takes all, however small the steps are; the scale of payoffs
// counts for nothing.
func TestAlphaRankLimit(t *testing.T) {
	biased := [][]float64{{0, -0.5, 1}, {0.5, 0, -0.1}, {-1, 0.1, 0}}
	third := 1.0 / 3
	mixture, _, err := NashAverage(biased)
	proof.OK(t, err)
	for i, want := range []float64{1.0 / 16, 5.0 / 8, 5.0 / 16} {
		proof.Near(t, fmt.Sprint("mixture ", i), mixture[i], want, 1e-4)
	}
	scaled := func(f float64) [][]float64 {
		return [][]float64{{0, f, f}, {-f, 0, f / 10}, {-f, -f / 10, 0}}
	}
	for _, c := range []struct {
		name   string
		payoff [][]float64
		want   []float64
	}{
		{"biased", biased, []float64{third, third, third}},
		{"line", scaled(1), []float64{1, 0, 0}},
		{"small line", scaled(1e-4), []float64{1, 0, 0}},
		{"two of three by a hair", [][]float64{{0, 1e-3, 1}, {-1e-3, 0, 1}, {-1, -1, 0}},
			[]float64{1, 0, 0}},
		{"a tie at the top", [][]float64{{0, 0, 1}, {0, 0, 1}, {-1, -1, 0}}, []float64{0.5, 0.5, 0}},
		// by hand: the first two replace each other in one of 50 tries, else each always the next
		{"a tie in a cycle", [][]float64{{0, 0, -1}, {0, 0, 1}, {1, -1, 0}},
			[]float64{1.0 / 53, 51.0 / 53, 1.0 / 53}},
		{"even", [][]float64{{0, 0}, {0, 0}}, []float64{0.5, 0.5}},
		{"alone", [][]float64{{0}}, []float64{1}},
	} {
		got := proof.Must(AlphaRankLimit(c.payoff, 50))(t)
		for i, want := range c.want {
			proof.Near(t, fmt.Sprintf("%s: share %d", c.name, i), got[i], want, 1e-9)
		}
	}
}

func ExampleRate() {
	strong := Pairing{A: 0, B: 1}
	for range 30 {
		strong.Add(Win, Win)
		strong.Add(Win, Loss)
	}
	league, err := Rate(2, []Pairing{strong}, 0.95, 200, 1)
	if err != nil {
		panic(err)
	}
	best := league[0]
	fmt.Printf("player %d, rank %d to %d, %.0f Elo above the mean\n", best.Player, best.RankLow,
		best.RankHigh, best.Strength.Estimate*eloPerNat)
	// Output: player 0, rank 1 to 1, 298 Elo above the mean
}

// BenchmarkLeague rates 100 players, 1,000 games a pairing, with 1,000 resamples: the scale that a
// league must not exceed 10 s at.
func BenchmarkLeague(b *testing.B) {
	m := &BradleyTerry{Strength: make([]float64, 100), Seat: 0.2, Ties: -1}
	for i := range m.Strength {
		m.Strength[i] = float64(i-50) / 40
	}
	r := engine.NewRandom(2)
	pairings := roundRobin(m, 500, &r)
	b.ResetTimer()
	for b.Loop() {
		proof.Must(Rate(100, pairings, 0.95, 1000, 1))(b)
	}
}

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
// weaker ones are infinitely far, whoever has the lower numbers.
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
