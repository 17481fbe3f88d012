package monitor

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/gp/proof"
)

// progress is a race that never looks back; wheel is rock, paper and scissors over generations.
func progress(a, b int) (float64, error) {
	switch {
	case a > b:
		return 0.9, nil
	case a < b:
		return 0.1, nil
	}
	return 0.5, nil
}

func wheel(a, b int) (float64, error) { return circle(a, b), nil }

func circle(a, b int) float64 { return [3]float64{0.5, 1, 0}[((a-b)%3+3)%3] }

func span(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = 10 * i
	}
	return list
}

func TestCIAO(t *testing.T) {
	c := proof.Must(Ancestors(span(4), progress))(t)
	if !math.IsNaN(c.Score[0][1]) || c.Score[3][0] != 0.9 || c.Score[2][2] != 0.5 {
		t.Errorf("scores %v", c.Score)
	}
	lag := proof.Must(c.Lag(10))(t)
	if want := []Point{{0, 0.5, 4}, {10, 0.9, 3}, {20, 0.9, 2}, {30, 0.9, 1}}; !samePoints(lag, want) {
		t.Errorf("lag %v, want %v", lag, want)
	}
	if age, want := c.ByAge(), []Point{{0, 0.5, 1}, {10, 0.9, 1}, {20, 0.9, 1},
		{30, 0.9, 1}}; !samePoints(age, want) {
		t.Errorf("by age %v, want %v", age, want)
	}
	if f, want := c.Forgetting(), []Point{{20, 0, 1}, {30, 0, 2}}; !samePoints(f, want) {
		t.Errorf("forgetting %v, want %v", f, want)
	}
	m := proof.Must(Master(span(3), progress))(t)
	if got, want := m.Means(),
		[]Point{{0, 0.7 / 3, 3}, {10, 0.5, 3}, {20, 2.3 / 3, 3}}; !samePoints(got, want) {
		t.Errorf("means %v, want %v", got, want)
	}
}

// In a wheel the third generation loses to the first what the second had won.
func TestForgettingInACycle(t *testing.T) {
	c := proof.Must(Ancestors([]int{0, 1, 2}, wheel))(t)
	if f, want := c.Forgetting(), []Point{{2, 1, 1}}; !samePoints(f, want) {
		t.Errorf("forgetting %v, want %v", f, want)
	}
	if lag, _ := c.Lag(1); lag[2].Value != 0 {
		t.Errorf("lag %v", lag)
	}
}

// Who never did better than now has forgotten nothing; that everybody is even with itself is no
// doing.
func TestForgettingOfTheWeak(t *testing.T) {
	c := proof.Must(Ancestors([]int{0, 1, 2, 3},
		func(a, b int) (float64, error) { s, err := progress(b, a); return s, err }))(t)
	if f, want := c.Forgetting(), []Point{{2, 0, 1}, {3, 0, 2}}; !samePoints(f, want) {
		t.Errorf("forgetting %v, want %v", f, want)
	}
}

// A bin holds the lags from its own up to below the next one's.
func TestLagBins(t *testing.T) {
	c := proof.Must(Ancestors([]int{0, 9, 19}, progress))(t)
	lag := proof.Must(c.Lag(10))(t)
	if want := []Point{{0, (3*0.5 + 0.9) / 4, 4}, {10, 0.9, 2}}; !samePoints(lag, want) {
		t.Errorf("lag %v, want %v", lag, want)
	}
}

func samePoints(a, b []Point) bool {
	return slices.EqualFunc(a, b, func(p, q Point) bool {
		return p.At == q.At && p.Count == q.Count && math.Abs(p.Value-q.Value) < 1e-9
	})
}

func TestCIAORefuses(t *testing.T) {
	proof.Fails(Ancestors([]int{1, 1}, progress))(t, "generations must rise")
	if _, err := Ancestors([]int{1},
		func(a, b int) (float64, error) { return math.NaN(), nil }); err == nil {
		t.Error("a score that is none")
	}
	if _, err := Master([]int{1},
		func(a, b int) (float64, error) { return 0, errors.New("no file") }); err == nil {
		t.Error("an error is lost")
	}
	proof.Fails((&CIAO{}).Lag(0))(t, "a bin of 0 generations")
}

func TestDisengagement(t *testing.T) {
	proof.Near(t, "half blind", Disengagement([][]float64{{1, 0, 1, 0.5}, {1, 1, 1, 0}}), 0.5, 1e-12)
	proof.Near(t, "blind", Disengagement([][]float64{{1, 1}, {1, 1}}), 1, 1e-12)
	if !math.IsNaN(Disengagement(nil)) {
		t.Error("nobody")
	}
}

