package darwin

import "fmt"

// playable returns an error for a map that cannot be played: one with more than maxCreatures, or
// with a creature on the border, which the original keeps as a ghost below the wall.
func (g *ground) playable(name string) error {
	if n := len(g.starts); n > maxCreatures {
		return fmt.Errorf("darwin: map %s has %d creatures, more than %d; leave some out", name, n,
			maxCreatures)
	}
	for _, s := range g.starts {
		if p := g.point(s.cell); g.cells[s.cell] != 0 {
			return fmt.Errorf("darwin: map %s: a creature stands on the border at column %d, row "+
				"%d; move it inward", name, p.x, p.y)
		}
	}
	return nil
}

// connected tells whether every treasure and every creature of a seat can be reached from the first
// creature of a seat, without crossing a hazard.
func (g *ground) connected() bool {
	var steps []int32
	for _, s := range g.starts {
		if steps == nil && s.breed >= firstSeat {
			steps = g.distances(s.cell)
		}
	}
	for _, s := range g.starts {
		if steps != nil && (s.breed == treasure || s.breed >= firstSeat) && steps[s.cell] < 0 {
			return false
		}
	}
	return true
}

// distances returns the number of steps from one cell to every other one without creatures, -1 for
// cells that cannot be reached.
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
