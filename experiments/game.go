package experiments

import (
	"fmt"

	"clade/engine"
)

// NewGame returns a game with settings of the form key=value, in the words of a study's table [settings].
func NewGame(name string, settings ...string) (engine.Game, error) {
	s := defaults()
	s.Game = name
	g, err := s.NewGame()
	if err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	if _, ok := g.(engine.Adjustable); !ok && len(settings) > 0 {
		return nil, fmt.Errorf("experiments: %s has no settings, so %q cannot be set", name, settings[0])
	}
	for _, set := range settings {
		if err := s.override("settings." + set); err != nil {
			return nil, err
		}
	}
	if g, err = s.NewGame(); err != nil {
		return nil, fmt.Errorf("experiments: %w", err)
	}
	return g, nil
}
