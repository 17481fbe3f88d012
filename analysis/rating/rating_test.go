package rating

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"testing"

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
