package rating

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// BradleyTerry is a fitted model of games between two seats: Bradley and Terry (1952) with ties after Davidson (1970) and a seat advantage
// after Davidson and Beaver (1977). Player i in the first seat, with strengths s and D the sum of the three:
//
//	win   exp(s_i + Seat) / D
//	tie   exp(Ties + (s_i + s_j)/2) / D
//	loss  exp(s_j) / D
//
// Davidson's ties are chosen before Rao and Kupper's, because then a player's points are all the data that its strength depends on, as in a league table.
type BradleyTerry struct {
	Strength []float64 // by player, natural logarithm; their mean is 0
	Seat     float64   // advantage of the first seat, natural logarithm
	Ties     float64   // tendency to ties, natural logarithm; very low where no game was tied
}

// Prior standard deviation of every parameter, natural logarithm: 5 is 870 Elo. It matters only where the games alone set no limit, as for
// a player that won or lost all of them.
const priorSD = 5.0

// FitBradleyTerry returns the most likely model under a normal prior of zero mean and standard deviation 5 (870 Elo) on every parameter, which
// keeps unbeaten players finite and unconnected ones comparable. Players are numbered from 0.
func FitBradleyTerry(players int, pairings []Pairing) (*BradleyTerry, error) {
	if err := checkPairings(players, pairings); err != nil {
		return nil, err
	}
	if players < 2 {
		return nil, errors.New("rating: a league needs two players")
	}
	f := newFitter(players)
	f.gather(pairings)
	f.run()
	return f.model(), nil
}

// fitter maximises the penalised likelihood by Newton's method; the model is a logit model, so its likelihood is concave. Its memory is reused
// from one bootstrap sample to the next.
type fitter struct {
	players  int
	games    []counted
	x        []float64 // strengths, seat, ties
	try      []float64
	gradient *mat.VecDense
	hessian  *mat.SymDense
	step     *mat.VecDense
	chol     mat.Cholesky
}

// counted holds the games of one pairing.
type counted struct {
	a, b          int
	first, second [3]float64 // by A's outcome
}

func newFitter(players int) *fitter {
	n := players + 2
	return &fitter{
		players: players, x: make([]float64, n), try: make([]float64, n),
		gradient: mat.NewVecDense(n, nil), hessian: mat.NewSymDense(n, nil), step: mat.NewVecDense(n, nil),
	}
}

func (f *fitter) gather(pairings []Pairing) {
	f.games = f.games[:0]
	for i := range pairings {
		first, second := outcomes(&pairings[i].Boards)
		f.games = append(f.games, counted{pairings[i].A, pairings[i].B, first, second})
	}
}

// run climbs from the present x. Every step is halved until it climbs.
func (f *fitter) run() {
	value := f.likelihood(f.x)
	for range 100 {
		f.derive()
		if !f.chol.Factorize(f.hessian) {
			panic("rating: the information matrix is not positive")
		}
		if err := f.chol.SolveVecTo(f.step, f.gradient); err != nil {
			if _, badly := err.(mat.Condition); !badly {
				panic("rating: " + err.Error())
			}
		}
		scale, moved := 1.0, 0.0
		for range 30 {
			for i := range f.x {
				f.try[i] = f.x[i] + float64(scale*f.step.AtVec(i))
			}
			if next := f.likelihood(f.try); next >= value {
				value = next
				for i := range f.x {
					moved = math.Max(moved, math.Abs(f.try[i]-f.x[i]))
				}
				copy(f.x, f.try)
				break
			}
			scale /= 2
		}
		if moved < 1e-7 {
			return
		}
	}
}

// chances returns the probabilities of win, tie and loss of a player of strength s in the first seat against t, and the logarithm of their denominator.
func chances(s, t, seat, ties float64) (win, tie, loss, log float64) {
	u, v, w := s+seat, ties+(s+t)/2, t
	top := math.Max(u, math.Max(v, w))
	win, tie, loss = math.Exp(u-top), math.Exp(v-top), math.Exp(w-top)
	sum := win + tie + loss
	return win / sum, tie / sum, loss / sum, top + math.Log(sum)
}

