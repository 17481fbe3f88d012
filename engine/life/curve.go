package life

import "clade/engine"

// Curve is a Recorder that keeps the live cells of both seats by generation, for figures. The zero value is ready for one game.
type Curve struct {
	Live [][2]int // by generation, from the empty board on, and by seat
}

// Decide does nothing.
func (*Curve) Decide(int, uint64) {}

// Step adds a generation.
func (c *Curve) Step(s engine.Scene) {
	var live [2]float64
	s.Scores(live[:0])
	c.Live = append(c.Live, [2]int{int(live[0]), int(live[1])})
}
