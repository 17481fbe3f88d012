package stat

import (
	"fmt"
	"math"
)

// SPRT is a sequential probability ratio test (Wald, 1945) of a player's strength against another:
// H0 says that its Elo advantage is Elo0, H1 that it is Elo1. Strength is decided by it as fishtest
// decides patches of Stockfish.
type SPRT struct {
	Elo0, Elo1  float64 // Elo0 < Elo1
	Alpha, Beta float64 // greatest probabilities of taking H1 under H0 and H0 under H1, in (0, 0.5)
	// Elo is measured in standard deviations of a game's score (times 800/ln 10), not by the
	// logistic curve
	Normalized bool
}

// Verdict is what a sequential test says so far.
type Verdict int

// The verdicts.
const (
	GoOn Verdict = iota // play more
	H0                  // not stronger: advantage Elo0 or less
	H1                  // stronger: advantage Elo1 or more
)

// String returns the verdict's name.
func (v Verdict) String() string { return [...]string{"go on", "H0", "H1"}[v] }

// Check tells what is wrong with the test's parameters.
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

// Bounds returns the log-likelihood ratios at which H0 and H1 are taken: ln(beta/(1-alpha)) and
// ln((1-beta)/alpha).
func (t SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Trinomial counts single games.
type Trinomial struct{ Losses, Ties, Wins int }

// Pentanomial counts pairs of games on one board, each player once in each seat, by the points of
// the pair: 0, a half, 1, one and a half, 2. Pairs are the independent units where a board may
// favour a seat, so tests on pairs need fewer games and keep their error rates.
type Pentanomial [5]int

// LLR returns the generalised log-likelihood ratio of H1 against H0 given single games.
func (t SPRT) LLR(games Trinomial) float64 {
	return t.llr([]float64{float64(games.Losses), float64(games.Ties), float64(games.Wins)}, 1)
}

// PairLLR returns the generalised log-likelihood ratio of H1 against H0 given pairs of games.
func (t SPRT) PairLLR(pairs Pentanomial) float64 {
	counts := make([]float64, 5)
	for i, c := range pairs {
		counts[i] = float64(c)
	}
	return t.llr(counts, 2)
}

// Decide returns the verdict at a log-likelihood ratio.
func (t SPRT) Decide(llr float64) Verdict {
	lower, upper := t.Bounds()
	switch {
	case llr <= lower:
		return H0
	case llr >= upper:
		return H1
	}
	return GoOn
}

// llr compares the most likely distributions of outcomes under each hypothesis (Van den Bergh, "A
// practical introduction to the GSPRT", 2019-2020). Outcomes never seen get a thousandth of a
// count, so that a likelihood exists, as in fishtest. Without any outcome the ratio is 0.
func (t SPRT) llr(counts []float64, games float64) float64 {
	total, seen := 0.0, false
	for i, c := range counts {
		seen = seen || c > 0
		if c == 0 {
			counts[i] = 1e-3
		}
		total += counts[i]
	}
	if !seen {
		return 0
	}
	score := make([]float64, len(counts))
	share := make([]float64, len(counts))
	for i := range counts {
		score[i] = float64(i) / float64(len(counts)-1)
		share[i] = counts[i] / total
	}
	fit := func(elo float64) []float64 {
		if t.Normalized {
			return fitT(score, share, elo*math.Ln10/800*math.Sqrt(games))
		}
		return fitMean(score, share, 1/(1+math.Pow(10, -elo/400)))
	}
	p0, p1 := fit(t.Elo0), fit(t.Elo1)
	sum := 0.0
	for i := range counts {
		sum += float64(counts[i] * math.Log(p1[i]/p0[i]))
	}
	return sum
}

// fitMean returns the distribution of given mean under which the observed shares are most likely:
// p/(1+x(a-mean)) with x from the secular equation.
func fitMean(score, share []float64, mean float64) []float64 {
	offset := make([]float64, len(score))
	for i, a := range score {
		offset[i] = a - mean
	}
	return tilt(share, offset)
}

// fitT returns the most likely distribution whose (mean-1/2)/deviation is t, by repeated
// linearisation (Van den Bergh, "Normalized Elo", section 4.1).
func fitT(score, share []float64, t float64) []float64 {
	p := make([]float64, len(score))
	for i := range p {
		p[i] = 1 / float64(len(p))
	}
	offset := make([]float64, len(score))
	for range 50 {
		mean, variance := 0.0, 0.0
		for i, a := range score {
			mean += float64(p[i] * a)
		}
		for i, a := range score {
			variance += float64(p[i] * float64((a-mean)*(a-mean)))
		}
		sd := math.Sqrt(variance)
		for i, a := range score {
			z := (mean - a) / sd
			offset[i] = a - 0.5 - t*sd*(1+float64(z*z))/2
		}
		next := tilt(share, offset)
		change := 0.0
		for i := range p {
			change = math.Max(change, math.Abs(next[i]-p[i]))
		}
		p = next
		if change < 1e-12 {
			break
		}
	}
	return p
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
