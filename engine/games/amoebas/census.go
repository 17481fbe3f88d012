package amoebas

import (
	"math"
	"slices"

	"clade/engine"
)

// measures returns what a census counts of each species, in the order of Series.
func measures() []engine.Measure {
	return []engine.Measure{
		{Name: "amoebas", Figure: "populations", Title: "Size", Unit: "Amoebas", Axis: "Round",
			Scale: 1},
		{Name: "energy", Figure: "populations", Title: "Energy", Unit: "Energy of all (thousands)",
			Axis: "Round", Scale: 0.001},
		// share of the world's cells on which an amoeba of the species was the last to stand at the
		// end of a round
		{Name: "territory", Figure: "populations", Title: "Territory", Unit: "Cells held (%)",
			Axis: "Round", Scale: 100},
		// not measured where the species is extinct; likewise generations
		{Name: "mean-age", Figure: "structure", Title: "Age", Unit: "Mean age (rounds)",
			Axis: "Round", Scale: 1},
		{Name: "generations", Figure: "structure", Title: "Generation", Unit: "Mean generation",
			Axis: "Round", Scale: 1},
		// share of the species' amoebas that are at least that old after the last round
		{Name: "older", Figure: "structure", Title: "Ages at the end",
			Unit: "Amoebas at least that old (%)", Axis: "Age (rounds)", Scale: 100, Ends: true},
		{Name: "later", Figure: "structure", Title: "Generations at the end",
			Unit: "Amoebas of at least that (%)", Axis: "Generation", Scale: 100, Ends: true},
	}
}

// byRound is the number of measures that are counted after every round; the others are counted
// after the last one only.
const byRound = 5

// census counts the species of one game: sizes, energies, territory, ages and generations.
type census struct {
	series [engine.MaxSeats][byRound][]float64
	owners []uint8 // by cell: seat and one, 0 for nobody's
	lives  [engine.MaxSeats]struct{ ages, generations []int }
}

// Count implements engine.Census.
func (*game) Count() ([]engine.Measure, engine.Counter) { return measures(), &census{} }

// Decide implements engine.Recorder.
func (c *census) Decide(int, uint64) {}

// Step implements engine.Recorder. The scene must be one of AMOEBAS.
func (c *census) Step(s engine.Scene) {
	w := s.(*scene).w
	n := w.size()
	if c.owners == nil {
		c.owners = make([]uint8, n*n)
	}
	for seat := range w.seats {
		l := &c.lives[seat]
		l.ages, l.generations = l.ages[:0], l.generations[:0]
	}
	var territory [engine.MaxSeats]float64
	for i := range c.owners {
		x, y := i%n, i/n
		if o, ok := w.occupantAt(x, y); ok {
			age, generation, _ := w.lifeAt(x, y) // known, because there is a recorder
			l := &c.lives[o.Species]
			l.ages, l.generations = append(l.ages, age), append(l.generations, generation)
			c.owners[i] = uint8(o.Species + 1)
		}
		if owner := c.owners[i]; owner > 0 {
			territory[owner-1]++
		}
	}
	for seat := range w.seats {
		l := &c.lives[seat]
		for i, v := range [byRound]float64{float64(w.sizes[seat]), float64(w.energies[seat]),
			territory[seat] / float64(n*n), mean(l.ages), mean(l.generations)} {
			c.series[seat][i] = append(c.series[seat][i], v)
		}
	}
}

// mean returns the mean of whole numbers, NaN of none.
func mean(values []int) float64 {
	sum := 0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return math.NaN()
	}
	return float64(sum) / float64(len(values))
}

// Series implements engine.Counter.
func (c *census) Series(seat int) [][]float64 {
	l := &c.lives[seat]
	return append(slices.Clone(c.series[seat][:]), atLeast(l.ages), atLeast(l.generations))
}

// atLeast returns, for 0, 1, ... up to the greatest value, the share of values that are at least as
// great.
func atLeast(values []int) []float64 {
	if len(values) == 0 {
		return nil
	}
	share := make([]float64, slices.Max(values)+1)
	for _, v := range values {
		share[v]++
	}
	for i := len(share) - 2; i >= 0; i-- {
		share[i] += share[i+1]
	}
	for i := range share {
		share[i] /= float64(len(values))
	}
	return share
}
