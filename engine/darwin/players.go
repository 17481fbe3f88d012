package darwin

import (
	"fmt"

	"clade/engine"
)

// Players lists the creatures of the house: first the motionless ones, then by about how they fare
// on natural-selection maps.
func (g *game) Players() []engine.Entry {
	return []engine.Entry{
		entryOf("treasure", "does nothing; as a species of its own it is only prey",
			Stepper(func() Mind { return inert{} })),
		entryOf("apple", "does nothing", Stepper(func() Mind { return inert{} })),
		entryOf("flytrap", "attacks and turns left on its place for ever",
			Stepper(func() Mind { return new(snapping) })),
		entryOf("solver", "searches mazes in depth, with a map that its species shares",
			Straight(solver)),
		entryOf("skunk", "searches mazes in depth by the scents that it leaves, without a memory",
			Straight(skunk)),
		entryOf("ambusher", "waits with its back to the wall for others to come near",
			Straight(ambusher)),
		entryOf("lefthand", "keeps the wall at its left and never steps without looking",
			Straight(leftHand)),
		entryOf("tortoise", "keeps the wall at its right and never steps without looking",
			Straight(tortoise)),
		entryOf("rover", "goes until it is blocked, attacks and turns left", Stepper(newRover)),
		entryOf("pilgrim", "explores with a map of its own and goes for what it remembers",
			Straight(pilgrim)),
		entryOf("surveyor", "explores with a map that its species shares", Straight(surveyor)),
		entryOf("superrover", "looks, goes up to what it saw, attacks it and turns right",
			Stepper(newSuperRover)),
		entryOf("pirate", "charges whatever it sees", Straight(pirate)),
		entryOf("follower", "follows the eldest of its like", Straight(follower)),
		entryOf("herd", "keeps together with its like", Straight(herd)),
	}
}

// entryOf makes the entry of a species without arguments.
func entryOf(name, about string, s Species) engine.Entry {
	return engine.Entry{Name: name, About: about, New: func(args string) (engine.Player, error) {
		if args != "" {
			return nil, fmt.Errorf("darwin: %s takes no arguments, not %q", name, args)
		}
		return s, nil
	}}
}
