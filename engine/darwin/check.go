package darwin

import (
	"errors"
	"fmt"
)

// Check tells everything that makes a map unfit for play under the rules, each thing as one error;
// nil where there is nothing. ParseMap reads unfit maps too, as the original does.
//
// It asks that there are at most maxCreatures, that every digit from 0 to the greatest has a
// creature, that no creature stands on the border, that every shrine is owned, that from every
// creature of a maze every treasure can be reached without crossing a hazard, and on other maps
// every creature of a seat from every other one.
func (m *Map) Check(rules Rules) error {
	var problems []error
	complain := func(format string, args ...any) {
		problems = append(problems,
			fmt.Errorf("darwin: map %s: "+format, append([]any{m.Title}, args...)...))
	}
	g := newGround(m, &rules, MaxSeats)
	starts := [numBreeds]int{}
	for _, s := range g.starts {
		starts[s.breed]++
	}
	if err := g.playable(m.Title); err != nil {
		problems = append(problems, err)
	}
	for seat := range g.seats {
		if starts[seatBreed(seat)] == 0 {
			complain("digit %d has no creature, although digit %d has; number the seats without "+
				"gaps", seat, g.seats-1)
		}
	}
	if g.seats == 0 {
		complain("there is no digit; put a 0 where a creature is to start")
	}
	for i, t := range g.terrain {
		if p := g.point(i); t&shrine != 0 && g.cells[i] != 0 {
			complain("the shrine at column %d, row %d lies below a wall; move it inward", p.X, p.Y)
		}
	}
	problems = append(problems, m.checkReach(g)...)
	return errors.Join(problems...)
}

// playable tells of what no game is played with: more than maxCreatures, and a creature on the
// border, which the original keeps as a ghost below the wall, as the rules do here.
func (g *ground) playable(name string) error {
	if n := len(g.starts); n > maxCreatures {
		return fmt.Errorf("darwin: map %s has %d creatures, more than %d; leave some out", name, n,
			maxCreatures)
	}
	for _, s := range g.starts {
		if p := g.point(s.cell); g.cells[s.cell] != 0 {
			return fmt.Errorf("darwin: map %s: a creature stands on the border at column %d, row "+
				"%d; move it inward", name, p.X, p.Y)
		}
	}
	return nil
}

// checkReach looks for creatures that cannot get to each other or to a treasure.
func (m *Map) checkReach(g *ground) (problems []error) {
	var from *start
	for i, s := range g.starts {
		if s.breed >= firstSeat {
			from = &g.starts[i]
			break
		}
	}
	if from == nil {
		return nil
	}
	steps := g.distances(from.cell)
	a := g.point(from.cell)
	for _, s := range g.starts {
		if (s.breed == treasure || s.breed >= firstSeat) && steps[s.cell] < 0 {
			b := g.point(s.cell)
			problems = append(problems,
				fmt.Errorf("darwin: map %s: column %d, row %d cannot be reached from column %d, "+
					"row %d; open a way", m.Title, b.X, b.Y, a.X, a.Y))
		}
	}
	return problems
}

// distances returns the number of steps from one cell to every other on the empty ground, -1 where
// no way leads.
func (g *ground) distances(from int) []int32 {
	steps := make([]int32, len(g.cells))
	for i := range steps {
		steps[i] = -1
	}
	steps[from] = 0
	line := []int{from}
	for len(line) > 0 {
		i := line[0]
		line = line[1:]
		for _, step := range g.steps {
			if j := i + step; g.cells[j] == 0 && steps[j] < 0 {
				steps[j] = steps[i] + 1
				line = append(line, j)
			}
		}
	}
	return steps
}
