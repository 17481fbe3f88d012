package study

import (
	"fmt"

	"github.com/pelletier/go-toml/v2"

	"clade/engine"
	"clade/evolve"
	"clade/experiments/player"
)

// NewGame returns a game with settings of the form key=value or settings.key=value, with the keys
// of a study's table [settings].
func NewGame(scope player.Scope, name string, settings ...string) (engine.Game, error) {
	s := defaults(scope)
	s.Game = name
	if err := s.begin(); err != nil {
		return nil, err
	}
	if err := s.adjust(settings); err != nil {
		return nil, err
	}
	return s.NewGame()
}

// Adjust changes settings of a record, written as for NewGame: those that decide how a game is
// drawn. Other settings make the replay differ from the record, which engine.Replay reports.
func Adjust(scope player.Scope, record *engine.Record, settings ...string) error {
	if len(settings) == 0 {
		return nil
	}
	s, err := recorded(scope, record)
	if err != nil {
		return err
	}
	before := fileOf(s.Settings)
	if err := s.adjust(settings); err != nil {
		return err
	}
	if len(s.draws) > 0 {
		return fmt.Errorf("a recorded game cannot have drawn settings: %s", s.draws[0].key)
	}
	if fileOf(s.Settings) != before {
		if _, err := s.NewGame(); err != nil {
			return err
		}
	}
	text, err := toml.Marshal(s.Settings)
	if err != nil {
		return err
	}
	record.Settings = string(text)
	return nil
}

// CheckFile returns an error for a record whose settings name a file that is not within the scope.
func CheckFile(scope player.Scope, record *engine.Record) error {
	s, err := recorded(scope, record)
	if err != nil {
		return err
	}
	if file := fileOf(s.Settings); file != "" {
		return scope.Allow(file, player.Files)
	}
	return nil
}

// recorded returns a study of a record's game and settings.
func recorded(scope player.Scope, record *engine.Record) (*Study, error) {
	s := defaults(scope)
	s.Game = record.Game
	g, err := s.NewGame()
	if err != nil {
		return nil, err
	}
	if a, ok := g.(engine.Adjustable); ok {
		s.Settings = a.Settings()
		if err := toml.Unmarshal([]byte(record.Settings), s.Settings); err != nil {
			return nil, fmt.Errorf("settings of the record: %w", err)
		}
	}
	return &s, nil
}

// fileOf returns the name of the file that settings of a game name, or "".
func fileOf(settings any) string {
	if f, ok := settings.(engine.FileSettings); ok {
		return f.File()
	}
	return ""
}

// adjust applies settings of the game of the form key=value.
func (s *Study) adjust(settings []string) error {
	for _, set := range settings {
		if s.Settings == nil {
			return fmt.Errorf("%s has no settings, so %q cannot be set", s.Game, set)
		}
		if _, err := apply(s.assignSettings, bare(set)); err != nil {
			return err
		}
	}
	return nil
}

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
