package monitor

import (
	"errors"
	"fmt"
	"math"

	"clade/analysis/stat"
)

// match returns the score, 0..1, of the champion of generation a against that of generation b.
type match func(a, b int) (float64, error)

// CIAO holds the scores of current individuals against ancestral opponents (Cliff and Miller, 1995,
// "Tracking the Red Queen"). Entry i, j is the score of the individual of Generations[i] against
// the opponent of Generations[j]; NaN where it was not played, as for opponents of the future.
type CIAO struct {
	Generations []int // rising
	Score       [][]float64
}

// Ancestors plays every champion of the given generations, which must rise, against itself and all
// earlier ones.
func Ancestors(generations []int, play match) (*CIAO, error) {
	return fill(generations, play, false)
}

// Master plays a master tournament (Floreano and Nolfi, 1997): every champion against all others,
// earlier and later ones and itself.
func Master(generations []int, play match) (*CIAO, error) { return fill(generations, play, true) }

func fill(generations []int, play match, future bool) (*CIAO, error) {
	c := &CIAO{Generations: generations, Score: make([][]float64, len(generations))}
	for i, a := range generations {
		if i > 0 && a <= generations[i-1] {
			return nil, fmt.Errorf("monitor: generation %d follows %d; generations must rise", a,
				generations[i-1])
		}
		c.Score[i] = make([]float64, len(generations))
		for j, b := range generations {
			c.Score[i][j] = math.NaN()
			if j <= i || future {
				s, err := play(a, b)
				if err != nil {
					return nil, fmt.Errorf("monitor: generation %d against %d: %w", a, b, err)
				}
				if !(s >= 0 && s <= 1) {
					return nil, fmt.Errorf("monitor: generation %d scores %v against %d; a score "+
						"lies in 0..1", a, s, b)
				}
				c.Score[i][j] = s
			}
		}
	}
	return c, nil
}

// Point is a value of a curve over generations, ages or lags, with the number of scores that it is
// the mean of.
type Point struct {
	At    int
	Value float64
	Count int
}

// Means returns each individual's mean score against all opponents that it met, by its generation:
// the curve of a master tournament.
func (c *CIAO) Means() []Point {
	points := make([]Point, len(c.Generations))
	for i, g := range c.Generations {
		points[i] = mean(g, c.Score[i])
	}
	return points
}

func mean(at int, scores []float64) Point {
	p := Point{At: at}
	for _, s := range scores {
		if !math.IsNaN(s) {
			p.Value += s
			p.Count++
		}
	}
	p.Value /= float64(p.Count) // NaN without any
	return p
}

// Lag returns the mean score of individuals against opponents that are a number of generations
// older, in bins of the given width in generations; At is the youngest age of a bin. A population
// that keeps its gains scores above one half at every lag; one that cycles scores below it at some
// lag.
func (c *CIAO) Lag(width int) ([]Point, error) {
	if width < 1 {
		return nil, fmt.Errorf("monitor: a bin of %d generations", width)
	}
	var bins [][]float64
	for i, g := range c.Generations {
		for j, h := range c.Generations[:i+1] {
			at := (g - h) / width
			for at >= len(bins) {
				bins = append(bins, nil)
			}
			bins[at] = append(bins[at], c.Score[i][j])
		}
	}
	var points []Point
	for i, scores := range bins {
		if p := mean(i*width, scores); p.Count > 0 {
			points = append(points, p)
		}
	}
	return points, nil
}

// ByAge returns the score of the last individual against each opponent of the hall of fame, by the
// opponent's age in generations, youngest first.
func (c *CIAO) ByAge() []Point {
	var points []Point
	last := len(c.Generations) - 1
	for j := last; j >= 0; j-- {
		points = append(points, Point{c.Generations[last] - c.Generations[j], c.Score[last][j], 1})
	}
	return points
}

// Forgetting returns, for each generation from the third on, how much worse its individual does
// against older opponents than the best of the individuals in between did: the mean over opponents
// of the greatest earlier score less the present one (after Chaudhry et al., 2018). 0 and below is
// nothing forgotten.
func (c *CIAO) Forgetting() []Point {
	var points []Point
	for i := 2; i < len(c.Generations); i++ {
		var losses []float64
		for j := range i - 1 {
			best := math.NaN()
			for k := j + 1; k < i; k++ {
				if s := c.Score[k][j]; !(s <= best) { // also replaces a NaN
					best = s
				}
			}
			losses = append(losses, best-c.Score[i][j])
		}
		points = append(points, mean(c.Generations[i], losses))
	}
	return points
}

// Disengagement returns the share of opponents against which all individuals have equal scores:
// scores[individual][opponent]. At 1 selection is blind (Cartlidge and Bullock, 2004, "Combating
// coevolutionary disengagement by reducing parasite virulence"). Without individuals or opponents
// it is NaN.
func Disengagement(scores [][]float64) float64 {
	if len(scores) == 0 {
		return math.NaN()
	}
	blind := 0
	for j := range scores[0] {
		same := true
		for _, row := range scores {
			same = same && row[j] == scores[0][j]
		}
		if same {
			blind++
		}
	}
	return float64(blind) / float64(len(scores[0]))
}

// Dominance plays a dominance tournament (Stanley and Miikkulainen, 2002, "The dominance tournament
// method of monitoring progress in coevolution"): the first champion is dominant; a later one is
// when it beats every dominant one before it. It returns the generations of the dominant champions.
// Their number measures progress, and cycles do not increase it. The newest dominant champion is
// played first, because it is the likeliest to win.
func Dominance(generations []int, beats func(a, b int) (bool, error)) ([]int, error) {
	var dominant []int
	for _, g := range generations {
		beaten := true
		for i := len(dominant) - 1; i >= 0 && beaten; i-- {
			var err error
			if beaten, err = beats(g, dominant[i]); err != nil {
				return nil, fmt.Errorf("monitor: generation %d against %d: %w", g, dominant[i], err)
			}
		}
		if beaten {
			dominant = append(dominant, g)
		}
	}
	return dominant, nil
}

// Sequential returns a beats for Dominance that plays boards in batches until the test decides; H1
// is a win. Play returns the points of a against b on further boards, the first of them with the
// given number. After limit boards an undecided match is not a win.
func Sequential(test stat.SPRT, batch, limit int,
	play func(a, b, first, boards int) (stat.Pentanomial, error)) (func(a, b int) (bool, error),
	error) {
	if err := test.Check(); err != nil {
		return nil, fmt.Errorf("monitor: %w", err)
	}
	if batch < 1 || limit < batch {
		return nil, errors.New("monitor: a sequential match needs a batch of one board or more, " +
			"and a limit of one batch or more")
	}
	return func(a, b int) (bool, error) {
		var sum stat.Pentanomial
		for first := 0; first < limit; first += batch {
			pairs, err := play(a, b, first, min(batch, limit-first))
			if err != nil {
				return false, err
			}
			for i, c := range pairs {
				sum[i] += c
			}
			if v := test.Decide(test.LLR(sum)); v != stat.GoOn {
				return v == stat.H1, nil
			}
		}
		return false, nil
	}, nil
}
