package study

import (
	"clade/engine"
	"clade/evolve"
	"clade/experiments/player"
)

// New returns the study of a game without a file: everything that is not given has its default, and
// only the last champion is measured. The study is called after the game. It returns an error for a
// configuration that Parse would refuse.
func New(g engine.Game, config evolve.Config, seed uint64) (*Study, error) {
	s := defaults(player.Scope{Games: []engine.Game{g}, Trust: player.Files})
	s.Name, s.Game, s.Seed, s.Evolve = g.Info().Name, g.Info().Name, seed, config
	if a, ok := g.(engine.Adjustable); ok {
		s.Settings = a.Settings()
	}
	return &s, s.check()
}
