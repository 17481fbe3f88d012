package monitor

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"clade/analysis/rating"
	"clade/engine"
)

// Cycles counts the intransitive triples of a league.
type Cycles struct {
	Cyclic  int // triples in which each beats the next, all three beyond their intervals
	Decided int // triples with three such results, cyclic or not
	Triples int // all triples
}

// Share returns the share of decided triples that are cyclic, 0..1; NaN where none is decided. A league of even players in which every result is
// due to chance has a quarter.
func (c Cycles) Share() float64 { return float64(c.Cyclic) / float64(c.Decided) }

// CountCycles counts three-cycles among results whose interval of the given confidence, over boards, excludes one half.
func CountCycles(players int, pairings []rating.Pairing, confidence float64) Cycles {
	beats := make([][]int8, players) // 1: the row wins, -1: loses
	for i := range beats {
		beats[i] = make([]int8, players)
	}
	for _, p := range pairings {
		ci := p.Points(confidence)
		if ci.Low > 0.5 {
			beats[p.A][p.B], beats[p.B][p.A] = 1, -1
		} else if ci.High < 0.5 {
			beats[p.A][p.B], beats[p.B][p.A] = -1, 1
		}
	}
	var c Cycles
	for i := range players {
		for j := range i {
			for k := range j {
				c.Triples++
				a, b, d := beats[i][j], beats[j][k], beats[k][i]
				if a != 0 && b != 0 && d != 0 {
					c.Decided++
					if a == b && b == d {
						c.Cyclic++
					}
				}
			}
		}
	}
	return c
}

// CurlShare returns the part of a league's results that no rating explains, 0..1: the Hodge decomposition (Jiang et al., 2011, "Statistical ranking and
// combinatorial Hodge theory"; Balduzzi et al., 2019) of points less one half as a flow between players. Each pairing weighs as its boards. The flow is split by least
// squares into differences of one number a player, and a rest; the share is the rest's of the sum of squares. In a complete round robin the rest is
// all curl; else what goes round longer loops is in it too. Without any flow it is 0.
func CurlShare(players int, pairings []rating.Pairing) float64 {
	laplace := mat.NewSymDense(players, nil)
	divergence := mat.NewVecDense(players, nil)
	flow := make([]float64, len(pairings))
	weight := make([]float64, len(pairings))
	total := 0.0
	for i := range pairings {
		p := &pairings[i]
		weight[i] = float64(p.Count())
		if weight[i] == 0 {
			continue
		}
		flow[i] = points(p) - 0.5
		total += float64(weight[i] * float64(flow[i]*flow[i]))
		laplace.SetSym(p.A, p.A, laplace.At(p.A, p.A)+weight[i])
		laplace.SetSym(p.B, p.B, laplace.At(p.B, p.B)+weight[i])
		laplace.SetSym(p.A, p.B, laplace.At(p.A, p.B)-weight[i])
		divergence.SetVec(p.A, divergence.AtVec(p.A)+float64(weight[i]*flow[i]))
		divergence.SetVec(p.B, divergence.AtVec(p.B)-float64(weight[i]*flow[i]))
	}
	if total == 0 {
		return 0
	}
	for i := range players { // the numbers are free up to a constant in each connected part; a trace of weight to zero fixes it
		laplace.SetSym(i, i, laplace.At(i, i)+1e-9)
	}
	var chol mat.Cholesky
	var potential mat.VecDense
	if !chol.Factorize(laplace) {
		panic("monitor: the Laplacian is not positive")
	}
	if err := chol.SolveVecTo(&potential, divergence); err != nil {
		if _, badly := err.(mat.Condition); !badly {
			panic("monitor: " + err.Error())
		}
	}
	rest := 0.0
	for i, p := range pairings {
		d := flow[i] - (potential.AtVec(p.A) - potential.AtVec(p.B))
		rest += float64(weight[i] * float64(d*d))
	}
	return math.Min(1, rest/total)
}

// points returns A's points as a share of all.
func points(p *rating.Pairing) float64 {
	sum, boards := 0, 0
	for i, c := range p.Boards {
		sum += (i/3 + i%3) * c
		boards += c
	}
	return float64(sum) / float64(4*boards)
}

// CurlTest compares a league's curl share with what chance alone puts there.
type CurlTest struct {
	Share float64
	Null  []float64 // sorted shares of leagues drawn from the fitted transitive model
	P     float64   // one-sided: how often such a league has as much
}

