package player

import (
	"errors"
	"fmt"

	"clade/engine"
	"clade/engine/external"
	"clade/gp/suggest"
)

// Scope says what names in a study, a record, a message or on a command line may refer to: which
// games there are, and which players may be found.
type Scope struct {
	Games []engine.Game
	Trust Trust
	// Programs runs players that are programs; nil stands for a silent supervisor.
	Programs *external.Supervisor
}

// Trust says what the author of a name may make this machine do. The zero value trusts nobody.
type Trust int

// Levels of trust, each with everything before it.
const (
	BuiltIns Trust = iota // built-in players; for names that came over a network
	// also species files and champions of runs; for studies and run directories
	Files
	Programs // also programs, which are started; for what a person typed
)

// Game returns the game of a name. For an unknown name it returns an error with the nearest known
// one.
func (s Scope) Game(name string) (engine.Game, error) {
	names := make([]string, len(s.Games))
	for i, g := range s.Games {
		if names[i] = g.Info().Name; names[i] == name {
			return g, nil
		}
	}
	return nil, errors.New(suggest.Unknown("game", name, names)) // told to a user as it is
}

// Allow returns an error if a form of name needs more trust than the scope has.
func (s Scope) Allow(form string, need Trust) error {
	switch {
	case s.Trust >= need:
		return nil
	case need == Programs:
		return fmt.Errorf(
			"%s would start a program, and programs are not started because a file or a "+
				"message names them; if you trust its author, give --allow-programs", form)
	default:
		return fmt.Errorf(
			"%s would read a file of this machine, which nothing that comes over the "+
				"network may name; use what is built in, or give --allow-programs here", form)
	}
}