// A race dominates every time; a wheel stops at the second, because the third loses to the first.
func TestDominance(t *testing.T) {
	for _, c := range []struct {
		name string
		play match
		want []int
	}{{"progress", progress, []int{0, 1, 2, 3, 4}}, {"wheel", wheel, []int{0, 1}}} {
		got := proof.Must(Dominance([]int{0, 1, 2, 3, 4},
			func(a, b int) (bool, error) { s, err := c.play(a, b); return s > 0.5, err }))(t)
		proof.Are(t, got, c.want, "%s", c.name)
	}
	if _, err := Dominance([]int{0, 1},
		func(a, b int) (bool, error) { return false, errors.New("no file") }); err == nil {
		t.Error("an error is lost")
	}
}

func TestSequential(t *testing.T) {
	test := stat.SPRT{Elo0: 0, Elo1: 50, Alpha: 0.05, Beta: 0.05}
	played := 0
	beats := proof.Must(Sequential(test, 10, 1000, func(a, b, first, boards int) (stat.Pentanomial,
		error) {
		played += boards
		r := engine.NewRandom(uint64(engine.Seed(a).Num(uint64(b)).Num(uint64(first))))
		var p stat.Pentanomial
		for range boards {
			p[min(4, r.Below(4)+a-b)]++
		}
		return p, nil
	}))(t)
	if won, err := beats(1, 0); !won || err != nil || played > 500 {
		t.Errorf("the stronger: %v, %v after %d boards", won, err, played)
	}
	if won, err := beats(0, 0); won || err != nil {
		t.Errorf("the weaker: %v, %v", won, err)
	}
	played = 0
	even := proof.Must(Sequential(stat.SPRT{Elo1: 1, Alpha: 0.05, Beta: 0.05}, 10, 25,
		func(a, b, first, boards int) (stat.Pentanomial, error) {
			proof.Is(t, first, played, "the board that comes")
			played += boards
			return stat.Pentanomial{2: boards}, nil
		}))(t)
	if won, err := even(0, 1); won || err != nil || played != 25 {
		t.Errorf("an undecided match: %v, %v after %d boards of 25", won, err, played)
	}
	proof.Fails(Sequential(test, 10, 5, nil))(t, "a limit of one batch or more")
	proof.Fails(Sequential(stat.SPRT{}, 10, 50, nil))(t, "SPRT needs elo0 < elo1")
}

// league plays boards under a score between any two.
func league(players, boards int, score func(i, j int) float64) []rating.Pairing {
	var list []rating.Pairing
	for i := range players {
		for j := range i {
			r := engine.NewRandom(uint64(engine.Seed(1).Num(uint64(i)).Num(uint64(j))))
			p := rating.Pairing{A: i, B: j}
			game := func() rating.Outcome {
				if r.Float() < score(i, j) {
					return rating.Win
				}
				return rating.Loss
			}
			for range boards {
				p.Add(game(), game())
			}
			list = append(list, p)
		}
	}
	return list
}

func softProgress(i, j int) float64 { return 1 / (1 + math.Exp(-0.4*float64(i-j))) }

// Nine players on a wheel of three: of 84 triples, 27 have one player of each kind, and all of
// these are cycles; the others hold an even pair.
func TestCountCycles(t *testing.T) {
	c := countCycles(9, league(9, 200, circle), 0.999)
	if c.Cyclic != 27 || c.Decided < 27 || c.share() < 0.8 {
		t.Errorf("%+v", c)
	}
	if c := countCycles(8, league(8, 400, softProgress), 0.95); c.Cyclic != 0 || c.Decided == 0 {
		t.Errorf("a transitive league has %+v", c)
	}
}

func TestCurl(t *testing.T) {
	proof.Near(t, "curl of a wheel", curlShare(3, league(3, 50, circle)), 1, 1e-9)
	flat := func(i, j int) float64 { return 0.5 + 0.1*float64(i-j) }
	exact := []rating.Pairing{}
	for i := range 4 {
		for j := range i {
			p := rating.Pairing{A: i, B: j}
			p.Boards[8] = int(math.Round(100 * flat(i, j)))
			p.Boards[0] = 100 - p.Boards[8]
			exact = append(exact, p)
		}
	}
	proof.Near(t, "curl of a slope", curlShare(4, exact), 0, 1e-9)
	proof.Near(t, "curl of nothing", curlShare(4, nil), 0, 0)

	// A gradient of 0.15, 0.15, -0.3; then the last result even, which leaves a gradient of 0.05,
	// 0.05, -0.1 and a curl of 0.1 all round: the parts are orthogonal, so their squares add up
	// (Jiang et al., 2011, theorem 2).
	both := []rating.Pairing{{A: 0, B: 1}, {A: 1, B: 2}, {A: 2, B: 0}}
	for i, share := range []float64{0.3, 0.3, -0.6} {
		both[i].Boards[8], both[i].Boards[0] = int(50+100*share/2), int(50-100*share/2)
	}
	proof.Near(t, "curl of a gradient", curlShare(3, both), 0, 1e-9)
	both[2].Boards[8], both[2].Boards[0] = 50, 50
	proof.Near(t, "curl of a mixture", curlShare(3, both),
		3*0.1*0.1/(2*0.15*0.15), 1e-9)
	both = append(both, rating.Pairing{A: 0, B: 2}) // not played
	proof.Near(t, "curl with a pair that did not meet", curlShare(3, both),
		3*0.1*0.1/(2*0.15*0.15), 1e-9)
	if c, err := CurlSignificance(3, both, 20, 1); err != nil || !(c.Null[0] >= 0 && c.Null[19] <= 1) {
		t.Errorf("with a pair that did not meet: %+v, %v", c, err)
	}
}