// CurlSignificance draws leagues of the same size from a Bradley-Terry model fitted to this one, in which strength is one number, and returns the place of the real curl
// share among theirs. A board's games are drawn independently.
func CurlSignificance(players int, pairings []rating.Pairing, draws int, seed engine.Seed) (*CurlTest, error) {
	model, err := rating.FitBradleyTerry(players, pairings)
	if err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	t := &CurlTest{Share: CurlShare(players, pairings), Null: make([]float64, draws)}
	sample := slices.Clone(pairings)
	extreme := 1
	for i := range t.Null {
		r := engine.NewRandom(uint64(seed.Name("curl").Num(uint64(i))))
		for j := range sample {
			sample[j].Boards = [9]int{}
			for range pairings[j].Count() {
				sample[j].Add(drawGame(model, sample[j].A, sample[j].B, &r), rating.Win-drawGame(model, sample[j].B, sample[j].A, &r))
			}
		}
		t.Null[i] = CurlShare(players, sample)
		if t.Null[i] >= t.Share {
			extreme++
		}
	}
	slices.Sort(t.Null)
	t.P = float64(extreme) / float64(draws+1)
	return t, nil
}

func drawGame(m *rating.BradleyTerry, i, j int, r *engine.Random) rating.Outcome {
	win, tie, _ := m.Chances(i, j)
	switch u := r.Float(); {
	case u < win:
		return rating.Win
	case u < win+tie:
		return rating.Tie
	}
	return rating.Loss
}

// Disc is one plane of the disc embedding: players as points of which the signed area spanned by two gives their result.
type Disc struct {
	X, Y  []float64 // by player
	Share float64   // of the sum of squares of all results that this plane explains, 0..1
}

// Embed returns the disc embedding of an antisymmetric payoff matrix, best plane first (Balduzzi et al., 2019, "Open-ended learning in symmetric zero-sum games";
// Bertrand, Czarnecki and Gidel, 2023): payoff[i][j] is the sum over planes of X[i]Y[j] - Y[i]X[j]. In a transitive league the players lie nearly
// along a line off the centre; in a cyclic one they go round it. At most planes are returned; those that explain nothing are left out.
func Embed(payoff [][]float64, planes int) ([]Disc, error) {
	n := len(payoff)
	p := mat.NewDense(max(n, 1), max(n, 1), nil)
	total := 0.0
	for i, row := range payoff {
		if len(row) != n {
			return nil, fmt.Errorf("monitor: row %d of the payoff matrix has %d entries of %d", i, len(row), n)
		}
		for j, v := range row {
			if !(math.Abs(v+payoff[j][i]) <= 1e-9) {
				return nil, fmt.Errorf("monitor: payoffs %d, %d and %d, %d do not cancel", i, j, j, i)
			}
			p.Set(i, j, v)
			total += float64(v * v)
		}
	}
	var discs []Disc
	for len(discs) < planes && total > 0 {
		d, ok := leadingDisc(p, total)
		if !ok {
			break
		}
		discs = append(discs, d)
	}
	return discs, nil
}

// leadingDisc takes the plane that explains most out of p. The squares of an antisymmetric matrix' singular values come in pairs, and u with p u over its length
// spans the plane of a pair.
func leadingDisc(p *mat.Dense, total float64) (Disc, bool) {
	n, _ := p.Dims()
	square := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			square.SetSym(i, j, mat.Dot(p.RowView(i), p.RowView(j)))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(square, true) {
		return Disc{}, false
	}
	values := eigen.Values(nil)
	omega := math.Sqrt(math.Max(0, values[n-1]))
	if 2*omega*omega < 1e-12*total {
		return Disc{}, false
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	u := mat.VecDenseCopyOf(vectors.ColView(n - 1))
	orient(u)
	var v mat.VecDense
	v.MulVec(p, u)
	v.ScaleVec(-1/omega, &v) // p u = -omega v, so that p = omega (u v' - v u') on this plane
	d := Disc{X: make([]float64, n), Y: make([]float64, n), Share: 2 * omega * omega / total}
	for i := range n {
		d.X[i], d.Y[i] = math.Sqrt(omega)*u.AtVec(i), math.Sqrt(omega)*v.AtVec(i)
	}
	for i := range n {
		for j := range n {
			p.Set(i, j, p.At(i, j)-(float64(d.X[i]*d.Y[j])-float64(d.Y[i]*d.X[j])))
		}
	}
	return d, true
}

// orient turns a vector so that its greatest component is positive: eigenvectors are known up to their sign only.
func orient(u *mat.VecDense) {
	greatest := 0.0
	for i := range u.Len() {
		if v := u.AtVec(i); math.Abs(v) > math.Abs(greatest)+1e-12 {
			greatest = v
		}
	}
	if greatest < 0 {
		u.ScaleVec(-1, u)
	}
}
