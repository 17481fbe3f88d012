package rating

import "clade/engine"

// Sampler draws results from a model. It is safe for concurrent use.
type Sampler struct {
	model      *BradleyTerry
	factorials []float64
}

// Sampler returns a sampler of up to a number of games at once.
func (m *BradleyTerry) Sampler(most int) *Sampler { return &Sampler{m, logFactorials(most)} }

// Points draws the points, a win counting 2 and a tie 1, that player i in the first seat gets from n independent games against j.
func (s *Sampler) Points(i, j, n int, r *engine.Random) int {
	win, tie, loss := s.model.Chances(i, j)
	wins := binomial(n, win, s.factorials, r)
	ties := binomial(n-wins, tie/(tie+loss), s.factorials, r)
	return 2*wins + ties
}
