package rating

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// BradleyTerry is a fitted model of games between two seats: Bradley and Terry (1952) with ties
// after Davidson (1970) and a seat advantage after Davidson and Beaver (1977). Player i in the
// first seat, with strengths s and D the sum of the three:
//
//	win   exp(s_i + Seat) / D
//	tie   exp(Ties + (s_i + s_j)/2) / D
//	loss  exp(s_j) / D
//
// Davidson's ties are used rather than Rao and Kupper's, because then a player's strength depends
// on its games only through its points, as in a league table.
type BradleyTerry struct {
	Strength []float64 // by player, natural logarithm; their mean is 0
	Seat     float64   // advantage of the first seat, natural logarithm
	Ties     float64   // tendency to ties, natural logarithm; very low where no game was tied
}

// Prior standard deviation of every parameter, natural logarithm: 5 is 870 Elo. It matters only if
// the games alone set no limit, as for a player that won or lost all of them.
const priorSD = 5.0

// FitBradleyTerry returns the most likely model under a normal prior of zero mean and standard
// deviation 5 (870 Elo) on every parameter, which keeps unbeaten players finite and unconnected
// ones comparable. Players are numbered from 0.
func FitBradleyTerry(players int, pairings []Pairing) (*BradleyTerry, error) {
	f, err := fitted(players, pairings)
	if err != nil {
		return nil, err
	}
	return f.model(), nil
}

func fitted(players int, pairings []Pairing) (*fitter, error) {
	if err := checkPairings(players, pairings); err != nil {
		return nil, err
	}
	if players < 2 {
		return nil, errors.New("rating: a league needs two players")
	}
	f := newFitter(players)
	f.gather(pairings)
	f.run()
	return f, nil
}

// fitter maximises the penalised likelihood by Newton's method; the model is a logit model, so its
// likelihood is concave. Its memory is reused from one bootstrap sample to the next.
type fitter struct {
	players  int
	games    []counted
	x        []float64 // strengths, seat, ties
	from     []float64 // x before the current step
	gradient []float64
	hessian  []float64 // negative; upper triangle, row by row
	information

	variance  float64   // of the prior of strengths
	contrast  []float64 // coefficients of strengths; their sum is held by a spring; nil for none
	value     float64
	estimated []float64 // parameters, to which start resets x
}

// counted holds the games of one pairing.
type counted struct {
	a, b          int
	first, second [3]float64 // by A's outcome
}

func newFitter(players int) *fitter {
	n := players + 2
	return &fitter{players: players, x: make([]float64, n), from: make([]float64, n),
		gradient: make([]float64, n), hessian: make([]float64, n*n),
		information: information{step: mat.NewVecDense(n, nil)}, variance: priorSD * priorSD}
}

func (f *fitter) gather(pairings []Pairing) {
	f.games = f.games[:0]
	for i := range pairings {
		first, second := outcomes(&pairings[i].Boards)
		f.games = append(f.games, counted{pairings[i].A, pairings[i].B, first, second})
	}
}

// points returns the points that each player took in the games, and those that it lost.
func (f *fitter) points() (took, gave []float64) {
	took, gave = make([]float64, f.players), make([]float64, f.players)
	for _, g := range f.games {
		for _, counts := range [][3]float64{g.first, g.second} {
			a, b := counts[Win]+counts[Tie]/2, counts[Loss]+counts[Tie]/2
			took[g.a], gave[g.a] = took[g.a]+a, gave[g.a]+b
			took[g.b], gave[g.b] = took[g.b]+b, gave[g.b]+a
		}
	}
	return took, gave
}

// limiter returns the likelihood of pairings for limits, with x at the estimated parameters. Each
// of a board's two games counts half.
func limiter(players int, pairings []Pairing, estimated []float64) *fitter {
	f := newFitter(players)
	f.gather(pairings)
	for i := range f.games {
		for k := range f.games[i].first {
			f.games[i].first[k] /= 2
			f.games[i].second[k] /= 2
		}
	}
	f.variance, f.estimated = weak, estimated
	return f
}

func (f *fitter) start() { copy(f.x, f.estimated) }

func (f *fitter) hold(contrast []float64, value float64) (at, slope, variance float64) {
	f.contrast, f.value = contrast, value
	f.run()
	f.contrast = nil
	f.derive()
	f.factorize(mat.NewSymDense(len(f.x), f.hessian))
	along := mat.NewVecDense(len(f.x), nil)
	for i, a := range contrast {
		at += float64(a * f.x[i])
		along.SetVec(i, a)
	}
	f.solve(along)
	return at, stiffness * (at - value), mat.Dot(along, f.step)
}

// settled is the step below which run ends: the next step would be smaller than its square.
const settled = 1e-4

// run climbs from x. A step that led down is halved until it leads up.
func (f *fitter) run() {
	value := f.derive()
	for range 100 {
		f.factorize(mat.NewSymDense(len(f.x), f.hessian))
		f.solve(mat.NewVecDense(len(f.x), f.gradient))
		copy(f.from, f.x)
		longest := 0.0
		for i := range f.x {
			d := f.step.AtVec(i)
			f.x[i] += d
			longest = math.Max(longest, math.Abs(d))
		}
		if longest < settled {
			return
		}
		next := f.derive()
		for scale := 0.5; next < value && scale > 1e-9; scale /= 2 {
			for i := range f.x {
				f.x[i] = f.from[i] + float64(scale*f.step.AtVec(i))
			}
			next = f.derive()
		}
		value = next
	}
}

