package evolve

import (
	"math"

	"clade/engine"
)

// Ways in which opponents are drawn from the archive.
const (
	// uniform draws each champion equally often, and none twice in a generation where there are
	// enough.
	uniform = "uniform"
	// nash draws with the weights of a Nash equilibrium, a mixture that no champion beats on
	// average. Champions that add nothing to it are rarely drawn (Lanctot and others, A Unified
	// Game-Theoretic Approach to Multiagent Reinforcement Learning, 2017).
	nash = "nash"
	// hardness draws a champion the more often, the more games it wins against the newest one
	// (prioritized fictitious self-play: Vinyals and others, 2019).
	hardness = "hardness"
	// panel, which is also a value of Fitness.Opponents, draws from Setup.Panel instead of the
	// archive.
)

// payoffBoards is the number of boards on which two champions meet for those two: 16 games.
const payoffBoards = 8

// archive is the past as a source of opponents: the species that a run descends from, then its
// champions. Its payoffs depend only on its members, so that a resumed run computes the same.
type archive struct {
	past      []*Individual
	champions []*champion // of the run
	payoffs   [][]float64 // by row, the mean points, 0..1, of a member against each member before it
}

// extend brings the archive up to a run's champions.
func (b *breeder) extend(a *archive, champions []*champion) error {
	for i := len(a.past); i < len(b.Founders)+len(champions); i++ {
		if i < len(b.Founders) {
			a.past = append(a.past, b.newIndividual(0, b.Founders[i]))
		} else {
			a.past = append(a.past, champions[i-len(b.Founders)].Individual)
		}
	}
	a.champions = champions
	return b.weigh(a)
}

// weigh plays for the payoffs that are missing.
func (b *breeder) weigh(a *archive) error {
	if !b.Config.weighted() {
		return nil
	}
	for i := len(a.payoffs); i < len(a.past); i++ {
		if err := b.bindAll(a.past[:i+1]); err != nil {
			return err
		}
		row := make([]float64, i)
		err := b.each(i, func(w *worker, j int) error {
			o := b.play(w, engine.Match{Boards: payoffBoards, Whole: true}, a.past[i].Player,
				a.past[j].Player, b.seed("payoff", 0, i, j))
			tied := float64(o.Games-o.Wins[0]-o.Wins[1]) / 2
			row[j] = (float64(o.Wins[0]) + tied) / float64(o.Games)
			return nil
		})
		if err != nil {
			return err
		}
		a.payoffs = append(a.payoffs, row)
	}
	return nil
}

// payoffGames returns how many games the next champion of a run will play for its payoffs.
func (b *breeder) payoffGames(a *archive) int64 {
	if !b.Config.weighted() {
		return 0
	}
	return int64(len(a.past) * 2 * payoffBoards)
}

// points returns the mean points of member i against member j, a half against itself.
func (a *archive) points(i, j int) float64 {
	switch {
	case i > j:
		return a.payoffs[i][j]
	case i < j:
		return 1 - a.payoffs[j][i]
	default:
		return 0.5
	}
}

// draw draws n opponents.
func (a *archive) draw(n int, how string, seed engine.Seed) []*Individual {
	if len(a.past) == 0 {
		return nil
	}
	var drawn []*Individual
	switch how {
	case nash, hardness:
		weights := a.hardness()
		if how == nash {
			weights = a.nash()
		}
		random := engine.NewRandom(uint64(seed))
		for range n {
			drawn = append(drawn, a.past[pick(weights, random.Float())])
		}
	default:
		for _, i := range again(len(a.past), n, seed) {
			drawn = append(drawn, a.past[i])
		}
	}
	return drawn
}

// again draws n of many numbers, none again before all were drawn.
func again(many, n int, seed engine.Seed) (drawn []int) {
	for len(drawn) < n {
		if len(drawn) > 0 {
			seed = seed.Name("again")
		}
		drawn = append(drawn, shuffled(many, seed)[:min(n-len(drawn), many)]...)
	}
	return drawn
}

// pick returns the index at which the running sum of weights passes a share of their total.
func pick(weights []float64, share float64) int {
	total := 0.0
	for _, w := range weights {
		total += w
	}
	left := share * total
	for i, w := range weights {
		if left -= w; left < 0 {
			return i
		}
	}
	return len(weights) - 1
}

// hardness returns weights by games won against the newest champion. One that never wins keeps a
// small one.
func (a *archive) hardness() []float64 {
	weights := make([]float64, len(a.past))
	for i := range weights {
		weights[i] = max(0.02, a.points(i, len(a.past)-1))
	}
	return weights
}

// nashRounds is how many steps of regret matching find the mixture that nash draws from. The mean
// strategy is then within about sqrt(n / nashRounds) of a solution, which is less than the noise of
// 16 games.
const nashRounds = 2000

// nash returns the mean strategy of regret matching (Hart and Mas-Colell, 2000) in self-play.
func (a *archive) nash() []float64 {
	n := len(a.past)
	regret, sum, now := make([]float64, n), make([]float64, n), make([]float64, n)
	gain := make([]float64, n)
	for range nashRounds {
		total := 0.0
		for i, r := range regret {
			now[i] = math.Max(0, r)
			total += now[i]
		}
		for i := range now {
			if total > 0 {
				now[i] /= total
			} else {
				now[i] = 1 / float64(n)
			}
			sum[i] += now[i]
		}
		mean := 0.0
		for i := range gain {
			gain[i] = 0
			for j, w := range now {
				if w > 0 {
					gain[i] += float64(w * a.points(i, j))
				}
			}
			mean += float64(now[i] * gain[i])
		}
		for i := range regret {
			regret[i] += gain[i] - mean
		}
	}
	return sum
}

// hall draws the opponents from the archive that selection plays in a generation.
func (b *breeder) hall(generation int, a *archive) ([]engine.Player, error) {
	if b.Config.Hall == 0 {
		return nil, nil
	}
	n := b.Config.Hall
	var players []engine.Player
	if b.Config.draw() == panel {
		if b.Config.Selection != ByPairs {
			n = min(n, len(b.Panel))
		}
		for _, i := range again(len(b.Panel), n, b.seed("hall", generation, 0, 0)) {
			players = append(players, b.Panel[i])
		}
		return players, nil
	}
	if b.Config.Selection != ByPairs && b.Config.draw() == uniform {
		n = min(n, len(a.past))
	}
	for _, in := range a.draw(n, b.Config.draw(), b.seed("hall", generation, 0, 0)) {
		p, err := b.player(in)
		if err != nil {
			return nil, err
		}
		players = append(players, p)
	}
	return players, nil
}
