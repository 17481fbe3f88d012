// Package all is the list of the games. It holds nothing of any game; a new one is one line here.
package all

import (
	"slices"
	"sync"

	"clade/engine"
	"clade/engine/amoebas"
	"clade/engine/amoeboid"
	"clade/engine/antwars"
	"clade/engine/antwars2"
	"clade/engine/chase"
	"clade/engine/darwin"
	"clade/engine/life"
	"clade/engine/multiplexer"
	"clade/engine/santafe"
)

// Games returns all games with their default settings. They are made once: a grammar with its masks
// takes milliseconds.
func Games() []engine.Game { return slices.Clone(games()) }

var games = sync.OnceValue(func() []engine.Game {
	return []engine.Game{
		antwars.New(),
		amoebas.New(),
		darwin.New(),
		life.New(),
		amoeboid.New(),
		chase.New(),
		antwars2.New(),
		multiplexer.New(),
		santafe.New(),
	}
})
