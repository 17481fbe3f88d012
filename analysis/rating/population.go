package rating

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// checkSquare tells what is wrong with a payoff matrix.
func checkSquare(payoff [][]float64) error {
	if len(payoff) == 0 {
		return errors.New("rating: the payoff matrix is empty")
	}
	for i, row := range payoff {
		if len(row) != len(payoff) {
			return fmt.Errorf("rating: row %d of the payoff matrix has %d entries of %d",
				i, len(row), len(payoff))
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("rating: payoff %d, %d is not a finite number", i, j)
			}
		}
	}
	return nil
}

// NashAverage returns the mixture of players that no player beats, the one of greatest entropy
// where there are several, and the mean payoff of each player against it: 0 for those it plays,
// less for the others (Balduzzi et al., 2018, "Re-evaluating evaluation"). Payoff[i][j] is what i
// gets from j; of it the antisymmetric part counts. Copies of a player change nobody's payoff.
//
// The mixture is the limit of the equilibria of the game with entropy as a reward, whose weight is
// lowered step by step; that weight ends at 1e-7 of the greatest payoff, and so does the error
// where players are not within about that of each other.
func NashAverage(payoff [][]float64) (mixture, average []float64, err error) {
	if err := checkSquare(payoff); err != nil {
		return nil, nil, err
	}
	n := len(payoff)
	a := mat.NewDense(n, n, nil)
	scale := 0.0
	for i := range n {
		for j := range n {
			v := (payoff[i][j] - payoff[j][i]) / 2
			a.Set(i, j, v)
			scale = math.Max(scale, math.Abs(v))
		}
	}
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = -math.Log(float64(n))
	}
	if scale > 0 {
		a.Scale(1/scale, a)
		for heat := 1.0; heat >= 1e-7; heat *= 0.7 {
			if err := settle(a, logs, heat); err != nil {
				return nil, nil, err
			}
		}
	}
	mixture, average = make([]float64, n), make([]float64, n)
	for i, l := range logs {
		mixture[i] = math.Exp(l)
	}
	for i := range average {
		for j := range n {
			average[i] += float64(a.At(i, j) * scale * mixture[j])
		}
	}
	return mixture, average, nil
}

// settle solves log p = A p / heat + constant with sum p = 1 by damped Newton steps from logs. A is
// antisymmetric, so the solution is unique.
func settle(a *mat.Dense, logs []float64, heat float64) error {
	n := len(logs)
	residual := func(u []float64, c float64, out *mat.VecDense) float64 {
		sum, worst := 0.0, 0.0
		for i := range n {
			v := u[i] + c
			for j := range n {
				v -= a.At(i, j) * math.Exp(u[j]) / heat
			}
			out.SetVec(i, v)
			worst = math.Max(worst, math.Abs(v))
			sum += math.Exp(u[i])
		}
		out.SetVec(n, sum-1)
		return math.Max(worst, math.Abs(sum-1))
	}
	constant := 0.0
	r, step := mat.NewVecDense(n+1, nil), mat.NewVecDense(n+1, nil)
	try, tried := make([]float64, n), mat.NewVecDense(n+1, nil)
	jacobian := mat.NewDense(n+1, n+1, nil)
	for i := range n { // the best constant for the start
		v := logs[i]
		for j := range n {
			v -= a.At(i, j) * math.Exp(logs[j]) / heat
		}
		constant -= float64(math.Exp(logs[i]) * v)
	}
	worst := residual(logs, constant, r)
	for range 200 {
		if worst < 1e-10 {
			return nil
		}
		for i := range n {
			for j := range n {
				v := -a.At(i, j) * math.Exp(logs[j]) / heat
				if i == j {
					v++
				}
				jacobian.Set(i, j, v)
			}
			jacobian.Set(i, n, 1)
			jacobian.Set(n, i, math.Exp(logs[i]))
		}
		if err := step.SolveVec(jacobian, r); err != nil {
			if _, badly := err.(mat.Condition); !badly {
				return fmt.Errorf("rating: Nash averaging: %w", err)
			}
		}
		scale, advanced := 1.0, false
		for range 40 {
			for i := range try {
				try[i] = math.Min(0, logs[i]-float64(scale*step.AtVec(i)))
			}
			c := constant - float64(scale*step.AtVec(n))
			if next := residual(try, c, tried); next < worst {
				worst, constant, advanced = next, c, true
				copy(logs, try)
				r.CopyVec(tried)
				break
			}
			scale /= 2
		}
		if !advanced {
			break
		}
	}
	if worst > 1e-4 {
		return fmt.Errorf("rating: Nash averaging did not settle: a residual of %.2g at heat %.2g",
			worst, heat)
	}
	return nil
}

