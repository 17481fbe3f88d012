package rating

import "clade/engine"

// sampler draws results from a model. It is safe for concurrent use.
type sampler struct {
	players    int
	coins      []gameCoins // by player in the first seat, then by the other
	factorials []float64
}

// gameCoins are the chances of a win, and of a tie where there is none.
type gameCoins struct{ win, tie coin }

// Sampler returns a sampler of up to a number of games at once.
func (m *BradleyTerry) Sampler(most int) *sampler {
	n := len(m.Strength)
	s := &sampler{n, make([]gameCoins, n*n), logFactorials(most)}
	for i := range n {
		for j := range n {
			win, tie, loss := m.chances(i, j)
			s.coins[i*n+j] = gameCoins{newCoin(win), newCoin(tie / (tie + loss))}
		}
	}
	return s
}

// Points draws the points, a win counting 2 and a tie 1, that player i in the first seat gets from
// n independent games against j.
func (s *sampler) Points(i, j, n int, r *engine.Random) int {
	c := &s.coins[i*s.players+j]
	wins := c.win.toss(n, s.factorials, r)
	ties := c.tie.toss(n-wins, s.factorials, r)
	return 2*wins + ties
}