// likelihood returns the logarithm of the posterior density, but for a constant.
func (f *fitter) likelihood(x []float64) float64 {
	seat, ties := x[f.players], x[f.players+1]
	sum := 0.0
	for i := range f.games {
		g := &f.games[i]
		s, t := x[g.a], x[g.b]
		tied := ties + (s+t)/2
		if n := g.first[0] + g.first[1] + g.first[2]; n > 0 {
			_, _, _, log := chances(s, t, seat, ties)
			sum += float64(g.first[Win]*(s+seat)) + float64(g.first[Tie]*tied) + float64(g.first[Loss]*t) - float64(n*log)
		}
		if n := g.second[0] + g.second[1] + g.second[2]; n > 0 {
			_, _, _, log := chances(t, s, seat, ties)
			sum += float64(g.second[Win]*s) + float64(g.second[Tie]*tied) + float64(g.second[Loss]*(t+seat)) - float64(n*log)
		}
	}
	for _, v := range x {
		sum -= float64(v*v) / (2 * priorSD * priorSD)
	}
	return sum
}

// derive computes gradient and negative Hessian at x.
func (f *fitter) derive() {
	f.hessian.Zero()
	for i, v := range f.x {
		f.gradient.SetVec(i, -v/(priorSD*priorSD))
		f.hessian.SetSym(i, i, 1/(priorSD*priorSD))
	}
	for i := range f.games {
		g := &f.games[i]
		f.deriveGames(g.a, g.b, g.first)
		f.deriveGames(g.b, g.a, [3]float64{g.second[Win], g.second[Tie], g.second[Loss]})
	}
}

// deriveGames adds games with i in the first seat, counted by i's outcome. The three outcomes have these derivatives of their exponents by s_i, s_j, seat and ties.
func (f *fitter) deriveGames(i, j int, counts [3]float64) {
	n := counts[0] + counts[1] + counts[2]
	if n == 0 {
		return
	}
	slopes := [3][4]float64{Loss: {0, 1, 0, 0}, Tie: {0.5, 0.5, 0, 1}, Win: {1, 0, 1, 0}}
	at := [4]int{i, j, f.players, f.players + 1}
	win, tie, loss, _ := chances(f.x[i], f.x[j], f.x[f.players], f.x[f.players+1])
	p := [3]float64{loss, tie, win}
	var mean [4]float64
	for o, s := range slopes {
		for k := range mean {
			mean[k] += float64(p[o] * s[k])
		}
	}
	for k := range mean {
		slope := -float64(n * mean[k])
		for o, s := range slopes {
			slope += float64(counts[o] * s[k])
		}
		f.gradient.SetVec(at[k], f.gradient.AtVec(at[k])+slope)
		for l := k; l < 4; l++ {
			cov := -float64(mean[k] * mean[l])
			for o, s := range slopes {
				cov += float64(p[o] * float64(s[k]*s[l]))
			}
			f.hessian.SetSym(at[k], at[l], f.hessian.At(at[k], at[l])+float64(n*cov))
		}
	}
}

// model returns the fitted parameters; only differences of strengths carry meaning, so their mean goes.
func (f *fitter) model() *BradleyTerry {
	m := &BradleyTerry{Strength: make([]float64, f.players), Seat: f.x[f.players], Ties: f.x[f.players+1]}
	mean := 0.0
	for _, s := range f.x[:f.players] {
		mean += s / float64(f.players)
	}
	for i := range m.Strength {
		m.Strength[i] = f.x[i] - mean
	}
	return m
}

// Chances returns the probabilities that player i in the first seat wins against j, ties, and loses.
func (m *BradleyTerry) Chances(i, j int) (win, tie, loss float64) {
	win, tie, loss, _ = chances(m.Strength[i], m.Strength[j], m.Seat, m.Ties)
	return win, tie, loss
}

// EloPerNat turns a strength, a natural logarithm, into Elo points. Elo is for display only; nothing is computed in it.
const EloPerNat = 400 / math.Ln10