func TestCurlAgainstChance(t *testing.T) {
	cyclic := proof.Must(CurlSignificance(6, league(6, 60, circle), 200, 1))(t)
	if cyclic.P > 0.02 {
		t.Errorf("a wheel has p = %v", cyclic.P)
	}
	straight := proof.Must(CurlSignificance(6, league(6, 60, softProgress), 200, 1))(t)
	if straight.P < 0.02 || straight.Share > 0.2 {
		t.Errorf("a transitive league has p = %v, share %v", straight.P, straight.Share)
	}
	// Among n even players results are noise alone, which falls on each of the n(n-1)/2 dimensions
	// of flows alike; differences of n numbers have n-1 of them.
	even := []rating.Pairing{}
	for i := range 6 {
		for j := range i {
			even = append(even, rating.Pairing{A: i, B: j, Boards: [9]int{0: 30, 8: 30}})
		}
	}
	noise := proof.Must(CurlSignificance(6, even, 400, 1))(t)
	mean, sd := stat.MeanSD(noise.Null)
	proof.Near(t, "curl share of noise", mean, 4.0/6, 4*sd/math.Sqrt(400))
	proof.Is(t, noise.P, 1, "p of exactly even players")
}

// Balduzzi et al. (2019): rock, paper and scissors lie on one circle; the embedding gives the
// payoffs back.
func TestEmbed(t *testing.T) {
	rps := [][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}
	discs := proof.Must(Embed(rps, 3))(t)
	if len(discs) != 1 {
		t.Fatalf("%d planes", len(discs))
	}
	proof.Near(t, "share", discs[0].Share, 1, 1e-9)
	for i := range 3 {
		proof.Near(t, "radius", math.Hypot(discs[0].X[i], discs[0].Y[i]),
			math.Hypot(discs[0].X[0], discs[0].Y[0]), 1e-9)
	}
	r := engine.NewRandom(3)
	random := make([][]float64, 7)
	for i := range random {
		random[i] = make([]float64, 7)
		for j := range i {
			random[i][j] = r.Float() - 0.5
			random[j][i] = -random[i][j]
		}
	}
	for _, payoff := range [][][]float64{rps, random} {
		discs := proof.Must(Embed(payoff, 10))(t)
		for i := range payoff {
			for j := range payoff {
				sum := 0.0
				for _, d := range discs {
					sum += d.X[i]*d.Y[j] - d.Y[i]*d.X[j]
				}
				proof.Near(t, fmt.Sprintf("payoff %d, %d", i, j), sum, payoff[i][j], 1e-6)
			}
		}
	}
	for _, bad := range map[string][][]float64{"a symmetric matrix": {{0, 1}, {1, 0}},
		"a short last row": {{0, 1}, {}}, "not a number": {{0, math.NaN()}, {0, 0}}} {
		proof.Fails(Embed(bad, 1))(t, "payoff")
	}
	proof.Is(t, len(proof.Must(Embed(nil, 1))(t)), 0, "discs of nobody")
}

// A plane can be turned in itself at will. Embed turns it so that the order of the players, and
// rounding, change nothing.
func TestEmbedTurns(t *testing.T) {
	r := engine.NewRandom(5)
	const n = 9
	random := make([][]float64, n)
	for i := range random {
		random[i] = make([]float64, n)
		for j := range i {
			random[i][j] = r.Float() - 0.5
			random[j][i] = -random[i][j]
		}
	}
	want := proof.Must(Embed(random, 2))(t)
	order := []int{4, 2, 8, 0, 1, 7, 5, 3, 6}
	other := make([][]float64, n)
	for i := range other {
		other[i] = make([]float64, n)
		for j := range other {
			other[i][j] = random[order[i]][order[j]]
		}
	}
	got := proof.Must(Embed(other, 2))(t)
	if len(want) != 2 || len(got) != 2 {
		t.Fatalf("asked for two planes, got %d and %d", len(want), len(got))
	}
	for plane := range want {
		for i, at := range order {
			proof.Near(t, fmt.Sprintf("plane %d: x of player %d", plane, at), got[plane].X[i],
				want[plane].X[at], 1e-6)
			proof.Near(t, fmt.Sprintf("plane %d: y of player %d", plane, at), got[plane].Y[i],
				want[plane].Y[at], 1e-6)
		}
	}
}

