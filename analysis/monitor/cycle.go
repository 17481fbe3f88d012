package monitor

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/mat"

	"clade/analysis/rating"
	"clade/analysis/stat"
	"clade/engine"
	"clade/engine/system/parallel"
)

// cycles counts the intransitive triples of a league.
type cycles struct {
	Cyclic  int // triples in which each beats the next, all three beyond their intervals
	Decided int // triples with three such results, cyclic or not
}

// share returns the share of decided triples that are cyclic, 0..1; NaN where none is decided. A
// league of even players in which every result is due to chance has a quarter.
func (c cycles) share() float64 { return float64(c.Cyclic) / float64(c.Decided) }

// countCycles counts three-cycles among results whose interval of the given confidence, over
// boards, excludes one half.
func countCycles(players int, pairings []rating.Pairing, confidence float64) cycles {
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
	var c cycles
	for i := range players {
		for j := range i {
			for k := range j {
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

// curlShare returns the part of a league's results that no rating explains, 0..1: the Hodge
// decomposition (Jiang et al., 2011, "Statistical ranking and combinatorial Hodge theory"; Balduzzi
// et al., 2019) of points less one half as a flow between players. Each pairing weighs as its
// boards. The flow is split by least squares into differences of one number a player, and a rest;
// the share is the rest's of the sum of squares. In a complete round robin the rest is all curl;
// else what goes round longer loops is in it too. Without any flow it is 0.
func curlShare(players int, pairings []rating.Pairing) float64 {
	h := newHodge(players, pairings)
	for i := range pairings {
		if h.weight[i] > 0 {
			h.flow[i] = points(&pairings[i]) - 0.5
		}
	}
	return h.curl()
}

// hodge splits flows over the pairings of one league, each weighing as its boards. It is scratch
// memory of one goroutine.
type hodge struct {
	pairings              []rating.Pairing
	weight                []float64 // boards
	flow                  []float64 // points less one half
	laplacian             *mat.Cholesky
	divergence, potential *mat.VecDense
}

func newHodge(players int, pairings []rating.Pairing) *hodge {
	n := len(pairings)
	h := &hodge{pairings: pairings, weight: make([]float64, n), flow: make([]float64, n),
		laplacian: &mat.Cholesky{}, divergence: mat.NewVecDense(players, nil),
		potential: mat.NewVecDense(players, nil)}
	laplace := mat.NewSymDense(players, nil)
	for i := range pairings {
		p := &pairings[i]
		w := float64(p.Count())
		h.weight[i] = w
		laplace.SetSym(p.A, p.A, laplace.At(p.A, p.A)+w)
		laplace.SetSym(p.B, p.B, laplace.At(p.B, p.B)+w)
		laplace.SetSym(p.A, p.B, laplace.At(p.A, p.B)-w)
	}
	// the numbers are free up to a constant in each connected part; a trace of weight to zero fixes
	// it
	for i := range players {
		laplace.SetSym(i, i, laplace.At(i, i)+1e-9)
	}
	if !h.laplacian.Factorize(laplace) {
		panic("monitor: the Laplacian is not positive")
	}
	return h
}

// curl returns the share of the flow that no numbers explain.
func (h *hodge) curl() float64 {
	h.divergence.Zero()
	total := 0.0
	for i, p := range h.pairings {
		flow := float64(h.weight[i] * h.flow[i])
		total += float64(flow * h.flow[i])
		h.divergence.SetVec(p.A, h.divergence.AtVec(p.A)+flow)
		h.divergence.SetVec(p.B, h.divergence.AtVec(p.B)-flow)
	}
	if total == 0 {
		return 0
	}
	if err := h.laplacian.SolveVecTo(h.potential, h.divergence); err != nil {
		if _, badly := err.(mat.Condition); !badly {
			panic("monitor: " + err.Error())
		}
	}
	rest := 0.0
	for i, p := range h.pairings {
		d := h.flow[i] - (h.potential.AtVec(p.A) - h.potential.AtVec(p.B))
		rest += float64(h.weight[i] * float64(d*d))
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

// CurlSignificance draws leagues of the same size from a Bradley-Terry model fitted to this one, in
// which strength is one number, and returns the place of the real curl share among theirs. A
// board's games are drawn independently. Leagues are drawn on all processors, and their number does
// not change the result.
func CurlSignificance(players int, pairings []rating.Pairing, draws int,
	seed engine.Seed) (*CurlTest, error) {
	model, err := rating.FitBradleyTerry(players, pairings)
	if err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	t := &CurlTest{Share: curlShare(players, pairings), Null: make([]float64, draws)}
	most := 0
	for i := range pairings {
		most = max(most, pairings[i].Count())
	}
	games := model.Sampler(most)
	hodges := make([]*hodge, runtime.GOMAXPROCS(0))
	err = parallel.Each(context.Background(), draws, len(hodges), func(worker, i int) error {
		h := hodges[worker]
		if h == nil {
			h = newHodge(players, pairings)
			hodges[worker] = h
		}
		r := engine.NewRandom(uint64(seed.Name("curl").Num(uint64(i))))
		for j, p := range pairings {
			if n := int(h.weight[j]); n > 0 {
				sum := games.Points(p.A, p.B, n, &r) + 2*n - games.Points(p.B, p.A, n, &r)
				h.flow[j] = float64(sum)/float64(4*n) - 0.5
			}
		}
		t.Null[i] = h.curl()
		return nil
	})
	if err != nil {
		return nil, err
	}
	extreme := 1
	for _, share := range t.Null {
		if share >= t.Share {
			extreme++
		}
	}
	slices.Sort(t.Null)
	t.P = float64(extreme) / float64(draws+1)
	return t, nil
}

// Disc is one plane of the disc embedding: players as points of which the signed area spanned by
// two gives their result.
type Disc struct {
	X, Y  []float64 // by player
	Share float64   // of the sum of squares of all results that this plane explains, 0..1
}

// Embed returns the disc embedding of an antisymmetric payoff matrix, best plane first (Balduzzi et
// al., 2019, "Open-ended learning in symmetric zero-sum games"; Bertrand, Czarnecki and Gidel,
// 2023): payoff[i][j] is the sum over planes of X[i]Y[j] - Y[i]X[j]. Each plane is turned so that
// the mean of the players is straight up. In a transitive league they lie nearly along a line above
// the centre, the stronger to the right; in a cyclic one they go round it. At most planes are
// returned; those that explain nothing are left out.
func Embed(payoff [][]float64, planes int) ([]Disc, error) {
	n := len(payoff)
	for i, row := range payoff {
		if len(row) != n {
			return nil, fmt.Errorf("monitor: row %d of the payoff matrix has %d entries of %d", i,
				len(row), n)
		}
	}
	p := mat.NewDense(max(n, 1), max(n, 1), nil)
	total := 0.0
	for i, row := range payoff {
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

// leadingDisc takes the plane that explains most out of p. The squares of an antisymmetric matrix'
// singular values come in pairs, and u with p u over its length spans the plane of a pair.
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
	var v mat.VecDense
	v.MulVec(p, u)
	v.ScaleVec(-1/omega, &v) // p u = -omega v, so that p = omega (u v' - v u') on this plane
	d := Disc{X: make([]float64, n), Y: make([]float64, n), Share: 2 * omega * omega / total}
	for i := range n {
		d.X[i], d.Y[i] = math.Sqrt(omega)*u.AtVec(i), math.Sqrt(omega)*v.AtVec(i)
	}
	d.turn()
	for i := range n {
		for j := range n {
			p.Set(i, j, p.At(i, j)-(float64(d.X[i]*d.Y[j])-float64(d.Y[i]*d.X[j])))
		}
	}
	return d, true
}

// turn turns a plane in itself, which changes no area, so that the mean of the players is straight
// up; where it is in the centre, the farthest player is, the first of several. The two vectors that
// span a plane are known up to such a turn only, and what an eigensolver chooses depends on the
// order of the players and on rounding.
func (d *Disc) turn() {
	x, y, far := 0.0, 0.0, 0.0
	for i := range d.X {
		x, y = x+d.X[i], y+d.Y[i]
		far = math.Max(far, math.Hypot(d.X[i], d.Y[i]))
	}
	// of the greatest distance, for the mean; and by how much one is farther than another
	const nought = 1e-6
	n := float64(len(d.X))
	if math.Hypot(x/n, y/n) < nought*far {
		i := 0
		for math.Hypot(d.X[i], d.Y[i]) < far*(1-nought) {
			i++
		}
		x, y = d.X[i], d.Y[i]
	}
	length := math.Hypot(x, y)
	x, y = x/length, y/length
	for i := range d.X {
		d.X[i], d.Y[i] = float64(d.X[i]*y)-float64(d.Y[i]*x), float64(d.X[i]*x)+float64(d.Y[i]*y)
	}
}

// Window is the intransitivity of a league of consecutive champions.
type Window struct {
	First, Last int // generations of the window's oldest and newest champion
	Curl        *CurlTest
	Spread      Spread
}

// Intransitivity follows intransitivity over a run: it cuts the league of its champions, player i
// being that of generations[i], into windows of a number of consecutive ones, each a champion later
// than the one before, and measures cycles and the curl share with its null in each, at the given
// confidence over as many resamples of the boards as draws from the null. A league with fewer
// champions is one window.
func Intransitivity(generations []int, pairings []rating.Pairing, width int, confidence float64,
	draws int, seed engine.Seed) ([]Window, error) {
	if width < 3 {
		return nil, fmt.Errorf(
			"monitor: a window of %d champions has no triples; it needs 3 or more", width)
	}
	if len(generations) < 3 {
		return nil, nil
	}
	width = min(width, len(generations))
	var windows []Window
	for first := 0; first+width <= len(generations); first++ {
		var inside []rating.Pairing
		for _, p := range pairings {
			if p.A, p.B = p.A-first, p.B-first; p.A >= 0 && p.B >= 0 && p.A < width && p.B < width {
				inside = append(inside, p)
			}
		}
		curl, err := CurlSignificance(width, inside, draws, seed.Num(uint64(first)))
		if err != nil {
			return nil, err
		}
		spread, err := MeasureSpread(width, inside, confidence, draws,
			seed.Name("spread").Num(uint64(first)))
		if err != nil {
			return nil, err
		}
		windows = append(windows, Window{generations[first], generations[first+width-1], curl, spread})
	}
	return windows, nil
}

// Spread holds measures of a league's intransitivity with their sampling error: the cycles, and
// shares, 0..1, with intervals over resamples of the boards, from NaN to NaN where nothing varies
// from board to board.
type Spread struct {
	Counted cycles // three-cycles that intervals support

	Cycles stat.Interval // of decided triples, no narrower than Wilson's; NaN where none is decided
	Curl   stat.Interval // of the results that no rating explains
	Disc   stat.Interval // of the results that the first plane of the disc embedding explains
}

// MeasureSpread measures how far cycles, curl and disc of a league depend on its boards.
func MeasureSpread(players int, pairings []rating.Pairing, confidence float64, resamples int,
	seed engine.Seed) (Spread, error) {
	all, err := rating.Spread(pairings, confidence, resamples, seed,
		func(pairings []rating.Pairing) ([]float64, error) {
			points, err := rating.Scores(players, pairings)
			if err != nil {
				return nil, err
			}
			discs, err := Embed(rating.Payoffs(points), 1)
			disc := math.NaN()
			if len(discs) > 0 {
				disc = discs[0].Share
			}
			return []float64{countCycles(players, pairings, confidence).share(),
				curlShare(players, pairings), disc}, err
		})
	if err != nil {
		return Spread{}, err
	}
	for i := range all {
		all[i] = all[i].Within(0, 1)
	}
	s := Spread{countCycles(players, pairings, confidence), all[0], all[1], all[2]}
	wide := stat.Wilson(float64(s.Counted.Cyclic), float64(s.Counted.Decided), confidence)
	if math.IsNaN(s.Cycles.Low) && s.Counted.Decided > 0 {
		s.Cycles = wide
	}
	s.Cycles.Low, s.Cycles.High = min(s.Cycles.Low, wide.Low), max(s.Cycles.High, wide.High)
	return s, nil
}
