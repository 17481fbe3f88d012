// Package amoebas follows the populations of AMOEBAS through their games: sizes, energies,
// territory, ages and generations, as curves by round. It knows no rule of the game and breeds
// nothing.
package amoebas

import (
	"math"
	"slices"

	"clade/analysis"
	"clade/engine"
	world "clade/engine/amoebas"
)

// The measures of a Census. All but the last two are by round, the first position is round 0.
const (
	Size   analysis.Measure = "amoebas"
	Energy analysis.Measure = "energy" // of all amoebas of the species together, units
	// share of the world's cells on which an amoeba of the species was the last to stand at the end
	// of a round, 0..1
	Territory analysis.Measure = "territory"
	// rounds, that of the birth counted; not measured where the species is extinct
	Age        analysis.Measure = "mean-age"
	Generation analysis.Measure = "generations" // mean, from the species' first amoeba on; likewise
	// by age: share of the species' amoebas that are at least that old after the last round, 0..1
	Older analysis.Measure = "older"
	// by generation: share of them that are of at least that generation, 0..1
	Later analysis.Measure = "later"
)

// byRound are the measures of a Census by round.
var byRound = [...]analysis.Measure{Size, Energy, Territory, Age, Generation}

// Census counts the species of one game after every round. It is the game's engine.Recorder.
type Census struct {
	seats  [engine.MaxSeats][len(byRound)][]float64
	owners []uint8 // by cell: seat and one, 0 for nobody's
	lives  [engine.MaxSeats]tally
	used   int // seats
}

// tally is what is counted of a species' amoebas in one position.
type tally struct {
	size, energy, territory float64
	ages, generations       []int // of each amoeba
}

// Decide implements engine.Recorder.
func (c *Census) Decide(int, uint64) {}

// Step implements engine.Recorder. The scene must be one of AMOEBAS.
func (c *Census) Step(s engine.Scene) {
	c.count(s.(*world.Scene))
	for seat := range c.used {
		t := &c.lives[seat]
		for i, v := range [...]float64{t.size, t.energy, t.territory, mean(t.ages),
			mean(t.generations)} {
			c.seats[seat][i] = append(c.seats[seat][i], v)
		}
	}
}

// count goes through all cells.
func (c *Census) count(scene *world.Scene) {
	w := scene.World()
	n := w.Size()
	if c.owners == nil {
		c.owners = make([]uint8, n*n)
	}
	for i, census := range scene.Census(nil) {
		t := &c.lives[i]
		*t = tally{size: float64(census.Size), energy: float64(census.Energy), ages: t.ages[:0],
			generations: t.generations[:0]}
		c.used = i + 1
	}
	for i := range c.owners {
		x, y := i%n, i/n
		if o, ok := w.Occupant(x, y); ok {
			age, generation, _ := w.Life(x, y) // somebody watches, so it is known
			t := &c.lives[o.Species]
			t.ages, t.generations = append(t.ages, age), append(t.generations, generation)
			c.owners[i] = uint8(o.Species + 1)
		}
		if owner := c.owners[i]; owner > 0 {
			c.lives[owner-1].territory++
		}
	}
	for seat := range c.used {
		c.lives[seat].territory /= float64(n * n)
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

// Runs returns what was counted, a run for each seat. The group of a run is the name of its seat,
// so that several games of a species pool into curves with bands.
func (c *Census) Runs(names []string) []analysis.Run {
	runs := make([]analysis.Run, len(names))
	for seat, name := range names {
		r := &runs[seat]
		r.Name, r.Group = name, name
		for i, m := range byRound {
			r.Series = append(r.Series, numbered(m, c.seats[seat][i]))
		}
		t := &c.lives[seat]
		r.Series = append(r.Series, numbered(Older, atLeast(t.ages)),
			numbered(Later, atLeast(t.generations)))
	}
	return runs
}

// numbered is a series over 0, 1, 2, ...
func numbered(m analysis.Measure, values []float64) analysis.Series {
	s := analysis.Series{Measure: m, Value: values, Generation: make([]int, len(values))}
	for i := range values {
		s.Generation[i] = i
	}
	return s
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
