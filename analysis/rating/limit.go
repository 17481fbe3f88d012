package rating

import (
	"context"
	"math"
	"runtime"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"

	"clade/analysis/stat"
	"clade/engine/system/parallel"
)

// Bound is the side on which the games set no limit to a rating.
type Bound string

// The bounds. A player that lost no point is at least as strong as its rating; how much stronger
// follows from the prior alone. The same holds for a group of players from whom no other player
// took a point.
const (
	Rated   Bound = ""
	AtLeast Bound = "at least"
	AtMost  Bound = "at most"
	Unrated Bound = "not known" // without a limit on either side
)

// Bound returns the side on which the games set no limit to the strength.
func (s *Standing) Bound() Bound {
	up, down := math.IsInf(s.Strength.High, 1), math.IsInf(s.Strength.Low, -1)
	switch {
	case up && down:
		return Unrated
	case up:
		return AtLeast
	case down:
		return AtMost
	}
	return Rated
}

// Elo returns the strength in Elo points. An end that the games do not limit is NaN, and then the
// estimate too.
func (s *Standing) Elo() stat.Interval {
	elo := func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.NaN()
		}
		return x * eloPerNat
	}
	i := stat.Interval{Estimate: elo(s.Strength.Estimate), Low: elo(s.Strength.Low),
		High: elo(s.Strength.High)}
	if s.Bound() != Rated {
		i.Estimate = math.NaN()
	}
	return i
}

// Text returns the rating for tables, in whole Elo points, and the ends of its interval, "" for one
// that the games do not limit. A bound has one of the two signs before it.
func (s *Standing) Text(atLeast, atMost string) (elo, low, high string) {
	whole := func(x float64) string {
		if math.IsNaN(x) {
			return ""
		}
		return stat.Fixed(0, x)
	}
	i := s.Elo()
	elo, low, high = whole(i.Estimate), whole(i.Low), whole(i.High)
	switch s.Bound() {
	case AtLeast:
		elo = atLeast + " " + low
	case AtMost:
		elo = atMost + " " + high
	case Unrated:
		elo = string(Unrated)
	}
	return elo, low, high
}

// likelihood is the likelihood of strengths with a board as one trial and almost no prior.
type likelihood interface {
	// start resets the strengths to the estimated ones.
	start()
	// hold maximises with a contrast of strengths held close to a value. It returns the contrast,
	// the slope of the log-likelihood along it, and its variance by the information.
	hold(contrast []float64, value float64) (at, slope, variance float64)
}

const (
	weak      = 1e6  // variance of the prior while limits are sought: without effect
	stiffness = 1e4  // of the spring that holds a contrast, in points a nat
	noWidth   = 1e-6 // natural logarithm
	limitStep = 1e-7 // precision of limits
	farLimit  = 1 << 10
)

// limits finds ends of intervals and ranks that a bootstrap over boards cannot find: if all boards
// that it can draw are alike, as in a league on one board, and if the prior would set them, as for
// a player that lost nothing. An end is that of Rao's score test (1948) of a strength against the
// mean of those it is rated among, with a board as one trial. That is conservative, because the
// points of a board vary at most as much as one trial. For two players it is the end of Wilson's
// interval.
type limits struct {
	strength []float64 // as estimated, centred
	z        float64
	climber  func() likelihood

	// whether the row took points from the column, directly or through others
	over  [][]bool
	among []int // players whose mean strength is 0
}

// newLimits returns the limits of players of estimated strengths, which it centres. Took is whether
// the row took points from the column.
func newLimits(strength []float64, took [][]bool, confidence float64,
	climber func() likelihood) *limits {
	l := &limits{strength: strength, z: mathext.NormalQuantile((1 + confidence) / 2), climber: climber}
	l.follow(took)
	l.chooseAmong()
	l.centre(strength)
	return l
}