// information is the factorized information matrix, the negative Hessian.
type information struct {
	chol mat.Cholesky
	step *mat.VecDense
}

func (f *information) factorize(hessian *mat.SymDense) {
	if !f.chol.Factorize(hessian) {
		panic("rating: the information matrix is not positive")
	}
}

// solve sets step to the inverse of the information times a vector.
func (f *information) solve(b *mat.VecDense) {
	if err := f.chol.SolveVecTo(f.step, b); err != nil {
		if _, badly := err.(mat.Condition); !badly {
			panic("rating: " + err.Error())
		}
	}
}

// derive computes gradient and negative Hessian at x and returns the logarithm of the posterior
// density, up to a constant.
func (f *fitter) derive() float64 {
	n := len(f.x)
	clear(f.hessian)
	value := 0.0
	for i, v := range f.x {
		variance := priorSD * priorSD
		if i < f.players {
			variance = f.variance
		}
		f.gradient[i] = -v / variance
		f.hessian[i*n+i] = 1 / variance
		value -= float64(v*v) / (2 * variance)
	}
	if f.contrast != nil {
		value -= f.pull()
	}
	seat, ties := math.Exp(f.x[f.players]), math.Exp(f.x[f.players+1])
	for i := range f.games {
		g := &f.games[i]
		root := math.Exp((f.x[g.a] - f.x[g.b]) / 2)
		value += f.deriveGames(g.a, g.b, &g.first, root, seat, ties)
		value += f.deriveGames(g.b, g.a, &[3]float64{g.second[Win], g.second[Tie], g.second[Loss]},
			1/root, seat, ties)
	}
	return value
}

// pull adds the spring that holds the contrast, and returns its energy.
func (f *fitter) pull() float64 {
	off := -f.value
	for i, a := range f.contrast {
		off += float64(a * f.x[i])
	}
	for i, a := range f.contrast {
		f.gradient[i] -= float64(stiffness * off * a)
		for j, b := range f.contrast[i:] {
			f.hessian[i*len(f.x)+i+j] += float64(stiffness * a * b)
		}
	}
	return stiffness * off * off / 2
}

// deriveGames adds games with i in the first seat, counted by i's outcome, and returns the
// logarithm of their likelihood. Root is exp((s_i-s_j)/2): the three probabilities are proportional
// to seat*root, ties and 1/root. The Hessian of an exponential family is the covariance of its
// statistics: i's points less j's, first-seat wins, and ties.
func (f *fitter) deriveGames(i, j int, counts *[3]float64, root, seat, ties float64) float64 {
	games := counts[Loss] + counts[Tie] + counts[Win]
	if games == 0 {
		return 0
	}
	sum := float64(seat*root) + ties + 1/root
	win, tie := seat*root/sum, ties/sum
	expected := win + tie/2
	a, b, n := f.players, f.players+1, len(f.x)

	d := counts[Win] + counts[Tie]/2 - float64(games*expected)
	f.gradient[i] += d
	f.gradient[j] -= d
	f.gradient[a] += counts[Win] - float64(games*win)
	f.gradient[b] += counts[Tie] - float64(games*tie)

	spread := float64(games * (win + tie/4 - float64(expected*expected)))
	f.hessian[i*n+i] += spread
	f.hessian[j*n+j] += spread
	f.hessian[min(i, j)*n+max(i, j)] -= spread
	withSeat, withTies := float64(games*win*(1-expected)), float64(games*tie*(0.5-expected))
	f.hessian[i*n+a] += withSeat
	f.hessian[j*n+a] -= withSeat
	f.hessian[i*n+b] += withTies
	f.hessian[j*n+b] -= withTies
	f.hessian[a*n+a] += float64(games * win * (1 - win))
	f.hessian[b*n+b] += float64(games * tie * (1 - tie))
	f.hessian[a*n+b] -= float64(games * win * tie)

	log := math.Log(sum)
	return float64(counts[Win]*(math.Log(seat*root)-log)) +
		float64(counts[Tie]*(f.x[b]-log)) - float64(counts[Loss]*(math.Log(root)+log))
}

// model returns the fitted parameters. Only differences of strengths have a meaning, so their mean
// is made 0.
func (f *fitter) model() *BradleyTerry {
	m := &BradleyTerry{Strength: make([]float64, f.players), Seat: f.x[f.players],
		Ties: f.x[f.players+1]}
	mean := 0.0
	for _, s := range f.x[:f.players] {
		mean += s / float64(f.players)
	}
	for i := range m.Strength {
		m.Strength[i] = f.x[i] - mean
	}
	return m
}

// chances returns the probabilities that player i in the first seat wins against j, ties with it,
// or loses.
func (m *BradleyTerry) chances(i, j int) (win, tie, loss float64) {
	half := (m.Strength[i] - m.Strength[j]) / 2
	win, tie, loss = math.Exp(m.Seat+half), math.Exp(m.Ties), math.Exp(-half)
	sum := win + tie + loss
	return win / sum, tie / sum, loss / sum
}

// eloPerNat is the Elo points of a strength of 1, a natural logarithm. Elo is for display only.
const eloPerNat = 400 / math.Ln10
