//go:build !unix

package life

import (
	"errors"

	"clade/engine"
)

// Foreign is not available here: killing all that a program starts needs the process groups of Unix.
func (g *Game) Foreign(string, bool) (engine.Player, error) {
	return nil, errors.New("life: foreign players need a Unix system")
}