// settle fills in ends and ranks that the bootstrap cannot find. NaN is an end set by the prior. An
// end that the games do not limit becomes infinite.
func (l *limits) settle(list []Standing) error {
	climbers := make([]likelihood, runtime.GOMAXPROCS(0))
	return parallel.Each(context.Background(), len(list), len(climbers), func(worker, k int) error {
		s := &list[k]
		up, down := l.unlimited(s.Player)
		i := &s.Strength
		narrow := i.High-i.Low < noWidth
		low, high := narrow || up || math.IsNaN(i.Low), narrow || down || math.IsNaN(i.High)
		if !low && !high {
			return nil
		}
		if climbers[worker] == nil {
			climbers[worker] = l.climber()
		}
		c := climbers[worker]
		contrast := make([]float64, len(l.strength))
		for _, j := range l.among {
			contrast[j] = -1 / float64(len(l.among))
		}
		contrast[s.Player]++
		if down {
			i.Low = math.Inf(-1)
		} else if low {
			i.Low = l.end(c, contrast, -1)
		}
		if up {
			i.High = math.Inf(1)
		} else if high {
			i.High = l.end(c, contrast, 1)
		}
		s.RankLow, s.RankHigh = l.ranks(c, s.Player)
		return nil
	})
}

// follow computes over, the transitive closure of took.
func (l *limits) follow(took [][]bool) {
	n := len(took)
	l.over = make([][]bool, n)
	for i := range l.over {
		l.over[i] = slices.Clone(took[i])
		l.over[i][i] = true
	}
	for via := range n {
		for i := range n {
			for j := range n {
				l.over[i][j] = l.over[i][j] || l.over[i][via] && l.over[via][j]
			}
		}
	}
}

// chooseAmong sets among to the largest set of players who limit each other, of several the one
// with the strongest player; to all players if no two do.
func (l *limits) chooseAmong() {
	var all []int
	best := 0
	for i, strength := range l.strength {
		all = append(all, i)
		var set []int
		for j := range l.over {
			if l.over[i][j] && l.over[j][i] {
				set = append(set, j)
			}
		}
		if len(set) > len(l.among) || len(set) == len(l.among) && strength > l.strength[best] {
			l.among, best = set, i
		}
	}
	if len(l.among) == 1 {
		l.among = all
	}
}

// centre subtracts the mean strength of the players in among from all strengths.
func (l *limits) centre(strength []float64) {
	mean := 0.0
	for _, j := range l.among {
		mean += strength[j] / float64(len(l.among))
	}
	for i := range strength {
		strength[i] -= mean
	}
}

// unlimited reports whether the games set no upper limit to a player's strength against some of
// among, or no lower one. All who took points from it, directly or through others, rise with it;
// all from whom it took points fall with it.
func (l *limits) unlimited(player int) (up, down bool) {
	for _, j := range l.among {
		up, down = up || !l.over[j][player], down || !l.over[player][j]
	}
	return up, down
}

// end returns the lower (side -1) or upper (1) end of the interval of a contrast, which must exist.
func (l *limits) end(c likelihood, contrast []float64, side float64) float64 {
	c.start()
	inside := floats.Dot(contrast, l.strength)
	outside, at := inside, inside
	step := 1.0
	for ; step < farLimit; step *= 2 {
		outside = inside + float64(side*step)
		if _, beyond, _ := l.test(c, contrast, outside); beyond {
			break
		}
		inside = outside
	}
	for math.Abs(outside-inside) > limitStep {
		middle := (inside + outside) / 2
		var beyond bool
		if at, beyond, _ = l.test(c, contrast, middle); beyond {
			outside = middle
		} else {
			inside = middle
		}
	}
	return at
}

// test reports whether the games reject a value of a contrast, with the value that hold reached and
// the slope there.
func (l *limits) test(c likelihood, contrast []float64, value float64) (at float64, beyond bool,
	slope float64) {
	at, slope, variance := c.hold(contrast, value)
	return at, slope*slope*variance > l.z*l.z, slope
}

// ranks returns the best and the worst rank of a player, by the same test with each other player.
func (l *limits) ranks(c likelihood, player int) (best, worst int) {
	best, worst = 1, len(l.strength)
	contrast := make([]float64, len(l.strength))
	for j := range contrast {
		if j == player || l.over[j][player] == l.over[player][j] && !l.over[j][player] {
			continue
		}
		clear(contrast)
		contrast[j], contrast[player] = 1, -1
		c.start()
		switch _, beyond, slope := l.test(c, contrast, 0); {
		case beyond && slope > 0:
			best++
		case beyond:
			worst--
		}
	}
	return best, worst
}

// unlimit makes strengths infinite: of players that took no point in a draw, or lost none.
func unlimit(strength, took, gave []float64) {
	for i := range strength {
		switch {
		case gave[i] == 0 && took[i] > 0:
			strength[i] = math.Inf(1)
		case took[i] == 0 && gave[i] > 0:
			strength[i] = math.Inf(-1)
		}
	}
}
