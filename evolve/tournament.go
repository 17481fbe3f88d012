package evolve

import "clade/engine"

// ByTournament makes the winner of a single-elimination tournament among Config.Tournament random
// individuals a parent, as BrilliANT did.
const ByTournament = "tournament"

// tournament is the selection scheme ByTournament.
type tournament struct{}

func (tournament) name() string               { return ByTournament }
func (tournament) check(c *Config, f *faults) { checkReplacement(c, f) }
func (tournament) renew(is *island) error     { return replacement{elites: knockout}.renew(is) }
func (tournament) draw(is *island, n int, seed engine.Seed) ([]choice, error) {
	return is.tournaments(n, is.Config.Tournament, seed)
}