// A transitive league lies above the centre, stronger players to the right; a wheel has its first
// player on top.
func TestEmbedUp(t *testing.T) {
	line := make([][]float64, 5)
	for i := range line {
		line[i] = make([]float64, 5)
		for j := range line {
			line[i][j] = float64(i-j) / 5
		}
	}
	discs := proof.Must(Embed(line, 1))(t)
	for i := range line {
		if discs[0].Y[i] < 0.1 || i > 0 && discs[0].X[i] <= discs[0].X[i-1] {
			t.Errorf("player %d stands at %v, %v", i, discs[0].X[i], discs[0].Y[i])
		}
	}
	discs = proof.Must(Embed([][]float64{{0, -1, 1}, {1, 0, -1}, {-1, 1, 0}}, 1))(t)
	if even, err := Embed([][]float64{{0, 0, 0, 0}, {0, 0, -1, 1}, {0, 1, 0, -1}, {0, -1, 1, 0}},
		1); err != nil || math.Abs(even[0].X[1]) > 1e-9 || !(even[0].Y[1] > 0.1) {
		t.Errorf("a wheel round a player that is even with all: %v, %v", even, err)
	}
	proof.Near(t, "x of rock", discs[0].X[0], 0, 1e-9)
	if discs[0].Y[0] <= 0 {
		t.Errorf("rock stands at %v, %v", discs[0].X[0], discs[0].Y[0])
	}
}

func ExampleDominance() {
	strength := map[int]int{0: 1, 10: 3, 20: 2, 30: 4}
	dominant, err := Dominance([]int{0, 10, 20, 30},
		func(a, b int) (bool, error) { return strength[a] > strength[b], nil })
	fmt.Println(dominant, err)
	// Output: [0 10 30] <nil>
}

// A league that is a line first and a wheel afterwards: only windows inside the wheel are cyclic
// through and through.
func TestIntransitivity(t *testing.T) {
	bent := func(i, j int) float64 {
		if i >= 5 && j >= 5 {
			return circle(i, j)
		}
		return softProgress(i, j)
	}
	windows := proof.Must(Intransitivity(span(10), league(10, 100, bent), 5, 0.95, 50, 1))(t)
	if len(windows) != 6 || windows[0].First != 0 || windows[0].Last != 40 ||
		windows[5].First != 50 || windows[5].Last != 90 {
		t.Fatalf("%+v", windows)
	}
	if w := windows[0]; w.Spread.Counted.Cyclic != 0 || w.Curl.Share > 0.2 || w.Curl.P < 0.02 {
		t.Errorf("the line: %+v", w)
	}
	if w := windows[5]; w.Spread.Counted.share() < 0.8 || w.Curl.Share < 0.5 || w.Curl.P > 0.02 {
		t.Errorf("the wheel: %+v", w)
	}
	few := proof.Must(Intransitivity(span(10), league(10, 10, bent), 5, 0.95, 50, 1))(t)
	width := func(i stat.Interval) float64 { return i.High - i.Low }
	for i, w := range windows {
		if s := w.Spread.Curl; s.Estimate != w.Curl.Share || !s.Contains(s.Estimate) ||
			width(s) <= 0 || width(s) >= width(few[i].Spread.Curl) {
			t.Errorf("window %d: curl %+v of 100 boards a pair, %+v of 10", i, s, few[i].Spread.Curl)
		}
		wide := stat.Wilson(float64(w.Spread.Counted.Cyclic), float64(w.Spread.Counted.Decided), 0.95)
		if s := w.Spread.Cycles; s.Estimate != w.Spread.Counted.share() || !(s.Low <= wide.Low) ||
			!(s.High >= wide.High) {
			t.Errorf("window %d: cycles %+v, no wider than %+v", i, s, wide)
		}
		if d := w.Spread.Disc; !d.Contains(d.Estimate) || d.Low < 0 || d.High > 1 ||
			!slices.IsSorted(w.Curl.Null) {
			t.Errorf("window %d: disc %+v, null %v", i, d, w.Curl.Null)
		}
	}
	for _, c := range []struct{ champions, width, want int }{{2, 5, 0}, {4, 5, 1}} {
		w := proof.Must(Intransitivity(span(c.champions), league(c.champions, 10, softProgress),
			c.width, 0.95, 5, 1))(t)
		proof.Is(t, len(w), c.want, "windows of %+v", c)
	}
	proof.Fails(Intransitivity(span(5), nil, 2, 0.95, 5, 1))(t, "it needs 3 or more")
}