// alphaRank returns the share of time that a population of m equal players spends as each of the
// given ones, when rare mutants take over with the probability of fixation under selection of
// strength alpha (Omidshafiei et al., 2019, "α-Rank: multi-agent evaluation by evolution", for one
// population). Payoff[i][j] is what i gets from j. A mutant i among residents j gains payoff[i][j]
// - payoff[j][i] over them. The greater alpha is, the more the order follows who beats whom; the
// paper raises it until the order no longer changes.
func alphaRank(payoff [][]float64, alpha float64, m int) ([]float64, error) {
	if err := checkSquare(payoff); err != nil {
		return nil, err
	}
	if !(alpha > 0) || m < 2 {
		return nil, fmt.Errorf("rating: alpha-rank needs alpha > 0 and a population of at least "+
			"2, has %v and %d", alpha, m)
	}
	n := len(payoff)
	rates := make([][]float64, n)
	for j := range rates {
		rates[j] = make([]float64, n)
		for i := range rates[j] {
			if i != j {
				rates[j][i] = fixation(alpha*(payoff[i][j]-payoff[j][i]), m) / float64(n-1)
			}
		}
	}
	return stationary(rates), nil
}

// AlphaRankLimit returns the shares that alphaRank comes to as alpha grows, which the paper calls
// for: alpha is so great that even the least advantage decides, and an equal payoff alone is left
// to chance. So the scale of the payoffs changes nothing.
func AlphaRankLimit(payoff [][]float64, m int) ([]float64, error) {
	return alphaRank(payoff, math.MaxFloat64, m)
}

// fixation returns the probability that a mutant of advantage x takes over m individuals:
// (1-exp(-x))/(1-exp(-mx)). It is kept above 1e-200, so that every state can be left.
func fixation(x float64, m int) float64 {
	const least = 1e-200
	if x == 0 {
		return 1 / float64(m)
	}
	if x > 0 {
		return math.Expm1(-x) / math.Expm1(-float64(m)*x)
	}
	// both exponentials are large: divide by the larger
	return math.Max(least, math.Exp(float64(m-1)*x)*math.Expm1(x)/math.Expm1(float64(m)*x))
}

// stationary returns the stationary distribution of a chain given by its rates between different
// states, by elimination without subtraction (Grassmann, Taksar and Heyman, 1985), so that even the
// smallest shares are exact to rounding.
func stationary(rates [][]float64) []float64 {
	n := len(rates)
	left := make([]float64, n)
	for k := n - 1; k > 0; k-- {
		for j := range k {
			left[k] += rates[k][j]
		}
		for i := range k {
			for j := range k {
				if i != j {
					rates[i][j] += float64(rates[i][k] / left[k] * rates[k][j])
				}
			}
		}
	}
	p := make([]float64, n)
	p[0] = 1
	sum := 1.0
	for k := 1; k < n; k++ {
		for i := range k {
			p[k] += float64(p[i] / left[k] * rates[i][k])
		}
		sum += p[k]
	}
	for i := range p {
		p[i] /= sum
	}
	return p
}
