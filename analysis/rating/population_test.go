package rating

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"clade/engine"
	"clade/gp/proof"
)

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
