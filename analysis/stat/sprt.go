package stat

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test (Wald, 1945) of a player's strength against another:
// H0 says that its Elo advantage is Elo0, H1 that it is Elo1. Fishtest tests patches of Stockfish
// in the same way.
type SPRT struct {
	Elo0, Elo1  float64 // Elo0 < Elo1
	Alpha, Beta float64 // greatest probabilities of taking H1 under H0 and H0 under H1, in (0, 0.5)
}

// verdict is the state of a sequential test.
type verdict int

// The verdicts.
const (
	GoOn verdict = iota // play more
	H0                  // not stronger: advantage Elo0 or less
	H1                  // stronger: advantage Elo1 or more
)

// Check returns an error for parameters out of range.
func (t SPRT) Check() error {
	if !(t.Elo0 < t.Elo1) {
		return fmt.Errorf("stat: SPRT needs elo0 < elo1, has %v and %v", t.Elo0, t.Elo1)
	}
	if !(t.Alpha > 0 && t.Alpha < 0.5 && t.Beta > 0 && t.Beta < 0.5) {
		return fmt.Errorf("stat: SPRT needs alpha and beta between 0 and 0.5, has %v and %v",
			t.Alpha, t.Beta)
	}
	return nil
}

// bounds returns the log-likelihood ratios at which H0 and H1 are taken: ln(beta/(1-alpha)) and
// ln((1-beta)/alpha).
func (t SPRT) bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Pentanomial counts pairs of games on one board, with seats swapped, by a player's points: 0, a
// half, 1, one and a half, 2. Pairs are independent even if a board favours a seat, so tests on
// pairs need fewer games and keep their error rates.
type Pentanomial [5]int

// Decide returns the verdict at a log-likelihood ratio.
func (t SPRT) Decide(llr float64) verdict {
	lower, upper := t.bounds()
	switch {
	case llr <= lower:
		return H0
	case llr >= upper:
		return H1
	}
	return GoOn
}

// LLR returns the generalised log-likelihood ratio of H1 against H0, which compares the most likely
// distributions of pairs under each hypothesis (Van den Bergh, "A practical introduction to the
// GSPRT", 2019-2020). Outcomes never seen get a thousandth of a count, so that a likelihood exists,
// as in fishtest. Without any outcome the ratio is 0.
func (t SPRT) LLR(pairs Pentanomial) float64 {
	if pairs == (Pentanomial{}) {
		return 0
	}
	var counts, share [len(pairs)]float64
	total := 0.0
	for i, c := range pairs {
		counts[i] = max(float64(c), 1e-3)
		total += counts[i]
	}
	for i, c := range counts {
		share[i] = c / total
	}
	p0, p1 := fitMean(share[:], expected(t.Elo0)), fitMean(share[:], expected(t.Elo1))
	sum := 0.0
	for i, c := range counts {
		sum += float64(c * math.Log(p1[i]/p0[i]))
	}
	return sum
}

// expected returns the mean score of an Elo advantage on the logistic curve.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// fitMean returns the distribution of given mean under which the observed shares of equally spaced
// scores in 0..1 are most likely: p/(1+x(a-mean)) with x from the secular equation.
func fitMean(share []float64, mean float64) []float64 {
	offset := make([]float64, len(share))
	for i := range offset {
		offset[i] = float64(i)/float64(len(share)-1) - mean
	}
	return tilt(share, offset)
}

// tilt returns share/(1+x*offset) with the x for which the mean offset is zero. The offsets have
// both signs. The mean falls in x, so halving finds it.
func tilt(share, offset []float64) []float64 {
	least, greatest := offset[0], offset[0]
	for _, o := range offset {
		least, greatest = math.Min(least, o), math.Max(greatest, o)
	}
	low, high := -1/greatest, -1/least
	for range 200 {
		x := (low + high) / 2
		sum := 0.0
		for i, o := range offset {
			sum += share[i] * o / (1 + float64(x*o))
		}
		if sum > 0 {
			low = x
		} else {
			high = x
		}
	}
	x := (low + high) / 2
	p := make([]float64, len(share))
	for i, o := range offset {
		p[i] = share[i] / (1 + float64(x*o))
	}
	return p
}
