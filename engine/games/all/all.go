// Package all lists the games. It holds no game itself; a new one is one line here.
package all

import (
	"slices"
	"sync"

	"clade/engine"
	"clade/engine/games/amoebas"
	"clade/engine/games/amoeboid"
	"clade/engine/games/antwars"
	"clade/engine/games/antwars2"
	"clade/engine/games/chase"
	"clade/engine/games/darwin"
	"clade/engine/games/life"
	"clade/engine/games/multiplexer"
	"clade/engine/games/santafe"
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
